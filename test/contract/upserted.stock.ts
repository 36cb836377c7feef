import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import {
  Create,
  CreatedByAuthorizationDataColumn,
  defineColumns,
  Get,
  IdempotencyRecord,
  RestfulApi,
  UpdatedByAuthorizationDataColumn,
  Upsert,
} from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import { Claims } from './claims.js';

export const Warehouse = defineEntity({
  name: 'Warehouse',
  properties: { id: p.integer().primary().autoincrement(false), name: p.string() },
});

/** A record that clients know by a code. */
export const Item = defineEntity({
  name: 'Item',
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string().length(20).unique(),
    name: p.string(),
    barcode: p.string().nullable().unique(),
    note: p.string().nullable(),
    amount: p.integer().default(7),
    isHidden: p.boolean().default(false),
    updated: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
    version: p.integer().version(),
  },
});
export type Item = InferEntity<typeof Item>;

/** How much of a product a warehouse has. */
export const Stock = defineEntity({
  name: 'Stock',
  properties: {
    id: p.integer().primary().autoincrement(),
    sku: p.string().length(20),
    warehouse: () => p.manyToOne(Warehouse),
    amount: p.integer(),
    madeBy: p.string().nullable(),
    changedBy: p.string().nullable(),
  },
  uniques: [{ properties: ['sku', 'warehouse'] }],
});

defineColumns(Stock, {
  madeBy: { type: new CreatedByAuthorizationDataColumn('sub') },
  changedBy: { type: new UpdatedByAuthorizationDataColumn('sub') },
});

/** A record of one tenant: its sku is unique there, its serial number everywhere. */
export const Ware = defineEntity({
  name: 'Ware',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string(),
    sku: p.string().length(20),
    serial: p.integer().unique(),
    name: p.string().nullable(),
  },
  uniques: [{ properties: ['tenant', 'sku'] }],
});

export const items = {
  modelClass: Item,
  readableColumnNames: ['code', 'name', 'note', 'amount', 'barcode'],
  writeableColumnNames: ['code', 'name', 'note', 'amount', 'barcode', 'isHidden'],
} as const;

const listed = {
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const byCode = { ...items, recordLookupColumnName: 'code' } as const;

const stocks = {
  modelClass: Stock,
  readableColumnNames: ['sku', 'warehouseId', 'amount', 'madeBy', 'changedBy'],
  writeableColumnNames: ['sku', 'warehouseId', 'amount'],
} as const;

const wares = {
  modelClass: Ware,
  readableColumnNames: ['tenant', 'sku', 'serial', 'name'],
  writeableColumnNames: ['sku', 'serial', 'name'],
} as const;

/** What hooks were told. */
export const told: string[] = [];

const hooks = {
  beforeSave: ({ operation, record }: { operation: string; record: { name?: string | null } }) => {
    told.push(`before ${operation}`);
    if (record.name === 'hooked') record.name = 'Changed';
  },
  afterSave: ({ operation, changes }: { operation: string; changes: object }) => {
    told.push(`after ${operation} ${Object.keys(changes).includes('name')}`);
  },
  afterCommit: ({ operation }: { operation: string }) => {
    told.push(`committed ${operation}`);
  },
} as const;

const where = ['isHidden=false'] as const;

export const upserting = (): ApplicationOptions => ({
  entities: [Warehouse, Item, Stock, Ware, IdempotencyRecord],
  endpoints: [
    new Get({ ...byCode, url: 'items/:code' }),
    new Upsert({ ...byCode, where, url: 'items/:code', idempotency: true }),
    new Upsert({ ...byCode, where, url: 'hooked/:code', idempotency: true, ...hooks }),
    new Upsert({ ...byCode, url: 'whole/:code', replaces: true }),
    new Upsert({ ...byCode, url: 'alike/:code', createStatus: 200 }),
    new Upsert({ ...byCode, url: 'careful/:code', preconditionRequired: true }),
    new Upsert({ ...byCode, url: 'keyed/:code', writeableColumnNames: ['name'] }),
    new Upsert({ ...byCode, url: 'Titled/:code', externalCasing: 'TitleCase' }),
    new Upsert({ ...byCode, url: 'mapped/:code', outputMap: ({ record }) => ({ called: record.name }) }),
    new Upsert({ ...items, url: 'body', conflictColumnNames: ['code'] }),
    new Create({ ...items, url: 'items' }),
    new Upsert({
      ...stocks,
      url: 'stocks',
      conflictColumnNames: ['sku', 'warehouseId'],
      authentication: new Claims(),
    }),
    new Upsert({
      ...stocks,
      url: 'warehouses/:warehouseId/stocks',
      conflictColumnNames: ['sku', 'warehouseId'],
      readableColumnNames: ['sku', 'warehouse.name', 'amount'],
      authentication: new Claims(),
    }),
    new Upsert({
      ...stocks,
      url: 'nested/:warehouseId/stocks/:sku',
      parent: 'warehouse',
      recordLookupColumnName: 'sku',
      writeableColumnNames: ['amount'],
      authentication: new Claims(),
    }),
    new RestfulApi({
      ...wares,
      ...listed,
      url: 'wares',
      idColumnName: 'sku',
      upsert: true,
      authentication: new Claims(),
      authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
    }),
    new Upsert({
      ...wares,
      url: 'serials/:serial',
      recordLookupColumnName: 'serial',
      authentication: new Claims(),
      authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
    }),
    new RestfulApi({
      ...listed,
      url: 'warehouses',
      upsert: true,
      modelClass: Warehouse,
      readableColumnNames: ['id', 'name'],
      writeableColumnNames: ['id', 'name'],
    }),
  ],
});
