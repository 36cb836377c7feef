import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Callable } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';

/** Those that are gone are hidden by default. */
const filters = { gone: { name: 'gone', cond: { gone: false }, default: true } };

const Owner = defineEntity({
  name: 'Owner',
  properties: { id: p.integer().primary(), name: p.string(), gone: p.boolean().default(false) },
  filters,
});
const Boat = defineEntity({
  name: 'Boat',
  properties: {
    id: p.integer().primary(),
    gone: p.boolean().default(false),
    owner: () => p.manyToOne(Owner).nullable(),
  },
  filters,
});

const shown = { modelClass: Boat, readableColumnNames: ['id', 'owner.name'], returnRecords: true } as const;

const { contract } = service(
  {
    entities: [Owner, Boat],
    endpoints: [
      new Callable({
        ...shown,
        url: 'boats',
        defaultLimit: 2,
        toCall: ({ em }) => em.createQueryBuilder(Boat, 'b').orderBy({ id: 'asc' }),
      }),
      new Callable({
        ...shown,
        url: 'wrapped',
        toCall: ({ em }) => ({ query: em.createQueryBuilder(Boat).orderBy({ id: 'desc' }) }),
      }),
      new Callable({
        ...shown,
        url: 'raw',
        returnStandardResponse: false,
        toCall: ({ em }) => em.createQueryBuilder(Boat).orderBy({ id: 'asc' }),
      }),
      new Callable({
        ...shown,
        url: 'joined',
        toCall: ({ em }) =>
          em.createQueryBuilder(Boat, 'b').leftJoinAndSelect('b.owner', 'o').orderBy({ 'b.id': 'asc' }),
      }),
      new Callable({
        ...shown,
        url: 'filtered',
        toCall: async ({ em }) => {
          const query = em.createQueryBuilder(Boat).orderBy({ id: 'asc' });
          await query.applyFilters();
          return query;
        },
      }),
      new Callable({
        ...shown,
        url: 'chosen',
        toCall: ({ em }) => em.createQueryBuilder(Boat).orderBy({ id: 'asc' }).getResultList(),
      }),
      ...Object.entries({
        '3': [3, 0],
        '3/1': [3, 1],
        '2/4': [2, 4],
        '500': [500, 0],
        '0': [0, 0],
      } as const).map(
        ([url, [limit, offset]]) =>
          new Callable({
            ...shown,
            url: `limited/${url}`,
            toCall: ({ em }) =>
              em.createQueryBuilder(Boat).orderBy({ id: 'asc' }).limit(limit).offset(offset),
          }),
      ),
      new Callable({
        ...shown,
        url: 'offset',
        defaultLimit: 2,
        maximumLimit: 3,
        toCall: ({ em }) => em.createQueryBuilder(Boat).orderBy({ id: 'asc' }).offset(2),
      }),
    ],
  },
  everyDatabase,
);

const page = async ({ request }: Subject, path: string): Promise<unknown[]> => {
  const { status, body } = await request().get(path);
  const ids = (body.data as { id: number }[]).map(({ id }) => id);
  return [status, ids, body.pagination];
};

const paged = (ids: readonly number[], total: number, limit: number, start?: number): unknown[] => [
  200,
  ids,
  { number_results: total, limit, next_page: start === undefined ? {} : { start } },
];

const launch = async ({ save }: Subject, gone: readonly number[] = []): Promise<void> => {
  for (let id = 1; id <= 5; id += 1) await save(Boat, { id, gone: gone.includes(id) });
};

contract('MikroORM default filters hold for a returned query, its page and its count', async (subject) => {
  await launch(subject, [2, 5]);
  expect(await page(subject, '/boats')).toEqual(paged([1, 3], 3, 2, 2));
  expect(await page(subject, '/boats?start=2')).toEqual(paged([4], 3, 2));
  expect(await page(subject, '/boats?start=9')).toEqual(paged([], 3, 2));
  expect(await page(subject, '/wrapped?limit=2')).toEqual(paged([4, 3], 3, 2, 2));
  expect(await page(subject, '/filtered')).toEqual(paged([1, 3, 4], 3, 50));
  const { body } = await subject.request().get('/raw');
  expect(body).toEqual([1, 3, 4].map((id) => ({ id, owner: null })));
  // What a function has found itself is its own affair.
  expect((await subject.request().get('/chosen')).body.data).toHaveLength(5);
});

contract('A parent that a filter hides is no parent, whatever a returned query joins', async (subject) => {
  const { request, save } = subject;
  const ann = await save(Owner, { id: 1, name: 'Ann' });
  const bob = await save(Owner, { id: 2, name: 'Bob', gone: true });
  await save(Boat, { id: 1, owner: ann });
  await save(Boat, { id: 2, owner: bob });
  const boats = [
    { id: 1, owner: { name: 'Ann' } },
    { id: 2, owner: null },
  ];
  for (const path of ['/joined', '/boats'])
    expect([path, (await request().get(path)).body.data]).toEqual([path, boats]);
});

contract('The limit of a returned query is the size of its page, and the largest one', async (subject) => {
  await launch(subject);
  const { request } = subject;
  expect(await page(subject, '/limited/3')).toEqual(paged([1, 2, 3], 5, 3, 3));
  expect(await page(subject, '/limited/3?start=3')).toEqual(paged([4, 5], 5, 3));
  expect(await page(subject, '/limited/3?limit=2')).toEqual(paged([1, 2], 5, 2, 2));
  const refusal = clientError("'limit' must be between 1 and 3");
  expectAnswer(await request().get('/limited/3?limit=4'), 400, refusal);
  expect(await page(subject, '/limited/500')).toEqual(paged([1, 2, 3, 4, 5], 5, 500));
  expect((await request().get('/limited/500?limit=500')).status).toBe(200);
  expect(await page(subject, '/limited/0')).toEqual(paged([], 0, 0));
});

contract('The offset of a returned query is where its first page begins', async (subject) => {
  await launch(subject);
  expect(await page(subject, '/limited/3/1')).toEqual(paged([2, 3, 4], 4, 3, 3));
  expect(await page(subject, '/limited/3/1?start=3')).toEqual(paged([5], 4, 3));
  expect(await page(subject, '/limited/2/4')).toEqual(paged([5], 1, 2));
  expect(await page(subject, '/limited/2/4?start=7')).toEqual(paged([], 1, 2));
  expect(await page(subject, '/offset')).toEqual(paged([3, 4], 3, 2, 2));
  expect(await page(subject, '/offset?start=2')).toEqual(paged([5], 3, 2));
  const refusal = clientError("'limit' must be between 1 and 3");
  expectAnswer(await subject.request().get('/offset?limit=4'), 400, refusal);
});
