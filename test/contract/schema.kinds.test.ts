import { expect } from '@jest/globals';
import { Callable } from '@nest-endpoints/core';
import { Migrations } from '@nest-endpoints/migrations';
import { openApiDocument } from '@nest-endpoints/openapi';
import { once, service } from '../support/contract.js';
import { bodyIn, dataIn, documented, operationAt } from '../support/documents.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const readable = { modelClass: Book, readableColumnNames: ['title', 'inPrint'] } as const;

const { contract } = service(
  libraryWith(
    [
      documented([
        new Callable({
          ...readable,
          url: 'one',
          toCall: ({ em }) => em.findOneOrFail(Book, { title: 'Emma' }),
        }),
        new Callable({
          ...readable,
          url: 'many',
          returnRecords: true,
          toCall: ({ em }) => em.find(Book, {}),
        }),
        new Callable({
          url: 'texts',
          outputSchema: { type: 'string' },
          returnRecords: true,
          toCall: () => ['a'],
        }),
        new Callable({ url: 'raw', returnStandardResponse: false, toCall: () => 'text' }),
        new Migrations({ url: 'fixed', sql: ['create table one (id int);'], command: 'plan' }),
        new Migrations({
          url: 'open',
          requestMethods: ['GET', 'POST'],
          allowInput: true,
          allowUnauthenticated: true,
        }),
      ]),
    ],
    // Migrations need sessions of their own.
    { route: 'direct' },
  ),
  once,
);

contract('A Callable outside of the envelope is documented with any media type', ({ app }) => {
  const { responses } = operationAt(openApiDocument(app), 'get', '/raw');
  expect(responses['200']).toMatchObject({ content: { '*/*': {} } });
  expect(Object.keys(responses)).toContain('default');
});

contract('A Callable with return_records is documented with a list', async ({ app, request, save }) => {
  await save(Book, { title: 'Emma' });
  const document = openApiDocument(app);
  const data = (path: string) => dataIn(document, operationAt(document, 'get', path));
  const record = { $ref: expect.stringMatching(/Book/) };
  expect(data('/many')).toEqual({ type: 'array', items: record });
  expect(data('/one')).toEqual({ anyOf: [record, { enum: [null] }] });
  expect(data('/texts')).toEqual({ type: 'array', items: { type: 'string' } });
  const books = [{ title: 'Emma', in_print: true }];
  expect((await request().get('/many')).body.data).toEqual(books);
  expect((await request().get('/one')).body.data).toEqual(books[0]);
});

contract('Migrations are in a document, with their commands where they take input', ({ app }) => {
  const document = openApiDocument(app);
  const lines = { type: 'array', items: { type: 'string' } };
  for (const path of ['/fixed', '/open'])
    expect([path, dataIn(document, operationAt(document, 'get', path))]).toEqual([path, lines]);
  const body = bodyIn(document, operationAt(document, 'post', '/open'));
  expect(body.properties.command.enum).toEqual(['version', 'check', 'plan', 'plan_export', 'apply']);
  const inQuery = (method: 'get' | 'post') =>
    operationAt(document, method, '/open').parameters.flatMap(
      ({ name, in: place }: { name: string; in: string }) => (place === 'query' ? [name] : []),
    );
  expect(inQuery('get')).toEqual(['command']);
  expect(inQuery('post')).toEqual(['command', 'sql']);
});
