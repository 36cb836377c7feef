import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Callable,
  Create,
  Delete,
  EndpointGroup,
  Get,
  List,
  RestfulApi,
  SimpleSearch,
  Update,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { books } from '../support/endpoints.js';
import { Book, Country } from '../support/entities/library.js';
import { stopped } from './stopped.js';

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;
const search = { ...listed, searchableColumnNames: ['title'] } as const;
const made = { ...titles, writeableColumnNames: ['title'] } as const;

/** A url that the types do not look into. */
const text = (url: string): string => url;

/** What a configuration in JavaScript can leave out. */
const without = <O extends object>(options: O, name: keyof O): O =>
  Object.fromEntries(Object.entries(options).filter(([key]) => key !== name)) as O;

test('A default_sort_column_name that is missing stops the start', async () => {
  const list = () => new List(without({ ...listed, url: 'found' }, 'defaultSortColumnName'));
  expect(await stopped(list)).toMatch(/List.*found.*defaultSortColumnName/s);
});

test('A required option that is missing stops the start', async () => {
  const kinds: [string, string, () => EndpointOrGroup][] = [
    ['Create', 'modelClass', () => new Create(without({ ...made, url: 'x' }, 'modelClass'))],
    [
      'Create',
      'writeableColumnNames',
      () => new Create(without({ ...made, url: 'x' }, 'writeableColumnNames')),
    ],
    [
      'Create',
      'readableColumnNames',
      () => new Create(without({ ...made, url: 'x' }, 'readableColumnNames')),
    ],
    ['Get', 'modelClass', () => new Get(without({ ...titles, url: 'x/:id' }, 'modelClass'))],
    ['Get', 'url', () => new Get(without({ ...titles, url: 'x/:id' }, 'url'))],
    [
      'Get',
      'readableColumnNames',
      () => new Get(without({ ...titles, url: 'x/:id' }, 'readableColumnNames')),
    ],
    ['Update', 'url', () => new Update(without({ ...made, url: 'x/:id' }, 'url'))],
    [
      'Update',
      'writeableColumnNames',
      () => new Update(without({ ...made, url: 'x/:id' }, 'writeableColumnNames')),
    ],
    ['Delete', 'modelClass', () => new Delete(without({ modelClass: Book, url: 'x/:id' }, 'modelClass'))],
    ['Delete', 'url', () => new Delete(without({ modelClass: Book, url: 'x/:id' }, 'url'))],
    ['List', 'sortableColumnNames', () => new List(without({ ...listed, url: 'x' }, 'sortableColumnNames'))],
    ['List', 'readableColumnNames', () => new List(without({ ...listed, url: 'x' }, 'readableColumnNames'))],
    [
      'SimpleSearch',
      'searchableColumnNames',
      () => new SimpleSearch(without({ ...search, url: 'x' }, 'searchableColumnNames')),
    ],
    ['', 'modelClass', () => new RestfulApi(without({ ...search, ...made, url: 'x' }, 'modelClass'))],
    [
      '',
      'searchableColumnNames',
      () => new RestfulApi(without({ ...search, ...made, url: 'x' }, 'searchableColumnNames')),
    ],
  ];
  const messages = await Promise.all(kinds.map(([, , make]) => stopped(make)));
  expect(
    messages.map((message, index) => {
      const [kind = '', option = ''] = kinds[index] ?? [];
      return message.includes(kind) && message.includes(option) ? `${kind} ${option}` : message;
    }),
  ).toEqual(kinds.map(([kind, option]) => `${kind} ${option}`));
});

test('Duplicate parameter names in a url stop the start', async () => {
  const get = () => new Get({ ...titles, url: 'books/:id/of/{id}' });
  expect(await stopped(get)).toMatch(/Get.*books\/:id\/of\/\{id\}.*url.*'?id'?/s);
});

test('Duplicate parameter names in the urls of a group and its member stop the start', async () => {
  const get = new Get({ ...titles, url: 'books/:id' });
  expect(await stopped(() => new EndpointGroup({ url: 'of/:id', endpoints: [get] }))).toMatch(
    /Get.*books\/:id.*url.*id/s,
  );
});

test('A Get without its lookup parameter stops the start', async () => {
  expect(await stopped(() => new Get({ ...titles, url: 'books' }))).toMatch(/Get.*books.*url.*'?:?id'?/s);
  const other = () => new Get({ ...titles, url: text('books/:id'), recordLookupColumnName: 'isbn' });
  expect(await stopped(other)).toMatch(/Get.*books\/:id.*isbn/s);
});

test('An Update without its lookup parameter stops the start', async () => {
  expect(await stopped(() => new Update({ ...made, url: text('books/:isbn') }))).toMatch(
    /Update.*books\/:isbn.*url.*id/s,
  );
});

test('A Delete without its lookup parameter stops the start', async () => {
  const remove = () => new Delete({ modelClass: Book, url: text('books/:ID') });
  expect(await stopped(remove)).toMatch(/Delete.*books\/:ID.*url.*id/s);
});

test('A lookup parameter in the url of a group counts', async () => {
  const get = new Get({ ...titles, url: 'title' });
  expect(await stopped(() => new EndpointGroup({ url: 'books/:id', endpoints: [get] }))).toBe(
    'Error: the application started',
  );
});

test('An id_column_name that is not unique in the metadata stops the start', async () => {
  expect(await stopped(() => books({ url: 'shelved', idColumnName: 'title' }))).toMatch(
    /(idColumnName|recordLookupColumnName).*'title'/s,
  );
});

test('A model with a composite key stops the start', async () => {
  const Seat = defineEntity({
    name: 'Seat',
    properties: { row: p.integer().primary(), place: p.integer().primary(), taken: p.boolean() },
  });
  const list = () =>
    new List({
      modelClass: Seat,
      url: 'seats',
      readableColumnNames: ['taken'],
      sortableColumnNames: ['row'],
      defaultSortColumnName: 'row',
    });
  expect(await stopped(list, { entities: [Seat] })).toMatch(/List.*seats.*modelClass.*Seat.*composite/s);
});

test('A model that MikroORM does not know stops the start', async () => {
  const get = () => new Get({ ...titles, url: 'books/:id' });
  expect(await stopped(get, { entities: [Country] })).toMatch(/Get.*books\/:id.*modelClass.*Book/s);
});

test('default_limit above maximum_limit stops the start', async () => {
  const list = () => new List({ ...listed, url: 'found', defaultLimit: 201 });
  expect(await stopped(list)).toMatch(/List.*found.*defaultLimit.*201.*maximumLimit.*200/s);
  const small = () => new List({ ...listed, url: 'found', defaultLimit: 11, maximumLimit: 10 });
  expect(await stopped(small)).toMatch(/List.*found.*defaultLimit.*11.*maximumLimit.*10/s);
});

test('default_limit equal to maximum_limit does not stop the start', async () => {
  const list = () => new List({ ...listed, url: 'found', defaultLimit: 200 });
  expect(await stopped(list)).toBe('Error: the application started');
});

test('default_limit above maximum_limit 0 does not stop the start', async () => {
  const list = () => new List({ ...listed, url: 'found', defaultLimit: 201, maximumLimit: 0 });
  expect(await stopped(list)).toBe('Error: the application started');
});

test('A default_limit or maximum_limit that is no whole number stops the start', async () => {
  for (const [option, value] of [
    ['defaultLimit', 0],
    ['defaultLimit', -1],
    ['defaultLimit', 1.5],
    ['defaultLimit', NaN],
    ['maximumLimit', -1],
    ['maximumLimit', Infinity],
  ] as const) {
    const list = () => new List({ ...listed, url: 'found', [option]: value });
    expect(await stopped(list)).toMatch(new RegExp(`List.*found.*${option}.*${value}`, 's'));
  }
});

test('A default_sort_direction that is neither ASC nor DESC stops the start', async () => {
  const list = () => new List({ ...listed, url: 'found', defaultSortDirection: 'DOWN' as 'DESC' });
  expect(await stopped(list)).toMatch(/List.*found.*defaultSortDirection.*'DOWN'.*ASC.*DESC/s);
});

test('include_routing_data_in_request_data with a path parameter that is not writeable stops the start', async () => {
  const create = () =>
    new Create({ ...made, url: 'authors/:authorId/books', includeRoutingDataInRequestData: true });
  expect(await stopped(create)).toMatch(
    /Create.*authors.*includeRoutingDataInRequestData.*'authorId'.*title/s,
  );
});

test('A provider under the name of something that functions get anyway stops the start', async () => {
  class Clock {
    readonly now = 0;
  }
  for (const name of [
    'routingData',
    'requestHeaders',
    'authorizationData',
    'ip',
    'request',
    'queryParameters',
    'requestId',
    'signal',
    'em',
  ]) {
    const make = () => new Callable({ url: 'x', inject: { [name]: Clock }, toCall: () => null });
    expect(await stopped(make)).toContain(
      `Callable 'x': inject: '${name}' is the name of something else there`,
    );
  }
});

test('An authentication whose allowedHeaders are no names stops the start', async () => {
  for (const allowedHeaders of [[7], 'X-Token', undefined]) {
    const authentication = { authenticate: () => undefined, allowedHeaders } as never;
    const make = () => new Get({ ...titles, url: 'x/:id', authentication });
    expect(await stopped(make)).toMatch(/Get 'x\/:id': authentication: .*allowed: an authentication/);
  }
});

test('A security header with a line break stops the start', async () => {
  const note = { headers: [['X-Note', 'one\ntwo']] } as const;
  const make = () => new Get({ ...titles, url: 'x/:id', securityHeaders: [note] });
  expect(await stopped(make)).toMatch(/Get 'x\/:id': securityHeaders: /);
});
