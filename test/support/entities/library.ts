import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { EmailColumn, TimestampColumn, defineColumns } from '@nest-endpoints/core';

/** A parent that is found by a text of two letters. */
export const Country = defineEntity({
  name: 'Country',
  properties: {
    code: p.string().length(2).primary(),
    name: p.string().length(100),
    region: p.string().nullable(),
  },
});
export type Country = InferEntity<typeof Country>;

/** A parent with a number that the database gives. */
export const Author = defineEntity({
  name: 'Author',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(100),
    country: () => p.manyToOne(Country).nullable(),
  },
});
export type Author = InferEntity<typeof Author>;

/** Every column type of the contract. */
export const Book = defineEntity({
  name: 'Book',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => crypto.randomUUID()),
    isbn: p.string().length(13).nullable().unique(),
    title: p.string().length(100),
    author: () => p.manyToOne(Author).nullable(),
    pages: p.integer().nullable(),
    price: p.double().nullable(),
    inPrint: p.boolean().default(true),
    publishedOn: p.date().nullable(),
    launchAt: p.datetime().nullable(),
    remindAt: p.integer().nullable(),
    contact: p.string().nullable(),
    notes: p.text().nullable(),
    created: p.datetime().onCreate(() => new Date()),
    updated: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
  },
});
export type Book = InferEntity<typeof Book>;

defineColumns(Book, { contact: { type: new EmailColumn() }, remindAt: { type: new TimestampColumn() } });

/** All of them, for MikroORM. */
export const library = [Country, Author, Book];
