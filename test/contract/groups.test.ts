import { expect } from '@jest/globals';
import { Create, EndpointGroup, Hsts, List, XFrameOptions } from '@nest-endpoints/core';
import { expectAnswer, notFound } from '../support/answers.js';
import { service } from '../support/contract.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';

const titles = { modelClass: Book, readableColumnNames: ['inPrint'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;
const list = (url: string, options: object = {}) => new List({ ...listed, url, ...options });

const missInTitleCase = {
  Status: 'ClientError',
  Error: 'Not Found',
  Data: [],
  Pagination: {},
  InputErrors: {},
};
const missInCamelCase = {
  status: 'clientError',
  error: 'Not Found',
  data: [],
  pagination: {},
  inputErrors: {},
};

const reused = new EndpointGroup({ url: 'reused', endpoints: [list('books')] });

const endpoints = [
  new EndpointGroup({
    url: 'headed',
    responseHeaders: ['X-Group: outer', 'X-Shared: group'],
    securityHeaders: [new Hsts()],
    endpoints: [
      list('books'),
      list('own', { responseHeaders: ['X-Shared: member'], securityHeaders: [new XFrameOptions()] }),
      list('none', { responseHeaders: [], securityHeaders: [] }),
      new EndpointGroup({
        url: 'deep',
        endpoints: [new EndpointGroup({ endpoints: [list('books')] })],
      }),
      new EndpointGroup({ url: 'nearer', responseHeaders: ['X-Group: inner'], endpoints: [list('books')] }),
      books({ url: 'api' }),
    ],
  }),
  new EndpointGroup({
    url: 'titled',
    externalCasing: 'TitleCase',
    responseHeaders: ['X-Group: titled'],
    securityHeaders: [new Hsts()],
    endpoints: [
      list('books'),
      list('own', { externalCasing: 'camelCase' }),
      new EndpointGroup({ url: 'inner', externalCasing: 'camelCase', endpoints: [list('books')] }),
      new EndpointGroup({ endpoints: [list('plain')], externalCasing: 'camelCase' }),
      authors(),
      reused,
    ],
  }),
  new EndpointGroup({ url: 'camel', externalCasing: 'camelCase', endpoints: [reused] }),
  new EndpointGroup({
    url: 'computed',
    responseHeaders: ({ queryParameters }) => [`X-Word: ${queryParameters['word'] ?? 'none'}`],
    endpoints: [list('books')],
  }),
  new EndpointGroup({
    url: 'counted',
    responseHeaders: async ({ em }) => [`X-Authors: ${await em.count(Author)}`],
    endpoints: [list('books')],
  }),
  new EndpointGroup({
    url: 'shelves/{shelf}',
    responseHeaders: ({ routingData: { shelf = 'none' } }) => [`X-Shelf: ${shelf}`],
    endpoints: [list('books')],
  }),
  new EndpointGroup({
    url: 'authors/{authorId}',
    endpoints: [
      new Create({
        url: 'books',
        modelClass: Book,
        readableColumnNames: ['authorId'],
        writeableColumnNames: ['title', 'authorId'],
        includeRoutingDataInRequestData: true,
      }),
    ],
  }),
  new EndpointGroup({ url: 'empty', endpoints: [], responseHeaders: ['X-Group: empty'] }),
];

const { contract } = service(libraryWith(endpoints));

contract('The response headers of a group are on the answers of its members', async ({ request }) => {
  const { headers } = await request().get('/headed/books');
  expect(headers).toMatchObject({ 'x-group': 'outer', 'x-shared': 'group' });
});

contract('The response headers of a member replace those of its group', async ({ request }) => {
  const { headers } = await request().get('/headed/own');
  expect([headers['x-shared'], headers['x-group']]).toEqual(['member', undefined]);
});

contract('The security headers of a group are on the answers of its members', async ({ request }) => {
  const { headers } = await request().get('/headed/books');
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
});

contract('The security headers of a member replace those of its group', async ({ request }) => {
  const { headers } = await request().get('/headed/own');
  expect([headers['x-frame-options'], headers['strict-transport-security']]).toEqual(['DENY', undefined]);
});

contract('Empty lists of headers replace those of the group too', async ({ request }) => {
  const { status, headers } = await request().get('/headed/none');
  expect(status).toBe(200);
  expect(headers).not.toHaveProperty('x-group');
  expect(headers).not.toHaveProperty('strict-transport-security');
});

contract('A group inherits from the groups around it', async ({ request }) => {
  const { headers } = await request().get('/headed/deep/books');
  expect([headers['x-group'], headers['strict-transport-security']]).toEqual(['outer', 'max-age=31536000']);
});

contract('The innermost group that sets an option wins', async ({ request }) => {
  const { headers } = await request().get('/headed/nearer/books');
  expect([headers['x-group'], headers['strict-transport-security']]).toEqual(['inner', 'max-age=31536000']);
});

contract('The members of a RestfulApi inherit from the group around it', async ({ request }) => {
  const { status, headers } = await request().post('/headed/api').send({});
  expect([status, headers['x-group']]).toEqual([400, 'outer']);
});

contract('The casing of a group holds for its members', async ({ request, save }) => {
  await save(Book, { title: 'Emma' });
  const { body } = await request().get('/titled/books');
  expect(body).toMatchObject({ Status: 'Success', Data: [{ InPrint: true }] });
});

contract('The casing of a member replaces that of its group', async ({ request, save }) => {
  await save(Book, { title: 'Emma' });
  const { body } = await request().get('/titled/own');
  expect(body).toMatchObject({ status: 'success', data: [{ inPrint: true }], inputErrors: {} });
});

contract('A miss under a group has the casing and the headers of the group', async ({ request }) => {
  const answer = await request().delete('/titled/nowhere');
  expectAnswer(answer, 404, missInTitleCase);
  expect([answer.headers['x-group'], answer.headers['strict-transport-security']]).toEqual([
    'titled',
    'max-age=31536000',
  ]);
});

contract(
  'A miss under an inner group has the casing and the headers of the inner group',
  async ({ request }) => {
    const answer = await request().get('/titled/inner/nowhere');
    expectAnswer(answer, 404, missInCamelCase);
    expect(answer.headers['x-group']).toBe('titled');
  },
);

contract('A miss beside a group without a url has the casing of the group around it', async ({ request }) => {
  expectAnswer(await request().post('/titled/plain'), 404, missInTitleCase);
});

contract('A miss under a RestfulApi has the casing and the headers it inherits', async ({ request }) => {
  const answer = await request().put('/titled/authors/1/books');
  expectAnswer(answer, 404, missInTitleCase);
  expect(answer.headers['x-group']).toBe('titled');
});

contract(
  'A miss on the url of a group itself has the casing and the headers of the group',
  async ({ request }) => {
    const answer = await request().get('/titled');
    expectAnswer(answer, 404, missInTitleCase);
    expect(answer.headers['x-group']).toBe('titled');
  },
);

contract('A malformed escape under a group has the casing and the headers of the group', async ({ raw }) => {
  const { status, headers, body } = await raw('GET', '/titled/%zz');
  expect([400, 404]).toContain(status);
  expect([body, headers['x-group']]).toMatchObject([{ Status: 'ClientError', Data: [] }, 'titled']);
});

contract('A miss under a group has the headers that its callable gives', async ({ request }) => {
  const answer = await request().get('/computed/nowhere?word=hello');
  expectAnswer(answer, 404, notFound);
  expect(answer.headers['x-word']).toBe('hello');
});

contract('A callable of a group sees the path parameters of its url, on a miss too', async ({ request }) => {
  const hit = await request().get('/shelves/top/books');
  const miss = await request().get('/shelves/top/nowhere');
  expect([hit.headers['x-shelf'], miss.headers['x-shelf']]).toEqual(['top', 'top']);
});

contract('A callable of a group may ask the database, on a miss too', async ({ request, save }) => {
  await save(Author, { name: 'Jane Austen' });
  const hit = await request().get('/counted/books');
  const miss = await request().get('/counted/nowhere');
  expect([hit.headers['x-authors'], miss.status, miss.headers['x-authors']]).toEqual(['1', 404, '1']);
});

contract('A group in two places inherits from each of them', async ({ request }) => {
  expectAnswer(await request().get('/titled/reused/nowhere'), 404, missInTitleCase);
  expectAnswer(await request().get('/camel/reused/nowhere'), 404, missInCamelCase);
  const { body } = await request().get('/camel/reused/books');
  expect(body.inputErrors).toEqual({});
});

contract('The url of a group may hold path parameters', async ({ request, save }) => {
  const { id } = await save(Author, { name: 'Jane Austen' });
  const { body } = await request().post(`/authors/${id}/books`).send({ title: 'Emma' });
  expect(body.data).toEqual({ author_id: id });
});

contract('A group without members takes every request below its url', async ({ request }) => {
  const answer = await request().get('/empty/anything');
  expectAnswer(answer, 404, notFound);
  expect(answer.headers['x-group']).toBe('empty');
});
