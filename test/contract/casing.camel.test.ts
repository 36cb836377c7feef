import { expect } from '@jest/globals';
import { List } from '@nest-endpoints/core';
import { expectAnswer } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const broken = new List({
  url: 'broken',
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  defaultSortColumnName: 'title',
  outputMap: () => {
    throw new Error('a secret');
  },
});

const { contract } = service(libraryWith([books(), broken], { root: { externalCasing: 'camelCase' } }));

contract(
  'With external casing camelCase the last key of the envelope is inputErrors',
  async ({ request }) => {
    const { body } = await request().get('/books');
    expect(Object.keys(body)).toEqual(['status', 'error', 'data', 'pagination', 'inputErrors']);
  },
);

contract(
  'With external casing camelCase the status word of failed validation is inputErrors',
  async ({ request }) => {
    const { body } = await request().post('/books').send({ title: 'Emma', inPrint: 1 });
    expect([body.status, body.inputErrors]).toEqual([
      'inputErrors',
      { inPrint: 'value should be a boolean' },
    ]);
  },
);

contract(
  'With external casing camelCase the status word of a refusal is clientError',
  async ({ request }) => {
    const { body } = await request().get('/books?limit=0');
    expect([body.status, body.error]).toEqual(['clientError', "'limit' must be between 1 and 200"]);
  },
);

contract(
  'With external casing camelCase the keys of pagination are numberResults, limit and nextPage',
  async ({ request, save }) => {
    await save(Book, { title: 'Emma' });
    await save(Book, { title: 'Persuasion' });
    const { body } = await request().get('/books?limit=1&sort=publishedOn');
    expect(body.pagination).toEqual({ numberResults: 2, limit: 1, nextPage: { start: 1 } });
  },
);

contract(
  'With external casing camelCase the status word of a failure is failure',
  async ({ request, save }) => {
    await save(Book, { title: 'Emma' });
    const answer = await request().get('/broken');
    const error = 'Internal Server Error';
    expectAnswer(answer, 500, { status: 'failure', error, data: {}, pagination: {}, inputErrors: {} });
  },
);

contract('With external casing camelCase the control words are as they are', async ({ request }) => {
  const answer = await request().get('/books?sort=publishedOn&direction=desc&limit=2&start=0');
  const refused = await request().get('/books?Limit=2');
  expect([answer.status, refused.body.error]).toEqual([200, "Unknown parameter 'Limit' in the query string"]);
});
