import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, RestfulApi } from '@nest-endpoints/core';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { everyPage } from './every-page.js';

const Coat = defineEntity({
  name: 'Coat',
  properties: {
    id: p.integer().primary().autoincrement(),
    size: p.enum(['small', 'medium', 'large']).nativeEnumName('coat_size').nullable(),
  },
});

const options = {
  modelClass: Coat,
  readableColumnNames: ['id', 'size'],
  searchableColumnNames: ['size'],
  sortableColumnNames: ['size'],
  defaultSortColumnName: 'size',
} as const;

const { contract } = service(
  {
    entities: [Coat],
    endpoints: [
      new AdvancedSearch({ ...options, url: 'search' }),
      new RestfulApi({ ...options, writeableColumnNames: ['size'], url: 'coats', pagination: 'keyset' }),
    ],
  },
  postgresqlOnly,
);

/** In the order of the type, which is not that of the texts; null is the last. */
const sizes = ['small', 'medium', 'large', null];

const store = async ({ request }: Subject): Promise<void> => {
  for (const size of sizes) expect((await request().post('/coats').send({ size })).status).toBe(201);
};

const found = async ({ request }: Subject, operator: string, value?: unknown): Promise<unknown> => {
  const where = [{ column: 'size', operator, value }];
  const { status, body } = await request().post('/search').send({ where });
  return status === 200 ? body.data.map(({ size }: { size: unknown }) => size) : body;
};

contract('An enum type of PostgreSQL is written, read and judged', async (subject) => {
  await store(subject);
  const { request } = subject;
  expect((await request().get('/coats/4')).body.data).toEqual({ id: 4, size: null });
  for (const size of ['large', null, 'small']) {
    const { status, body } = await request().patch('/coats/1').send({ size });
    expect([status, body.data]).toEqual([200, { id: 1, size }]);
  }
  const refused = await request().patch('/coats/1').send({ size: 'huge' });
  expect([refused.status, refused.body.status]).toEqual([400, 'input_errors']);
});

contract('An enum type of PostgreSQL is searched by', async (subject) => {
  await store(subject);
  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ['=', 'medium', ['medium']],
    ['!=', 'medium', ['small', 'large']],
    ['<=>', null, [null]],
    ['in', ['large', 'small'], ['small', 'large']],
    ['is null', undefined, [null]],
    ['is not null', undefined, ['small', 'medium', 'large']],
    ['like', '%m%', ['small', 'medium']],
    ['like', 'l____', ['large']],
    ['like', 'huge', []],
  ];
  for (const [operator, value, expected] of cases)
    expect([operator, value, await found(subject, operator, value)]).toEqual([operator, value, expected]);
  const { body } = await subject.request().get('/coats').query({ size: 'large' });
  expect(body.data).toEqual([{ id: 3, size: 'large' }]);
});

contract('An enum type of PostgreSQL is sorted by in its own order, page by page', async (subject) => {
  await store(subject);
  await store(subject);
  for (const direction of ['asc', 'desc']) {
    const order = direction === 'asc' ? sizes : sizes.toReversed();
    const records = await everyPage(subject, `/coats?limit=3&direction=${direction}`);
    expect(records.map(({ size }) => size)).toEqual(order.flatMap((size) => [size, size]));
  }
});
