import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { CreatedByAuthorizationDataColumn, defineColumns } from '@nest-endpoints/core';
import { Ticket } from '../ticket/ticket.entity.js';

export const Comment = defineEntity({
  name: 'Comment',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().length(60),
    ticket: () => p.manyToOne(Ticket).deleteRule('cascade'),
    author: p.string().length(200),
    text: p.text(),
    created: p.datetime().onCreate(() => new Date()),
  },
});

export type Comment = InferEntity<typeof Comment>;

// The author is who asks: the claim `sub` of the token.
defineColumns(Comment, { author: { type: new CreatedByAuthorizationDataColumn('sub') } });
