import { expect } from '@jest/globals';
import { AdvancedSearch } from '@nest-endpoints/core';
import { clientError, expectAnswer, notFound, success } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';

const searched = {
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title', 'pages', 'price', 'author.name'],
  searchableColumnNames: ['title', 'pages', 'price', 'inPrint', 'author.name'],
  defaultSortColumnName: 'title',
} as const;

const { contract } = service(
  libraryWith([
    new AdvancedSearch({ ...searched, url: 'books' }),
    new AdvancedSearch({ ...searched, url: 'few', defaultLimit: 2, maximumLimit: 3 }),
    new AdvancedSearch({ ...searched, url: 'turned', defaultSortDirection: 'DESC' }),
    new AdvancedSearch({ ...searched, url: 'posted', requestMethods: ['POST'] }),
  ]),
);

interface Answered {
  readonly body: { readonly data: { title: string }[]; readonly pagination: { readonly next_page: object } };
}

const titlesOf = (answer: Answered): string => answer.body.data.map(({ title }) => title).join(' ');

/** Five books; two authors, and one book of nobody. */
const shelve = async ({ save }: Subject) => {
  const austen = await save(Author, { name: 'Jane Austen' });
  const eliot = await save(Author, { name: 'George Eliot' });
  await save(Book, { title: 'A', pages: 100, price: 9.5, author: austen });
  await save(Book, { title: 'B', pages: 200, price: 9.5, author: eliot, inPrint: false });
  await save(Book, { title: 'C', pages: 100, price: 7, author: austen });
  await save(Book, { title: 'D', author: eliot });
  await save(Book, { title: 'E', pages: 300, price: 7 });
};

const everything = success(
  ['A', 'B', 'C', 'D', 'E'].map((title) => ({ title })),
  { number_results: 5, limit: 50, next_page: {} },
);

contract('AdvancedSearch with no body lists all records, by GET, POST and QUERY', async (subject) => {
  await shelve(subject);
  const { request, query, raw } = subject;
  for (const answer of [await request().get('/books'), await request().post('/books'), await query('/books')])
    expectAnswer(answer, 200, everything);
  for (const method of ['GET', 'POST', 'QUERY']) expectAnswer(await raw(method, '/books'), 200, everything);
});

contract('AdvancedSearch with an empty object or empty lists lists all records', async (subject) => {
  await shelve(subject);
  const { request, query } = subject;
  for (const body of [{}, { where: [] }, { sort: [] }, { sort: [], where: [] }]) {
    expectAnswer(await request().get('/books').send(body), 200, everything);
    expectAnswer(await request().post('/books').send(body), 200, everything);
    expectAnswer(await query('/books').send(body), 200, everything);
  }
});

contract('AdvancedSearch reads its JSON body by GET, POST and QUERY alike', async (subject) => {
  await shelve(subject);
  const { request, query } = subject;
  const body = {
    where: [{ column: 'pages', operator: '>=', value: 100 }],
    sort: [
      { column: 'price', direction: 'desc' },
      { column: 'pages', direction: 'desc' },
    ],
    limit: 3,
    start: 1,
  };
  const expected = success([{ title: 'A' }, { title: 'E' }, { title: 'C' }], {
    number_results: 4,
    limit: 3,
    next_page: {},
  });
  expectAnswer(await request().get('/books').send(body), 200, expected);
  expectAnswer(await request().post('/books').send(body), 200, expected);
  expectAnswer(await query('/books').send(body), 200, expected);
});

contract('AdvancedSearch answers GET, POST and QUERY by default', async ({ request }) => {
  for (const method of ['put', 'patch', 'delete'] as const)
    expectAnswer(await request()[method]('/books'), 404, notFound);
});

contract('request_methods replaces the methods of an AdvancedSearch', async ({ request, query }) => {
  expect((await request().post('/posted')).status).toBe(200);
  expectAnswer(await request().get('/posted'), 404, notFound);
  expectAnswer(await query('/posted'), 404, notFound);
});

contract('A record must meet every condition of where', async (subject) => {
  await shelve(subject);
  const where = [
    { column: 'pages', operator: '=', value: 100 },
    { column: 'author.name', operator: 'like', value: 'Jane%' },
  ];
  expect(titlesOf(await subject.request().post('/books').send({ where }))).toBe('A C');
  where.push({ column: 'price', operator: '<', value: 8 as never });
  expect(titlesOf(await subject.request().post('/books').send({ where }))).toBe('C');
  where.push({ column: 'price', operator: '>', value: 8 as never });
  expectAnswer(
    await subject.request().post('/books').send({ where }),
    200,
    success([], { number_results: 0, limit: 50, next_page: {} }),
  );
});

contract('Several conditions may be about one column', async (subject) => {
  await shelve(subject);
  const where = [
    { column: 'pages', operator: '>', value: 100 },
    { column: 'pages', operator: '<', value: 300 },
    { column: 'pages', operator: 'is not null' },
  ];
  expect(titlesOf(await subject.request().post('/books').send({ where }))).toBe('B');
});

contract('A search sorts by one column in the direction asked for', async (subject) => {
  await shelve(subject);
  const sorted = async (column: string, direction: string) =>
    titlesOf(
      await subject
        .request()
        .post('/books')
        .send({ sort: [{ column, direction }] }),
    );
  expect(await sorted('title', 'desc')).toBe('E D C B A');
  expect(await sorted('title', 'ASC')).toBe('A B C D E');
  expect(await sorted('author.name', 'Asc')).toMatch(/^(B D|D B) (A C|C A) E$/);
});

contract('A second sort orders the records that tie in the first', async (subject) => {
  await shelve(subject);
  const sorted = async (...sort: object[]) => titlesOf(await subject.request().post('/books').send({ sort }));
  const pages = { column: 'pages', direction: 'asc' };
  expect(await sorted(pages, { column: 'title', direction: 'desc' })).toBe('C A B E D');
  expect(await sorted(pages, { column: 'title', direction: 'asc' })).toBe('A C B E D');
  expect(
    await sorted({ column: 'author.name', direction: 'desc' }, { column: 'title', direction: 'asc' }),
  ).toBe('E A C B D');
});

contract('A search without sort takes the default sort and its direction', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().post('/turned').send({ sort: [] }))).toBe('E D C B A');
});

contract('Two sorts may be about one column: the first decides', async (subject) => {
  await shelve(subject);
  const sort = [
    { column: 'title', direction: 'desc' },
    { column: 'title', direction: 'asc' },
  ];
  expect(titlesOf(await subject.request().post('/books').send({ sort }))).toBe('E D C B A');
});

contract("limit and start cut a page out of a search's records", async (subject) => {
  await shelve(subject);
  const where = [{ column: 'pages', operator: '>=', value: 100 }];
  const page = async (controls: object) =>
    (
      await subject
        .request()
        .post('/few')
        .send({ where, ...controls })
    ).body;
  const rows = (...titles: string[]) => titles.map((title) => ({ title }));
  const paged = (limit: number, next: object) => ({ number_results: 4, limit, next_page: next });
  expect(await page({})).toEqual(success(rows('A', 'B'), paged(2, { start: 2 })));
  expect(await page({ start: 2 })).toEqual(success(rows('C', 'E'), paged(2, {})));
  expect(await page({ limit: 3 })).toEqual(success(rows('A', 'B', 'C'), paged(3, { start: 3 })));
  expect(await page({ limit: 1, start: 3 })).toEqual(success(rows('E'), paged(1, {})));
  expect(await page({ start: 4 })).toEqual(success([], paged(2, {})));
});

contract('next_page of a search is sent in the body of the next request', async (subject) => {
  await shelve(subject);
  const titles: string[] = [];
  const body = { sort: [{ column: 'title', direction: 'desc' }], limit: 2 };
  for (let next: object | undefined = {}; next;) {
    const answer: Answered = await subject.query('/books').send({ ...body, ...next });
    titles.push(titlesOf(answer));
    const { next_page: more } = answer.body.pagination;
    next = 'start' in more ? more : undefined;
  }
  expect(titles.join(' ')).toBe('E D C B A');
});

contract('A limit of a search that is out of range is refused as in a List', async ({ request }) => {
  const refusal = clientError("'limit' must be between 1 and 3");
  for (const limit of [0, -1, 4, 1.5, '2', null, true, [2], {}, 1e300])
    expectAnswer(await request().post('/few').send({ limit }), 400, refusal);
});

contract('A start of a search that is out of range is refused as in a List', async ({ request }) => {
  const refusal = clientError("'start' must be a whole number from 0");
  for (const start of [-1, 0.5, '0', null, false, [0], {}])
    expectAnswer(await request().post('/few').send({ start }), 400, refusal);
});

contract('A search is read with content types of JSON and without one', async (subject) => {
  await shelve(subject);
  const body = JSON.stringify({ where: [{ column: 'title', operator: '=', value: 'B' }] });
  const { raw } = subject;
  for (const headers of [{}, { 'content-type': 'application/vnd.search+json' }])
    for (const method of ['GET', 'POST', 'QUERY']) {
      const answer = await raw(method, '/books', { headers, body });
      expect(answer.body).toMatchObject({ data: [{ title: 'B' }] });
    }
  const plain = await raw('POST', '/books', { headers: { 'content-type': 'text/plain' }, body });
  expect([plain.status, plain.body]).toEqual([
    415,
    clientError('The content type of the request body must be application/json'),
  ]);
});

contract('HEAD on a search answers as GET does, without a body', async ({ raw }) => {
  const [head, get] = [await raw('HEAD', '/books'), await raw('GET', '/books')];
  expect([head.status, head.text, head.headers['content-type']]).toEqual([
    200,
    '',
    get.headers['content-type'],
  ]);
});
