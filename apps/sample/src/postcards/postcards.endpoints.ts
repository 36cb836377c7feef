import { RestfulApi } from '@nest-endpoints/core';
import { Postcard } from './postcard.entity.js';

export const postcards = new RestfulApi({
  url: 'postcards',
  modelClass: Postcard,
  readableColumnNames: ['id', 'text', 'place', 'created'],
  writeableColumnNames: ['text', 'place'],
  searchableColumnNames: ['place'],
  sortableColumnNames: ['created'],
  defaultSortColumnName: 'created',
  live: true,
});
