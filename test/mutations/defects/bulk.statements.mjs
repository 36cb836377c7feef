/** What keeps a statement for many records from writing too much, too little, or into the wrong place. See defects.mjs. */
const locked = 'libs/core/src/sql/bulk/locked.records.ts';
const change = 'libs/core/src/sql/bulk/bulk.change.ts';
const insert = 'libs/core/src/sql/bulk/bulk.insert.ts';
const parts = 'libs/core/src/records/writes/bulk/bulk.statement.parts.ts';
const changes = 'libs/core/src/records/writes/bulk/statement.changes.ts';
const rows = 'libs/core/src/records/writes/bulk/new.rows.ts';
const tests = ['contract/bulk.statements'];
const scopes = ['contract/bulk.statements.scopes'];

export const defects = [
  {
    name: 'records that are there are written, though others are missing',
    file: locked,
    find: '`count(*) = ${number} and ',
    replace: '`count(*) <= ${number} and ',
    tests,
  },
  {
    name: 'one record is written for two that are named',
    file: locked,
    find: ' and count(distinct ${key}) = count(*)`',
    replace: '`',
    tests,
  },
  {
    name: 'records in another version are written',
    file: locked,
    find: 'this.demand(`bool_or(${isStale}) is not true`);',
    replace: '',
    tests,
  },
  {
    name: 'conditions write more records than may be',
    file: locked,
    find: 'return `count(*) <= ${',
    replace: 'return `count(*) - 1 <= ${',
    tests,
  },
  {
    name: 'an Update of many does not ask for its parents',
    file: change,
    find: 'this.#demandParents(columns.map(({ value }) => value));',
    replace: '',
    tests: scopes,
  },
  {
    name: 'new values are compared with the record that the statement began with',
    file: change,
    find: 'this.#writeHeld(written, ` and ${differs}`);',
    replace:
      'this.#writeHeld(written, ` and (${columns.map(({ value, column }) => `${field(column.property)} is distinct from ${value.written}`).join(" or ")})`);',
    tests,
  },
  {
    name: 'what many records keep is written, too',
    file: change,
    find: 'if (isGiven !== undefined) kept.push(`not ${isGiven.written}`);',
    replace: '',
    tests,
  },
  {
    name: 'an instant of many loses the finer digits of the database',
    file: change,
    find: 'if (width > 0) kept.push(',
    replace: 'if (width < 0) kept.push(',
    tests,
  },
  {
    name: 'a written record is none of those that there are',
    file: change,
    find: "    scope.writeLimits(' and ');\n",
    replace: '',
    tests: scopes,
  },
  {
    name: 'new records refer to parents that are hidden',
    file: insert,
    find: 'where not exists (select 1 from "*hidden")',
    replace: '',
    tests: scopes,
  },
  {
    name: 'an older server answers its new records in any order',
    file: insert,
    find: 'from ${from} order by ${alias}.${position} returning',
    replace: 'from ${from} order by ${alias}.${position} desc returning',
    tests: ['contract/bulk.older'],
  },
  {
    name: 'columns without a value are null where the database has one',
    file: rows,
    find: 'const filled = known.filter(({ column }) => column?.isFilled === true);',
    replace: 'const filled = known.filter(() => false);',
    tests,
  },
  {
    name: 'new records are answered in the order of their columns',
    file: 'libs/core/src/records/writes/bulk/statement.inserts.ts',
    find: 'all[place] = rows[index] ?? []',
    replace: 'all[index] = rows[index] ?? [place]',
    tests,
  },
  {
    name: 'many records may leave those of one’s own',
    file: parts,
    find: 'return restriction === undefined || ',
    replace: 'return restriction !== null || ',
    tests: scopes,
  },
  {
    name: 'many records refer to hidden parents, whoever asks',
    file: parts,
    find: 'restrictions.has(one.parent.meta) && has(one)',
    replace: 'restrictions.has(one.parent.meta) && !has(one)',
    tests: scopes,
  },
  {
    name: 'who met no record is told so by the statement',
    file: changes,
    find: 'const rows = found && (await this.#updated(session, found, [values], true));\n    return rows?.length === 0 ?',
    replace:
      'const rows = found && (await this.#updated(session, found, [values], true));\n    return rows?.length === -1 ?',
    tests,
  },
];
