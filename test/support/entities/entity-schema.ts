import { EntitySchema, type Opt } from '@mikro-orm/core';
import { EmailColumn, TimestampColumn, defineColumns } from '@nest-endpoints/core';

interface CountryFields {
  code: string;
  name: string;
  region?: string | null;
}

interface AuthorFields {
  id: number;
  name: string;
  country?: CountryFields | null;
}

interface BookFields {
  id: Opt<string>;
  isbn?: string | null;
  title: string;
  author?: AuthorFields | null;
  pages?: number | null;
  price?: number | null;
  inPrint: Opt<boolean>;
  publishedOn?: string | null;
  launchAt?: Date | null;
  remindAt?: number | null;
  contact?: string | null;
  notes?: string | null;
  created: Opt<Date>;
  updated: Opt<Date>;
}

export const Country = new EntitySchema<CountryFields>({
  name: 'Country',
  properties: {
    code: { type: 'string', length: 2, primary: true },
    name: { type: 'string', length: 100 },
    region: { type: 'string', nullable: true },
  },
});

export const Author = new EntitySchema<AuthorFields>({
  name: 'Author',
  properties: {
    id: { type: 'integer', primary: true, autoincrement: true },
    name: { type: 'string', length: 100 },
    country: { kind: 'm:1', entity: () => Country, nullable: true },
  },
});

export const Book = new EntitySchema<BookFields>({
  name: 'Book',
  properties: {
    id: { type: 'uuid', primary: true, onCreate: () => crypto.randomUUID() },
    isbn: { type: 'string', length: 13, nullable: true, unique: true },
    title: { type: 'string', length: 100 },
    author: { kind: 'm:1', entity: () => Author, nullable: true },
    pages: { type: 'integer', nullable: true },
    price: { type: 'double', nullable: true },
    inPrint: { type: 'boolean', default: true },
    publishedOn: { type: 'date', nullable: true },
    launchAt: { type: 'datetime', nullable: true },
    remindAt: { type: 'integer', nullable: true },
    contact: { type: 'string', nullable: true },
    notes: { type: 'text', nullable: true },
    created: { type: 'datetime', onCreate: () => new Date() },
    updated: { type: 'datetime', onCreate: () => new Date(), onUpdate: () => new Date() },
  },
});

defineColumns(Book, { contact: { type: new EmailColumn() }, remindAt: { type: new TimestampColumn() } });
