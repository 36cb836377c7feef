import { RestfulApi } from '@nest-endpoints/core';
import { fileEndpoints } from '@nest-endpoints/files';
import { Postcard } from './postcard.entity.js';

/** A picture is announced here and sent; who writes its key on a postcard has it there. */
export const postcardPictures = fileEndpoints({
  url: 'postcards/pictures',
  modelClass: Postcard,
  columnName: 'picture',
});

export const postcards = new RestfulApi({
  url: 'postcards',
  modelClass: Postcard,
  readableColumnNames: ['id', 'text', 'place', 'created', 'picture'],
  writeableColumnNames: ['text', 'place', 'picture'],
  searchableColumnNames: ['place'],
  sortableColumnNames: ['created'],
  defaultSortColumnName: 'created',
  live: true,
});
