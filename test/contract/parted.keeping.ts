import type { EntityName } from '@mikro-orm/core';
import { Batch, Create, CreateMany, Public } from '@nest-endpoints/core';
import type { Subject } from '../support/contract.js';
import { KeptInParts, of, partedShop, Task } from './parted.shop.js';

export const tasks = {
  modelClass: Task,
  readableColumnNames: ['id', 'name'],
  writeableColumnNames: ['id', 'name'],
  idempotency: true,
} as const;

const endpoints = [
  new Create({ ...tasks, url: 'tasks' }),
  new CreateMany({ ...tasks, url: 'tasks/bulk' }),
  new Batch({ url: 'batch', idempotency: true, wholeApplication: true }),
];

/** A shop whose endpoints keep answers in the parts of their records. */
export const shop = {
  ...partedShop,
  root: { ...partedShop.root, authentication: new Public() },
  endpoints,
};

export const post = ({ request }: Pick<Subject, 'request'>, path: string, tenant: string, body: object) =>
  request().post(path).set(of(tenant)).set('Idempotency-Key', 'key').send(body);

export const expire = (subject: Subject) =>
  subject
    .em()
    .nativeUpdate(KeptInParts as EntityName<{ expiresAt: Date }>, {}, { expiresAt: new Date('2001-01-01') });
