import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import { EndpointGroup, Get, History, recordChanges, RestfulApi, Upsert } from '@nest-endpoints/core';
import { Claims } from './claims.js';

const properties = {
  id: p.integer().primary(),
  code: p
    .string()
    .length(40)
    .unique()
    .onCreate(() => randomUUID()),
  tenant: p.string().length(40),
  text: p.string(),
} as const;

/** A record of a tenant, whose key its senders choose and change. */
export const Note = defineEntity({ name: 'Note', tableName: 'keyed_note', properties });

/** The same, recorded by a trigger. */
export const Memo = defineEntity({ name: 'Memo', tableName: 'keyed_memo', properties });

/** The same, of which the log has neither the key nor the text. */
export const Leaf = defineEntity({ name: 'Leaf', tableName: 'keyed_leaf', properties });

recordChanges(Note, { keepFor: 'forever' });
recordChanges(Memo, { keepFor: 'forever', capture: 'trigger' });
recordChanges(Leaf, { keepFor: 'forever', columns: ['tenant'] });

const columns = {
  readableColumnNames: ['id', 'code', 'text'],
  writeableColumnNames: ['id', 'code', 'text'],
} as const;

/** Endpoints of one of them, for everybody's own tenant. */
export const keyedBy = (modelClass: typeof Note, url: string) =>
  new EndpointGroup({
    authentication: new Claims(),
    authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
    endpoints: [
      new RestfulApi({
        ...columns,
        modelClass,
        url,
        searchableColumnNames: ['text'],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
      new Upsert({ ...columns, modelClass, url: `coded/${url}/:code`, recordLookupColumnName: 'code' }),
    ],
  });

/** Endpoints that tell the past of one of them. */
export const pastOf = (modelClass: typeof Note, url: string, isOpen = false) =>
  new EndpointGroup({
    authentication: new Claims(),
    ...(!isOpen && { authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }) }),
    endpoints: [
      new History({ modelClass, url: `${url}/:id/history`, readableColumnNames: ['id', 'text'] }),
      new Get({ modelClass, url: `${url}/:id`, readableColumnNames: ['id', 'text'], timeTravel: true }),
    ],
  });

/** The header of somebody of a tenant. */
export const of = (tenant: string) => ({ 'X-Claims': JSON.stringify({ sub: tenant, tenant }) });
