import { expect } from '@jest/globals';
import { AdvancedSearch, Callable, EndpointGroup, SimpleSearch, type HttpMethod } from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { SwaggerModule } from '@nestjs/swagger';
import { once, service } from '../support/contract.js';
import { operationAt } from '../support/documents.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const searched = {
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  searchableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

const simple = (url: string, requestMethods?: readonly HttpMethod[]) =>
  new SimpleSearch({ url, ...searched, ...(requestMethods && { requestMethods }) });

const { contract } = service(
  libraryWith([
    simple('simple'),
    new AdvancedSearch({ url: 'advanced', ...searched }),
    new AdvancedSearch({ url: 'unread', ...searched, requestMethods: ['QUERY', 'GET'] }),
    simple('posted', ['POST', 'GET']),
    simple('queried', ['QUERY']),
    new AdvancedSearch({ url: 'told', ...searched, description: 'As it was *given*.' }),
    new Callable({ url: 'calls', requestMethods: ['GET', 'POST'], toCall: () => 1 }),
    // The first one takes what the second one's twin is told to be like.
    new Callable({ url: 'taken', toCall: () => 1 }),
    simple('taken'),
    new EndpointGroup({ url: 'group', endpoints: [books({ listRequestMethods: ['GET', 'QUERY'] })] }),
  ]),
  once,
);

/** What the operations at a path are told to be like, by their methods. */
const twinsAt = (paths: Readonly<Record<string, object>>, path: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(paths[path] ?? {}).map(([method, operation]) => [
      method,
      Reflect.get(operation, 'x-same-as'),
    ]),
  );

contract('Operations of one search say which of them they are like', ({ app }) => {
  const { paths } = openApiDocument(app, { schemaFormat: 'openapi3.2' });
  expect(twinsAt(paths, '/simple')).toEqual({ get: undefined, post: 'get', query: 'get' });
  expect(twinsAt(paths, '/posted')).toEqual({ post: undefined, get: 'post' });
  expect(twinsAt(paths, '/queried')).toEqual({ query: undefined });
  expect(twinsAt(paths, '/group/books')).toEqual({ get: undefined, query: 'get', post: undefined });
});

contract('An advanced search is one by POST: only a body says what is looked for', ({ app }) => {
  const { paths } = openApiDocument(app, { schemaFormat: 'openapi3.2' });
  expect(twinsAt(paths, '/advanced')).toEqual({ get: 'post', post: undefined, query: 'post' });
});

contract('No operation is like one by QUERY, for which older formats have no word', ({ app }) => {
  for (const schemaFormat of ['openapi3.0', 'openapi3.1'] as const) {
    const { paths } = openApiDocument(app, { schemaFormat });
    expect(twinsAt(paths, '/unread')).toEqual({ get: undefined });
    expect(paths['/queried']).toBeUndefined();
  }
  const { paths } = openApiDocument(app, { schemaFormat: 'openapi3.2' });
  expect(twinsAt(paths, '/unread')).toEqual({ get: undefined, query: 'get' });
});

contract('Methods of a function may do different things', ({ app }) => {
  expect(twinsAt(openApiDocument(app).paths, '/calls')).toEqual({ get: undefined, post: undefined });
});

contract("An operation is not told to be like one that is another endpoint's", ({ app }) => {
  expect(twinsAt(openApiDocument(app).paths, '/taken')).toEqual({ get: undefined, post: undefined });
  const { paths } = SwaggerModule.createDocument(app, { openapi: '3.1.0', info: { title: '', version: '' } });
  expect(twinsAt(paths as never, '/taken')).toEqual({ get: undefined, post: undefined });
  expect(twinsAt(paths as never, '/simple')).toMatchObject({ get: undefined, post: 'get' });
});

contract('The description of such an operation tells what it is like, unless one is given', ({ app }) => {
  const document = openApiDocument(app, { schemaFormat: 'openapi3.2' });
  const told = (method: string, path: string) => operationAt(document, method, path).description;
  expect(told('get', '/simple')).toMatch(/^Answers Book records/);
  expect(told('post', '/simple')).toMatch(
    /^Asks what GET asks at this path; a JSON body may say it, too\. Answers Book/,
  );
  expect(told('get', '/posted')).toMatch(/^Asks what POST asks at this path, in the query string\. Answers/);
  expect(told('query', '/advanced')).toMatch(/^Asks what POST asks at this path\. Answers Book records/);
  expect(told('get', '/advanced')).toBe('Answers what POST at this path answers without a body.');
  expect(told('get', '/told')).toBe('As it was *given*.');
});

contract('What a document says of operations that are alike is so', async ({ request, query, save }) => {
  await save(Book, { title: 'Emma' });
  await save(Book, { title: 'Persuasion' });
  const found = { title: 'Emma' };
  const asked = [
    request().get('/simple').query(found),
    request().post('/simple').send(found),
    query('/simple').send(found),
  ];
  for (const answer of asked) expect((await answer).body.data).toEqual([found]);
  const where = [{ column: 'title', operator: '=', value: 'Emma' }];
  for (const answer of [request().post('/advanced'), query('/advanced')])
    expect((await answer.send({ where })).body.data).toEqual([found]);
  const all = await request().post('/advanced');
  expect((await request().get('/advanced')).body).toEqual(all.body);
});
