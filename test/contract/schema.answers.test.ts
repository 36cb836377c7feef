import { expect } from '@jest/globals';
import { AdvancedSearch, Callable, List, PlainAnswers, RestfulApi } from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { once, service } from '../support/contract.js';
import { operationAt, schemaIn, type Operation, type Part } from '../support/documents.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Author } from '../support/entities/library.js';

const answers = new PlainAnswers();

const listed = {
  modelClass: Author,
  readableColumnNames: ['name'],
  sortableColumnNames: ['name'],
  searchableColumnNames: ['name'],
  defaultSortColumnName: 'name',
} as const;

const { contract } = service(
  libraryWith([
    authors({ answers }),
    new List({ ...listed, url: 'uncounted', count: 'none', answers }),
    new AdvancedSearch({ ...listed, url: 'search', answers }),
    new AdvancedSearch({ ...listed, url: 'standard/search' }),
    new RestfulApi({
      ...listed,
      url: 'titled',
      writeableColumnNames: ['name'],
      externalCasing: 'TitleCase',
      // Another instance says nothing else.
      answers: new PlainAnswers(),
    }),
    new Callable({ url: 'called', answers, toCall: () => 5 }),
    books({ getEndpoint: null }),
    authors({ url: 'enveloped' }),
  ]),
  once,
);

/** The content of an answer, its headers, and the schema behind its reference. */
const responseOf = ({ responses }: Operation, status: string): Part => responses[status];

const plain = 'application/json';
const problems = 'application/problem+json';

contract('A plain record is documented as itself, a plain list as a list', ({ app }) => {
  const document = openApiDocument(app);
  const { content } = responseOf(operationAt(document, 'get', '/authors/{id}'), '200');
  expect(Object.keys(content)).toEqual([plain]);
  expect(Object.keys(schemaIn(document, content[plain].schema).properties)).toContain('country_code');
  const list = responseOf(operationAt(document, 'get', '/authors'), '200');
  expect(list.content[plain].schema).toEqual({ type: 'array', items: content[plain].schema });
  expect(Object.keys(list.headers)).toEqual(['Link', 'X-Total-Count']);
  expect(list.headers['X-Total-Count'].schema).toEqual({ type: 'integer', minimum: 0 });
  const uncounted = responseOf(operationAt(document, 'get', '/uncounted'), '200');
  expect(Object.keys(uncounted.headers)).toEqual(['Link']);
});

contract('Refusals are documented as problem details, with an example', ({ app }) => {
  const document = openApiDocument(app);
  const operation = operationAt(document, 'post', '/authors');
  const { content } = responseOf(operation, '400');
  expect(Object.keys(content)).toEqual([problems]);
  const [problem, inputProblem] = content[problems].schema.anyOf;
  expect(schemaIn(document, problem).required).toEqual(['type', 'title', 'status']);
  expect(schemaIn(document, inputProblem).required).toEqual(['type', 'title', 'status', 'errors']);
  expect(content[problems].examples).toMatchObject({
    client_error: { value: { status: 400, title: 'Bad Request' } },
    input_errors: { value: { status: 400, errors: { '/name': "'name' is required." } } },
  });
  expect(responseOf(operation, '503').content[problems].schema).toEqual(problem);
  const titled = responseOf(operationAt(document, 'post', '/titled'), '400');
  expect(titled.content[problems].schema).toEqual(content[problems].schema);
});

contract('What functions may refuse is documented beside what they may answer early', ({ app }) => {
  const { content } = responseOf(operationAt(openApiDocument(app), 'get', '/called'), 'default');
  expect(Object.keys(content)).toEqual([problems, plain]);
  expect(content[problems].schema.anyOf).toHaveLength(2);
  expect(content[plain].schema).toEqual({});
});

contract('An AdvancedSearch is documented with the words for pages where links have them', ({ app }) => {
  const document = openApiDocument(app);
  const names = (path: string) => operationAt(document, 'post', path).parameters.map(({ name }) => name);
  expect([names('/search'), names('/standard/search')]).toEqual([['start'], []]);
  expect(operationAt(document, 'post', '/search').description).toContain('ask where `Link` says');
});

contract('A Create is documented with Location where it has one, whatever writes its answers', ({ app }) => {
  const document = openApiDocument(app);
  for (const path of ['/authors', '/enveloped'])
    expect(responseOf(operationAt(document, 'post', path), '201').headers).toMatchObject({
      Location: { schema: { type: 'string', format: 'uri-reference' } },
    });
  expect(responseOf(operationAt(document, 'post', '/books'), '201').headers).toBeUndefined();
});
