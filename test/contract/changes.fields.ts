import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import {
  changeTriggersSql,
  defineColumns,
  recordChanges,
  RestfulApi,
  softDelete,
  Upsert,
} from '@nest-endpoints/core';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { connectionOf } from '../support/catalogue.js';
import { Claims } from './claims.js';

const properties = {
  id: p.integer().primary().autoincrement(),
  code: p.string().length(20).unique(),
  name: p.string().nullable(),
  size: p.decimal('string').precision(12).scale(3).nullable(),
  sown: p.datetime(6).nullable(),
  tags: p.array().nullable(),
  secret: p.string().nullable().hidden(),
  phone: p.string().nullable(),
  deletedAt: p.datetime().nullable(),
  version: p.integer().version(),
};

/** Recorded by writes. */
export const Field = defineEntity({ name: 'Field', properties });
/** The same, recorded by a trigger. */
export const Meadow = defineEntity({ name: 'Meadow', properties });
/** Goes with its meadow, by a foreign key. */
export const Hedge = defineEntity({
  name: 'Hedge',
  tableName: 'hedge "row"',
  properties: {
    id: p.integer().primary().autoincrement(),
    length: p.integer().fieldName(`len'gth`),
    meadow: () => p.manyToOne(Meadow).nullable().deleteRule('cascade'),
  },
});

const byTrigger = { keepFor: 'forever', capture: 'trigger' } as const;

softDelete(Field, { columnName: 'deletedAt' });
softDelete(Meadow, { columnName: 'deletedAt' });
defineColumns(Field, { phone: { sensitive: true } });
defineColumns(Meadow, { phone: { sensitive: true } });
recordChanges(Field, { keepFor: 'forever' });
recordChanges(Meadow, byTrigger);
recordChanges(Hedge, { ...byTrigger, columns: ['length', 'meadow'] });

/** Of all endpoints, so that a Batch may run them. */
export const authentication = new Claims();

const columns = ['code', 'name', 'size', 'sown', 'tags', 'phone'] as const;

const apiOf = (modelClass: typeof Field, url: string) =>
  new RestfulApi({
    modelClass,
    url,
    readableColumnNames: ['id', ...columns],
    writeableColumnNames: columns,
    searchableColumnNames: ['code'],
    sortableColumnNames: ['id'],
    defaultSortColumnName: 'id',
    trash: { purge: true },
    bulk: true,
    history: { readableColumnNames: ['code', 'name'] },
    authentication,
  });

const upsertOf = (modelClass: typeof Field, url: string) =>
  new Upsert({
    modelClass,
    url,
    recordLookupColumnName: 'code',
    readableColumnNames: ['id', ...columns],
    writeableColumnNames: columns,
    authentication,
  });

/** The same endpoints of both. */
export const farm = () => [
  apiOf(Field, 'fields'),
  upsertOf(Field, 'coded/fields/:code'),
  apiOf(Meadow as never, 'meadows'),
  upsertOf(Meadow as never, 'coded/meadows/:code'),
];

/** Changes the database once its tables are there, as migrations would. */
export const changing = (change: (orm: MikroORM) => Promise<unknown>) => {
  @Injectable()
  class Change implements OnModuleInit {
    constructor(readonly orm: MikroORM) {}

    async onModuleInit(): Promise<void> {
      await change(this.orm);
    }
  }
  return Change;
};

/** Makes the triggers. */
export const Triggers = changing((orm) => connectionOf(orm).executeDump(changeTriggersSql(orm.em)));
