import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import {
  ChangeRecord,
  EndpointGroup,
  recordChanges,
  RestfulApi,
  softDelete,
  Update,
} from '@nest-endpoints/core';
import type { Subject } from '../support/contract.js';
import { Claims } from './claims.js';

export const Book = defineEntity({
  name: 'Book',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().default('a'),
    title: p.string().length(40),
    version: p.integer().version(),
    tags: () => p.manyToMany(Tag).owner(),
    authors: () =>
      p
        .manyToMany(Author)
        .owner()
        .pivotEntity(() => Share),
    shelf: () => p.manyToOne(Shelf).nullable(),
  },
});
export type Book = InferEntity<typeof Book>;

export const Tag = defineEntity({
  name: 'Tag',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().default('a'),
    name: p.string().length(40).unique(),
    rank: p.integer().default(0),
    version: p.integer().version(),
    books: () => p.manyToMany(Book).mappedBy('tags'),
  },
});
export type Tag = InferEntity<typeof Tag>;

/** A person who goes to the trash. */
export const Author = defineEntity({
  name: 'Author',
  properties: {
    id: p.uuid().primary(),
    tenant: p.string().default('a'),
    name: p.string().length(40),
    deletedAt: p.datetime(3).nullable(),
    books: () => p.manyToMany(Book).mappedBy('authors'),
  },
});
export type Author = InferEntity<typeof Author>;

/** A table between with columns of its own. */
export const Share = defineEntity({
  name: 'Share',
  properties: {
    book: () => p.manyToOne(Book).primary(),
    author: () => p.manyToOne(Author).primary(),
    percent: p.integer().default(50),
    note: p.string().nullable(),
  },
});

export const Shelf = defineEntity({
  name: 'Shelf',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().default('a'),
    name: p.string().length(40),
    books: () => p.oneToMany(Book).mappedBy('shelf'),
  },
});

softDelete(Author, { columnName: 'deletedAt' });
recordChanges(Book, { keepFor: 'forever' });
recordChanges(Tag, { keepFor: 'forever' });

export const entities = [Book, Tag, Author, Share, Shelf, ChangeRecord];

const lists = {
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const all = ['create', 'update', 'delete', 'link', 'unlink'] as const;

const tags = {
  ...lists,
  modelClass: Tag,
  writeableColumnNames: ['name', 'rank', 'bookIds'],
  readableColumnNames: ['id', 'name', 'version'],
} as const;

const books = {
  ...lists,
  modelClass: Book,
  writeableColumnNames: ['title', 'tagIds'],
  readableColumnNames: ['id', 'title', 'version'],
} as const;

/** What `service` takes for books that are written with their tags and authors, and the other way round. */
export const linked = {
  entities,
  endpoints: [
    new EndpointGroup({
      authentication: new Claims(),
      authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
      endpoints: [
        new RestfulApi({
          ...tags,
          url: 'tags',
          beforeSave: ({ record }) => {
            if (record.name === 'thrown') throw new TypeError('from beforeSave');
          },
        }),
        new RestfulApi({
          ...lists,
          url: 'authors',
          modelClass: Author,
          writeableColumnNames: ['id', 'name'],
          readableColumnNames: ['id', 'name'],
        }),
        new RestfulApi({
          ...books,
          url: 'books',
          writeableRelations: {
            tags: { through: 'tags', operations: all },
            authors: { through: 'authors', operations: all },
          },
        }),
        new Update({
          ...books,
          url: 'lists/:id',
          writeableRelations: {
            tags: { through: 'tags', operations: ['create', 'update', 'link', 'unlink'], replace: true },
          },
        }),
        new Update({
          ...books,
          url: 'purges/:id',
          writeableRelations: { tags: { through: 'tags', operations: ['update', 'delete'], replace: true } },
        }),
        new Update({
          ...tags,
          url: 'inverse/:id',
          writeableColumnNames: ['name'],
          writeableRelations: { books: { through: 'books', operations: all } },
        }),
        new RestfulApi({
          ...lists,
          url: 'shelves',
          modelClass: Shelf,
          writeableColumnNames: ['name'],
          readableColumnNames: ['id', 'name'],
          writeableRelations: {
            books: {
              through: 'books',
              writeableColumnNames: ['title'],
              writeableRelations: { tags: { through: 'tags', operations: all } },
            },
          },
        }),
      ],
    }),
  ],
};

/** A book with new tags of these names. */
export const bookOf = async ({ save }: Subject, title: string, ...names: readonly string[]) => {
  const made = await Promise.all(names.map((name) => save(Tag, { name })));
  const book = await save(Book, { title, tags: made.map(({ id }) => id) });
  return { id: book.id, tags: made.map(({ id }) => id) };
};

/** The names of tags by the titles of their books, past the endpoints. */
export const tagsOf = async ({ em }: Subject): Promise<Readonly<Record<string, readonly string[]>>> => {
  const found = await em().find(Book, {}, { populate: ['tags'], orderBy: { id: 'asc' } });
  return Object.fromEntries(
    found.map(({ title, tags: some }) => [
      title,
      some
        .getItems()
        .map(({ name }) => name)
        .toSorted(),
    ]),
  );
};
