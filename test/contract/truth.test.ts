import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Callable } from '@nest-endpoints/core';
import { openApiDocument, type OpenApiDocument } from '@nest-endpoints/openapi';
import { expectToMatchSchema } from '@nest-endpoints/testing';
import { startApplication, type Application } from '../support/application.js';
import { authors, libraryWith } from '../support/endpoints.js';

/** Says that it gives a number, and gives what it was asked for. */
const liar = new Callable({
  url: 'liar/:kind',
  outputSchema: { type: 'integer' },
  toCall: ({ kind }) => (kind === 'honest' ? 5 : 'five'),
});

const odd = new Callable({
  url: 'odd',
  requestMethods: ['POST'],
  outputSchema: { type: 'string' },
  returnStandardResponse: false,
  toCall: () => ({ a: 1 }),
});

let application: Application;

beforeAll(async () => {
  application = await startApplication('express', 'sqlite', libraryWith([liar, odd, authors()]));
});

afterAll(async () => {
  await application.close();
});

test('A recorded run fails for an answer that the document does not describe', async () => {
  const { truth, request } = application;
  await request().get('/liar/honest');
  expect(() => truth.expectTruth()).not.toThrow();
  await request().get('/liar/born');
  expect(() => truth.expectTruth()).toThrow(/GET \/liar\/born → 200: \/data must be integer/);
  await request().post('/odd');
  expect(() => truth.expectTruth()).toThrow(/the document has no 'application\/json' there/);
  expect(() => truth.expectTruth()).not.toThrow();
});

test('A recorded run judges every answer, refusals and HEAD included', async () => {
  const { truth, request } = application;
  const before = truth.judged;
  await request().get('/authors/999');
  await request().post('/authors').send('{');
  await request().head('/authors');
  await request().get('/nowhere');
  expect(truth.judged - before).toBe(3);
  truth.expectTruth();
});

test('A response of supertest or fetch is compared with the document of its application', async () => {
  const { request, url, truth } = application;
  await expectToMatchSchema(await request().get('/authors'));
  await expectToMatchSchema(await request().post('/authors').send({ name: 'Jane Austen' }));
  await expectToMatchSchema(await fetch(`${url}/authors`));
  await expect(expectToMatchSchema(await request().get('/liar/born'))).rejects.toThrow(/must be integer/);
  await expect(expectToMatchSchema(await request().get('/nowhere'))).rejects.toThrow(/no GET \/nowhere/);
  expect(() => truth.expectTruth()).toThrow();
});

test('A response is compared with a document that is given', async () => {
  const { app, request } = application;
  const document = JSON.parse(JSON.stringify(openApiDocument(app))) as OpenApiDocument;
  const response = await request().get('/authors');
  await expectToMatchSchema(response, { document });
  delete (document.paths['/authors'] as { get: { responses: Record<string, unknown> } }).get.responses['200'];
  await expect(expectToMatchSchema(response, { document })).rejects.toThrow(/no such status/);
});
