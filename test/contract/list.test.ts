import { expect } from '@jest/globals';
import { List } from '@nest-endpoints/core';
import { expectAnswer, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book, Country } from '../support/entities/library.js';
import type { Subject } from '../support/contract.js';

const listed = {
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: [
    'title',
    'pages',
    'inPrint',
    'publishedOn',
    'author.name',
    'author.country.name',
    'id',
  ],
  defaultSortColumnName: 'title',
} as const;

const { contract } = service(
  libraryWith([
    new List({ ...listed, url: 'books' }),
    new List({ ...listed, url: 'shown', readableColumnNames: ['pages', 'title', 'inPrint'] }),
    new List({ ...listed, url: 'unsorted', sortableColumnNames: ['title'], defaultSortColumnName: 'pages' }),
    new List({ ...listed, url: 'descending', defaultSortDirection: 'DESC' }),
    new List({ ...listed, url: 'ids', readableColumnNames: ['id'], defaultSortColumnName: 'pages' }),
    new List({ ...listed, url: 'mapped', outputMap: ({ entity }) => entity.title.toUpperCase() }),
  ]),
);

const titlesOf = (answer: { body: { data: { title: string }[] } }): string =>
  answer.body.data.map(({ title }) => title).join(' ');

/** Four books whose orders by title, pages and author differ. */
const shelve = async ({ save }: Subject) => {
  const britain = await save(Country, { code: 'uk', name: 'Britain' });
  const albania = await save(Country, { code: 'al', name: 'Albania' });
  const austen = await save(Author, { name: 'Austen', country: britain });
  const kadare = await save(Author, { name: 'Kadare', country: albania });
  await save(Book, { title: 'B', pages: 30, author: austen });
  await save(Book, { title: 'D', pages: 10, author: kadare });
  await save(Book, { title: 'A', pages: 40, author: kadare });
  await save(Book, { title: 'C', pages: 20 });
};

contract('List answers an array of objects with the readable columns', async ({ request, save }) => {
  await save(Book, { title: 'Emma', pages: 474, isbn: '42' });
  const { body } = await request().get('/shown');
  expect(body.data).toEqual([{ pages: 474, title: 'Emma', in_print: true }]);
});

contract('List sorts by default_sort_column_name when nothing is asked', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/books'))).toBe('A B C D');
});

contract('default_sort_column_name need not be sortable', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/unsorted'))).toBe('D C B A');
});

contract('default_sort_direction is ASC unless it is set', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/books?sort=pages'))).toBe('D C B A');
});

contract('default_sort_direction DESC turns the default order around', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/descending'))).toBe('D C B A');
});

contract('sort takes a column of sortable_column_names', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/books?sort=pages'))).toBe('D C B A');
  expect(titlesOf(await subject.request().get('/unsorted?sort=title'))).toBe('A B C D');
});

contract('sort takes a column of a related model as <relationship>.<column>', async (subject) => {
  await shelve(subject);
  const byCountry = await subject.request().get('/books?sort=author.country.name');
  expect(titlesOf(byCountry)).toMatch(/^(A D|D A) B C$/);
  const byAuthor = await subject.request().get('/books?sort=author.name&direction=desc');
  expect(titlesOf(byAuthor)).toMatch(/^C (A D|D A) B$/);
});

contract('direction takes asc and desc', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/books?sort=pages&direction=asc'))).toBe('D C B A');
  expect(titlesOf(await subject.request().get('/books?sort=pages&direction=desc'))).toBe('A B C D');
});

contract('direction is read in any letter case', async (subject) => {
  await shelve(subject);
  for (const direction of ['DESC', 'Desc', 'dESC'])
    expect(titlesOf(await subject.request().get(`/books?direction=${direction}`))).toBe('D C B A');
  expect(titlesOf(await subject.request().get('/descending?direction=Asc'))).toBe('A B C D');
});

contract('direction without sort turns the default order around', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/books?direction=desc'))).toBe('D C B A');
  expect(titlesOf(await subject.request().get('/descending?direction=asc'))).toBe('A B C D');
});

contract('sort without direction takes default_sort_direction', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/descending?sort=pages'))).toBe('A B C D');
});

contract('limit sets the page size', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/books?limit=3'))).toBe('A B C');
  expect(titlesOf(await subject.request().get('/books?limit=1'))).toBe('A');
});

contract('start skips records', async (subject) => {
  await shelve(subject);
  expect(titlesOf(await subject.request().get('/books?start=3'))).toBe('D');
  expect(titlesOf(await subject.request().get('/books?start=0'))).toBe('A B C D');
  expect(titlesOf(await subject.request().get('/books?start=1&limit=2'))).toBe('B C');
});

contract('List reads its parameters from a JSON body on GET', async (subject) => {
  await shelve(subject);
  const controls = { sort: 'pages', direction: 'desc', limit: 2, start: 1 };
  expect(titlesOf(await subject.request().get('/books').send(controls))).toBe('B C');
});

contract('List takes parameters partly from the query and partly from the body', async (subject) => {
  await shelve(subject);
  const answer = await subject
    .request()
    .get('/books?sort=pages&limit=2')
    .send({ direction: 'DESC', start: 1 });
  expect(titlesOf(answer)).toBe('B C');
});

contract('The id column is always the last tie-breaker', async ({ request, save }) => {
  const ids = ['9', '2', 'c', '0', 'f', '4'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
  for (const id of ids) await save(Book, { id, title: 'Emma', pages: 474 });
  const sorted = ids.toSorted().map((id) => ({ id }));
  for (const order of ['', '?sort=title', '?sort=author.name', '?sort=in_print', '?sort=id'])
    expect((await request().get(`/ids${order}`)).body.data).toEqual(sorted);
});

contract('Nulls sort last ascending', async ({ request, save }) => {
  await save(Book, { title: 'none' });
  await save(Book, { title: 'some', pages: 1, publishedOn: '1816-01-01' });
  for (const column of ['pages', 'published_on'])
    expect(titlesOf(await request().get(`/books?sort=${column}`))).toBe('some none');
});

contract('Nulls sort first descending', async ({ request, save }) => {
  await save(Book, { title: 'some', pages: 1, publishedOn: '1816-01-01' });
  await save(Book, { title: 'none' });
  for (const column of ['pages', 'published_on'])
    expect(titlesOf(await request().get(`/books?sort=${column}&direction=desc`))).toBe('none some');
});

contract('A missing parent sorts as null does', async ({ request, save }) => {
  await save(Book, { title: 'none' });
  await save(Book, { title: 'some', author: await save(Author, { name: 'Austen' }) });
  expect(titlesOf(await request().get('/books?sort=author.name'))).toBe('some none');
  expect(titlesOf(await request().get('/books?sort=author.name&direction=desc'))).toBe('none some');
});

contract('List answers GET by default', async ({ request, query }) => {
  expect((await request().get('/books')).status).toBe(200);
  const others = [request().post('/books').send({}), query('/books').send({}), request().delete('/books')];
  for (const other of others) expectAnswer(await other, 404, notFound);
});

contract('List answers an empty array where there are no records', async ({ request }) => {
  const pagination = { number_results: 0, limit: 50, next_page: {} };
  expectAnswer(await request().get('/books'), 200, success([], pagination));
});

contract('output_map replaces every record of a List', async (subject) => {
  await shelve(subject);
  const { body } = await subject.request().get('/mapped?limit=2&direction=desc');
  expect(body).toEqual(success(['D', 'C'], { number_results: 4, limit: 2, next_page: { start: 2 } }));
});
