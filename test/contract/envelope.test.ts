import { expect } from '@jest/globals';
import { Get } from '@nest-endpoints/core';
import { clientError, expectAnswer, failure, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const broken = new Get({
  url: 'broken/:id',
  modelClass: Book,
  readableColumnNames: ['title'],
  outputMap: () => {
    throw new Error('a secret');
  },
});

const { contract } = service(libraryWith([broken, books({ readableColumnNames: ['title', 'pages'] })]));

const keys = ['status', 'error', 'data', 'pagination', 'input_errors'];
const json = 'application/json; charset=UTF-8';

contract(
  'The envelope has the keys status, error, data, pagination and input_errors, always in this order',
  async ({ request }) => {
    const { body } = await request().get('/books');
    expect(Object.keys(body)).toEqual(keys);
  },
);

contract('The envelope of a refusal has the same keys in the same order', async ({ request }) => {
  const { body } = await request().post('/books').send({});
  expect(Object.keys(body)).toEqual(keys);
});

contract('status is success and error is empty when a request succeeds', async ({ request }) => {
  const { body } = await request().get('/books');
  expect(body).toMatchObject({ status: 'success', error: '' });
});

contract('error is a short message when a request is refused', async ({ request }) => {
  const { body } = await request().get('/books/unknown');
  expect(body).toMatchObject({ status: 'client_error', error: 'Not Found' });
});

contract('data is an object for a single record', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma', pages: 474 });
  expectAnswer(await request().get(`/books/${id}`), 200, success({ title: 'Emma', pages: 474 }));
});

contract('data is an array for a list', async ({ request, save }) => {
  await save(Book, { title: 'Emma', pages: 474 });
  const { body } = await request().get('/books');
  expect(body.data).toEqual([{ title: 'Emma', pages: 474 }]);
});

contract('data is an empty object after a Delete', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  expectAnswer(await request().delete(`/books/${id}`), 200, success({}));
});

contract('data is an empty array with the status client_error', async ({ request }) => {
  const { body } = await request().get('/nowhere');
  expect(body).toMatchObject({ status: 'client_error', data: [] });
});

contract('data is an empty array with the status input_errors', async ({ request }) => {
  const { body } = await request().post('/books').send({ title: '' });
  expect(body).toMatchObject({ status: 'input_errors', data: [] });
});

contract('data is an empty object with the status failure', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  expectAnswer(await request().get(`/broken/${id}`), 500, failure('Internal Server Error'));
});

contract('pagination is an empty object unless the response is a paged list', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const { body } = await request().get(`/books/${id}`);
  expect(body.pagination).toEqual({});
});

contract('input_errors is a map of column name to message', async ({ request }) => {
  const { body } = await request().post('/books').send({ pages: 'many' });
  expect(body.input_errors).toEqual({ title: "'title' is required.", pages: 'value should be an integer' });
});

contract('input_errors is an empty object when there are none', async ({ request }) => {
  const { body } = await request().post('/books').send({ title: 'Emma' });
  expect(body.input_errors).toEqual({});
});

contract('JSON answers have the content type application/json; charset=UTF-8', async ({ request }) => {
  const { headers } = await request().get('/books');
  expect(headers['content-type']).toBe(json);
});

contract('Refusals have the content type application/json; charset=UTF-8', async ({ request }) => {
  const { headers } = await request().get('/nowhere');
  expect(headers['content-type']).toBe(json);
});

contract('A client cannot make the service leave the envelope with an Accept header', async ({ request }) => {
  const answer = await request().get('/nowhere').set('Accept', 'text/html');
  expectAnswer(answer, 404, clientError('Not Found'));
});
