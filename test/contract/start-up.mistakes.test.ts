import { describe, expect, test } from '@jest/globals';
import {
  AdvancedSearch,
  Callable,
  Create,
  Delete,
  EndpointGroup,
  Get,
  HealthCheck,
  List,
  RestfulApi,
  SimpleSearch,
  StringColumn,
  Update,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { defineEntity, p } from '@mikro-orm/core';
import { books, libraryWith } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { startUpError } from '../support/application.js';

const Vault = defineEntity({
  name: 'Vault',
  properties: { id: p.integer().primary(), label: p.string(), code: p.string().hidden() },
});

const titles = { modelClass: Book, readableColumnNames: ['title'] };
const made = { ...titles, url: 'made', writeableColumnNames: ['title'] };
const one = { ...titles, url: 'one/:id' };
const list = {
  ...titles,
  url: 'found',
  sortableColumnNames: ['title'],
  defaultSortColumnName: 'title',
};
const search = { ...list, searchableColumnNames: ['title'] };
const vaults = { ...list, modelClass: Vault, readableColumnNames: ['label'] };

type Kind = new (options: never) => EndpointOrGroup;

/** An endpoint with options as JavaScript gives them. */
const of = (kind: Kind, options: object, ...more: readonly object[]) =>
  (() => [new kind(Object.assign({}, options, ...more) as never)]) as () => unknown;

const shared = new Get(one as never);
const group = new EndpointGroup({ url: 'group', endpoints: [shared] });

/** What somebody writes who begins, and what the message names: endpoint, option, value and remedy. */
const mistakes: readonly (readonly [string, () => unknown, ...RegExp[]])[] = [
  ['a number as url', of(List, list, { url: 5 }), /^List /, /url: 5/, /allowed: a text/],
  ['a url with a space', of(List, list, { url: 'my list' }), /^List 'my list': url: /, /'my list'/],
  ['no url', of(Get, titles), /^Get/, /url: .*required/],
  ['a parameter without a name', of(Get, one, { url: 'one/:' }), /^Get 'one\/:': url: /, /':'/],
  ['a url without its parameter', of(Get, one, { url: 'one' }), /^Get 'one': /, /id/],
  [
    'a name of a column with a space',
    of(Get, one, { readableColumnNames: [' title'] }),
    /^Get 'one\/:id': readableColumnNames: /,
    /' title'/,
    /did you mean 'title'|title/,
  ],
  [
    'a name that is misspelt',
    of(Get, one, { readableColumnNames: ['titel'] }),
    /readableColumnNames: /,
    /'titel'/,
    /title/,
  ],
  [
    'one name for a list',
    of(Get, one, { readableColumnNames: 'title' }),
    /readableColumnNames: 'title'/,
    /a list of column names/,
  ],
  [
    'the name of an entity',
    of(Get, one, { modelClass: 'Book' }),
    /^Get 'one\/:id': modelClass: 'Book'/,
    /allowed: .*entity/,
  ],
  [
    'an instance of an entity',
    of(Get, one, { modelClass: {} }),
    /modelClass: an empty object/,
    /allowed: .*entity/,
  ],
  [
    'a wrong relation',
    of(Get, one, { readableColumnNames: ['writer.name'] }),
    /readableColumnNames: /,
    /'writer\.name'|'writer'/,
    /author/,
  ],
  [
    'a path below a scalar',
    of(Get, one, { readableColumnNames: ['title.length'] }),
    /readableColumnNames: /,
    /title/,
  ],
  ['a bare relation', of(Get, one, { readableColumnNames: ['author'] }), /readableColumnNames: /, /'author'/],
  ['a negative limit', of(List, list, { defaultLimit: -1 }), /defaultLimit: -1/, /whole number from 1/],
  ['NaN as a limit', of(List, list, { maximumLimit: NaN }), /maximumLimit: NaN/, /whole number from 0/],
  ['a limit as text', of(List, list, { defaultLimit: '10' }), /defaultLimit: '10'/, /whole number/],
  ['a timeout as text', of(List, list, { timeout: '5s' }), /timeout: '5s'/, /milliseconds/],
  [
    'a class for an authentication',
    of(List, list, { authentication: StringColumn }),
    /authentication: the class StringColumn/,
    /allowed: .*new /,
  ],
  [
    'null for an authentication',
    of(List, list, { authentication: null }),
    /authentication: null/,
    /new Public\(\)/,
  ],
  [
    'a promise for an authentication',
    of(List, list, { authentication: Promise.resolve({}) }),
    /authentication: a promise, which nobody awaited/,
  ],
  [
    'a class for a column type',
    of(Get, one, { columnOverrides: { title: { type: StringColumn } } }),
    /columnOverrides: 'title': 'type': the class StringColumn/,
    /new StringColumn\(\)/,
  ],
  [
    'columnOverrides of no column',
    of(Get, one, { columnOverrides: { titel: {} } }),
    /columnOverrides: /,
    /'titel'/,
    /title/,
  ],
  [
    'a promise for options',
    () => [new Get(Promise.resolve(one) as never)],
    /^Get/,
    /a promise, which nobody awaited/,
  ],
  [
    'endpoints in a list of their own',
    () => [[new List(list as never)]],
    /endpoints: entry 1: a list of 1/,
    /\.\.\.list|group/,
  ],
  ['a class for an endpoint', () => [List], /endpoints: entry 1: the class List/, /new List\(/],
  ['undefined for an endpoint', () => [undefined], /endpoints: entry 1: undefined/, /circle/],
  [
    'one and the same endpoint twice',
    () => [shared, shared],
    /endpoints: entry 2 stands in the list already/,
  ],
  ['one and the same group twice', () => [group, group], /endpoints: entry 2 stands in the list already/],
  ['a promise for the list', () => Promise.resolve([]), /endpoints: a promise, which nobody awaited/],
  [
    'a group without endpoints',
    of(EndpointGroup, { url: 'empty' }),
    /^EndpointGroup 'empty': endpoints: .*required/,
  ],
  [
    'a sort by a hidden column',
    of(List, vaults, { sortableColumnNames: ['code'], defaultSortColumnName: 'label' }),
    /^List 'found': sortableColumnNames: /,
    /'code'/,
    /hidden/,
  ],
  [
    'a default sort that is unknown',
    of(List, list, { defaultSortColumnName: 'titel' }),
    /defaultSortColumnName: /,
    /'titel'/,
    /title/,
  ],
  [
    'a direction that does not exist',
    of(List, list, { defaultSortDirection: 'up' }),
    /defaultSortDirection: 'up'/,
    /ASC, DESC/,
  ],
  [
    'a condition on an unknown column',
    of(List, list, { where: ['titel = x'] }),
    /where: /,
    /'titel'/,
    /title/,
  ],
  [
    'a condition with an unknown operator',
    of(List, list, { where: ['title equals x'] }),
    /where: /,
    /equals/,
    /like/,
  ],
  [
    'a filter object with an unknown column',
    of(List, list, { where: [{ titel: 'x' }] }),
    /where: /,
    /'titel'/,
    /title/,
  ],
  [
    'a filter object with an unknown operator',
    of(List, list, { where: [{ title: { $equals: 'x' } }] }),
    /where: /,
    /\$equals/,
  ],
  ['a condition that is no list', of(List, list, { where: 'title = x' }), /where: 'title = x'/, /a list of/],
  [
    'a search in an unknown column',
    of(SimpleSearch, search, { searchableColumnNames: ['titel'] }),
    /searchableColumnNames: /,
    /'titel'/,
    /title/,
  ],
  [
    'a search for a list',
    of(AdvancedSearch, list),
    /^AdvancedSearch 'found': searchableColumnNames: .*required/,
  ],
  [
    'a key as writeable by its relation',
    of(Create, made, { writeableColumnNames: ['author'] }),
    /writeableColumnNames: /,
    /'author'/,
  ],
  [
    'a column of a parent as writeable',
    of(Update, made, { url: 'made/:id', writeableColumnNames: ['author.name'] }),
    /writeableColumnNames: /,
    /'author\.name'/,
  ],
  [
    'a lookup that is not unique',
    of(Delete, { modelClass: Book, url: 'x/:title' }, { recordLookupColumnName: 'title' }),
    /^Delete 'x\/:title': recordLookupColumnName: /,
    /'title'/,
    /unique/,
  ],
  [
    'a method in small letters',
    of(Create, made, { requestMethods: ['post'] }),
    /requestMethods: entry 1: 'post'/,
    /did you mean 'POST'/,
  ],
  [
    'a typo in an option',
    of(Create, made, { writableColumnNames: ['title'] }),
    /writableColumnNames: is no option here \(did you mean 'writeableColumnNames'\?\)/,
  ],
  [
    'a header without its value',
    of(List, list, { responseHeaders: ['X-By'] }),
    /responseHeaders: /,
    /X-By/,
    /key: value/,
  ],
  [
    'a result for a function',
    of(Callable, { url: 'call', toCall: 'done' }),
    /^Callable 'call': toCall: 'done'/,
    /a function/,
  ],
  ['a Callable without its function', of(Callable, { url: 'call' }), /^Callable 'call': toCall: .*required/],
  [
    'a check that is called',
    of(HealthCheck, { url: 'h', callables: [Promise.resolve()] }),
    /callables: entry 1: a promise, which nobody awaited/,
    /function/,
  ],
  [
    'a casing that does not exist',
    of(List, list, { externalCasing: 'camelcase' }),
    /externalCasing: 'camelcase'/,
    /did you mean 'camelCase'/,
  ],
  [
    'an operation that is no class',
    of(RestfulApi, { ...search, ...made, url: 'x' }, { listEndpoint: new List(list as never) }),
    /^RestfulApi 'x': listEndpoint: an instance of List/,
    /allowed: .*class/,
  ],
];

const messageOf = async (make: () => unknown): Promise<string> => {
  try {
    const endpoints = make() as EndpointOrGroup[];
    return await startUpError({ ...libraryWith([books()]), entities: [...library, Vault], endpoints });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe.each(mistakes)('%s', (_, make, ...parts) => {
  test("A beginner's mistake stops the start, and the message says what is to be done", async () => {
    const message = await messageOf(make);
    for (const part of parts) expect(message).toMatch(part);
  });
});
