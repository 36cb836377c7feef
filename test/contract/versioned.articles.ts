import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Delete, Get, RestfulApi, Update } from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';

export const Writer = defineEntity({
  name: 'Writer',
  properties: { id: p.integer().primary().autoincrement(), name: p.string() },
});

export const Topic = defineEntity({
  name: 'Topic',
  properties: { id: p.integer().primary().autoincrement(), name: p.string() },
});

/** A record whose version MikroORM counts. */
export const Article = defineEntity({
  name: 'Article',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string(),
    pages: p.integer().nullable(),
    slug: p.string().nullable().unique(),
    isPublic: p.boolean().default(true),
    writer: () => p.manyToOne(Writer).nullable(),
    topics: () => p.manyToMany(Topic),
    updated: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
    version: p.integer().version(),
  },
});
export type Article = InferEntity<typeof Article>;

/** A record whose version is a time. */
export const Letter = defineEntity({
  name: 'Letter',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    version: p.datetime().version(),
  },
});

/** A list of records is all that changes of it. */
export const Shelf = defineEntity({
  name: 'Shelf',
  properties: {
    id: p.integer().primary().autoincrement(),
    topics: () => p.manyToMany(Topic),
    version: p.integer().version(),
  },
});

/** A record without a version. */
export const Memo = defineEntity({
  name: 'Memo',
  properties: { id: p.integer().primary().autoincrement(), text: p.string() },
});

/** A record that shows what is in another table. */
export const Ledger = defineEntity({
  name: 'Ledger',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    memos: p.integer().formula(() => '(select count(*) from memo)'),
    version: p.integer().version(),
  },
});

const listed = {
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

export const articles = {
  modelClass: Article,
  readableColumnNames: ['id', 'title', 'pages'],
  writeableColumnNames: ['title', 'pages', 'slug', 'writerId', 'topicIds', 'isPublic'],
} as const;

/** Without a list of related records, which MikroORM alone writes. */
const plain = {
  ...articles,
  writeableColumnNames: ['title', 'pages', 'slug', 'writerId', 'isPublic'],
} as const;

export const versioned = (): ApplicationOptions => ({
  entities: [Writer, Topic, Article, Letter, Shelf, Memo, Ledger],
  endpoints: [
    new RestfulApi({ ...plain, ...listed, url: 'articles' }),
    new RestfulApi({ ...articles, ...listed, url: 'listing' }),
    new RestfulApi({ ...plain, ...listed, url: 'written', readableColumnNames: ['title', 'writer.name'] }),
    new RestfulApi({
      ...plain,
      ...listed,
      url: 'mapped',
      outputMap: ({ record, entity }) => ({
        ...record,
        keys: Object.keys(record),
        by: entity.writer?.id ?? null,
      }),
    }),
    new RestfulApi({ ...articles, ...listed, url: 'topical', readableColumnNames: ['title', 'topics.name'] }),
    new RestfulApi({ ...plain, ...listed, url: 'careful', preconditionRequired: true }),
    new RestfulApi({ ...plain, ...listed, url: 'titled', externalCasing: 'TitleCase' }),
    new RestfulApi({ ...plain, ...listed, url: 'shown', readableColumnNames: ['title', 'version'] }),
    new Get({
      ...plain,
      url: 'renamed/:id',
      externalNames: { title: 'headline' },
      clientSelectsColumns: true,
    }),
    new Get({ ...plain, url: 'public/:id', where: ['isPublic=true'] }),
    new Update({ ...plain, url: 'public/:id', where: ['isPublic=true'] }),
    new Delete({ ...plain, url: 'public/:id', where: ['isPublic=true'] }),
    new Update({ ...plain, url: 'hooked/:id', beforeSave: () => undefined }),
    new Delete({ ...plain, url: 'hooked/:id', beforeDelete: () => undefined }),
    new RestfulApi({
      ...listed,
      url: 'letters',
      modelClass: Letter,
      readableColumnNames: ['text'],
      writeableColumnNames: ['text'],
    }),
    new RestfulApi({
      ...listed,
      url: 'shelves',
      modelClass: Shelf,
      readableColumnNames: ['id'],
      writeableColumnNames: ['topicIds'],
    }),
    new Get({ url: 'ledgers/:id', modelClass: Ledger, readableColumnNames: ['name', 'memos'] }),
    new RestfulApi({
      ...listed,
      url: 'memos',
      modelClass: Memo,
      readableColumnNames: ['text'],
      writeableColumnNames: ['text'],
    }),
  ],
});
