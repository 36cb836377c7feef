import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import { ChangeRecord, Import, recordChanges, RestfulApi, softDelete } from '@nest-endpoints/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import type { Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { asJson, told as toldOf } from './import.rows.js';
import { Item, items, Stock, told, Ware, Warehouse } from './upserted.stock.js';

/** A record whose changes are kept, and which stays when it is deleted. */
export const Crate = defineEntity({
  name: 'Crate',
  properties: {
    id: p.integer().primary().autoincrement(),
    label: p.string().length(20),
    weight: p.integer(),
    deletedAt: p.datetime().nullable(),
  },
  uniques: [{ properties: ['label'], where: { deletedAt: null } }],
  checks: [{ name: 'crate_weight', expression: 'weight < 1000' }],
});
export type Crate = InferEntity<typeof Crate>;

softDelete(Crate, { columnName: 'deletedAt' });
recordChanges(Crate, { keepFor: 'forever' });

const hooks = {
  afterSave: ({ operation, index }: { operation: string; index?: number | undefined }) => {
    told.push(`after ${operation} ${index}`);
  },
} as const;

const { readableColumnNames: _, ...writeable } = items;
const update = { ...writeable, conflictColumnNames: ['code'], onConflict: 'update' } as const;
const ignore = { ...update, onConflict: 'ignore' } as const;
const where = ['isHidden=false'] as const;
const chunks = { mode: 'chunks' } as const;

const stocks = {
  modelClass: Stock,
  writeableColumnNames: ['sku', 'warehouseId', 'amount'],
  conflictColumnNames: ['sku', 'warehouseId'],
  onConflict: 'update',
} as const;

const crates = {
  modelClass: Crate,
  writeableColumnNames: ['label', 'weight'],
  conflictColumnNames: ['label'],
  onConflict: 'update',
} as const;

export const importing = () => ({
  entities: [Warehouse, Item, Stock, Ware, Crate, ChangeRecord],
  endpoints: [
    new Import({ ...update, where, url: 'items' }),
    new Import({ ...update, where, url: 'hooked', ...hooks }),
    new Import({ ...update, ...chunks, where, url: 'chunks/items' }),
    new Import({ ...update, ...chunks, where, url: 'chunks/hooked', ...hooks }),
    new Import({ ...ignore, where, url: 'new/items' }),
    new Import({ ...ignore, where, url: 'new/hooked', ...hooks }),
    new Import({ ...stocks, url: 'warehouses/:warehouseId/stocks' }),
    new Import({ ...crates, url: 'crates' }),
    new Import({ ...crates, ...hooks, url: 'crates/hooked' }),
    new Import({ ...crates, ...chunks, url: 'chunks/crates' }),
    new Import({ ...crates, ...chunks, ...hooks, url: 'chunks/crates/hooked' }),
    new RestfulApi({
      url: 'wares',
      modelClass: Ware,
      readableColumnNames: ['tenant', 'sku', 'serial', 'name'],
      writeableColumnNames: ['sku', 'serial', 'name'],
      sortableColumnNames: ['id'],
      searchableColumnNames: ['id'],
      defaultSortColumnName: 'id',
      conflictColumnNames: ['serial'],
      onConflict: 'update',
      import: chunks,
      authentication: new Claims(),
      authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
    }),
  ],
  imports: [EventEmitterModule.forRoot({ wildcard: true })],
});

/** Sends records as lines of JSON. */
export const lines = (subject: Subject, path: string, records: readonly object[]): Promise<unknown> =>
  toldOf(subject, path, asJson(records), 'application/x-ndjson');

/** The last line: how many were read, created, changed and refused. */
export const ended = (counts: readonly [number, number, number, number], more: object = {}): object => {
  const [read, created, updated, failed] = counts;
  const data = { lines: read, created, updated, failed, ...more };
  return { status: failed > 0 ? 'input_errors' : 'success', data };
};

/** An endpoint that is one statement where it can be, and one that never is. */
export const everyWay = ['items', 'hooked'] as const;
