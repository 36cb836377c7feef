import { fc } from '../support/property.js';
import type { DatabaseName } from '../support/database.js';
import type { SearchCondition, SearchEntry, SearchSort } from './stock.reference.js';
import { domains, instants } from './stock.records.js';

const equality = ['=', '!=', '<=>', 'is', 'is not', 'is null', 'is not null', 'in', 'not in'];
const comparable = [
  '<=>',
  '!=',
  '<=',
  '>=',
  '>',
  '<',
  '=',
  'in',
  'is not null',
  'is null',
  'is not',
  'is',
  'not in',
];
const ordered = [...comparable, 'between'];
const textual = [...comparable, 'like', 'contains', 'starts with', 'ends with'];

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The operators and values that conditions on a column are made of. */
const searchable: Readonly<
  Record<string, readonly [operators: readonly string[], values: readonly unknown[]]>
> = {
  id: [ordered, [1, 5, 50, 299, 300, 1000]],
  label: [textual, domains.label],
  size: [ordered, domains.size],
  weight: [ordered, domains.weight],
  price: [ordered, [...domains.price, 10, -3.5]],
  serial: [ordered, domains.serial],
  fragile: [equality, domains.fragile],
  made_on: [ordered, domains.madeOn],
  sold_at: [ordered, [...instants.map(iso), '2024-05-05T12:00:01+02:00']],
  checked_at: [ordered, domains.checkedAt],
  code: [equality, [...domains.code, 'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF']],
  state: [textual, domains.state],
  'depot.name': [textual, ['north', 'South', 'east', '']],
  'depot.rank': [ordered, [1, 2, 3]],
  'depot.region.title': [textual, ['a', 'B']],
  'parts.name': [textual, ['bolt', 'Nut', 'a%b']],
  'parts.count': [ordered, [0, 1, 2, 3]],
  'tags.word': [textual, ['red', 'Blue', '']],
};

const patterns = fc.oneof(
  fc.constantFrom('%', '_', 'a%', '%b', '%\\%%', 'a\\_b', 'a\\\\b', '', '__', '%日%', '\\', 'a\\', '_%_'),
  fc.string({ unit: fc.constantFrom('a', 'b', 'A', '%', '_', '\\', 'é', '😀'), maxLength: 6 }),
);

const parts = fc.oneof(
  fc.constantFrom('%', '_', 'a%', '\\', '%_\\', '', 'A', '日', 'OL', 'nut', 'NE'),
  fc.string({ unit: fc.constantFrom('a', 'b', 'A', '%', '_', '\\', 'é', '😀'), maxLength: 3 }),
);

const valueFor = (column: string, operator: string, values: readonly unknown[]): fc.Arbitrary<unknown> => {
  const one = fc.constantFrom(...values);
  switch (operator) {
    case 'is null':
    case 'is not null':
      return fc.constant(undefined);
    case 'is':
    case 'is not':
      return column === 'fragile' ? fc.constantFrom<unknown>(null, true, false) : fc.constant(null);
    case '<=>':
      return fc.oneof(one, fc.constant(null));
    case 'in':
    case 'not in':
      return fc.array(one, { maxLength: 4 });
    case 'between':
      return fc.array(one, { minLength: 2, maxLength: 2 });
    case 'contains':
    case 'starts with':
    case 'ends with':
      return parts;
    case 'like':
      return patterns;
    default:
      return one;
  }
};

const conditionOf = (columns: typeof searchable): fc.Arbitrary<SearchCondition> =>
  fc.constantFrom(...Object.entries(columns)).chain(([column, [operators, values]]) =>
    fc.constantFrom(...operators).chain((operator) =>
      valueFor(column, operator, values).map((value) => ({
        column,
        operator,
        ...(value === undefined ? {} : { value }),
      })),
    ),
  );

const condition = conditionOf(searchable);

/** The columns of related records, by the names that a group about these has for them. */
const relatedTo = (relation: string): typeof searchable =>
  Object.fromEntries(
    Object.entries(searchable)
      .filter(([name]) => name.startsWith(`${relation}.`))
      .map(([name, terms]) => [name.slice(relation.length + 1), terms]),
  );

/** Up to four conditions: few enough for some records to meet them all. */
export const conditionsOn = (database: DatabaseName): fc.Arbitrary<SearchCondition[]> =>
  fc.array(known(database, condition), { maxLength: 4 });

/** SQLite's `like` does not tell cases apart. */
const known = (
  database: DatabaseName,
  conditions: fc.Arbitrary<SearchCondition>,
): fc.Arbitrary<SearchCondition> =>
  database === 'sqlite' ? conditions.filter(({ operator }) => operator !== 'like') : conditions;

/** Groups of what `leaf` gives, with other groups among them. */
const tree = (leaf: fc.Arbitrary<SearchEntry>, depth: number): fc.Arbitrary<SearchEntry> => {
  if (depth === 0) return leaf;
  const entry = tree(leaf, depth - 1);
  const entries = fc.array(entry, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: entries.map((any) => ({ any })) },
    { weight: 1, arbitrary: entries.map((all) => ({ all })) },
    { weight: 2, arbitrary: entry.map((not) => ({ not })) },
  );
};

/** A group about one sort of related records. */
const related = (database: DatabaseName, relation: string): fc.Arbitrary<SearchEntry> => {
  const entries = fc.array(tree(known(database, conditionOf(relatedTo(relation))), 2), { maxLength: 3 });
  return fc.oneof(
    entries.map((all) => ({ some: relation, all })),
    entries.map((all) => ({ none: relation, all })),
  );
};

/** Up to three trees of conditions, as deep as they may be. */
export const treesOn = (database: DatabaseName): fc.Arbitrary<SearchEntry[]> => {
  const leaf = fc.oneof(
    { weight: 5, arbitrary: known(database, condition) },
    { weight: 1, arbitrary: related(database, 'parts') },
    { weight: 1, arbitrary: related(database, 'tags') },
  );
  return fc.array(tree(leaf, 2), { minLength: 1, maxLength: 3 });
};

export const searchableNames = Object.keys(searchable);
export const sortableNames = searchableNames.filter((name) => !/^(?:parts|tags)\./.test(name));

const sort: fc.Arbitrary<SearchSort> = fc.record({
  column: fc.constantFrom(...sortableNames),
  direction: fc.constantFrom('asc', 'desc'),
});

/** One or two sorts. */
export const sorts = fc.array(sort, { minLength: 1, maxLength: 2 });
