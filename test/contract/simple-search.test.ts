import { expect } from '@jest/globals';
import { SimpleSearch } from '@nest-endpoints/core';
import { expectAnswer, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book, Country } from '../support/entities/library.js';
import type { Subject } from '../support/contract.js';

const { contract } = service(
  libraryWith([
    new SimpleSearch({
      url: 'books',
      modelClass: Book,
      readableColumnNames: ['title'],
      sortableColumnNames: ['title', 'pages'],
      searchableColumnNames: [
        'title',
        'isbn',
        'pages',
        'price',
        'inPrint',
        'authorId',
        'author.name',
        'author.countryCode',
        'author.country.name',
      ],
      defaultSortColumnName: 'title',
    }),
  ]),
);

const titlesOf = (answer: { body: { data: { title: string }[] } }): string =>
  answer.body.data.map(({ title }) => title).join(' ');

/** Four books of two authors and of nobody. */
const shelve = async ({ save }: Subject) => {
  const country = await save(Country, { code: 'uk', name: 'Britain' });
  const austen = await save(Author, { name: 'Jane Austen', country });
  const sanditon = await save(Author, { name: 'Somebody' });
  await save(Book, { title: 'A', pages: 100, price: 9.5, author: austen });
  await save(Book, { title: 'B', pages: 200, price: 9.5, author: austen, inPrint: false });
  await save(Book, { title: 'C', pages: 100, author: sanditon });
  await save(Book, { title: 'D', inPrint: false });
  return { austen };
};

contract('SimpleSearch with no terms lists as List does', async (subject) => {
  await shelve(subject);
  const pagination = { number_results: 4, limit: 50, next_page: {} };
  const data = ['A', 'B', 'C', 'D'].map((title) => ({ title }));
  expectAnswer(await subject.request().get('/books'), 200, success(data, pagination));
  expectAnswer(await subject.request().post('/books'), 200, success(data, pagination));
  expectAnswer(await subject.request().post('/books').send({}), 200, success(data, pagination));
});

contract('A search term filters by exact value', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/books?pages=100'))).toBe('A C');
  expect(titlesOf(await subject.request().get('/books?title=B'))).toBe('B');
  expect(titlesOf(await subject.request().get('/books?price=9.5'))).toBe('A B');
  for (const term of ['title=b', 'title=', 'title=%20B', 'title=B%20', 'pages=10', 'title=null'])
    expect(titlesOf(await subject.request().get(`/books?${term}`))).toBe('');
});

contract('Several search terms must all match', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/books?pages=100&price=9.5'))).toBe('A');
  expect(titlesOf(await subject.request().get('/books?pages=100&title=B'))).toBe('');
});

contract('Search terms may be keys of a JSON POST body', async (subject) => {
  await shelve(subject);
  const answer = await subject.request().post('/books').send({ pages: 100, price: 9.5, in_print: true });
  expect(titlesOf(answer)).toBe('A');
});

contract('Search terms may be keys of a JSON QUERY body', async (subject) => {
  await shelve(subject);
  const answer = await subject.query('/books').send({ pages: 100, 'author.name': 'Jane Austen' });
  expect(titlesOf(answer)).toBe('A');
});

contract('Search terms may be keys of a JSON body on GET', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/books').send({ pages: 100, title: 'C' }))).toBe('C');
});

contract('Search terms may stand partly in the query and partly in the body', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().post('/books?pages=100').send({ title: 'C' }))).toBe('C');
});

contract('SimpleSearch answers GET, POST and QUERY by default', async ({ request, query }) => {
  const answers = [request().get('/books'), request().post('/books'), query('/books')];
  for (const answer of answers) expect((await answer).status).toBe(200);
  for (const method of ['put', 'patch', 'delete'] as const)
    expectAnswer(await request()[method]('/books'), 404, notFound);
});

contract('A search term may name a column of a related model as <relationship>.<column>', async (subject) => {
  await shelve(subject);
  const { request } = subject;
  expect(titlesOf(await request().get('/books?author.name=Jane+Austen'))).toBe('A B');
  expect(titlesOf(await request().get('/books?author.country.name=Britain&pages=200'))).toBe('B');
  expect(titlesOf(await request().get('/books?author.country_code=uk'))).toBe('A B');
  expect(titlesOf(await request().post('/books').send({ 'author.name': 'Somebody' }))).toBe('C');
});

contract('A search term may name the key column of a relation', async (subject) => {
  const { austen } = await shelve(subject);
  expect(titlesOf(await subject.request().get(`/books?author_id=${austen.id}`))).toBe('A B');
  expect(titlesOf(await subject.request().post('/books').send({ author_id: austen.id }))).toBe('A B');
  expect(titlesOf(await subject.request().get(`/books?author_id=99`))).toBe('');
});

contract('sort, direction, limit and start work in a SimpleSearch as in a List', async (subject) => {
  await shelve(subject);
  const { request, query } = subject;
  const asked = '/books?price=9.5&sort=pages&direction=DESC&limit=1&start=1';
  const { body } = await request().get(asked);
  expect(body).toEqual(success([{ title: 'A' }], { number_results: 2, limit: 1, next_page: {} }));
  const controls = { price: 9.5, sort: 'pages', direction: 'desc', limit: 1 };
  expect(titlesOf(await request().post('/books').send(controls))).toBe('B');
  expect(titlesOf(await query('/books').send({ ...controls, start: 1 }))).toBe('A');
});

contract('number_results of a SimpleSearch counts the matching records', async (subject) => {
  await shelve(subject);
  const full = await subject.request().get('/books?author.name=Jane+Austen&limit=1');
  expect(full.body.pagination).toEqual({ number_results: 2, limit: 1, next_page: { start: 1 } });
  const none = await subject.request().get('/books?title=Z');
  expect(none.body.pagination).toEqual({ number_results: 0, limit: 50, next_page: {} });
});

contract('A Boolean search term is read from the query string', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/books?in_print=true'))).toBe('A C');
  expect(titlesOf(await subject.request().get('/books?in_print=false'))).toBe('B D');
});

contract('A page of a unique value says that there is one record, or none', async (subject) => {
  const { save, request } = subject;
  await save(Book, { title: 'A', isbn: '9780141439518', pages: 100 });
  await save(Book, { title: 'B', isbn: '9780141439587', pages: 100 });
  const found = [
    ['isbn=9780141439518', ['A']],
    ['pages=100&isbn=9780141439518', ['A']],
    ['isbn=9780141439518&pages=1', []],
    ['isbn=9780141439518&start=1', []],
    ['isbn=none', []],
  ] as const;
  for (const [query, titles] of found) {
    const pagination = {
      number_results: query.endsWith('start=1') ? 1 : titles.length,
      limit: 1,
      next_page: {},
    };
    const data = titles.map((title) => ({ title }));
    expectAnswer(await request().get(`/books?${query}&limit=1`), 200, success(data, pagination));
  }
});

contract('A value that is unique by the entity alone has pages as every other value', async (subject) => {
  const { save, request, em } = subject;
  const drop = subject.database === 'sqlite' ? 'drop index' : 'alter table book drop constraint';
  await em().getConnection().execute(`${drop} book_isbn_unique`);
  for (const title of ['C', 'A', 'B']) await save(Book, { title, isbn: '9780141439518' });
  const pagination = { number_results: 3, limit: 2, next_page: { start: 2 } };
  const data = [{ title: 'A' }, { title: 'B' }];
  expectAnswer(await request().get('/books?isbn=9780141439518&limit=2'), 200, success(data, pagination));
});
