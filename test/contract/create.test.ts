import { expect, jest } from '@jest/globals';
import { Create } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';

const titles = {
  modelClass: Book,
  readableColumnNames: ['title', 'pages'],
  writeableColumnNames: ['title', 'pages'],
} as const;

const validate = jest.fn(() => ({}));
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const { contract } = service(
  libraryWith([
    new Create({ url: 'books', ...titles }),
    new Create({ ...titles, url: 'full', readableColumnNames: ['id', 'title', 'created', 'updated'] }),
    new Create({ ...titles, url: 'validated', inputValidationCallable: validate }),
    new Create({
      url: 'authors/:authorId/books',
      modelClass: Book,
      readableColumnNames: ['title', 'authorId'],
      writeableColumnNames: ['title', 'authorId'],
      includeRoutingDataInRequestData: true,
    }),
    new Create({ url: 'mapped', ...titles, outputMap: ({ entity }) => entity.title.toUpperCase() }),
    new Create({ url: 'later', ...titles, outputMap: ({ record }) => Promise.resolve(Object.keys(record)) }),
  ]),
);

contract('Create makes one record from the request body', async ({ request, em }) => {
  await request().post('/books').send({ title: 'Emma', pages: 474 });
  expect(await em().findAll(Book)).toMatchObject([{ title: 'Emma', pages: 474 }]);
});

contract(
  'Create answers an object with the readable columns of the new record, generated id and Created columns included',
  async ({ request }) => {
    const { body } = await request().post('/full').send({ title: 'Emma' });
    expect(body.data).toEqual({
      id: expect.stringMatching(uuid),
      title: 'Emma',
      created: expect.stringMatching(iso),
      updated: expect.stringMatching(iso),
    });
  },
);

contract('Create takes only keys of writeable_column_names', async ({ request }) => {
  const answer = await request().post('/books').send({ title: 'Emma', notes: 'no' });
  expectAnswer(answer, 400, inputErrors({ notes: 'Input column notes is not an allowed input column.' }));
});

contract(
  'Create rejects a request without a body before input_validation_callable runs',
  async ({ request }) => {
    validate.mockClear();
    expectAnswer(await request().post('/validated'), 400, clientError('A JSON body is required'));
    expect(validate).not.toHaveBeenCalled();
  },
);

contract(
  'A Create that fails answers input_errors with an empty array, and no record is created',
  async ({ request, count }) => {
    const answer = await request().post('/books').send({ title: 'Emma', pages: 'many' });
    expectAnswer(answer, 400, inputErrors({ pages: 'value should be an integer' }));
    expect(await count(Book)).toBe(0);
  },
);

contract('Create answers POST by default', async ({ request }) => {
  const answer = await request().post('/books').send({ title: 'Emma' });
  expectAnswer(answer, 201, success({ title: 'Emma', pages: null }));
});

contract(
  'include_routing_data_in_request_data merges path parameters over the body before validation',
  async ({ request, save }) => {
    const { id } = await save(Author, { name: 'Jane Austen' });
    const answer = await request().post(`/authors/${id}/books`).send({ title: 'Emma', author_id: 99 });
    expectAnswer(answer, 201, success({ title: 'Emma', author_id: id }));
  },
);

contract('output_map replaces the answer of a Create and gets the entity', async ({ request }) => {
  const answer = await request().post('/mapped').send({ title: 'Emma' });
  expectAnswer(answer, 201, success('EMMA'));
});

contract('output_map may be async', async ({ request }) => {
  const answer = await request().post('/later').send({ title: 'Emma' });
  expectAnswer(answer, 201, success(['title', 'pages']));
});
