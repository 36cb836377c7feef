import { Callable, Create, Delete, Get, List, RestfulApi, SimpleSearch, Update } from '@nest-endpoints/core';
import { Book, City, Town } from './entities.js';

// Every statement is wrong, and the comment above says how. What the compiler says of it is in ../messages.txt, which
// `npm run types` compares. City is a schema, Town a class of one, Book a class with decorators.

const texts = { readableColumnNames: ['name'], sortableColumnNames: ['name'] } as const;

/* A writeable column that is misspelt */
new Create({ modelClass: City, writeableColumnNames: ['popluation'], readableColumnNames: ['id'] });
new Create({ modelClass: Town, writeableColumnNames: ['popluation'], readableColumnNames: ['id'] });
new Create({ modelClass: Book, writeableColumnNames: ['titel'], readableColumnNames: ['id'] });

/* A readable column of a parent that is misspelt */
new Get({ url: 'cities/:id', modelClass: City, readableColumnNames: ['name', 'country.nmae'] });
new Get({ url: 'books/:id', modelClass: Book, readableColumnNames: ['title', 'author.nmae'] });

/* A parent that is misspelt, or no relation to one */
new Get({ url: ':countryCode/:id', modelClass: City, readableColumnNames: ['name'], parent: 'contry' });
new Get({ url: ':authorCode/:id', modelClass: Book, readableColumnNames: ['title'], parent: 'title' });
new Get({ url: ':country/:id', modelClass: Town, readableColumnNames: ['name'], parent: 'country.name' });

/* A column in a string of `where` that is misspelt */
new Get({ url: 'cities/:id', modelClass: City, readableColumnNames: ['name'], where: ['popluation > 5'] });
new Get({ url: 'towns/:id', modelClass: Town, readableColumnNames: ['name'], where: ['country.nmae = x'] });

/* A property in a filter object that is misspelt */
new Get({ url: 'cities/:id', modelClass: City, readableColumnNames: ['name'], where: [{ nmae: 'Bonn' }] });
new Get({ url: 'towns/:id', modelClass: Town, readableColumnNames: ['name'], where: [{ nmae: 'Bonn' }] });

/* A column of `columnOverrides` that is misspelt */
new Get({
  url: 'cities/:id',
  modelClass: City,
  readableColumnNames: ['name'],
  columnOverrides: { nmae: {} },
});
new Get({
  url: 'books/:id',
  modelClass: Book,
  readableColumnNames: ['title'],
  columnOverrides: { titel: {} },
});

/* Columns to sort by that are misspelt */
new List({ ...texts, modelClass: City, sortableColumnNames: ['nmae'], defaultSortColumnName: 'nmae' });

/* A lookup by what is no column */
new Get({
  url: 'cities/:code',
  modelClass: City,
  recordLookupColumnName: 'code',
  readableColumnNames: ['name'],
});

/* A url with another parameter than that of the lookup */
new Get({ url: 'cities/:code', modelClass: City, readableColumnNames: ['name'] });
new Delete({ url: 'towns/{code}', modelClass: Town });
new Update({
  url: 'books/:id',
  modelClass: Book,
  recordLookupColumnName: 'title',
  writeableColumnNames: ['title'],
  readableColumnNames: ['title'],
});

/* An option that is misspelt */
new Get({ url: 'cities/:id', modelClass: City, readableColumnNames: ['name'], recordLookupColumn: 'name' });
new Get({ url: 'towns/:id', modelClass: Town, readableColumnName: ['name'] });

/* A value of another kind */
new Get({ url: 'cities/:id', modelClass: City, readableColumnNames: 'name' });
new List({ ...texts, modelClass: City, defaultSortColumnName: 'name', maximumLimit: '50' });

/* A required option that is missing */
new Update({ url: 'cities/:id', modelClass: City, readableColumnNames: ['name'] });
new Update({ url: 'books/:id', modelClass: Book, readableColumnNames: ['title'] });
new SimpleSearch({ ...texts, modelClass: Town, defaultSortColumnName: 'name' });

/* An `outputMap` that reads a column that is not readable */
new Get({
  url: 'cities/:id',
  modelClass: City,
  readableColumnNames: ['name', 'country.name'],
  outputMap: ({ record: { name, country, population } }) => ({ name, country, population }),
});

/* Columns of a Callable that are misspelt or not readable */
new Callable({ modelClass: City, writeableColumnNames: ['popluation'], toCall: () => undefined });
new Callable({
  modelClass: City,
  readableColumnNames: ['name'],
  outputMap: ({ record }) => record.population,
  toCall: () => undefined,
});

/* Columns of a RestfulApi that are misspelt */
new RestfulApi({
  ...texts,
  modelClass: City,
  writeableColumnNames: ['popluation'],
  searchableColumnNames: ['country.regoin'],
  defaultSortColumnName: 'name',
  idColumnName: 'code',
});
