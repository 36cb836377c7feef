import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { LibSqlDriver } from '@mikro-orm/libsql';
import { Facets, RestfulApi, type AggregateOptions } from '@nest-endpoints/core';
import { startUpError, type ApplicationOptions } from '../support/application.js';
import { Book } from '../support/entities/library.js';
import { libraryWith } from '../support/endpoints.js';
import { Ware } from '../support/entities/stock.js';
import { once, service } from '../support/contract.js';
import { stockWith } from './advanced-search.wares.js';
import { aggregate } from './aggregate.stock.js';
import { Nowhere } from './nowhere.js';

const refused = (
  options: Partial<AggregateOptions<Ware>>,
  more: Partial<ApplicationOptions> = {},
): Promise<string> => startUpError({ ...stockWith([aggregate(options)]), ...more });

const owner = "Aggregate 'aggregate'";

const mistakes: readonly [string, Partial<AggregateOptions<Ware>>, string][] = [
  [
    'a column of many records',
    { groupableColumnNames: ['parts.name'] },
    "groupableColumnNames: 'parts.name' cannot be used here: a record has many of them",
  ],
  [
    'keys of many records',
    { groupableColumnNames: ['tagIds'] },
    "groupableColumnNames: 'tagIds' cannot be used here: a record has many of them",
  ],
  [
    'a float',
    { groupableColumnNames: ['weight'] },
    "groupableColumnNames: 'weight' cannot be grouped by: its values are no few that can be told apart",
  ],
  [
    'a date-time without spans',
    { groupableColumnNames: ['soldAt'] },
    "groupableColumnNames: 'soldAt' has too many values to group by; name spans: { column: 'soldAt', buckets: ['day'] }",
  ],
  [
    'spans of a text',
    { groupableColumnNames: [{ column: 'label', buckets: ['day'] }] },
    "groupableColumnNames: 'label' has no buckets: these are of dates and date-times",
  ],
  [
    'spans of a number',
    { groupableColumnNames: [{ column: 'checkedAt', buckets: ['day'] }] },
    "groupableColumnNames: 'checkedAt' has no buckets: these are of dates and date-times",
  ],
  [
    'hours of a date',
    { groupableColumnNames: [{ column: 'madeOn', buckets: ['hour'] }] },
    "groupableColumnNames: 'madeOn' is a date, which has no hours",
  ],
  [
    'a sum of texts',
    { measurableColumnNames: { label: ['sum'] } },
    "measurableColumnNames: 'label' cannot be measured by sum; allowed: min, max, count, count_distinct",
  ],
  [
    'a sum of times',
    { measurableColumnNames: { checkedAt: ['sum'] } },
    "measurableColumnNames: 'checkedAt' cannot be measured by sum; allowed: min, max, count, count_distinct",
  ],
  [
    'the least boolean',
    { measurableColumnNames: { fragile: ['min'] } },
    "measurableColumnNames: 'fragile' cannot be measured by min; allowed: count, count_distinct",
  ],
  [
    'a sum over many records',
    { measurableColumnNames: { 'parts.count': ['sum'] } },
    "measurableColumnNames: 'parts.count' cannot be used here: a record has many of them",
  ],
  [
    'a required column that is not searchable',
    { requiredColumnNames: ['code'] },
    "requiredColumnNames: 'code' is not searchable",
  ],
  [
    'a limit above the largest',
    { limit: 11, maximumLimit: 10 },
    'limit: 11 is above maximumLimit, which is 10',
  ],
];

test.each(mistakes)('An Aggregate with %s stops the start', async (_, options, problem) => {
  expect(await refused(options)).toBe(`${owner}: ${problem}`);
});

test('An Aggregate knows no cursors and no estimates', () => {
  expect(() => aggregate({ count: 'estimated' } as never)).toThrow(
    "count: 'estimated' is unknown; allowed: exact, none",
  );
  expect(() => aggregate({ pagination: 'keyset' } as never)).toThrow(/^Aggregate 'aggregate': pagination: /);
});

test('A measure and a column of one name stop the start', async () => {
  const Tally = defineEntity({
    name: 'Tally',
    properties: { id: p.integer().primary(), count: p.integer() },
  });
  const tally = new RestfulApi({
    url: 'tallies',
    modelClass: Tally,
    readableColumnNames: ['id'],
    writeableColumnNames: ['count'],
    sortableColumnNames: ['id'],
    searchableColumnNames: [],
    defaultSortColumnName: 'id',
    aggregate: { groupableColumnNames: ['count'] },
  });
  expect(await startUpError({ entities: [Tally], endpoints: [tally] })).toMatch(
    /^RestfulApi 'tallies': (?:aggregate\.)?measurableColumnNames: 'count' and 'count' are both 'count' in an answer$/,
  );
});

test('A hidden column stops the start, of an Aggregate and of Facets', async () => {
  const Login = defineEntity({
    name: 'Login',
    properties: { id: p.integer().primary(), name: p.string(), password: p.string().hidden() },
  });
  const facets = new Facets({ url: 'facets', modelClass: Login, facetColumnNames: ['password'] });
  expect(await startUpError({ entities: [Login], endpoints: [facets] })).toBe(
    "Facets 'facets': facetColumnNames: 'password' is hidden in the entity and cannot be used here",
  );
});

const Place = defineEntity({
  name: 'Place',
  properties: { name: p.string().primary(), region: p.string().nullable() },
});

const placesWith = (options: object): ApplicationOptions => ({
  entities: [Place],
  endpoints: [
    new RestfulApi({
      url: 'places',
      modelClass: Place,
      readableColumnNames: ['name'],
      writeableColumnNames: ['name'],
      sortableColumnNames: ['name'],
      searchableColumnNames: ['region'],
      defaultSortColumnName: 'name',
      ...options,
    }),
  ],
});

test('A segment that a record may have as its key stops the start, until it is named', async () => {
  expect(await startUpError(placesWith({ aggregate: {} }))).toBe(
    "RestfulApi 'places': aggregate.url: a record may have 'aggregate' as its name; name the segment, e.g. '~aggregate'",
  );
  expect(await startUpError(placesWith({ facets: { facetColumnNames: ['region'] } }))).toMatch(
    /a record may have 'facets' as its name/,
  );
});

const { contract } = service(placesWith({ aggregate: { url: '~aggregate' } }), once);

contract('A segment that is named is the endpoint, and others are keys', async ({ request, save }) => {
  await save(Place, { name: 'aggregate' });
  expect((await request().get('/places/~aggregate')).body.data).toEqual({ count: 1 });
  expect((await request().get('/places/aggregate')).body.data).toEqual({ name: 'aggregate' });
});

test('An Aggregate over a backend stops the start', async () => {
  const facets = new Facets({ url: 'facets', modelClass: Book, facetColumnNames: ['title'] });
  const backends = [{ modelClass: Book, backend: new Nowhere() }];
  expect(await startUpError(libraryWith([facets], { root: { backends } }))).toBe(
    "Facets 'facets': facetColumnNames: its records are in a backend of your own",
  );
});

test('What SQLite does not calculate exactly stops the start, and so do its time zones', async () => {
  const orm = { driver: LibSqlDriver, dbName: ':memory:' } as const;
  expect(await refused({ measurableColumnNames: { price: ['avg'] } }, { orm })).toBe(
    `${owner}: measurableColumnNames: 'price.avg': SQLite does not add such numbers up exactly`,
  );
  expect(await refused({ measurableColumnNames: { serial: ['sum'] } }, { orm })).toBe(
    `${owner}: measurableColumnNames: 'serial.sum': SQLite does not add such numbers up exactly`,
  );
  expect(await refused({ clientSelectsTimeZone: true }, { orm })).toBe(
    `${owner}: clientSelectsTimeZone: this database knows no time zones but UTC`,
  );
});
