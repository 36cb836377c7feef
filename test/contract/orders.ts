import { defineEntity, p } from '@mikro-orm/core';
import { Create, EndpointGroup, IdempotencyRecord, RestfulApi } from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import { Claims } from './claims.js';

/** What must not be created twice. */
export const Order = defineEntity({
  name: 'Order',
  tableName: 'purchase',
  properties: {
    id: p.integer().primary().autoincrement(),
    item: p.string(),
    amount: p.integer().default(1),
    details: p.json<unknown>().nullable(),
    shop: p.string().nullable(),
    reference: p.string().nullable().unique(),
    version: p.integer().version(),
  },
});

/** A record without a version. */
export const Receipt = defineEntity({
  name: 'Receipt',
  properties: { id: p.integer().primary().autoincrement(), text: p.string() },
});

/** What hooks and listeners heard. Tests empty it. */
export const heard: string[] = [];

const orders = {
  modelClass: Order,
  readableColumnNames: ['id', 'item', 'amount'],
  writeableColumnNames: ['item', 'amount', 'details', 'reference', 'shop'],
} as const;

const listed = {
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

export const shop = (root: ApplicationOptions['root'] = {}): ApplicationOptions => ({
  entities: [Order, Receipt, IdempotencyRecord],
  root,
  endpoints: [
    new RestfulApi({ ...orders, ...listed, url: 'orders', idempotency: true, bulk: ['create'] }),
    new Create({ ...orders, url: 'strict', idempotency: 'required' }),
    new Create({ ...orders, url: 'deaf' }),
    new Create({ ...orders, url: 'methods', idempotency: true, requestMethods: ['POST', 'PUT', 'PATCH'] }),
    new Create({ ...orders, url: 'accepted', idempotency: true, createStatus: 202 }),
    new Create({ ...orders, url: 'titled', idempotency: true, externalCasing: 'TitleCase' }),
    new Create({
      ...orders,
      url: 'mapped',
      idempotency: true,
      outputMap: ({ record }) => ({ ...record, at: performance.now() }),
    }),
    new Create({
      ...orders,
      url: 'hooked',
      idempotency: true,
      beforeSave: () => void heard.push('before'),
      afterSave: () => void heard.push('after'),
      afterCommit: () => void heard.push('committed'),
    }),
    new Create({
      ...orders,
      url: 'shops/:shop',
      idempotency: true,
      includeRoutingDataInRequestData: true,
    }),
    new Create({
      ...orders,
      url: 'moody',
      idempotency: true,
      inputValidationCallable: (): Record<string, string> =>
        heard.length === 0 ? { item: 'not today' } : {},
    }),
    new EndpointGroup({
      url: 'own',
      authentication: new Claims(),
      endpoints: [new Create({ ...orders, url: 'orders', idempotency: true })],
    }),
    new Create({
      url: 'receipts',
      modelClass: Receipt,
      readableColumnNames: ['id', 'text'],
      writeableColumnNames: ['text'],
      idempotency: true,
    }),
  ],
});
