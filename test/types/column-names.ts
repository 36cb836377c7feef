import { defineEntity, p, type Collection, type PrimaryKeyProp, type Ref } from '@mikro-orm/core';
import {
  Create,
  Get,
  List,
  RestfulApi,
  SimpleSearch,
  Update,
  type ColumnNameOf,
  type ColumnPathOf,
} from '@nest-endpoints/core';

const Company = defineEntity({
  name: 'Company',
  properties: {
    id: p.integer().primary(),
    name: p.string(),
  },
});

const Person = defineEntity({
  name: 'Person',
  properties: {
    id: p.uuid().primary(),
    name: p.string(),
    company: () => p.manyToOne(Company),
  },
});

/** A class as decorators would dress it, with the wrappers MikroORM has for relations. */
declare class Country {
  [PrimaryKeyProp]?: 'code';
  code: string;
  name: string;
  cities: Collection<City>;
}

declare class City {
  id: number;
  name: string;
  population: number | null;
  country: Ref<Country>;
  twin?: City;
  describe(): string;
}

// Names of a defined entity, relation paths included.

export const people = new RestfulApi({
  url: 'people',
  modelClass: Person,
  readableColumnNames: ['id', 'name', 'company.name'],
  writeableColumnNames: ['name', 'companyId'],
  sortableColumnNames: ['name', 'company.name'],
  searchableColumnNames: ['name', 'company.id'],
  defaultSortColumnName: 'company.name',
});

export const misspelt = new RestfulApi({
  modelClass: Person,
  // @ts-expect-error -- the relation is called company
  readableColumnNames: ['id', 'companny.name'],
  // @ts-expect-error -- a client writes no column of another record
  writeableColumnNames: ['name', 'company.name'],
  // @ts-expect-error -- a company has no nmae
  sortableColumnNames: ['company.nmae'],
  // @ts-expect-error -- a person has no title
  searchableColumnNames: ['title'],
  // @ts-expect-error -- case counts
  defaultSortColumnName: 'Name',
});

// Every kind checks its own lists.

export const create = new Create({
  modelClass: Person,
  readableColumnNames: ['id'],
  // @ts-expect-error -- a person has no nmae
  writeableColumnNames: ['nmae'],
});

export const update = new Update({
  url: 'people/:id',
  modelClass: Person,
  readableColumnNames: ['id'],
  // @ts-expect-error -- a person has no nmae
  writeableColumnNames: ['nmae'],
});

export const get = new Get({
  url: 'people/:id',
  modelClass: Person,
  // @ts-expect-error -- a person has no nmae
  readableColumnNames: ['nmae'],
});

// @ts-expect-error -- a Get needs a url with the lookup parameter in it
export const getWithoutUrl = new Get({ modelClass: Person, readableColumnNames: ['name'] });

// @ts-expect-error -- a list needs to know what a client may sort by
export const listWithoutOrder = new List({ modelClass: Person, readableColumnNames: ['name'] });

export const search = new SimpleSearch({
  modelClass: City,
  readableColumnNames: ['name', 'country.code', 'twin.twin.country.name'],
  sortableColumnNames: ['name'],
  searchableColumnNames: ['countryCode', 'country_code'],
  defaultSortColumnName: 'population',
});

// Names of a class: wrappers are looked through, methods are no columns.

export const paths: readonly ColumnPathOf<City>[] = ['population', 'country.name', 'twin.country.code'];

// @ts-expect-error -- a method is no column
export const method: ColumnPathOf<City> = 'describe';

// @ts-expect-error -- the key of a country is its code
export const wrongKey: ColumnNameOf<City> = 'countryId';

// @ts-expect-error -- own columns only
export const foreign: ColumnNameOf<City> = 'country.name';
