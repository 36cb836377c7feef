import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdvancedSearch, Batch } from '@nest-endpoints/core';
import type { IncomingHttpHeaders } from 'node:http2';
import { clientError } from '../support/answers.js';
import { books } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { startHttp2, type Http2Application } from '../support/http2.js';

const endpoints = [
  books(),
  new Batch({ url: 'batch', wholeApplication: true }),
  new AdvancedSearch({
    url: 'search',
    modelClass: Book,
    readableColumnNames: ['title'],
    searchableColumnNames: ['title'],
    sortableColumnNames: ['title'],
    defaultSortColumnName: 'title',
  }),
];

let app: Http2Application['app'];
let session: Http2Application['session'];

beforeAll(async () => {
  ({ app, session } = await startHttp2({ endpoints }));
});

afterAll(async () => {
  session.close();
  await app.close();
});

interface Told {
  readonly status: number | undefined;
  readonly body: unknown;
}

/** Sends a request over HTTP/2, its body in frames of its own and without a length. */
const send = async (
  method: string,
  path: string,
  body?: string,
  headers: IncomingHttpHeaders = {},
): Promise<Told> => {
  const stream = session.request(
    { ':method': method, ':path': path, 'content-type': 'application/json', ...headers },
    { endStream: body === undefined },
  );
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  stream.once('response', (answer) => {
    resolve(answer[':status']);
  });
  if (body !== undefined) stream.end(body);
  const chunks: string[] = [];
  for await (const chunk of stream.setEncoding('utf8')) chunks.push(chunk as string);
  return { status: await promise, body: JSON.parse(chunks.join('')) as unknown };
};

test('A body that comes over HTTP/2 without a length is read', async () => {
  const created = await send('POST', '/books', '{"title": "Emma"}');
  expect(created).toMatchObject({ status: 201, body: { data: { title: 'Emma' } } });
  await send('POST', '/books', '{"title": "Persuasion"}');
  const where = [{ column: 'title', operator: '=', value: 'Persuasion' }];
  const found = await send('POST', '/search', JSON.stringify({ where }));
  expect(found).toMatchObject({ status: 200, body: { data: [{ title: 'Persuasion' }] } });
});

test('A body that comes over HTTP/2 is judged by its content type', async () => {
  const { status } = await send('POST', '/books', 'title', { 'content-type': 'text/plain' });
  expect(status).toBe(415);
});

test('A request over HTTP/2 that ends with its headers has no body', async () => {
  const missing = await send('POST', '/books');
  expect(missing).toEqual({ status: 400, body: clientError('A JSON body is required') });
  expect((await send('GET', '/books')).status).toBe(200);
});

test('The operations of a Batch are answered where the service speaks HTTP/2', async () => {
  const operations = ['Emma', 'Persuasion'].map((title) => ({
    method: 'POST',
    path: '/books',
    body: { title },
  }));
  const { status, body } = await send('POST', '/batch', JSON.stringify({ operations }));
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'success' } });
  expect(JSON.stringify(body)).toMatch(/Emma.*Persuasion/);
});
