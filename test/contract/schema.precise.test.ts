import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  defineColumns,
  EndpointGroup,
  List,
  MaximumValue,
  MinimumLength,
  MinimumValue,
} from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { once, service } from '../support/contract.js';
import { bodyIn, dataIn, operationAt, operationsOf, schemaIn, type Part } from '../support/documents.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { Token } from '../support/token.js';

const Shelf = defineEntity({
  name: 'Shelf',
  properties: {
    id: p.integer().primary().autoincrement(),
    label: p.string().length(20).comment('What stands on it.'),
    width: p.integer().nullable(),
    material: p.enum(['wood', 'steel']).nullable(),
    total: p.decimal().precision(8).scale(2).nullable(),
    serial: p.bigint().nullable(),
    tags: p.array().nullable(),
  },
});
defineColumns(Shelf, {
  width: { validators: [new MinimumValue(1), new MaximumValue(500)] },
  label: { validators: [new MinimumLength(2)] },
});

const shelves = {
  modelClass: Shelf,
  readableColumnNames: ['id', 'label', 'width', 'material', 'total', 'serial'],
  sortableColumnNames: ['label', 'width'],
  searchableColumnNames: ['label', 'width', 'material'],
  defaultSortColumnName: 'label',
} as const;

const shelfSearch = new AdvancedSearch({
  url: 'shelves/search',
  ...shelves,
  maximumLimit: 20,
  pagination: 'keyset',
});
const shelfList = new List({ url: 'shelves', ...shelves, count: 'none', defaultLimit: 5, maximumLimit: 0 });

const { contract } = service(
  {
    ...libraryWith([
      shelfSearch,
      shelfList,
      books({
        authentication: new Token(),
        transformInputTypes: true,
        createStatus: 202,
        description: 'Books, old and new.',
      }),
      new EndpointGroup({
        url: 'title',
        externalCasing: 'TitleCase',
        endpoints: [books({ listEndpoint: null, updateEndpoint: null, deleteEndpoint: null })],
      }),
      books({
        url: 'short',
        readableColumnNames: ['id', 'title'],
        createEndpoint: null,
        updateEndpoint: null,
      }),
      books({ url: 'typed', modelClass: Book }),
    ]),
    entities: [...library, Shelf],
  },
  once,
);

contract(
  'A request body has required, types, formats and bounds of its columns, and nothing else',
  ({ app }) => {
    const document = openApiDocument(app);
    const body = bodyIn(document, operationAt(document, 'post', '/typed'));
    expect(body).toMatchObject({ type: 'object', required: ['title'], additionalProperties: false });
    expect(body.properties).toMatchObject({
      title: { type: 'string', minLength: 1, maxLength: 100 },
      isbn: { type: ['string', 'null'], maxLength: 13 },
      published_on: { type: ['string', 'null'], format: 'date' },
      launch_at: { type: ['string', 'null'], format: 'date-time' },
      contact: { type: ['string', 'null'], format: 'email' },
      in_print: { type: 'boolean' },
      pages: { type: ['integer', 'null'], format: 'int32', minimum: -2_147_483_648, maximum: 2_147_483_647 },
    });
  },
);

contract('In OpenAPI 3.0 a column that may be empty is nullable', ({ app }) => {
  const document = openApiDocument(app, { schemaFormat: 'openapi3.0' });
  const { properties } = bodyIn(document, operationAt(document, 'post', '/typed'));
  expect(properties.isbn).toEqual({ type: 'string', nullable: true, maxLength: 13 });
});

contract('The body of an Update requires nothing', ({ app }) => {
  const document = openApiDocument(app);
  expect(bodyIn(document, operationAt(document, 'patch', '/typed/{id}')).required).toBeUndefined();
});

contract('With transform_input_types a body may hold text instead of numbers and booleans', ({ app }) => {
  const document = openApiDocument(app);
  const { properties } = bodyIn(document, operationAt(document, 'post', '/books'));
  expect(properties.in_print).toEqual({
    anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }],
  });
  expect(properties.pages.anyOf).toContainEqual({ enum: [null] });
});

contract('List parameters have the sortable columns, the limits and their defaults', ({ app }) => {
  const document = openApiDocument(app);
  const { parameters } = operationAt(document, 'get', '/shelves');
  expect(parameters.map(({ name, schema }) => [name, schema])).toEqual([
    ['sort', { type: 'string', enum: ['label', 'width'], default: 'label' }],
    ['direction', { type: 'string', enum: ['asc', 'desc'], default: 'asc' }],
    ['limit', { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 5 }],
    ['start', { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }],
  ]);
});

contract('A SimpleSearch has one parameter for each searchable column', ({ app }) => {
  const document = openApiDocument(app);
  const { parameters } = operationAt(document, 'get', '/typed');
  const terms = parameters.filter(({ name }) => !['sort', 'direction', 'limit', 'start'].includes(name));
  expect(terms.map(({ name, schema }) => [name, schema.type, schema.format])).toEqual([
    ['id', 'string', 'uuid'],
    ['isbn', 'string', undefined],
    ['title', 'string', undefined],
    ['author_id', 'integer', 'int32'],
    ['author.name', 'string', undefined],
    ['pages', 'integer', 'int32'],
    ['in_print', 'boolean', undefined],
    ['published_on', 'string', 'date'],
    ['launch_at', 'string', 'date-time'],
    ['remind_at', 'integer', 'int32'],
    ['contact', 'string', 'email'],
  ]);
});

contract('An AdvancedSearch body has the operators that each column allows', async ({ app, request }) => {
  const document = openApiDocument(app);
  const { properties } = bodyIn(document, operationAt(document, 'post', '/shelves/search'));
  const operatorsOf = (column: string): string[] =>
    schemaIn(document, properties.where.items)
      .anyOf.filter((entry: Part) => entry.properties.column?.enum.includes(column) === true)
      .flatMap((entry: Part) => entry.properties.operator.enum)
      .sort();
  for (const column of ['width', 'label']) {
    const where = [{ column, operator: '?' }];
    const { body } = await request().post('/shelves/search').send({ where });
    expect(operatorsOf(column)).toEqual(body.error.replace(/^.*: /, '').split(', ').sort());
  }
  expect(properties.sort).toMatchObject({
    maxItems: 2,
    items: { properties: { column: { enum: ['label', 'width'] } } },
  });
  expect(properties).toMatchObject({ limit: { maximum: 20, default: 20 }, after: expect.anything() });
});

contract('The pagination object is that of the strategy in use', ({ app }) => {
  const document = openApiDocument(app);
  const paginationOf = (method: string, path: string) =>
    schemaIn(
      document,
      operationAt(document, method, path).responses['200']?.content['application/json'].schema,
    ).properties.pagination;
  expect(Object.keys(paginationOf('get', '/typed').properties)).toEqual([
    'number_results',
    'limit',
    'next_page',
  ]);
  expect(Object.keys(paginationOf('get', '/typed').properties.next_page.properties)).toEqual(['start']);
  expect(Object.keys(paginationOf('get', '/shelves').properties)).toEqual(['limit', 'next_page']);
  expect(Object.keys(paginationOf('post', '/shelves/search').properties.next_page.properties)).toEqual([
    'after',
  ]);
});

/** What examples of a status code say in an envelope of five keys. */
const wordsOf = (status: string): unknown => {
  const refusals = status === '400' ? /^(client_?error|input_?errors)$/i : /^client_?error$/i;
  const words = status.startsWith('2') ? /^success$/i : status.startsWith('5') ? /^failure$/i : refusals;
  return expect.arrayContaining([[5, expect.stringMatching(words)]]);
};

contract('Every status an endpoint can answer is there, with an example', ({ app }) => {
  const document = openApiDocument(app);
  const statuses = (method: string, path: string) =>
    Object.keys(operationAt(document, method, path).responses);
  expect(statuses('get', '/typed/{id}')).toEqual(['200', '400', '404', '500', '503']);
  expect(statuses('post', '/typed')).toEqual(['201', '400', '408', '409', '413', '415', '500', '503']);
  expect(statuses('post', '/books')).toEqual(['202', '400', '401', '408', '409', '413', '415', '500', '503']);
  for (const { responses } of operationsOf(document))
    for (const [status, { content }] of Object.entries(responses)) {
      const examples: { value: Part }[] = Object.values(content['application/json'].examples);
      const words = examples.map(({ value }) => [Object.keys(value).length, value.status ?? value.Status]);
      expect([status, words]).toEqual([status, wordsOf(status)]);
    }
});

contract('An example of a refusal is what the service answers', async ({ app, request }) => {
  const document = openApiDocument(app);
  const { responses } = operationAt(document, 'get', '/typed/{id}');
  const { body } = await request().get('/typed/0191f3a8-5c1e-7a30-9d0f-3d0c2f6b8a11');
  expect(responses['404']?.content['application/json'].examples.client_error.value).toEqual(body);
});

contract('A path parameter has the type of its column', ({ app }) => {
  const document = openApiDocument(app);
  expect(operationAt(document, 'get', '/typed/{id}').parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
  ]);
});

contract('The authentication in use is a security scheme, with its scopes', ({ app }) => {
  const document = openApiDocument(app);
  expect(document.components['securitySchemes']).toEqual({
    token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  });
  expect(operationAt(document, 'get', '/books').security).toEqual([{ token: ['books'] }]);
  expect(operationAt(document, 'get', '/typed').security).toEqual([]);
});

contract('Operation ids are unique, stable and readable', ({ app }) => {
  const document = openApiDocument(app);
  const ids = operationsOf(document).map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(
    expect.arrayContaining([
      'listTyped',
      'createTyped',
      'getTypedById',
      'updateTypedById',
      'searchShelves',
      'searchShelvesViaPost',
    ]),
  );
});

contract('Tags are the entities, and descriptions are those of the endpoints', ({ app }) => {
  const document = openApiDocument(app);
  expect(operationAt(document, 'get', '/title/books/{id}').tags).toEqual(['Book']);
  expect(operationAt(document, 'get', '/books').description).toBe('Books, old and new.');
  const { properties } =
    dataIn(document, operationAt(document, 'get', '/shelves')).items === undefined
      ? { properties: {} }
      : schemaIn(document, dataIn(document, operationAt(document, 'get', '/shelves')).items);
  expect(properties.label.description).toBe('What stands on it.');
});

contract('Schemas are named by model and casing, and never two have one name', ({ app }) => {
  const document = openApiDocument(app);
  const names = Object.keys(document.components['schemas'] as object);
  expect(names).toEqual(
    expect.arrayContaining([
      'Book',
      'BookCreate',
      'BookUpdate',
      'BookPage',
      'BookTitleCase',
      'BookTitleCaseCreate',
      'ClientErrorTitleCase',
    ]),
  );
  const short = dataIn(document, operationAt(document, 'get', '/short/{id}'));
  expect(Object.keys(short.properties)).toEqual(['id', 'title']);
});

contract('The envelope is exact, in the casing of the endpoint', ({ app }) => {
  const document = openApiDocument(app);
  const { responses } = operationAt(document, 'get', '/title/books/{id}');
  const schema: Part = responses['200']?.content['application/json'].schema;
  const envelope = schemaIn(document, schema);
  expect(envelope).toMatchObject({
    required: ['Status', 'Error', 'Data', 'Pagination', 'InputErrors'],
    additionalProperties: false,
    properties: { Status: { enum: ['Success'] }, Error: { enum: [''] } },
  });
  expect(Object.keys(schemaIn(document, envelope.properties.Data).properties)).toContain('PublishedOn');
});

contract('Types that JSON cannot carry are strings, enums are enums', ({ app }) => {
  const document = openApiDocument(app);
  const { items } = dataIn(document, operationAt(document, 'get', '/shelves'));
  expect(schemaIn(document, items).properties).toMatchObject({
    id: { type: 'integer', format: 'int32' },
    material: { type: ['string', 'null'], enum: ['wood', 'steel', null] },
    total: { type: ['string', 'null'] },
    serial: { type: ['string', 'null'] },
  });
});
