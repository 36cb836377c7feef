import { defineEntity, p } from '@mikro-orm/core';

export const Book = defineEntity({
  name: 'Book',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string().length(100),
    pageCount: p.integer().nullable(),
  },
});
