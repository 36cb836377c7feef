import { RestfulApi } from '@nest-endpoints/core';
import { Mailer } from '../mail/mailer.js';
import { Ticket } from './ticket.entity.js';

export const ticketEndpoints = [
  new RestfulApi({
    url: 'tickets',
    modelClass: Ticket,
    readableColumnNames: ['id', 'subject', 'status', 'requester', 'team.id', 'team.name', 'created'],
    writeableColumnNames: ['subject', 'status', 'requester', 'teamId'],
    sortableColumnNames: ['created', 'subject', 'team.name'],
    searchableColumnNames: ['subject', 'status', 'requester', 'teamId', 'team.name'],
    defaultSortColumnName: 'created',
    inject: { mailer: Mailer },
    afterCommit: async ({ operation, record, mailer }) => {
      if (operation !== 'create') return;
      await mailer.send(record.requester, `Ticket ${record.id}`, `We have your ticket "${record.subject}".`);
    },
  }),
];
