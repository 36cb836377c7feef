import type { Subject } from '../support/contract.js';
import { as } from './tenants.js';

/** One request. */
export interface Ask {
  readonly method?: 'get' | 'post' | 'patch' | 'put' | 'delete';
  readonly path: string;
  readonly body?: object | string;
  readonly type?: string;
}

export const code = (schema: string, name: string): object => ({
  code: `${name} of ${schema}`,
  name: `${name} of ${schema}`,
});

/** Requests of every kind that show records, by kind. */
export const reads: Readonly<Record<string, readonly Ask[]>> = {
  Get: [{ path: '/ships/1' }, { path: '/crews/1' }],
  History: [{ path: '/ships/1/history' }],
  List: ['/ships', '/crews', '/estimated', '/manned', '/joined', '/ships?sort=crew.name'].map((path) => ({
    path,
  })),
  SimpleSearch: [{ path: '/simple?crew.name=crew%20of%20{own}' }],
  AdvancedSearch: ['name', 'crew.name', 'ports.name'].map((column) => ({
    method: 'post',
    path: '/searched',
    body: { where: [{ column, operator: 'like', value: '%of%' }] },
  })),
  Aggregate: [{ path: '/totals?group_by=crew.name&measure=name.min' }],
  Facets: [{ path: '/facets' }],
  Export: [{ path: '/export' }],
  Callable: [{ path: '/found' }, { path: '/served' }],
  Batch: [
    {
      method: 'post',
      path: '/batch',
      body: {
        operations: [
          { method: 'GET', path: '/ships/1' },
          { method: 'GET', path: '/ships' },
        ],
      },
    },
  ],
};

/** Requests of every kind that write records, by kind and in their order. */
export const writes = (own: string): Readonly<Record<string, readonly Ask[]>> => ({
  Create: [
    {
      method: 'post',
      path: '/ships',
      body: { ...code(own, 'new'), crew_id: 1, flag_code: 'F', port_ids: [1] },
    },
    { method: 'post', path: '/plain', body: { ...code(own, 'plain'), crew_id: 1, kind: 'raft' } },
    { method: 'post', path: '/hooked', body: code(own, 'hooked') },
  ],
  Update: [
    { method: 'patch', path: '/ships/1', body: { name: `changed of ${own}`, port_ids: [] } },
    { method: 'patch', path: '/plain/2', body: { kind: 'raft' } },
  ],
  Upsert: [
    { method: 'put', path: '/upserted/put', body: { name: `put of ${own}` } },
    { method: 'put', path: '/upserted/put', body: { name: `put again of ${own}` } },
  ],
  CreateMany: ['/ships/bulk', '/plain/bulk'].map((path) => ({
    method: 'post',
    path,
    body: { records: [code(own, `${path} a`), { ...code(own, `${path} b`), kind: 'raft' }] },
  })),
  UpdateMany: [
    {
      method: 'patch',
      path: '/ships/bulk',
      body: {
        records: [
          { id: 1, name: `many of ${own}` },
          { id: 2, name: `more of ${own}` },
        ],
      },
    },
    { method: 'patch', path: '/plain/bulk', body: { records: [{ id: 1, name: `again of ${own}` }] } },
  ],
  Import: [
    { method: 'post', path: '/import', body: `code,name\nin of ${own},in of ${own}\n`, type: 'text/csv' },
  ],
  Delete: [
    { method: 'delete', path: '/ships/1' },
    { method: 'delete', path: '/plain/2' },
  ],
  DeleteMany: [{ method: 'delete', path: '/ships/bulk', body: { ids: [3, 4] } }],
  Restore: [{ method: 'post', path: '/ships/trash/1/restore' }],
  Purge: [{ method: 'delete', path: '/ships/trash/2' }],
  Batch: [
    {
      method: 'post',
      path: '/batch',
      body: {
        operations: [
          { method: 'PATCH', path: '/plain/1', body: { name: `batch of ${own}` } },
          { method: 'POST', path: '/ships', body: code(own, 'batched') },
        ],
      },
    },
  ],
});

export const send = async (
  { request }: Subject,
  schema: string,
  { method = 'get', path, body, type }: Ask,
) => {
  const asked = request()[method](path.replace('{own}', schema)).set(as(schema));
  if (type !== undefined) asked.type(type);
  const { status, text } = await (body === undefined ? asked : asked.send(body));
  return { path, isGood: status < 300, text };
};

/** The schemas that a text speaks of. */
export const named = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/ of (\w+)/g)].map(([, schema = '']) => schema))].toSorted();
