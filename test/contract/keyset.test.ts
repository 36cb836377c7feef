import { expect } from '@jest/globals';
import { EndpointGroup, List, RestfulApi, SimpleSearch } from '@nest-endpoints/core';
import { clientError, expectAnswer, success } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Ware } from '../support/entities/stock.js';
import { idsOf, stockWith, wares } from './advanced-search.wares.js';
import { cursorOf, idsOfPages, listing, pages, searching } from './keyset.walk.js';

const listed = {
  modelClass: Ware,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id', 'size'],
  searchableColumnNames: ['label'],
  defaultSortColumnName: 'size',
  defaultLimit: 2,
} as const;
const keyset = { ...listed, pagination: 'keyset' } as const;

const paged = { pagination: 'keyset', defaultSortColumnName: 'size', defaultLimit: 2 } as const;

const endpoints = [
  new List({ ...keyset, url: 'list' }),
  new List({ ...listed, url: 'offset' }),
  wares({ url: 'searched-offset' }),
  new SimpleSearch({ ...keyset, url: 'simple' }),
  wares({ ...paged, url: 'advanced' }),
  new RestfulApi({ ...keyset, url: 'api', writeableColumnNames: ['label'] }),
  new List({ ...keyset, url: 'grouped', groupByColumnName: 'label' }),
  new EndpointGroup({
    url: 'title',
    externalCasing: 'TitleCase',
    endpoints: [wares({ ...paged, url: 'advanced' }), new SimpleSearch({ ...keyset, url: 'simple' })],
  }),
];

const { contract } = service(stockWith(endpoints));

const inRoot = service(
  stockWith(
    [new List({ ...listed, url: 'list' }), new List({ ...listed, url: 'own', pagination: 'offset' })],
    {
      pagination: 'keyset',
    },
  ),
).contract;

/** Wares 1 to 5: in the order of their sizes 5, 3, 1, then 2 and 4, which tie. */
const store = ({ em }: Subject) =>
  em().insertMany(Ware, [
    { id: 1, size: 3, label: 'a' },
    { id: 2, size: 4, label: 'b' },
    { id: 3, size: 2, label: 'a' },
    { id: 4, size: 4, label: 'a' },
    { id: 5, size: 1, label: 'b' },
  ]);

const refusal = "'after' must be what next_page said of this list, for the same sort and direction";
const opaque = /^[\w-]{40,}$/;

contract('next_page of the keyset strategy is after, an opaque text', async (subject) => {
  await store(subject);
  for (const path of ['/list', '/simple', '/api', '/advanced']) {
    const answer = await subject.request().get(path);
    expectAnswer(
      answer,
      200,
      success([{ id: 5 }, { id: 3 }], {
        number_results: 5,
        limit: 2,
        next_page: { after: expect.stringMatching(opaque) },
      }),
    );
  }
});

contract('A keyset List goes on by after in the query string and in a body', async (subject) => {
  await store(subject);
  const expected = [[5, 3], [1, 2], [4]];
  expect(idsOfPages(await pages(listing(subject, '/list')))).toEqual(expected);
  expect(idsOfPages(await pages((next) => subject.request().get('/list').send(next)))).toEqual(expected);
});

contract('A keyset SimpleSearch goes on by after in the query string and in a body', async (subject) => {
  await store(subject);
  const { request, query } = subject;
  expect(idsOfPages(await pages(listing(subject, '/simple?label=a')))).toEqual([[3, 1], [4]]);
  const terms = { label: 'a', direction: 'desc' };
  for (const ask of [
    (next: object) =>
      request()
        .post('/simple')
        .send({ ...terms, ...next }),
    (next: object) => query('/simple').send({ ...terms, ...next }),
    (next: object) => request().post('/simple').query(terms).send(next),
  ])
    expect(idsOfPages(await pages(ask))).toEqual([[4, 1], [3]]);
});

contract('A keyset AdvancedSearch goes on by after in its body', async (subject) => {
  await store(subject);
  const body = {
    where: [{ column: 'size', operator: '>', value: 1 }],
    sort: [
      { column: 'size', direction: 'desc' },
      { column: 'id', direction: 'desc' },
    ],
    limit: 1,
  };
  const expected = [[4], [2], [1], [3]];
  expect(idsOfPages(await pages(searching(subject, '/advanced', body)))).toEqual(expected);
  for (const ask of [
    (next: object) =>
      subject
        .request()
        .get('/advanced')
        .send({ ...body, ...next }),
    (next: object) => subject.query('/advanced').send({ ...body, ...next }),
  ])
    expect(idsOfPages(await pages(ask))).toEqual(expected);
});

contract('pagination keyset of a RestfulApi pages its list', async (subject) => {
  await store(subject);
  expect(idsOfPages(await pages(listing(subject, '/api?sort=id&direction=desc')))).toEqual([
    [5, 4],
    [3, 2],
    [1],
  ]);
});

inRoot('pagination keyset of forRoot holds for lists that set none', async (subject) => {
  await store(subject);
  expect(idsOfPages(await pages(listing(subject, '/list')))).toEqual([[5, 3], [1, 2], [4]]);
  expect((await subject.request().get('/list')).body.pagination.next_page).toEqual({
    after: expect.stringMatching(opaque),
  });
  expect((await subject.request().get('/own')).body.pagination.next_page).toEqual({ start: 2 });
});

contract('With TitleCase next_page of the keyset strategy is After', async (subject) => {
  await store(subject);
  const first = (await subject.request().post('/title/advanced').send({ Limit: 2 })).body;
  expect(first.Pagination).toEqual({
    NumberResults: 5,
    Limit: 2,
    NextPage: { After: expect.stringMatching(opaque) },
  });
  const { After } = first.Pagination.NextPage;
  for (const next of [{ After }, { after: After }]) {
    const { body } = await subject
      .request()
      .post('/title/advanced')
      .send({ limit: 4, ...next });
    expect(body.Data).toEqual([{ Id: 1 }, { Id: 2 }, { Id: 4 }]);
  }
});

contract('With TitleCase a SimpleSearch goes on by After in the query string', async (subject) => {
  await store(subject);
  const { NextPage } = (await subject.request().get('/title/simple')).body.Pagination;
  const { body } = await subject.request().get('/title/simple').query(NextPage);
  expect(body.Data).toEqual([{ Id: 1 }, { Id: 2 }]);
  const both = await subject.request().get('/title/simple').query({ After: 'x', after: 'x' });
  expect([both.status, both.body.Error]).toEqual([
    400,
    "'after' is given more than once in the query string",
  ]);
  const wrong = await subject.request().get('/title/simple').query({ After: 'x' });
  expect([wrong.status, wrong.body.Error]).toEqual([400, refusal.replace('after', 'After')]);
});

contract('start stays accepted with the keyset strategy, and next_page goes on by after', async (subject) => {
  await store(subject);
  for (const answer of [
    await subject.request().get('/list?start=2'),
    await subject.request().post('/advanced').send({ start: 2 }),
  ]) {
    expect(idsOf(answer)).toEqual([1, 2]);
    const { next_page, ...pagination } = answer.body.pagination;
    expect(pagination).toEqual({ number_results: 5, limit: 2 });
    expect(next_page).toEqual({ after: expect.stringMatching(opaque) });
  }
  const { next_page } = (await subject.request().get('/list?start=1')).body.pagination;
  expect(idsOf(await subject.request().get('/list').query(next_page))).toEqual([2, 4]);
  expectAnswer(
    await subject.request().get('/list?start=5'),
    200,
    success([], { number_results: 5, limit: 2, next_page: {} }),
  );
});

contract('after and start together are refused', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/list'));
  const error = clientError("'after' and 'start' cannot be given together");
  for (const start of [0, 2]) {
    expectAnswer(await subject.request().get('/list').query({ after, start }), 400, error);
    expectAnswer(await subject.request().get(`/list?start=${start}`).send({ after }), 400, error);
    expectAnswer(await subject.request().post('/advanced').send({ after, start }), 400, error);
  }
});

contract('after is an unknown parameter of the offset strategy', async ({ request }) => {
  for (const after of ['', 'x'])
    expectAnswer(
      await request().get('/offset').query({ after }),
      400,
      clientError("Unknown parameter 'after' in the query string"),
    );
  for (const path of ['/offset', '/searched-offset'])
    expectAnswer(
      await request().get(path).send({ after: 'x' }),
      400,
      clientError("Unknown parameter 'after' in the body"),
    );
});

contract('number_results of keyset pages stays the total on every page', async (subject) => {
  await store(subject);
  for (const ask of [listing(subject, '/list?limit=1'), searching(subject, '/advanced', { limit: 1 })]) {
    const totals = (await pages(ask)).map(({ pagination }) => pagination.number_results);
    expect(totals).toEqual([5, 5, 5, 5, 5]);
  }
});

contract('next_page of the last keyset page is empty, also when the page is full', async (subject) => {
  await store(subject);
  const sizes = async (limit: number) =>
    (await pages(listing(subject, `/list?limit=${limit}`))).map(({ data }) => data.length);
  expect(await sizes(1)).toEqual([1, 1, 1, 1, 1]);
  expect(await sizes(3)).toEqual([3, 2]);
  expect(await sizes(5)).toEqual([5]);
  expect(await sizes(6)).toEqual([5]);
  const empty = await pages(listing(subject, '/simple?label=none'));
  expect(empty.map(({ pagination }) => pagination)).toEqual([{ number_results: 0, limit: 2, next_page: {} }]);
});

contract('The limit may change from one keyset page to the next', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/list?limit=1'));
  expect(idsOf(await subject.request().get('/list').query({ after, limit: 3 }))).toEqual([3, 1, 2]);
});

contract('A cursor may be used again, and goes on at the same place', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/list'));
  for (const _ of [1, 2, 3])
    expect(idsOf(await subject.request().get('/list').query({ after }))).toEqual([1, 2]);
});

contract('Groups are paged by keyset', async (subject) => {
  await store(subject);
  expect(idsOfPages(await pages(listing(subject, '/grouped?limit=1')))).toEqual([[5], [3]]);
  expect(idsOfPages(await pages(listing(subject, '/grouped?limit=1&direction=desc')))).toEqual([[2], [4]]);
});
