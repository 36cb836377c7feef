import { defineEntity, p } from '@mikro-orm/core';
import { Create, Delete, RestfulApi, tokenOf, Update } from '@nest-endpoints/core';

const Trip = defineEntity({
  name: 'Trip',
  properties: { id: p.integer().primary(), title: p.string() },
});

declare class Clock {
  now(): Date;
}

const mail = Symbol('mail');

interface Mail {
  send(text: string): void;
}

const shown = {
  modelClass: Trip,
  readableColumnNames: ['title'],
  writeableColumnNames: ['title'],
  inject: { clock: Clock, mail: tokenOf<Mail>(mail) },
} as const;

new Create({
  ...shown,
  beforeSave: ({ record, clock, changes, operation, requestId }) => {
    record.title = `${clock.now().toISOString()} ${operation} ${requestId} ${String(changes['title'])}`;
    // @ts-expect-error The entity has no such property.
    record.titel = 'x';
  },
  afterCommit: ({ mail: { send } }) => {
    send('x');
  },
});

new Update({
  ...shown,
  url: 'trips/:id',
  // @ts-expect-error Nobody injects a calendar.
  afterSave: ({ calendar }) => String(calendar),
});

new Delete({
  modelClass: Trip,
  url: 'trips/:id',
  inject: { clock: Clock },
  beforeDelete: async ({ record, clock, em }) => {
    await em.count(Trip, { title: `${record.title} ${clock.now().getTime()}` });
  },
  // @ts-expect-error A Delete saves nothing.
  beforeSave: () => undefined,
});

new RestfulApi({
  ...shown,
  searchableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  defaultSortColumnName: 'title',
  beforeSave: ({ record, clock }) => {
    record.title = String(clock.now());
  },
  beforeDelete: ({ record: { title } }) => title,
  afterCommit: ({ mail: { send }, record }) => {
    send(record.title);
    // @ts-expect-error A mail is not a number.
    send(record.id);
  },
});
