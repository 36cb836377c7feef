import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Create,
  Delete,
  Endpoint,
  EndpointGroup,
  Public,
  optionChecks,
  type EndpointOptions,
  type OptionChecks,
} from '@nest-endpoints/core';
import { EndpointKind, PlainReply, type Handler } from '@nest-endpoints/core/kinds';
import { books } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { Nowhere } from './nowhere.js';
import { stopped } from './stopped.js';

/** A kind of the user's that says what its options are. */
class Limited extends EndpointKind<EndpointOptions & { readonly most: number }> {
  static override readonly optionChecks: OptionChecks = { most: optionChecks.wholeNumber(1) };
  protected override readonly defaultMethods = ['GET'] as const;
  override readonly readsBody = false;

  override compile(): Handler {
    return () => Promise.resolve(new PlainReply(this.options.most));
  }
}

/** One that says nothing. */
class Unsaid extends EndpointKind<EndpointOptions & { readonly most: number }> {
  protected override readonly defaultMethods = ['GET'] as const;
  override readonly readsBody = false;

  override compile(): Handler {
    return () => Promise.resolve(new PlainReply(this.options.most));
  }
}

const started = 'Error: the application started';

test("Options that a user's own kind declares are checked", async () => {
  expect(await stopped(() => new Limited({ url: 'x', most: 1 }))).toBe(started);
  expect(await stopped(() => new Limited({ url: 'x', most: 0 }))).toMatch(
    /Limited 'x': most: 0 is not allowed; allowed: a whole number from 1/,
  );
  const extra = { url: 'x', most: 1, least: 1 };
  expect(await stopped(() => new Limited(extra))).toMatch(
    /Limited 'x': least: is no option here.*allowed: .*most/,
  );
  const untimed = { url: 'x', most: 1, timeout: -1 };
  expect(await stopped(() => new Limited(untimed))).toMatch(/Limited 'x': timeout: -1/);
});

test("A user's own kind that declares no options may have some, but none that is nearly one of ours", async () => {
  expect(await stopped(() => new Unsaid({ url: 'x', most: 1 }))).toBe(started);
  const misspelt = { url: 'x', most: 1, authenticaton: new Public() };
  expect(await stopped(() => new Unsaid(misspelt))).toMatch(
    /Unsaid 'x': authenticaton: .*did you mean 'authentication'/,
  );
  const nothing = { url: 'x', most: 1, authentication: null } as object;
  expect(await stopped(() => new Unsaid(nothing as EndpointOptions & { most: number }))).toMatch(
    /Unsaid 'x': authentication: null is not allowed/,
  );
});

test('A mistake in an option of a RestfulApi is told of the RestfulApi', async () => {
  const api = (options: object) =>
    stopped(() => new EndpointGroup({ url: 'v1', endpoints: [books(options)] }));
  for (const option of ['readableColumnNames', 'writeableColumnNames', 'sortableColumnNames'])
    expect(await api({ [option]: ['titel'] })).toMatch(
      new RegExp(`RestfulApi 'v1/books': ${option}: .*'titel'.*did you mean 'title'`),
    );
  expect(await api({ idColumnName: 'pages' })).toMatch(/RestfulApi 'v1\/books': idColumnName: /);
  expect(await api({ where: ['pages <> 1'] })).toMatch(/RestfulApi 'v1\/books': where: /);
  expect(await api({ defaultLimit: 300 })).toMatch(/RestfulApi 'v1\/books': defaultLimit: /);
  expect(await api({ preconditionRequired: true })).toMatch(/RestfulApi 'v1\/books': preconditionRequired: /);
});

const Numbered = defineEntity({
  name: 'Numbered',
  properties: { id: p.integer().primary().autoincrement() },
});

test('A mistake in a member of a RestfulApi is told of the option that has added the member', async () => {
  const api = (options: object, more: object = {}) => stopped(() => books(options), more);
  const unrecorded = 'changes of Book are not recorded; call recordChanges(Book, …)';
  for (const [options, message] of [
    [{ trash: true }, 'trash: records of Book are deleted for good'],
    [{ history: true }, `history: ${unrecorded}`],
    [{ history: true, modelClass: Numbered }, 'modelClass: '],
  ] as const)
    expect(await api(options)).toContain(`RestfulApi 'books': ${message}`);
  const numbers = {
    modelClass: Numbered,
    readableColumnNames: ['id'],
    writeableColumnNames: [],
    upsert: true,
  };
  const listed = { sortableColumnNames: ['id'], searchableColumnNames: ['id'], defaultSortColumnName: 'id' };
  const counted = "'id' cannot be written: the database counts it";
  for (const [options, option] of [
    [{}, 'upsert'],
    [{ idColumnName: 'id' }, 'idColumnName'],
  ] as const)
    expect(await api({ ...numbers, ...listed, ...options }, { entities: [Numbered] })).toContain(
      `RestfulApi 'books': ${option}: ${counted}`,
    );
  const backends = { root: { backends: [{ modelClass: Book, backend: new Nowhere() }] } };
  const shown = { readableColumnNames: ['title'], searchableColumnNames: ['title'], sortableColumnNames: [] };
  for (const [option, message] of [
    ['bulk', 'the records of Book are in a backend of your own, which cannot write many as one'],
    ['export', 'a backend of your own cannot do this'],
    ['history', unrecorded],
  ] as const)
    expect(await api({ ...shown, [option]: true }, backends)).toContain(
      `RestfulApi 'books': ${option}: ${message}`,
    );
});

test("A mistake in an endpoint of a controller's method is told of its decorator", () => {
  const decorate = (options: object) => () => Endpoint(options)({}, 'next', { value: () => undefined });
  expect(decorate({ url: 'next', authenticaton: null })).toThrow(
    /^@Endpoint 'next': authenticaton: .*did you mean 'authentication'/,
  );
  expect(decorate({ url: 'a b' })).toThrow(/^@Endpoint 'a b': url: /);
});

test('Endpoints about one model may share what is said of its columns', async () => {
  const shared = {
    modelClass: Book,
    readableColumnNames: ['title'],
    writeableColumnNames: ['title'],
    sortableColumnNames: ['title'],
    searchableColumnNames: ['title'],
    defaultSortColumnName: 'title',
  } as const;
  expect(await stopped(() => new Create({ ...shared, url: 'books' }))).toBe(started);
  expect(await stopped(() => new Delete({ ...shared, url: 'books/:id' }))).toBe(started);
  const wrong = { ...shared, url: 'books/:id', sortableColumnNames: [Book] as unknown as ['title'] };
  expect(await stopped(() => new Delete(wrong))).toMatch(
    /Delete 'books\/:id': sortableColumnNames: entry 1: an instance of EntitySchema is not allowed/,
  );
});
