import fc from 'fast-check';
import type { DatabaseName } from '../support/database.js';
import type { SearchCondition, SearchSort } from './stock.reference.js';
import { domains, instants } from './stock.records.js';

const equality = ['=', '!=', '<=>', 'is', 'is not', 'is null', 'is not null', 'in'];
const ordered = ['<=>', '!=', '<=', '>=', '>', '<', '=', 'in', 'is not null', 'is null', 'is not', 'is'];
const textual = [...ordered, 'like'];

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
      return fc.array(one, { maxLength: 4 });
    case 'like':
      return patterns;
    default:
      return one;
  }
};

const condition: fc.Arbitrary<SearchCondition> = fc
  .constantFrom(...Object.entries(searchable))
  .chain(([column, [operators, values]]) =>
    fc.constantFrom(...operators).chain((operator) =>
      valueFor(column, operator, values).map((value) => ({
        column,
        operator,
        ...(value === undefined ? {} : { value }),
      })),
    ),
  );

/** Up to four conditions: few enough for some records to meet them all. SQLite's `like` does not tell cases apart. */
export const conditionsOn = (database: DatabaseName): fc.Arbitrary<SearchCondition[]> =>
  fc.array(database === 'sqlite' ? condition.filter(({ operator }) => operator !== 'like') : condition, {
    maxLength: 4,
  });

export const searchableNames = Object.keys(searchable);
export const sortableNames = searchableNames.filter((name) => !/^(?:parts|tags)\./.test(name));

const sort: fc.Arbitrary<SearchSort> = fc.record({
  column: fc.constantFrom(...sortableNames),
  direction: fc.constantFrom('asc', 'desc'),
});

/** One or two sorts. */
export const sorts = fc.array(sort, { minLength: 1, maxLength: 2 });
