import { RestfulApi } from '@nest-endpoints/core';
import { Book } from './book.entity.js';

export const misspelt = new RestfulApi({
  url: 'books',
  modelClass: Book,
  // @ts-expect-error -- a column the entity does not have
  readableColumnNames: ['id', 'titel'],
  writeableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  searchableColumnNames: ['title'],
  defaultSortColumnName: 'title',
});
