import {
  AdvancedSearch,
  Aggregate,
  Batch,
  Callable,
  Create,
  CreateMany,
  Delete,
  DeleteMany,
  EndpointGroup,
  Export,
  Facets,
  Get,
  HealthCheck,
  History,
  Import,
  List,
  Purge,
  Restore,
  RestfulApi,
  SimpleSearch,
  Update,
  UpdateMany,
  Upsert,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { AdminPage } from '@nest-endpoints/admin';
import { Mcp } from '@nest-endpoints/mcp';
import { Migrations } from '@nest-endpoints/migrations';
import { DocsPage, Schema } from '@nest-endpoints/openapi';
import { Book } from './entities/library.js';

/** Something that takes options: how messages call it, options that are right, and how it is made. */
export interface Kind {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly make: (options: object) => EndpointOrGroup;
  /** The names of all its options, as the kind and those that it extends declare them. */
  readonly optionNames: readonly string[];
}

type Made = (new (options: never) => EndpointOrGroup) & { readonly optionChecks: object };

const kind = (Type: Made, options: Kind['options']): Kind => ({
  name: Type.name,
  options,
  make: (given) => new Type(given as never),
  optionNames: [...new Set(Type.prototype instanceof EndpointGroup ? ownOf(Type) : declaredBy(Type))],
});

const ownOf = ({ optionChecks }: Made): readonly string[] => Object.keys(optionChecks);

/** Kinds declare what they add; groups declare all of theirs. */
const declaredBy = (type: unknown): readonly string[] =>
  typeof type === 'function' && Reflect.has(type, 'optionChecks')
    ? [...ownOf(type as Made), ...declaredBy(Object.getPrototypeOf(type))]
    : [];

const shown = { modelClass: Book, readableColumnNames: ['title'] };
const written = { ...shown, writeableColumnNames: ['title'] };
const listed = { ...shown, sortableColumnNames: ['title'], defaultSortColumnName: 'title' };
const searched = { ...listed, searchableColumnNames: ['title'] };

/** Every kind of endpoint and of group there is. */
export const everyKind: readonly Kind[] = [
  kind(Create, { ...written, url: 'books' }),
  kind(Get, { ...shown, url: 'books/:id' }),
  kind(History, { ...shown, url: 'books/:id/history' }),
  kind(Update, { ...written, url: 'books/:id' }),
  kind(Upsert, { ...written, url: 'books/:isbn', recordLookupColumnName: 'isbn' }),
  kind(Delete, { modelClass: Book, url: 'books/:id' }),
  kind(Restore, { ...shown, url: 'books/:id/restore' }),
  kind(Purge, { modelClass: Book, url: 'books/:id' }),
  kind(CreateMany, { ...written, url: 'books/bulk' }),
  kind(UpdateMany, { ...written, url: 'books/bulk' }),
  kind(Import, { modelClass: Book, writeableColumnNames: ['title'], url: 'books/import' }),
  kind(Export, { ...shown, url: 'books/export' }),
  kind(DeleteMany, { modelClass: Book, url: 'books/bulk' }),
  kind(List, { ...listed, url: 'books' }),
  kind(SimpleSearch, { ...searched, url: 'books' }),
  kind(AdvancedSearch, { ...searched, url: 'books' }),
  kind(Aggregate, { modelClass: Book, url: 'books/aggregate' }),
  kind(Facets, { modelClass: Book, url: 'books/facets', facetColumnNames: ['title'] }),
  kind(Callable, { url: 'hello', toCall: () => 'hello' }),
  kind(HealthCheck, { url: 'health' }),
  kind(Batch, { url: 'batch', wholeApplication: true }),
  kind(Schema, { url: 'openapi', wholeApplication: true }),
  kind(Mcp, { url: 'mcp', wholeApplication: true }),
  kind(DocsPage, { url: 'docs' }),
  kind(AdminPage, { url: 'admin' }),
  kind(Migrations, { url: 'schema', sql: [] }),
  kind(EndpointGroup, { url: 'api', endpoints: [] }),
  kind(RestfulApi, { ...searched, ...written, url: 'books' }),
];
