import { expect } from '@jest/globals';
import { openApiDocument } from '@nest-endpoints/openapi';
import { once, service, type Subject } from '../support/contract.js';
import { operationAt, type Operation } from '../support/documents.js';
import { shop } from './orders.js';
import { versioned } from './versioned.articles.js';

const options = versioned();
const { entities, endpoints = [] } = shop();
const { contract } = service(
  {
    ...options,
    entities: [...options.entities, ...entities],
    endpoints: [...(options.endpoints ?? []), ...endpoints],
  },
  once,
);

const headersOf = ({ parameters }: Operation) =>
  parameters.filter((one) => one.in === 'header').map(({ name, required }) => [name, required]);

const at = ({ app }: Subject, method: string, path: string): Operation =>
  operationAt(openApiDocument(app), method, path);

const statuses = ({ responses }: Operation) => Object.keys(responses);

contract('A document tells of If-None-Match, the ETag and 304 of a Get', (subject) => {
  const get = at(subject, 'get', '/articles/{id}');
  expect(headersOf(get)).toEqual([['If-None-Match', false]]);
  expect(get.responses['200']).toHaveProperty('headers.ETag.schema.type', 'string');
  expect(get.responses['304']).toHaveProperty('headers.ETag');
  expect(get.responses['304']).not.toHaveProperty('content');
  const memo = at(subject, 'get', '/memos/{id}');
  expect([headersOf(memo), statuses(memo).includes('304')]).toEqual([[], false]);
  expect(memo.responses['200']).not.toHaveProperty('headers.ETag');
});

contract('A document tells of If-Match, 412 and 428 of Update and Delete', (subject) => {
  for (const method of ['patch', 'delete'])
    for (const url of ['articles', 'memos', 'careful']) {
      const operation = at(subject, method, `/${url}/{id}`);
      expect(headersOf(operation)).toEqual([['If-Match', url === 'careful']]);
      expect(statuses(operation)).toContain('412');
      expect(statuses(operation).includes('428')).toBe(url === 'careful');
    }
  expect(at(subject, 'patch', '/articles/{id}').responses['200']).toHaveProperty('headers.ETag');
});

contract('A document tells of Idempotency-Key and Idempotency-Replayed of a Create', (subject) => {
  expect(headersOf(at(subject, 'post', '/orders'))).toEqual([['Idempotency-Key', false]]);
  expect(headersOf(at(subject, 'post', '/strict'))).toEqual([['Idempotency-Key', true]]);
  expect(headersOf(at(subject, 'post', '/deaf'))).toEqual([]);
  const { responses } = at(subject, 'post', '/orders');
  expect(responses['201']).toHaveProperty(['headers', 'Idempotency-Replayed']);
  expect(responses['201']).toHaveProperty('headers.ETag');
  expect(Object.keys(responses)).toContain('409');
});
