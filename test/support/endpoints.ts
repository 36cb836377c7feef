import { RestfulApi } from '@nest-endpoints/core';
import type { ApplicationOptions } from './application.js';
import { Author, Book, library } from './entities/library.js';

type Options<Api> = Api extends new (options: infer O) => unknown ? Partial<O> : never;

/** Everything that a Book has and what is customary to do with it; a test replaces what it is about. */
export const books = (options: Options<typeof RestfulApi<Book>> = {}) =>
  new RestfulApi<Book>({
    url: 'books',
    modelClass: Book,
    readableColumnNames: [
      'id',
      'isbn',
      'title',
      'authorId',
      'author.name',
      'author.country.name',
      'pages',
      'price',
      'inPrint',
      'publishedOn',
      'launchAt',
      'remindAt',
      'contact',
      'notes',
      'created',
      'updated',
    ],
    writeableColumnNames: [
      'isbn',
      'title',
      'authorId',
      'pages',
      'price',
      'inPrint',
      'publishedOn',
      'launchAt',
      'remindAt',
      'contact',
      'notes',
    ],
    sortableColumnNames: ['title', 'pages', 'price', 'publishedOn', 'author.name'],
    searchableColumnNames: [
      'id',
      'isbn',
      'title',
      'authorId',
      'author.name',
      'pages',
      'inPrint',
      'publishedOn',
      'launchAt',
      'remindAt',
      'contact',
    ],
    defaultSortColumnName: 'title',
    ...options,
  });

/** Authors with their country. */
export const authors = (options: Options<typeof RestfulApi<Author>> = {}) =>
  new RestfulApi<Author>({
    url: 'authors',
    modelClass: Author,
    readableColumnNames: ['id', 'name', 'countryCode', 'country.name'],
    writeableColumnNames: ['name', 'countryCode'],
    sortableColumnNames: ['name', 'country.name'],
    searchableColumnNames: ['id', 'name', 'countryCode', 'country.name'],
    defaultSortColumnName: 'name',
    ...options,
  });

/** An application that serves the library: camelCase inside, snake_case outside. */
export const libraryWith = (
  endpoints: NonNullable<ApplicationOptions['endpoints']>,
  options: Omit<ApplicationOptions, 'entities' | 'endpoints'> = {},
): ApplicationOptions => ({
  entities: library,
  endpoints,
  ...options,
  root: { ...options.root },
});
