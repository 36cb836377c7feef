import { expect } from '@jest/globals';
import { Type, defineEntity, p } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Export, List, type ColumnPathOf } from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Author, Book, library } from '../support/entities/library.js';
import { Depot, Region, stock, Ware } from '../support/entities/stock.js';
import { wares } from './advanced-search.wares.js';
import { idsOfPages, listing, pages, walkedTwice as walked, type Sorts } from './keyset.walk.js';

const sortable: readonly ColumnPathOf<Ware>[] = [
  'id',
  'label',
  'size',
  'weight',
  'price',
  'serial',
  'fragile',
  'madeOn',
  'soldAt',
  'checkedAt',
  'code',
  'state',
  'depotId',
  'depot.name',
  'depot.rank',
  'depot.region.title',
];

/** A number of which the database makes another one. */
class Doubled extends Type<number, number> {
  override convertToDatabaseValue(value: number): number {
    return value;
  }

  override convertToJSValueSQL(key: string): string {
    return `(${key} * 2)`;
  }

  override getColumnType(): string {
    return 'integer';
  }
}

/** A record with values that the database works out. */
const Badge = defineEntity({
  name: 'Badge',
  properties: {
    id: p.integer().primary(),
    name: p.string(),
    seenAt: p.datetime(6),
    points: p.type(Doubled),
    nameLength: p.integer().formula((columns) => `length(${columns['name']})`),
    isLong: p.boolean().formula((columns) => `length(${columns['name']}) > 3`),
    lastAt: p
      .datetime(6)
      .nullable()
      .formula((columns) => `case when length(${columns['name']}) > 1 then ${columns['seenAt']} end`),
    shorter: p.double().formula((columns) => `length(${columns['name']}) - 0.5`),
  },
});

const computed = ['nameLength', 'isLong', 'lastAt', 'shorter', 'points'] as const;

const badges = {
  modelClass: Badge,
  readableColumnNames: ['id'],
  sortableColumnNames: computed,
  defaultSortColumnName: 'nameLength',
} as const;

const application: ApplicationOptions = {
  entities: [...stock, ...library, Badge],
  endpoints: [
    wares({ pagination: 'keyset', sortableColumnNames: sortable }),
    wares({
      url: 'shown',
      pagination: 'keyset',
      sortableColumnNames: sortable,
      readableColumnNames: sortable,
    }),
    new List({
      url: 'books',
      modelClass: Book,
      readableColumnNames: ['title'],
      sortableColumnNames: ['title', 'created', 'author.name'],
      defaultSortColumnName: 'created',
      pagination: 'keyset',
    }),
    new List({ ...badges, url: 'badges', pagination: 'keyset' }),
    new Export({ ...badges, url: 'badges/export' }),
  ],
};

const { contract } = service(application, everyDatabase);

/** Wares 1, 2, … with these values of a column. */
const store = ({ em }: Subject, property: string, values: readonly unknown[]) =>
  em().insertMany(
    Ware,
    values.map((value, index) => ({ id: index + 1, [property]: value })),
  );

/** Values of a property, and the ids in ascending and in descending order; those that tie in the order of their ids. */
type Column = readonly [
  property: string,
  values: readonly unknown[],
  ascending: readonly number[],
  descending: readonly number[],
];

const columns: Readonly<Record<string, Column>> = {
  label: [
    'label',
    ['b', null, 'B', 'é', '', 'a', null, 'a', 'z', '日本', '😀', 'ä'],
    [5, 3, 6, 8, 1, 9, 12, 4, 10, 11, 2, 7],
    [2, 7, 11, 10, 4, 12, 9, 1, 6, 8, 3, 5],
  ],
  size: [
    'size',
    [2_147_483_647, null, -1, 0, -2_147_483_648, 0, null],
    [5, 3, 4, 6, 1, 2, 7],
    [2, 7, 1, 4, 6, 3, 5],
  ],
  weight: [
    'weight',
    [0.1, 0.30000000000000004, 0.3, null, 0, 1 / 3, 5e-324, -1e300, 1e300, 0.1],
    [8, 5, 7, 1, 10, 3, 2, 6, 9, 4],
    [4, 9, 6, 2, 3, 1, 10, 7, 5, 8],
  ],
  price: ['price', ['10.00', '9.99', null, '-3.50', '10', '0'], [4, 6, 2, 1, 5, 3], [3, 1, 5, 2, 6, 4]],
  serial: [
    'serial',
    ['9007199254740993', '9007199254740992', '-9223372036854775808', null, '9223372036854775807'],
    [3, 2, 1, 5, 4],
    [4, 5, 1, 2, 3],
  ],
  fragile: ['fragile', [true, null, false, true, null, false], [3, 6, 1, 4, 2, 5], [2, 5, 1, 4, 3, 6]],
  made_on: [
    'madeOn',
    ['2024-02-29', '0001-01-01', null, '9999-12-31', '2024-02-29'],
    [2, 1, 5, 4, 3],
    [3, 4, 1, 5, 2],
  ],
  sold_at: [
    'soldAt',
    [
      new Date('2024-05-05T10:00:00.124Z'),
      new Date('2024-05-05T10:00:00.123Z'),
      null,
      new Date('1815-12-23T00:00:00.001Z'),
      new Date('2024-05-05T10:00:00.124Z'),
      new Date('9999-12-31T23:59:59.999Z'),
    ],
    [4, 2, 1, 5, 6, 3],
    [3, 6, 1, 5, 2, 4],
  ],
  checked_at: ['checkedAt', [5, null, -5, 5, 0], [3, 5, 1, 4, 2], [2, 1, 4, 5, 3]],
  code: [
    'code',
    [
      'ffffffff-ffff-4fff-bfff-ffffffffffff',
      null,
      '00000000-0000-4000-8000-000000000000',
      'aaaaaaaa-0000-4000-8000-000000000000',
    ],
    [3, 4, 1, 2],
    [2, 1, 4, 3],
  ],
  state: ['state', ['used', 'new', null, 'Broken', 'new'], [4, 2, 5, 1, 3], [3, 1, 2, 5, 4]],
};

for (const [column, [property, values, ascending, descending]] of Object.entries(columns))
  contract(
    `Keyset pages over ${column} reach every record once, nulls and ties included`,
    async (subject) => {
      await store(subject, property, values);
      expect(await walked(subject, [column, 'asc'])).toEqual(ascending);
      expect(await walked(subject, [column, 'desc'])).toEqual(descending);
    },
  );

contract('Keyset pages over the id itself go both ways', async (subject) => {
  await store(subject, 'size', [1, 1, 2, 2, null]);
  expect(await walked(subject, ['id', 'asc'])).toEqual([1, 2, 3, 4, 5]);
  expect(await walked(subject, ['id', 'desc'])).toEqual([5, 4, 3, 2, 1]);
  expect(await walked(subject, ['size', 'desc'], ['id', 'desc'])).toEqual([5, 4, 3, 2, 1]);
  expect(await walked(subject, ['id', 'desc'], ['size', 'asc'])).toEqual([5, 4, 3, 2, 1]);
});

contract('Keyset pages over two columns take every pair of directions, nulls in both', async (subject) => {
  const sizes = [1, 1, 1, 2, 2, 2, null, null, null];
  await store(subject, 'size', sizes);
  const manager = subject.em() as SqlEntityManager;
  await manager.execute(`update ware set label = 'x' where id % 3 = 1`);
  await manager.execute(`update ware set label = 'y' where id % 3 = 2`);
  const columnsOf = (one: 'asc' | 'desc', other: 'asc' | 'desc'): Sorts => [
    ['size', one],
    ['label', other],
  ];
  expect(await walked(subject, ...columnsOf('asc', 'asc'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await walked(subject, ...columnsOf('asc', 'desc'))).toEqual([3, 2, 1, 6, 5, 4, 9, 8, 7]);
  expect(await walked(subject, ...columnsOf('desc', 'asc'))).toEqual([7, 8, 9, 4, 5, 6, 1, 2, 3]);
  expect(await walked(subject, ...columnsOf('desc', 'desc'))).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

contract('Keyset pages over one column named twice are those of the first', async (subject) => {
  await store(subject, 'size', [2, null, 1, 2]);
  expect(await walked(subject, ['size', 'desc'], ['size', 'asc'])).toEqual([2, 1, 4, 3]);
});

contract('Keyset pages over columns of parents reach records without a parent', async (subject) => {
  const manager = subject.em() as SqlEntityManager;
  await manager.insertMany(Region, [
    { id: 1, title: 'r' },
    { id: 2, title: null },
  ]);
  await manager.insertMany(Depot, [
    { id: 1, name: 'b', rank: 1, region: 1 },
    { id: 2, name: 'a', rank: null, region: 2 },
    { id: 3, name: 'c', rank: 1, region: null },
  ]);
  await manager.insertMany(
    Ware,
    [1, 2, 3, null, 1, null].map((depot, index) => ({ id: index + 1, depot })),
  );
  expect(await walked(subject, ['depot.name', 'asc'])).toEqual([2, 1, 5, 3, 4, 6]);
  expect(await walked(subject, ['depot.name', 'desc'])).toEqual([4, 6, 3, 1, 5, 2]);
  expect(await walked(subject, ['depot.rank', 'asc'])).toEqual([1, 3, 5, 2, 4, 6]);
  expect(await walked(subject, ['depot.rank', 'desc'])).toEqual([2, 4, 6, 1, 3, 5]);
  expect(await walked(subject, ['depot.region.title', 'asc'], ['depot.name', 'desc'])).toEqual([
    1, 5, 4, 6, 3, 2,
  ]);
  expect(await walked(subject, ['depot_id', 'desc'], ['depot.region.title', 'asc'])).toEqual([
    4, 6, 3, 2, 1, 5,
  ]);
});

contract('Keyset pages break ties by an id that is a Uuid', async (subject) => {
  const author = await subject.save(Author, { name: 'Jane Austen' });
  const created = new Date('2024-05-05T10:00:00Z');
  for (const title of ['A', 'B', 'C', 'D', 'E', 'F'])
    await subject.save(Book, { title, created, ...(title < 'D' ? { author } : {}) });
  for (const path of ['/books?limit=2', '/books?limit=1&direction=desc', '/books?limit=1&sort=author.name']) {
    const data = (await pages(listing(subject, path))).flatMap(
      (body) => body.data as unknown as { title: string }[],
    );
    expect(data.map(({ title }) => title).sort()).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
  }
});

/** Badges whose names have one to six letters, and the values that follow from these. */
const saveBadges = ({ em }: Subject, count: number) =>
  em().insertMany(
    Badge,
    Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      name: 'x'.repeat(1 + (index % 6)),
      seenAt: new Date(Date.UTC(2024, 4, 5) - (index % 6)),
      points: index % 6,
    })),
  );

contract('Keyset pages over what the database works out reach every record once', async (subject) => {
  await saveBadges(subject, 6);
  const by = async (sort: string): Promise<number[]> =>
    idsOfPages(await pages(listing(subject, `/badges?limit=1&sort=${sort}`))).flat();
  for (const sort of ['name_length', 'shorter', 'points']) {
    expect(await by(sort)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await by(`${sort}&direction=desc`)).toEqual([6, 5, 4, 3, 2, 1]);
  }
  expect(await by('is_long')).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await by('is_long&direction=desc')).toEqual([4, 5, 6, 1, 2, 3]);
  expect(await by('last_at')).toEqual([6, 5, 4, 3, 2, 1]);
  expect(await by('last_at&direction=desc')).toEqual([1, 2, 3, 4, 5, 6]);
});

contract('An Export in the order of what the database works out has every record once', async (subject) => {
  await saveBadges(subject, 2100);
  for (const path of ['/badges/export?sort=name_length', '/badges/export?sort=name_length&direction=desc']) {
    const lines = (await subject.raw('GET', `${path}&limit=5000`)).text.trimEnd().split('\n');
    expect([lines.length, new Set(lines).size]).toEqual([2100, 2100]);
  }
});
