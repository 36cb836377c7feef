import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RequireClaims } from '@nest-endpoints/auth';
import {
  Create,
  EndpointGroup,
  Public,
  RestfulApi,
  Update,
  type EndpointOrGroup,
  type NestedOptions,
} from '@nest-endpoints/core';
import { startApplication, type Application } from '../support/application.js';
import { Claims } from './claims.js';

const Tag = defineEntity({
  name: 'Tag',
  properties: { id: p.integer().primary(), name: p.string() },
});

const Book = defineEntity({
  name: 'Book',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string(),
    tags: () => p.manyToMany(Tag),
    readers: () =>
      p
        .manyToMany(Tag)
        .owner()
        .pivotEntity(() => Loan),
    pages: () => p.oneToMany(Page).mappedBy('book'),
  },
});

/** A table between whose rows a client cannot make by a link. */
const Loan = defineEntity({
  name: 'Loan',
  properties: {
    book: () => p.manyToOne(Book).primary(),
    reader: () => p.manyToOne(Tag).primary(),
    since: p.datetime(3).onCreate(() => new Date(0)),
  },
});

const Page = defineEntity({
  name: 'Page',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    book: () => p.manyToOne(Book),
    notes: () => p.oneToMany(Note).mappedBy('page'),
  },
});

const Note = defineEntity({
  name: 'Note',
  properties: { id: p.integer().primary().autoincrement(), text: p.string(), page: () => p.manyToOne(Page) },
});

const startOf = async (make: () => readonly EndpointOrGroup[]): Promise<string> => {
  let application: Application | undefined;
  try {
    const endpoints = make();
    application = await startApplication('express', 'sqlite', {
      entities: [Tag, Book, Loan, Page, Note],
      endpoints,
    });
    return 'it started';
  } catch (error) {
    return String(error);
  } finally {
    await application?.close();
  }
};

const lists = {
  sortableColumnNames: ['id'],
  searchableColumnNames: [],
  defaultSortColumnName: 'id',
} as const;

const api = (options = {}) =>
  new RestfulApi({
    ...lists,
    url: 'pages',
    modelClass: Page,
    writeableColumnNames: ['text', 'bookId'],
    readableColumnNames: ['id'],
    ...options,
  });

const book = {
  modelClass: Book,
  writeableColumnNames: ['title'],
  readableColumnNames: ['id'],
} as const;

const created = (relations: NestedOptions['writeableRelations'], more: NestedOptions = {}) =>
  new Create({ ...book, url: 'books', writeableRelations: relations ?? {}, ...more });

const changed = (relations: NestedOptions['writeableRelations'], more = {}) =>
  new Update({ ...book, url: 'books/:id', writeableRelations: relations ?? {}, ...more });

const own = { writeableColumnNames: ['text'] } as const;
const named = { writeableColumnNames: ['name'] } as const;

test('Relations that cannot be written stop the start', async () => {
  const mistakes: readonly [NestedOptions['writeableRelations'], RegExp][] = [
    [{ page: own }, /Create 'books': writeableRelations: unknown relation 'page' \(did you mean 'pages'\?\)/],
    [{ readers: named }, /'readers': 'since' of Loan has no default, and a link gives it no value/],
    [{ pages: {} }, /'pages': name its writeableColumnNames/],
    [{ pages: { writeableColumnNames: ['txt'] } }, /unknown column 'txt'/],
    [
      { pages: { writeableColumnNames: ['text', 'book_id'] } },
      /'book_id' is the key of the record around it/,
    ],
    [
      { pages: { ...own, operations: ['create', 'link'] } },
      /link and unlink need a key that may be null, which book_id is not/,
    ],
    [
      { pages: { ...own, operations: ['create'], replace: true } },
      /replace of 'pages' needs the operation delete, or unlink/,
    ],
    [{ pages: { ...own, maximum: 1001 } }, /'maximum': .*from 1 to 1000/],
    [{ pages: { through: 'pages' } }, /no Create, Update or Delete of Page is at 'pages'/],
    [
      { pages: { ...own, writeableRelations: { notes: { ...own, writeableRelations: { page: own } } } } },
      /more than 2 levels/,
    ],
  ];
  for (const [relations, problem] of mistakes)
    expect(await startOf(() => [created(relations)])).toMatch(problem);
  expect(
    await startOf(() => [created({ tags: named }), changed({ tags: { ...named, replace: true } })]),
  ).toBe('it started');
  const deep = { pages: { ...own, writeableRelations: { notes: own } } };
  expect(await startOf(() => [created(deep), changed(deep)])).toBe('it started');
  expect(await startOf(() => [created(deep, { maximumDepth: 1 })])).toMatch(/more than 1 levels/);
});

test('An endpoint whose rules are more than its options cannot give them to others', async () => {
  const through = { pages: { through: 'pages' } };
  const parts: readonly [string, EndpointOrGroup, RegExp | string][] = [
    ['as it is', api(), 'it started'],
    [
      'another authentication',
      api({ authentication: new Claims() }),
      /has another authentication; allowed: the same/,
    ],
    ['nobody asked', api({ authentication: new Public() }), 'it started'],
    [
      'an own kind',
      api({
        createEndpoint: class extends Create<InstanceType<typeof Page.class>> {
          override compile(context: Parameters<Create['compile']>[0]) {
            return super.compile(context);
          }
        },
        updateEndpoint: null,
        deleteEndpoint: null,
      }),
      /no Create, Update or Delete of Page is at 'pages'/,
    ],
    ['other names', api({ externalCasing: 'camelCase' }), /has other names on the wire/],
    [
      'guards',
      new Create({
        url: 'pages',
        modelClass: Page,
        writeableColumnNames: ['text', 'bookId'],
        readableColumnNames: ['id'],
        guards: [{ canActivate: () => true }],
      }),
      /Create 'pages' has guards, which only its own requests go through/,
    ],
    [
      'parameters',
      new EndpointGroup({ url: 'shelves/:shelf', endpoints: [api()] }),
      /no Create, Update or Delete of Page/,
    ],
  ];
  for (const [what, endpoint, expected] of parts) {
    const problem = await startOf(() => [endpoint, created(through)]);
    if (typeof expected === 'string') expect([what, problem]).toEqual([what, expected]);
    else expect(`${what}: ${problem}`).toMatch(expected);
  }
  expect(
    await startOf(() => [api(), created({ pages: { through: 'pages', writeableColumnNames: ['id'] } })]),
  ).toMatch(/'id' is not among the writeableColumnNames of/);
  const without = api({ deleteEndpoint: null });
  expect(await startOf(() => [without, changed(through)])).toBe('it started');
  expect(await startOf(() => [without, changed({ pages: { through: 'pages', replace: true } })])).toMatch(
    /'pages': no endpoint of 'pages' gives the rules of delete, which replace needs/,
  );
  expect(
    await startOf(() => [without, changed({ pages: { through: 'pages', operations: ['delete'] } })]),
  ).toMatch(/no endpoint of 'pages' gives the rules of delete/);
});

test('Records for which somebody has rules are not written without them', async () => {
  const rules: readonly [object, RegExp][] = [
    [{ where: ["text != 'x'"] }, /has rules for Page records \(where\): name the endpoint .* with through/],
    [{ inputValidationCallable: () => ({}) }, /\(inputValidationCallable\)/],
    [{ beforeSave: () => undefined }, /\(beforeSave\)/],
    [{ authentication: new Claims() }, /RestfulApi 'pages' has another authentication/],
    [
      { authentication: new Claims(), authorization: new RequireClaims('x') },
      /has another authentication|has an authorization/,
    ],
  ];
  for (const [options, problem] of rules)
    expect(await startOf(() => [api(options), created({ pages: own })])).toMatch(problem);
  expect(await startOf(() => [api(), created({ pages: own }), changed({ pages: own })])).toBe('it started');
});
