import { RestfulApi } from '@nest-endpoints/core';
import { Comment } from './comment.entity.js';

export const commentEndpoints = [
  new RestfulApi({
    url: 'tickets/:ticketId/comments',
    modelClass: Comment,
    parent: 'ticket',
    readableColumnNames: ['id', 'author', 'text', 'created'],
    writeableColumnNames: ['text'],
    sortableColumnNames: ['created'],
    searchableColumnNames: ['author'],
    defaultSortColumnName: 'created',
  }),
];
