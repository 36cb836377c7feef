import { expect } from '@jest/globals';
import { List, RestfulApi, SimpleSearch, type PagingOptions } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { isMariaDb } from '../support/database.js';
import { Country } from '../support/entities/library.js';
import { libraryWith } from '../support/endpoints.js';

const listed = {
  modelClass: Country,
  readableColumnNames: ['code'],
  sortableColumnNames: ['code', 'name'],
  searchableColumnNames: ['name', 'region'],
  defaultSortColumnName: 'code',
  maximumLimit: 0,
} as const;

const list = (url: string, options: PagingOptions = {}) => new SimpleSearch({ ...listed, url, ...options });

const { contract } = service(
  libraryWith([
    list('exact'),
    list('none', { count: 'none' }),
    list('none-keyset', { count: 'none', pagination: 'keyset' }),
    list('estimated', { count: 'estimated' }),
    list('estimated-keyset', { count: 'estimated', pagination: 'keyset' }),
    list('exact-keyset', { count: 'exact', pagination: 'keyset' }),
    new RestfulApi({ ...listed, url: 'api', writeableColumnNames: ['name'], count: 'none' }),
    new List({ ...listed, url: 'grouped', groupByColumnName: 'region', count: 'estimated' }),
  ]),
);

const inRoot = service(
  libraryWith([list('none'), list('exact', { count: 'exact' })], { root: { count: 'none' } }),
).contract;

/** As many countries as asked for, half of them in the north; the planner hears of them. */
const settle = async ({ em }: Subject, count: number) => {
  const settled = Array.from({ length: count }, (_, index) => ({
    code: index.toString(36).padStart(2, '0'),
    name: index % 10 === 0 ? 'rare' : 'common',
    region: index % 2 ? 'north' : null,
  }));
  await em().insertMany(Country, settled);
  await em()
    .getConnection()
    .execute(isMariaDb ? 'analyze table country' : 'analyze');
};

/** The number of records and the pagination of a page. */
const page = async ({ request }: Subject, path: string): Promise<[number, Record<string, unknown>]> => {
  const { status, body } = await request().get(path);
  expect([status, body.error]).toEqual([200, '']);
  return [body.data.length, body.pagination];
};

const numberOf = async (subject: Subject, path: string): Promise<number> => {
  const [, { number_results: number }] = await page(subject, path);
  expect(Number.isInteger(number)).toBe(true);
  return number as number;
};

contract('count none leaves number_results out', async (subject) => {
  await settle(subject, 5);
  for (const path of ['/none', '/api'])
    expectAnswer(
      await subject.request().get(`${path}?limit=2`),
      200,
      success([{ code: '00' }, { code: '01' }], { limit: 2, next_page: { start: 2 } }),
    );
});

contract('count none has the right next_page on every page', async (subject) => {
  await settle(subject, 4);
  expect(await page(subject, '/none?limit=3')).toEqual([3, { limit: 3, next_page: { start: 3 } }]);
  expect(await page(subject, '/none?limit=3&start=3')).toEqual([1, { limit: 3, next_page: {} }]);
  expect(await page(subject, '/none?limit=2')).toEqual([2, { limit: 2, next_page: { start: 2 } }]);
  expect(await page(subject, '/none?limit=2&start=2')).toEqual([2, { limit: 2, next_page: {} }]);
  expect(await page(subject, '/none?limit=4')).toEqual([4, { limit: 4, next_page: {} }]);
  expect(await page(subject, '/none?limit=4&start=4')).toEqual([0, { limit: 4, next_page: {} }]);
  expect(await page(subject, '/none?name=none')).toEqual([0, { limit: 50, next_page: {} }]);
});

contract('count none goes together with the keyset strategy', async (subject) => {
  await settle(subject, 4);
  const after = expect.stringMatching(/^[\w-]+$/);
  const [, first] = await page(subject, '/none-keyset?limit=2');
  expect(first).toEqual({ limit: 2, next_page: { after } });
  const second = await subject
    .request()
    .get('/none-keyset?limit=2')
    .query(first['next_page'] as Record<string, string>);
  expectAnswer(second, 200, success([{ code: '02' }, { code: '03' }], { limit: 2, next_page: {} }));
});

contract('count exact is the default, and counts on every page', async (subject) => {
  await settle(subject, 25);
  for (const query of [
    'limit=1',
    'limit=24',
    'limit=25',
    'limit=26',
    'limit=10&start=20',
    'limit=5&start=20',
  ])
    expect(await numberOf(subject, `/exact?${query}`)).toBe(25);
  expect(await numberOf(subject, '/exact?name=rare&limit=2')).toBe(3);
  expect(await numberOf(subject, '/exact-keyset?name=rare&limit=2')).toBe(3);
});

contract('count exact counts past the end', async (subject) => {
  await settle(subject, 25);
  expect(await page(subject, '/exact?start=25')).toEqual([
    0,
    { number_results: 25, limit: 50, next_page: {} },
  ]);
  expect(await numberOf(subject, '/exact?start=1000000&limit=1')).toBe(25);
  expect(await numberOf(subject, '/exact?name=rare&start=4')).toBe(3);
  expect(await numberOf(subject, '/exact-keyset?start=25')).toBe(25);
});

contract('count estimated is exact when the page tells the total', async (subject) => {
  await settle(subject, 25);
  await subject.em().nativeDelete(Country, { name: 'rare' });
  for (const path of ['/estimated', '/estimated-keyset'])
    for (const query of [
      '',
      '?limit=22',
      '?limit=23',
      '?limit=20&start=20',
      '?limit=2&start=20',
      '?start=21',
    ])
      expect([query, await numberOf(subject, path + query)]).toEqual([query, 22]);
  expect(await numberOf(subject, '/estimated?name=none')).toBe(0);
});

contract('count estimated is what the planner expects when the page does not tell', async (subject) => {
  await settle(subject, 1000);
  for (const path of ['/estimated', '/estimated-keyset']) {
    expect(await numberOf(subject, `${path}?limit=10`)).toBe(1000);
    const rare = await numberOf(subject, `${path}?limit=10&name=rare`);
    expect(rare).toBeGreaterThanOrEqual(90);
    expect(rare).toBeLessThanOrEqual(110);
    const both = await numberOf(subject, `${path}?limit=10&name=common&region=north`);
    expect(both).toBeGreaterThanOrEqual(350);
    expect(both).toBeLessThanOrEqual(600);
  }
});

contract('count estimated is never less than the records seen so far', async (subject) => {
  await settle(subject, 1);
  const more = Array.from({ length: 60 }, (_, index) => ({
    code: `z${index}`.slice(0, 2),
    name: `n${index}`,
  }));
  const codes = [...new Map(more.map((country) => [country.code, country])).values()];
  await subject.em().insertMany(Country, codes);
  const total = codes.length + 1;
  for (const [limit, start] of [
    [1, 0],
    [1, 1],
    [2, total - 3],
    [total - 1, 0],
  ] as const)
    for (const path of ['/estimated', '/estimated-keyset'])
      expect(await numberOf(subject, `${path}?limit=${limit}&start=${start}`)).toBeGreaterThan(start + limit);
});

contract('count estimated keeps the right next_page', async (subject) => {
  await settle(subject, 25);
  const at = async (query: string) => (await page(subject, `/estimated?${query}`))[1]['next_page'];
  expect(await at('limit=10')).toEqual({ start: 10 });
  expect(await at('limit=10&start=10')).toEqual({ start: 20 });
  expect(await at('limit=5&start=20')).toEqual({});
  expect(await at('limit=25')).toEqual({});
  expect(await at('limit=5&start=30')).toEqual({});
});

contract('count estimated past the end is a number, of which the page has none', async (subject) => {
  await settle(subject, 25);
  const [length, { next_page: next, number_results: number }] = await page(subject, '/estimated?start=30');
  expect([length, next, Number.isInteger(number)]).toEqual([0, {}, true]);
});

contract('count estimated of groups is a number of groups', async (subject) => {
  await settle(subject, 1000);
  expect(await numberOf(subject, '/grouped?limit=1')).toBe(2);
  expect(await numberOf(subject, '/grouped')).toBe(2);
});

inRoot('count of forRoot holds for lists that set none', async (subject) => {
  await settle(subject, 3);
  expect(await page(subject, '/none?limit=2')).toEqual([2, { limit: 2, next_page: { start: 2 } }]);
  expect(await page(subject, '/exact?limit=2')).toEqual([
    2,
    { number_results: 3, limit: 2, next_page: { start: 2 } },
  ]);
});
