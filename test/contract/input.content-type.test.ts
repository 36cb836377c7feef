import { expect, test } from '@jest/globals';
import { Callable, Create, Import, List } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { everyPlatform, service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author } from '../support/entities/library.js';

const authors = {
  url: 'authors',
  modelClass: Author,
  readableColumnNames: ['id', 'name'],
} as const;

const endpoints = [
  new Create({ ...authors, writeableColumnNames: ['name'] }),
  new List({ ...authors, sortableColumnNames: ['name'], defaultSortColumnName: 'name' }),
  new Import({ url: 'import', modelClass: Author, writeableColumnNames: ['name'] }),
  new Callable({ url: 'echo', requestMethods: ['POST'], toCall: ({ requestData }) => requestData }),
];

const { contract } = service(libraryWith(endpoints, { root: { requireContentType: true } }), everyPlatform);

contract(
  'With requireContentType a body without a content type is 415, and nothing is done',
  async (subject) => {
    const refusal = clientError('The content type of the request body must be application/json');
    const body = '{"name":"Ann"}';
    for (const headers of [{}, { 'Content-Type': '' }])
      for (const [method, path] of [
        ['POST', '/authors'],
        ['POST', '/echo'],
        ['GET', '/authors'],
      ] as const)
        expectAnswer(await subject.raw(method, path, { body, headers }), 415, refusal);
    for (const path of ['/import', '/import?format=ndjson']) {
      const answer = await subject.raw('POST', path, { body });
      expect([path, answer.status]).toEqual([path, 415]);
    }
    expect(await subject.count(Author)).toBe(0);
    for (const type of ['application/json', 'application/vnd.author+json']) {
      const { status } = await subject.raw('POST', '/authors', { body, headers: { 'Content-Type': type } });
      expect(status).toBe(201);
    }
  },
);

contract('With requireContentType a request without a body needs no content type', async (subject) => {
  for (const [method, path] of [
    ['GET', '/authors'],
    ['POST', '/echo'],
  ] as const)
    expect((await subject.raw(method, path)).status).toBe(200);
});

contract('A body in another charset, or encoded, is 415, and nothing is done', async (subject) => {
  const body = '{"name":"Ann"}';
  const sent = (headers: Record<string, string>) => subject.raw('POST', '/authors', { body, headers });
  for (const charset of ['latin1', 'utf-16', 'utf-8x'])
    expectAnswer(
      await sent({ 'Content-Type': `application/json; charset=${charset}` }),
      415,
      clientError('The charset of the request body must be UTF-8'),
    );
  for (const encoding of ['gzip', 'br', 'identity, gzip'])
    expectAnswer(
      await sent({ 'Content-Type': 'application/json', 'Content-Encoding': encoding }),
      415,
      clientError('The request body must not have a content encoding'),
    );
  expect(await subject.count(Author)).toBe(0);
  for (const charset of ['utf-8', 'UTF8', '"utf-8"'])
    expect((await sent({ 'Content-Type': `application/json;charset=${charset}` })).status).toBe(201);
  const { status } = await sent({ 'Content-Type': 'application/json', 'Content-Encoding': 'Identity' });
  expect(status).toBe(201);
});

test('A requireContentType that is neither true nor false stops the start', async () => {
  expect(
    await startUpError(libraryWith(endpoints, { root: { requireContentType: 'yes' as never } })),
  ).toContain("EndpointsModule.forRoot: requireContentType: 'yes' is not allowed; allowed: true, false");
});
