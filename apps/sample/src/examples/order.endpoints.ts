import { Create, Delete, Get, Update } from '@nest-endpoints/core';
import { defineEntity, p } from '@mikro-orm/core';

export const Order = defineEntity({
  name: 'Order',
  properties: {
    id: p.integer().primary().autoincrement(),
    item: p.string().length(100),
    amount: p.integer().default(1),
    version: p.integer().version(),
  },
});

const shown = { modelClass: Order, readableColumnNames: ['id', 'item', 'amount'] } as const;
const written = { ...shown, writeableColumnNames: ['item', 'amount'] } as const;

export const orders = [
  new Create({ ...written, url: 'orders', idempotency: true }),
  new Get({ ...shown, url: 'orders/:id' }),
  new Update({ ...written, url: 'orders/:id' }),
  new Delete({ modelClass: Order, url: 'orders/:id', preconditionRequired: true }),
];
