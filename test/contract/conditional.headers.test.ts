import { expect } from '@jest/globals';
import { Cors, Create, Hsts, IdempotencyRecord, List, RestfulApi } from '@nest-endpoints/core';
import { everyPlatform, service } from '../support/contract.js';
import { Order } from './orders.js';
import { Memo } from './versioned.articles.js';

const origin = 'https://app.example';
const orders = {
  modelClass: Order,
  readableColumnNames: ['id', 'item'],
  writeableColumnNames: ['item'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;
const memos = {
  ...orders,
  modelClass: Memo,
  readableColumnNames: ['text'],
  writeableColumnNames: ['text'],
} as const;
const cors = { securityHeaders: [new Cors(origin), new Hsts()] };

const { contract } = service(
  {
    entities: [Order, Memo, IdempotencyRecord],
    endpoints: [
      new RestfulApi({ ...orders, url: 'orders', idempotency: true, ...cors }),
      new RestfulApi({ ...orders, url: 'plain', securityHeaders: [new Hsts()] }),
      new RestfulApi({ ...memos, url: 'memos', ...cors }),
      new RestfulApi({
        ...orders,
        url: 'exposing',
        ...cors,
        responseHeaders: ['Access-Control-Expose-Headers: X-Request-Id', 'Cache-Control: no-cache'],
      }),
      new List({ ...orders, url: 'listed', ...cors }),
      new Create({ ...orders, url: 'deaf', ...cors }),
    ],
  },
  everyPlatform,
);

const asked = 'if-match, If-None-Match,idempotency-key, content-type, x-other';

contract(
  'A preflight that asks for If-Match, If-None-Match or Idempotency-Key gets those that endpoints of the path read',
  async ({ request }) => {
    const granted = async (path: string, headers = asked) =>
      (await request().options(path).set('Access-Control-Request-Headers', headers)).headers[
        'access-control-allow-headers'
      ];
    expect(await granted('/orders')).toBe('Content-Type, Idempotency-Key');
    expect(await granted('/orders/1')).toBe('Content-Type, If-None-Match, If-Match');
    expect(await granted('/orders/1', 'If-Match')).toBe('If-Match');
    expect(await granted('/memos/1')).toBe('Content-Type, If-Match');
    expect(await granted('/memos')).toBe('Content-Type');
    expect(await granted('/listed')).toBe('Content-Type');
    expect(await granted('/deaf')).toBe('Content-Type');
    expect(await granted('/orders', 'x-other')).toBeUndefined();
  },
);

contract(
  'Where Cors is configured, scripts may read ETag and Idempotency-Replayed of answers that have them',
  async ({ request, save }) => {
    await save(Order, { item: 'tea', details: null });
    await save(Memo, { text: 'One' });
    const exposed = async (path: string) =>
      (await request().get(path)).headers['access-control-expose-headers'];
    expect(await exposed('/orders/1')).toBe('ETag');
    expect(await exposed('/plain/1')).toBeUndefined();
    for (const path of ['/memos/1', '/orders', '/orders/99', '/listed'])
      expect(await exposed(path)).toBeUndefined();
    expect(await exposed('/exposing')).toBe('X-Request-Id');
    expect(await exposed('/exposing/1')).toBe('X-Request-Id, ETag');
    const create = () => request().post('/orders').set('Idempotency-Key', 'key').send({ item: 'tea' });
    expect((await create()).headers['access-control-expose-headers']).toBe('ETag, Location');
    expect((await create()).headers['access-control-expose-headers']).toBe(
      'ETag, Location, Idempotency-Replayed',
    );
  },
);

contract('A 304 has the headers of the endpoint', async ({ raw, save }) => {
  await save(Order, { item: 'tea', details: null });
  const { status, headers, text } = await raw('GET', '/exposing/1', { headers: { 'If-None-Match': '"1"' } });
  expect([status, text]).toEqual([304, '']);
  expect(headers).toMatchObject({
    etag: '"1"',
    'cache-control': 'no-cache',
    'strict-transport-security': 'max-age=31536000',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'X-Request-Id, ETag',
  });
});
