// What is asked of every application. A case draws values; a dialect makes a request of them.

const firstNames = ['Ada', 'Björn', 'Chloé', 'Dmitri', 'Emeka', 'Fatima', 'Grace', 'Hiro'];

const newPerson = (world) => ({
  email: `${world.unused()}@example.com`,
  first_name: world.oneOf(firstNames),
  last_name: `Name ${world.below(world.spread.lastNames)}`,
  age: 18 + world.below(60),
  company_id: 1 + world.below(world.spread.companies),
  is_active: world.below(10) > 0,
  score: world.below(world.spread.scores * 100) / 100,
});

/** No column of it needs the database to be refused. */
const refused = { email: 'nobody', first_name: '', age: 'forty', is_active: 'yes', colour: 'blue' };

/** The page in the middle of the table; both kinds of deep pages show the same records. */
const middle = (world) => ({ start: Math.floor(world.records / 100) * 50 });

/**
 * By name: the heading in tables, the values of one request, the status of its answer (200 if it says nothing). A heavy
 * case keeps the database busy for so long that waiting for the last answers of a turn takes longer than the turn.
 */
export const cases = {
  get: { title: 'get', draw: (world) => ({ id: world.id() }) },
  unique: { title: 'unique =', draw: (world) => ({ email: `person${world.id()}@example.com` }) },
  missing: { title: '404', status: 404, draw: (world) => ({ id: 2_000_000_000 + world.below(1000) }) },
  invalid: { title: 'invalid', status: 400, draw: () => ({ body: refused }) },
  create: { title: 'create', status: 201, writes: true, draw: (world) => ({ body: newPerson(world) }) },
  update: {
    title: 'update',
    writes: true,
    draw: (world) => ({
      id: world.id(),
      body: { first_name: world.oneOf(firstNames), is_active: world.below(10) > 0 },
    }),
  },
  delete: { title: 'delete', writes: true, draw: (world) => ({ id: world.deletable() }) },
  list1k: { title: 'list 1k', draw: () => ({}) },
  list: { title: 'list', isHeavy: true, draw: () => ({}) },
  offset: { title: 'deep, offset', isHeavy: true, draw: middle },
  keyset: { title: 'deep, keyset', draw: middle },
  range: { title: 'range + sort', draw: (world) => ({ least: world.below(world.spread.scores - 1) }) },
  related: { title: 'related', draw: (world) => ({ city: `City ${world.below(world.spread.cities)}` }) },
  search: {
    title: 'AdvancedSearch',
    draw: (world) => {
      const least = 18 + world.below(20);
      return {
        lastName: `Name ${world.below(world.spread.lastNames)}`,
        least,
        most: least + 40,
        notCity: `City ${world.below(world.spread.cities)}`,
      };
    },
  },
};

/** As many records as a bulk write has here. */
const hundred = (draw) => Array.from({ length: 100 }, (_, index) => draw(index));

const changeOf = (world) => ({ first_name: world.oneOf(firstNames), is_active: world.below(10) > 0 });

/** What `npm run bench:bulk` asks: writes of a hundred records, one request each. No record twice in one. */
const bulkCases = {
  create100: {
    title: 'create 100',
    status: 201,
    writes: true,
    draw: (world) => ({ records: hundred(() => newPerson(world)) }),
  },
  update100: {
    title: 'update 100',
    writes: true,
    draw: (world) => {
      const step = Math.floor(world.records / 100);
      return {
        records: hundred((index) => ({ id: 1 + index * step + world.below(step), ...changeOf(world) })),
      };
    },
  },
};

export const everyCase = { ...cases, ...bulkCases };

/** Cases whose answers need no statement. */
export const withoutDatabase = new Set(['invalid']);
