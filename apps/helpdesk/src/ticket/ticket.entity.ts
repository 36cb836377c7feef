import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { defineColumns, EmailColumn } from '@nest-endpoints/core';
import { Team } from '../team/team.entity.js';

export const Ticket = defineEntity({
  name: 'Ticket',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().length(60).default('acme'),
    team: () => p.manyToOne(Team),
    subject: p.string().length(200),
    requester: p.string().length(200),
    status: p.enum(['open', 'solved']).default('open'),
    created: p.datetime().onCreate(() => new Date()),
  },
});

export type Ticket = InferEntity<typeof Ticket>;

// Rules come from the entity: a subject is required, and no longer than 200 characters. This is what it cannot say.
defineColumns(Ticket, { requester: { type: new EmailColumn() } });
