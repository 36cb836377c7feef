import { expect } from '@jest/globals';
import { BadRequest, Create, List, RestfulApi } from '@nest-endpoints/core';
import type { DescribedKind, KindContext } from '@nest-endpoints/core/kinds';
import { clientError, expectAnswer, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Author, Book, Country } from '../support/entities/library.js';
import type { Subject } from '../support/contract.js';

const titles = { readableColumnNames: ['title'] } as const;

class Closed extends Create<Book> {
  override compile(context: KindContext): DescribedKind {
    return { ...super.compile(context), handle: () => Promise.reject(new BadRequest('No books today')) };
  }
}

const { contract } = service(
  libraryWith([
    books({ ...titles, url: 'books' }),
    books({ ...titles, url: 'no-create', createEndpoint: null }),
    books({ ...titles, url: 'no-list', listEndpoint: null }),
    books({ ...titles, url: 'no-get', getEndpoint: null }),
    books({ ...titles, url: 'no-update', updateEndpoint: null }),
    books({ ...titles, url: 'no-delete', deleteEndpoint: null }),
    books({ ...titles, url: 'closed', createEndpoint: Closed }),
    books({ ...titles, url: 'unsearched', listEndpoint: List }),
    books({ ...titles, url: 'read', readOnly: true }),
    books({ ...titles, url: 'isbn', idColumnName: 'isbn' }),
    authors({ url: 'shelf', readableColumnNames: ['name'] }),
    new List({
      modelClass: Book,
      ...titles,
      url: 'shelf/1/books',
      sortableColumnNames: [],
      defaultSortColumnName: 'title',
    }),
    new RestfulApi({
      url: 'countries',
      modelClass: Country,
      readableColumnNames: ['code'],
      writeableColumnNames: ['code', 'name'],
      sortableColumnNames: ['code'],
      searchableColumnNames: ['code'],
      defaultSortColumnName: 'code',
    }),
    books({ ...titles, url: '' }),
  ]),
);

const emma = { title: 'Emma', isbn: '42' };

/** The status codes of create, list, get, update and delete, in this order. */
const statuses = async ({ request, save }: Subject, url: string): Promise<number[]> => {
  const { id } = await save(Book, { title: 'Emma' });
  const record = `/${url}/${id}`;
  return [
    (await request().post(`/${url}`).send({ title: 'Emma' })).status,
    (await request().get(`/${url}`)).status,
    (await request().get(record)).status,
    (await request().patch(record).send({})).status,
    (await request().delete(record)).status,
  ];
};

contract('RestfulApi creates by POST on <url>', async ({ request, count }) => {
  expectAnswer(await request().post('/books').send(emma), 201, success({ title: 'Emma' }));
  expect(await count(Book)).toBe(1);
});

contract('RestfulApi lists by GET on <url>', async ({ request, save }) => {
  await save(Book, emma);
  const pagination = { number_results: 1, limit: 50, next_page: {} };
  expectAnswer(await request().get('/books'), 200, success([{ title: 'Emma' }], pagination));
});

contract('RestfulApi gets by GET on <url>/<id>', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  expectAnswer(await request().get(`/books/${id}`), 200, success({ title: 'Emma' }));
});

contract('RestfulApi updates by PATCH on <url>/<id>', async ({ request, save, em }) => {
  const { id } = await save(Book, emma);
  const answer = await request().patch(`/books/${id}`).send({ title: 'Lady Susan' });
  expectAnswer(answer, 200, success({ title: 'Lady Susan' }));
  expect(await em().findAll(Book)).toMatchObject([{ title: 'Lady Susan', isbn: '42' }]);
});

contract('RestfulApi deletes by DELETE on <url>/<id>', async ({ request, save, count }) => {
  const { id } = await save(Book, emma);
  expectAnswer(await request().delete(`/books/${id}`), 200, success({}));
  expect(await count(Book)).toBe(0);
});

contract('A RestfulApi answers no other methods', async ({ request, query, save, count }) => {
  const { id } = await save(Book, emma);
  const onRecord = [request().post(`/books/${id}`).send(emma), request().put(`/books/${id}`).send(emma)];
  const onList = [request().put('/books').send(emma), request().patch('/books'), request().delete('/books')];
  for (const answer of [...onRecord, ...onList, query('/books')]) expectAnswer(await answer, 404, notFound);
  expect(await count(Book)).toBe(1);
});

contract('The list of a RestfulApi is a SimpleSearch', async ({ request, save }) => {
  await save(Book, emma);
  await save(Book, { title: 'Persuasion' });
  const { body } = await request().get('/books?isbn=42');
  expect(body.data).toEqual([{ title: 'Emma' }]);
});

contract('create_endpoint null drops create', async (subject) => {
  expect(await statuses(subject, 'no-create')).toEqual([404, 200, 200, 200, 200]);
});

contract('list_endpoint null drops list', async (subject) => {
  expect(await statuses(subject, 'no-list')).toEqual([201, 404, 200, 200, 200]);
});

contract('get_endpoint null drops get', async (subject) => {
  expect(await statuses(subject, 'no-get')).toEqual([201, 200, 404, 200, 200]);
});

contract('update_endpoint null drops update', async (subject) => {
  expect(await statuses(subject, 'no-update')).toEqual([201, 200, 200, 404, 200]);
});

contract('delete_endpoint null drops delete', async (subject) => {
  expect(await statuses(subject, 'no-delete')).toEqual([201, 200, 200, 200, 404]);
});

contract('A class as create_endpoint replaces the kind', async (subject) => {
  expectAnswer(await subject.request().post('/closed').send(emma), 400, clientError('No books today'));
  expect(await statuses(subject, 'closed')).toEqual([400, 200, 200, 200, 200]);
});

contract('A class as list_endpoint replaces the kind', async ({ request }) => {
  const refusal = clientError("Unknown parameter 'isbn' in the query string");
  expectAnswer(await request().get('/unsearched?isbn=42'), 400, refusal);
});

contract('read_only drops create, update and delete', async (subject) => {
  expect(await statuses(subject, 'read')).toEqual([404, 200, 200, 404, 404]);
});

contract(
  'id_column_name names the path parameter and the lookup column of get, update and delete',
  async ({ request, save }) => {
    const { id } = await save(Book, emma);
    expectAnswer(await request().get(`/isbn/${id}`), 404, notFound);
    expectAnswer(await request().get('/isbn/42'), 200, success({ title: 'Emma' }));
    const answer = await request().patch('/isbn/42').send({ title: 'Lady Susan' });
    expectAnswer(answer, 200, success({ title: 'Lady Susan' }));
    expectAnswer(await request().delete('/isbn/42'), 200, success({}));
  },
);

contract("Without id_column_name the path parameter holds the model's id column", async ({ request }) => {
  const answer = await request().post('/countries').send({ code: 'nl', name: 'Netherlands' });
  expectAnswer(answer, 201, success({ code: 'nl' }));
  expectAnswer(await request().get('/countries/nl'), 200, success({ code: 'nl' }));
  expectAnswer(await request().delete('/countries/nl'), 200, success({}));
});

contract(
  'A RestfulApi takes every request below its url: later siblings are not tried',
  async ({ request, save }) => {
    await save(Author, { name: 'Jane Austen' });
    expectAnswer(await request().get('/shelf/1'), 200, success({ name: 'Jane Austen' }));
    expectAnswer(await request().get('/shelf/1/books'), 404, notFound);
  },
);

contract('A RestfulApi without a url answers at the root', async (subject) => {
  expectAnswer(await subject.request().post('/').send(emma), 201, success({ title: 'Emma' }));
  const { id } = await subject.save(Book, { title: 'Persuasion' });
  expectAnswer(await subject.request().get(`/${id}`), 200, success({ title: 'Persuasion' }));
  expect((await subject.request().get('/?limit=1')).body.data).toEqual([{ title: 'Emma' }]);
});
