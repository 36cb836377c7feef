import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  Callable,
  Create,
  Delete,
  EndpointGroup,
  Get,
  HealthCheck,
  List,
  SimpleSearch,
  Update,
  type EndpointOptions,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { Migrations } from '@nest-endpoints/migrations';
import { openApiDocument, type OpenApiDocument } from '@nest-endpoints/openapi';
import { startApplication } from '../support/application.js';
import { once, service } from '../support/contract.js';
import { operationAt, operationsOf, type Operation } from '../support/documents.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { stopped } from './stopped.js';

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const made = { ...titles, writeableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;
const search = { ...listed, searchableColumnNames: ['title'] } as const;

type Texts = Pick<EndpointOptions, 'tag' | 'summary' | 'description' | 'hidden'>;

/** Every kind that documents show, with what is said of it. */
const kinds = (texts: Texts): EndpointOrGroup[] => [
  new Create({ url: 'create', ...made, ...texts }),
  new Get({ url: 'get/:id', ...titles, ...texts }),
  new Update({ url: 'update/:id', ...made, ...texts }),
  new Delete({ url: 'delete/:id', modelClass: Book, ...texts }),
  new List({ url: 'list', ...listed, ...texts }),
  new SimpleSearch({ url: 'simple', ...search, ...texts }),
  new AdvancedSearch({ url: 'advanced', ...search, ...texts }),
  new Callable({ url: 'call', toCall: () => 'called', ...texts }),
  new HealthCheck({ url: 'health', ...texts }),
  new Migrations({ url: 'migrations', sql: ['create table book (id integer)'], ...texts }),
];

const told = { tag: 'shelf/one', summary: 'In a few words', description: 'In *sentences*.' };

const { contract } = service(
  libraryWith([
    new EndpointGroup({ url: 'plain', endpoints: kinds({}) }),
    new EndpointGroup({ url: 'told', endpoints: kinds(told) }),
    new EndpointGroup({
      url: 'tagged',
      tag: 'Outer',
      endpoints: [
        authors({ tag: 'Inner' }),
        new Callable({ url: 'call', toCall: () => 1 }),
        books({ hidden: true }),
      ],
    }),
    new EndpointGroup({
      url: 'secret',
      hidden: true,
      endpoints: [...kinds({}), new Get({ url: 'shown/:id', ...titles, hidden: false })],
    }),
    authors(),
    new EndpointGroup({
      url: 'explained',
      tag: { name: 'Explained', description: 'What is *explained*.' },
      endpoints: [
        new Callable({ url: 'call', toCall: () => 1 }),
        new Get({ url: 'other/:id', ...titles, tag: { name: 'Other', description: 'Something else.' } }),
        new Callable({ url: 'same', tag: 'Other', toCall: () => 1 }),
      ],
    }),
    authors({
      url: 'writers',
      summary: 'Of all',
      tag: 'Writer',
      documentation: {
        list: { summary: 'Find writers', description: 'Those who *write*.' },
        create: { tag: { name: 'Hiring', description: 'Where writers come from.' } },
        update: { hidden: true },
        delete: { hidden: false },
      },
    }),
  ]),
  once,
);

const below = (document: OpenApiDocument, prefix: string): Operation[] =>
  operationsOf({
    ...document,
    paths: Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith(prefix))),
  });

contract('Operations of an entity have its name for a tag, others the first word of their url', ({ app }) => {
  const document = openApiDocument(app);
  const tags = below(document, '/plain/').map((operation) => operation.tags);
  expect(tags).toHaveLength(12);
  expect(new Set(tags.flat())).toEqual(new Set(['Book', 'call', 'health', 'migrations']));
  expect(operationAt(document, 'get', '/authors').tags).toEqual(['Author']);
});

contract('Operations of an entity say what they do with which records, others do not', ({ app }) => {
  const document = openApiDocument(app);
  const meaning = (path: string, method: string): unknown =>
    Reflect.get(operationAt(document, method, path), 'x-endpoint');
  expect(meaning('/plain/simple', 'get')).toEqual({ verb: 'list', model: 'Book' });
  expect(meaning('/plain/advanced', 'post')).toEqual({ verb: 'search', model: 'Book' });
  expect(meaning('/plain/update/{id}', 'patch')).toEqual({ verb: 'update', model: 'Book' });
  expect([meaning('/plain/call', 'get'), meaning('/plain/health', 'get')]).toEqual([undefined, undefined]);
});

contract('tag, summary and description of every kind are in documents as they were given', ({ app }) => {
  const operations = below(openApiDocument(app), '/told/');
  expect(operations).toHaveLength(12);
  for (const { tags, summary, description } of operations)
    expect({ tags, summary, description }).toEqual({
      tags: ['shelf/one'],
      summary: 'In a few words',
      description: 'In *sentences*.',
    });
});

contract('A tag is inherited from the innermost group that has one', ({ app }) => {
  const document = openApiDocument(app);
  expect(operationAt(document, 'get', '/tagged/authors').tags).toEqual(['Inner']);
  expect(operationAt(document, 'get', '/tagged/call').tags).toEqual(['Outer']);
});

contract('A tag has the description that an endpoint or a group gives it', ({ app }) => {
  const document = openApiDocument(app);
  const tags = document['tags'] as readonly { readonly name: string; readonly description: string }[];
  const described = Object.fromEntries(tags.map(({ name, description }) => [name, description]));
  expect(operationAt(document, 'get', '/explained/call').tags).toEqual(['Explained']);
  expect(operationAt(document, 'get', '/explained/same').tags).toEqual(['Other']);
  expect(described).toMatchObject({
    Explained: 'What is *explained*.',
    Other: 'Something else.',
    Hiring: 'Where writers come from.',
    Writer: 'At `/writers`.',
    Author: 'Author records, at `/authors`.',
    Book: expect.stringMatching(/^Book records, at `\/\S+`, `\/\S+`, `\/\S+` and \d+ other paths\.$/),
  });
});

contract('The documentation of a RestfulApi says what single operations are', ({ app }) => {
  const document = openApiDocument(app);
  const list = operationAt(document, 'get', '/writers');
  expect([list.summary, list.description]).toEqual(['Find writers', 'Those who *write*.']);
  expect(operationAt(document, 'post', '/writers')).toMatchObject({ summary: 'Of all', tags: ['Hiring'] });
  expect(Object.keys(document.paths['/writers/{id}'] ?? {})).toEqual(['get', 'delete']);
});

test('The comment of an entity describes its tag, unless somebody says more', async () => {
  const properties = { id: p.integer().primary(), title: p.string() };
  const Shelf = defineEntity({ name: 'Shelf', comment: 'Where books stand.', properties });
  const Room = defineEntity({ name: 'Room', comment: 'Where shelves stand.', properties });
  const group = new EndpointGroup({
    endpoints: [
      new Get({ url: 'shelves/:id', modelClass: Shelf, readableColumnNames: ['title'] }),
      new Get({ url: 'rooms/:id', modelClass: Room, readableColumnNames: ['title'] }),
      new Callable({
        url: 'free',
        tag: { name: 'Room', description: 'Rooms of the library.' },
        toCall: () => 1,
      }),
    ],
  });
  const application = await startApplication('express', 'sqlite', {
    entities: [Shelf, Room],
    endpoints: [group],
  });
  try {
    expect(openApiDocument(application.app)['tags']).toEqual([
      { name: 'Shelf', description: 'Where books stand.' },
      { name: 'Room', description: 'Rooms of the library.' },
    ]);
  } finally {
    await application.close();
  }
});

contract('What is hidden is in no document, and answers all the same', async ({ app, request }) => {
  const { paths, tags } = openApiDocument(app);
  const hidden = Object.keys(paths).filter((path) => /^\/(secret|tagged\/books)/.test(path));
  expect(hidden).toEqual(['/secret/shown/{id}']);
  expect(JSON.stringify(tags)).not.toContain('/secret/list');
  for (const path of ['/secret/list', '/secret/health', '/tagged/books'])
    expect((await request().get(path)).status).toBe(200);
});

contract('Every operation has a description, and a tag that its document explains', ({ app }) => {
  const document = openApiDocument(app);
  const tags = document['tags'] as readonly { readonly name: string; readonly description: string }[];
  const operations = operationsOf(document);
  expect(operations.length).toBeGreaterThan(30);
  for (const operation of operations) {
    expect(operation.description).toMatch(/\w{3}.*\.$/);
    expect(tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...operation.tags]));
  }
  for (const { description } of tags) expect(description).toMatch(/\w{3}.*\.$|^At `\/\w+/);
});

test('A tag that is no text and a hidden that is no truth value stop the start', async () => {
  for (const tag of ['', ' ', 5, null])
    expect(await stopped(() => books({ tag: tag as never }))).toMatch(
      /tag: .* is not allowed; allowed: a text that is not empty, or an object with name, description/,
    );
  expect(await stopped(() => books({ tag: { name: 'Shelf' } as never }))).toMatch(
    /tag: 'description' is required/,
  );
  const texts = { list: { sumary: 'x' } } as object;
  expect(await stopped(() => books({ documentation: texts }))).toMatch(
    /documentation: 'list': 'sumary' is unknown \(did you mean 'summary'\?\)/,
  );
  for (const hidden of ['yes', 0, null])
    expect(await stopped(() => books({ hidden: hidden as never }))).toMatch(
      /hidden: .* is not allowed; allowed: true, false/,
    );
});
