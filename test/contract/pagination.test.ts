import { expect } from '@jest/globals';
import { List, SimpleSearch } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Country } from '../support/entities/library.js';
import { everyPage } from './every-page.js';
import type { Subject } from '../support/contract.js';

const listed = {
  modelClass: Country,
  readableColumnNames: ['code'],
  sortableColumnNames: ['code', 'name', 'region'],
  defaultSortColumnName: 'code',
} as const;

const { contract } = service(
  libraryWith([
    new List({ ...listed, url: 'countries', defaultLimit: 2 }),
    new SimpleSearch({ ...listed, url: 'found', searchableColumnNames: ['name', 'region'], defaultLimit: 2 }),
  ]),
);

/** `c0` to `c4` in this order of codes; names repeat, regions are missing now and then. */
const settle = async ({ em }: Subject) => {
  const names = ['x', 'y', 'x', 'x', 'y'];
  const settled = names.map((name, index) => ({
    code: `c${index}`,
    name,
    region: index % 2 ? 'north' : null,
  }));
  await em().insertMany(Country, settled);
};

const rows = (...codes: string[]) => codes.map((code) => ({ code }));

contract('number_results is the total number of matching records', async (subject) => {
  await settle(subject);
  for (const limit of [1, 2, 4, 5, 6])
    expect((await subject.request().get(`/countries?limit=${limit}`)).body.pagination.number_results).toBe(5);
});

contract('limit of the pagination is the page size used', async (subject) => {
  await settle(subject);
  const { request } = subject;
  expect((await request().get('/countries')).body.pagination.limit).toBe(2);
  expect((await request().get('/countries?limit=4')).body.pagination.limit).toBe(4);
  expect((await request().get('/countries?start=4&limit=4')).body.pagination.limit).toBe(4);
});

contract('next_page holds the parameters that fetch the next page', async (subject) => {
  await settle(subject);
  const { pagination } = (await subject.request().get('/countries')).body;
  const next = await subject.request().get('/countries').query(pagination.next_page);
  expectAnswer(
    next,
    200,
    success(rows('c2', 'c3'), { number_results: 5, limit: 2, next_page: { start: 4 } }),
  );
});

contract('next_page of the offset strategy is start, an integer', async (subject) => {
  await settle(subject);
  const { pagination } = (await subject.request().get('/countries?limit=3&start=1')).body;
  expect(pagination.next_page).toEqual({ start: 4 });
});

contract('next_page is an empty object when there is no next page', async (subject) => {
  await settle(subject);
  for (const query of ['limit=5', 'limit=6', 'limit=2&start=3', 'limit=2&start=4', 'limit=1&start=4'])
    expect((await subject.request().get(`/countries?${query}`)).body.pagination.next_page).toEqual({});
});

contract('next_page holds paging keys only, whatever else was asked', async (subject) => {
  await settle(subject);
  const { body } = await subject.request().get('/found?name=x&sort=region&direction=desc&limit=1');
  expect(body.pagination).toEqual({ number_results: 3, limit: 1, next_page: { start: 1 } });
});

contract('Following next_page reaches every record once', async (subject) => {
  await settle(subject);
  for (const sort of ['code', 'name', 'region'])
    for (const direction of ['asc', 'desc']) {
      const records = await everyPage(subject, `/countries?sort=${sort}&direction=${direction}`);
      expect(records.map(({ code }) => code).sort()).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    }
});

contract('Past the end data is an empty array', async (subject) => {
  await settle(subject);
  for (const start of [5, 6, Number.MAX_SAFE_INTEGER])
    expect((await subject.request().get(`/countries?start=${start}`)).body.data).toEqual([]);
});

contract('Past the end number_results stays the total', async (subject) => {
  await settle(subject);
  for (const start of [5, 6, Number.MAX_SAFE_INTEGER]) {
    const answer = await subject.request().get(`/countries?start=${start}`);
    expectAnswer(answer, 200, success([], { number_results: 5, limit: 2, next_page: {} }));
  }
});

contract('Past the end of nothing number_results is 0', async ({ request }) => {
  const pagination = { number_results: 0, limit: 2, next_page: {} };
  expectAnswer(await request().get('/countries?start=3'), 200, success([], pagination));
});

contract('start in a body continues as in the query', async (subject) => {
  await settle(subject);
  const { pagination } = (await subject.request().post('/found').send({ name: 'x' })).body;
  const next = await subject
    .request()
    .post('/found')
    .send({ name: 'x', ...pagination.next_page });
  expectAnswer(next, 200, success(rows('c3'), { number_results: 3, limit: 2, next_page: {} }));
});
