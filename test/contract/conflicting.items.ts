import { TenantRecords } from '@nest-endpoints/auth';
import { CreateMany, IdempotencyRecord, RestfulApi } from '@nest-endpoints/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { inputErrors } from '../support/answers.js';
import type { Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { Item, items, Stock, told, Ware, Warehouse } from './upserted.stock.js';

const hooks = {
  beforeSave: ({
    operation,
    index,
    record,
  }: {
    operation: string;
    index?: number | undefined;
    record: object;
  }) => {
    told.push(`before ${operation} ${index} ${Reflect.get(record, 'code')}`);
  },
  afterSave: ({ operation, index }: { operation: string; index?: number | undefined }) => {
    told.push(`after ${operation} ${index}`);
  },
} as const;

const update = { ...items, conflictColumnNames: ['code'], onConflict: 'update' } as const;
const ignore = { ...update, onConflict: 'ignore' } as const;
const where = ['isHidden=false'] as const;

const stocks = {
  modelClass: Stock,
  writeableColumnNames: ['sku', 'warehouseId', 'amount'],
  readableColumnNames: ['sku', 'warehouse.name', 'amount', 'madeBy', 'changedBy'],
  conflictColumnNames: ['sku', 'warehouseId'],
  onConflict: 'update',
  authentication: new Claims(),
} as const;

const endpoints = () => [
  new CreateMany({ ...update, where, url: 'items', maximumRecords: 500, idempotency: true }),
  new CreateMany({ ...update, where, url: 'hooked', ...hooks, idempotency: true }),
  new CreateMany({ ...ignore, where, url: 'new/items' }),
  new CreateMany({ ...ignore, where, url: 'new/hooked', ...hooks }),
  new CreateMany({ ...update, url: 'codes', answer: 'ids', recordLookupColumnName: 'code' }),
  new CreateMany({ ...update, url: 'Titled', externalCasing: 'TitleCase' }),
  new CreateMany({ ...stocks, url: 'stocks' }),
  new CreateMany({ ...stocks, url: 'warehouses/:warehouseId/stocks' }),
  new CreateMany({
    ...stocks,
    where: ['amount<1000'],
    beforeSave: hooks.beforeSave,
    url: 'small/stocks',
    maximumRecords: 1100,
  }),
  new RestfulApi({
    url: 'wares',
    modelClass: Ware,
    readableColumnNames: ['tenant', 'sku', 'serial', 'name'],
    writeableColumnNames: ['sku', 'serial', 'name'],
    sortableColumnNames: ['id'],
    searchableColumnNames: ['id'],
    defaultSortColumnName: 'id',
    bulk: true,
    conflictColumnNames: ['serial'],
    onConflict: 'update',
    authentication: new Claims(),
    authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
  }),
];

export const application = () => ({
  entities: [Warehouse, Item, Stock, Ware, IdempotencyRecord],
  endpoints: endpoints(),
  imports: [EventEmitterModule.forRoot({ wildcard: true })],
});

export const taken = (place: string, name: string) =>
  inputErrors({
    [place]: `Invalid value for '${name}': the given value already exists, and must be unique.`,
  });

export const post = (
  { request }: Subject,
  path: string,
  records: readonly object[],
  headers: Record<string, string> = {},
) => request().post(path).set(headers).send({ records });

export const as = (claims: object) => ({ 'X-Claims': JSON.stringify(claims) });

export const shown = (code: string, more: object = {}) => ({
  code,
  name: code,
  note: null,
  amount: 7,
  barcode: null,
  ...more,
});

export const stored = async ({ em }: Subject) =>
  (await em().findAll(Item, { orderBy: { code: 'asc' } })).map(({ code, name, note, amount, version }) => [
    code,
    name,
    note,
    amount,
    version,
  ]);

/** An endpoint that is one statement where it can be, and one that never is. */
export const everyWay = ['items', 'hooked'] as const;
