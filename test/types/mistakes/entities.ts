import { defineEntity, p, type Collection, type PrimaryKeyProp, type Ref } from '@mikro-orm/core';

/** A schema without a class: its type is made of property builders and has no name of its own. */
export const Country = defineEntity({
  name: 'Country',
  properties: {
    code: p.string().length(2).primary(),
    name: p.string().length(100),
    region: p.string().length(50).index(),
    area: p.double().nullable(),
  },
});

export const City = defineEntity({
  name: 'City',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(200),
    population: p.integer(),
    latitude: p.double(),
    created: p.datetime().onCreate(() => new Date()),
    country: () => p.manyToOne(Country).ref().index(),
  },
});

const TownSchema = defineEntity({
  name: 'Town',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(200),
    population: p.integer(),
    country: () => p.manyToOne(Country).ref().index(),
  },
});

/** A class that extends its schema's. */
export class Town extends TownSchema.class {}
TownSchema.setClass(Town);

/** Classes as decorators would dress them. */
export declare class Author {
  [PrimaryKeyProp]?: 'code';
  code: string;
  name: string;
  books: Collection<Book>;
}

export declare class Book {
  id: number;
  title: string;
  pages: number | null;
  author: Ref<Author>;
  describe(): string;
}
