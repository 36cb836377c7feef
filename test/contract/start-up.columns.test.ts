import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, Get, List, SimpleSearch, Update, defineColumns } from '@nest-endpoints/core';
import { books } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { stopped } from './stopped.js';

/** A name that the types refuse, as it would come from JavaScript. */
const misspelt = 'titel' as 'title';

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;

/** What the message about a name must hold: endpoint, option, value and some of the allowed names. */
const naming = (endpoint: string, option: string, value: string) =>
  new RegExp(`${endpoint}.*${option}.*'${value}'.*title.*pages`, 's');

test('An unknown writeable column stops the start', async () => {
  const create = () => new Create({ ...titles, url: 'made', writeableColumnNames: [misspelt] });
  expect(await stopped(create)).toMatch(naming('Create.*made', 'writeableColumnNames', 'titel'));
  const update = () => new Update({ ...titles, url: 'made/:id', writeableColumnNames: [misspelt] });
  expect(await stopped(update)).toMatch(naming('Update.*made/:id', 'writeableColumnNames', 'titel'));
});

test('A column of a related model as writeable stops the start', async () => {
  const name = 'author.name' as 'title';
  const create = () => new Create({ ...titles, url: 'made', writeableColumnNames: [name] });
  expect(await stopped(create)).toMatch(/Create.*made.*writeableColumnNames.*'author.name'/s);
});

test('A relation as writeable stops the start', async () => {
  const create = () => new Create({ ...titles, url: 'made', writeableColumnNames: ['author'] });
  expect(await stopped(create)).toMatch(/Create.*made.*writeableColumnNames.*'author'/s);
});

test('An unknown searchable column stops the start', async () => {
  const search = () => new SimpleSearch({ ...listed, url: 'found', searchableColumnNames: [misspelt] });
  expect(await stopped(search)).toMatch(naming('SimpleSearch.*found', 'searchableColumnNames', 'titel'));
  const list = () => new List({ ...listed, url: 'found', searchableColumnNames: [misspelt] });
  expect(await stopped(list)).toMatch(naming('List.*found', 'searchableColumnNames', 'titel'));
});

test('An unknown default_sort_column_name stops the start', async () => {
  const list = () => new List({ ...listed, url: 'found', defaultSortColumnName: misspelt });
  expect(await stopped(list)).toMatch(naming('List.*found', 'defaultSortColumnName', 'titel'));
});

test('An unknown record_lookup_column_name stops the start', async () => {
  const get = () => new Get({ ...titles, url: `found/:${misspelt}`, recordLookupColumnName: misspelt });
  expect(await stopped(get)).toMatch(naming('Get.*found', 'recordLookupColumnName', 'titel'));
});

test('An unknown relation path stops the start', async () => {
  for (const path of ['author.nme', 'auhtor.name', 'title.name', 'author.', '.title', 'author.country.nme']) {
    const get = () => new Get({ ...titles, url: 'found/:id', readableColumnNames: [path as 'title'] });
    expect(await stopped(get)).toMatch(naming('Get.*found/:id', 'readableColumnNames', path));
  }
});

test('Names that every object has are unknown columns', async () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const get = () => new Get({ ...titles, url: 'found/:id', readableColumnNames: [name as 'title'] });
    expect(await stopped(get)).toMatch(naming('Get.*found/:id', 'readableColumnNames', name));
  }
});

test('An unknown name in column_overrides stops the start', async () => {
  const get = () => new Get({ ...titles, url: 'found/:id', columnOverrides: { [misspelt]: {} } });
  expect(await stopped(get)).toMatch(naming('Get.*found/:id', 'columnOverrides', 'titel'));
});

test('An unknown name in defineColumns stops the start', async () => {
  const Shelf = defineEntity({ name: 'Shelf', properties: { id: p.integer().primary(), title: p.string() } });
  defineColumns(Shelf, { [misspelt]: {} });
  const get = () => new Get({ modelClass: Shelf, url: 'shelves/:id', readableColumnNames: ['title'] });
  expect(await stopped(get, { entities: [Shelf] })).toMatch(/Shelf.*titel.*title/s);
});

test('A Created column as writeable stops the start', async () => {
  const create = () => new Create({ ...titles, url: 'made', writeableColumnNames: ['title', 'created'] });
  expect(await stopped(create)).toMatch(/Create.*made.*writeableColumnNames.*'created'/s);
});

test('An Updated column as writeable stops the start', async () => {
  const update = () => new Update({ ...titles, url: 'made/:id', writeableColumnNames: ['updated'] });
  expect(await stopped(update)).toMatch(/Update.*made\/:id.*writeableColumnNames.*'updated'/s);
});

test('A bare relation without named columns stops the start', async () => {
  const get = () => new Get({ ...titles, url: 'found/:id', readableColumnNames: ['title', 'author'] });
  expect(await stopped(get)).toMatch(/Get.*found\/:id.*readableColumnNames.*'author'/s);
  const deeper = () => new Get({ ...titles, url: 'found/:id', readableColumnNames: ['author.country'] });
  expect(await stopped(deeper)).toMatch(/Get.*found\/:id.*readableColumnNames.*country'/s);
});

test("A start-up error in a RestfulApi names the RestfulApi's url", async () => {
  for (const wrong of [
    { writeableColumnNames: [misspelt] },
    { readableColumnNames: [misspelt] },
    { sortableColumnNames: [misspelt] },
    { idColumnName: misspelt },
    { defaultLimit: 201 },
    { createRequestMethods: ['post' as 'POST'] },
  ])
    expect(await stopped(() => books({ url: 'shelved', ...wrong }))).toMatch(/'\/?shelved/);
});

const Odd = defineEntity({
  name: 'Odd',
  properties: {
    id: p.integer().primary(),
    pageCount: p.integer(),
    page_count: p.integer().fieldName('counted'),
    secret: p.string().hidden(),
    book: () => p.manyToOne(Book),
    self: () => p.manyToOne(Odd).nullable(),
  },
});
const odd = { modelClass: Odd, readableColumnNames: ['id'] } as const;
const oddly = { ...odd, sortableColumnNames: ['id'], defaultSortColumnName: 'id' } as const;
const both = ['pageCount', 'page_count'] as const;
const withOdd = { entities: [...library, Odd], root: { internalCasing: 'camelCase' } } as const;

test('Two names that collide after casing stop the start', async () => {
  for (const [option, make] of [
    ['readableColumnNames', () => new Get({ ...odd, url: 'odd/:id', readableColumnNames: both })],
    ['writeableColumnNames', () => new Create({ ...odd, url: 'odd', writeableColumnNames: both })],
    ['sortableColumnNames', () => new List({ ...oddly, url: 'odd', sortableColumnNames: both })],
    ['searchableColumnNames', () => new SimpleSearch({ ...oddly, url: 'odd', searchableColumnNames: both })],
  ] as const)
    expect(await stopped(make, withOdd)).toMatch(
      new RegExp(`odd.*${option}.*'pageCount'.*'page_count'.*'page_count'`, 's'),
    );
});

test('Two names that collide in a nested record stop the start', async () => {
  const paths = ['self.pageCount', 'self.page_count'] as const;
  const get = () => new Get({ ...odd, url: 'odd/:id', readableColumnNames: paths });
  expect(await stopped(get, withOdd)).toMatch(/Get.*odd\/:id.*readableColumnNames.*pageCount.*page_count/s);
});

test('Two names that stay apart on the wire do not stop the start', async () => {
  const get = () =>
    new Get({ ...odd, url: 'odd/:id', readableColumnNames: both, internalCasing: 'snake_case' });
  expect(await stopped(get, withOdd)).toBe('Error: the application started');
});

test('A hidden property as readable stops the start', async () => {
  for (const name of ['secret', 'self.secret'] as const) {
    const get = () => new Get({ ...odd, url: 'odd/:id', readableColumnNames: [name] });
    expect(await stopped(get, withOdd)).toMatch(
      new RegExp(`Get.*odd/:id.*readableColumnNames.*'${name}'`, 's'),
    );
  }
});

test('A hidden property as sortable stops the start', async () => {
  for (const name of ['secret', 'self.secret'] as const) {
    const list = () => new List({ ...oddly, url: 'odd', sortableColumnNames: [name] });
    expect(await stopped(list, withOdd)).toMatch(
      new RegExp(`List.*odd.*sortableColumnNames.*'${name}'`, 's'),
    );
  }
});

test('A hidden property as searchable stops the start', async () => {
  for (const name of ['secret', 'self.secret'] as const) {
    const search = () => new SimpleSearch({ ...oddly, url: 'odd', searchableColumnNames: [name] });
    expect(await stopped(search, withOdd)).toMatch(
      new RegExp(`SimpleSearch.*odd.*searchableColumnNames.*'${name}'`, 's'),
    );
  }
});

test('A hidden property as writeable does not stop the start', async () => {
  const create = () => new Create({ ...odd, url: 'odd', writeableColumnNames: ['secret'] });
  expect(await stopped(create, withOdd)).toBe('Error: the application started');
});
