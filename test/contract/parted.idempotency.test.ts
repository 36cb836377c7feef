import { expect } from '@jest/globals';
import { connectionOf } from '../support/catalogue.js';
import { postgresqlOnly, service, sqliteOnly } from '../support/contract.js';
import { expire, post, shop } from './parted.keeping.js';
import { Task } from './parted.shop.js';

const { contract } = service(shop, [...postgresqlOnly, ...sqliteOnly]);

contract(
  'An answer is kept in the part of its record, whatever kind of endpoint it is of',
  async (subject) => {
    const bodies = [
      ['/tasks', { id: 1, name: 'one' }],
      ['/tasks/bulk', { records: [{ id: 2, name: 'two' }] }],
      ['/batch', { operations: [{ method: 'POST', path: '/tasks', body: { id: 3, name: 'three' } }] }],
    ] as const;
    for (const [path, body] of bodies)
      for (const tenant of ['a', 'b']) {
        const first = await post(subject, path, tenant, body);
        expect([path, first.status < 300, first.headers['idempotency-replayed']]).toEqual([
          path,
          true,
          undefined,
        ]);
        const again = await post(subject, path, tenant, body);
        expect([path, again.headers['idempotency-replayed'], again.text]).toEqual([path, 'true', first.text]);
      }
    const rows = await connectionOf(subject.orm).execute<{ tenant: string }[]>(
      'select tenant from idempotency_record order by tenant',
    );
    expect(rows.map(({ tenant }) => tenant)).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
    expect(await subject.count(Task)).toBe(6);
  },
);

contract('A key that has expired counts as none in its part', async (subject) => {
  expect((await post(subject, '/tasks', 'a', { id: 1, name: 'one' })).status).toBe(201);
  await expire(subject);
  const second = await post(subject, '/tasks', 'a', { id: 2, name: 'two' });
  expect([second.status, second.headers['idempotency-replayed']]).toEqual([201, undefined]);
  const again = await post(subject, '/tasks', 'a', { id: 2, name: 'two' });
  expect(again.headers['idempotency-replayed']).toBe('true');
});

contract('A request that names no part is refused, and nothing is created', async (subject) => {
  const { status } = await subject
    .request()
    .post('/batch')
    .set('Idempotency-Key', 'key')
    .send({ operations: [] });
  expect(status).toBeGreaterThanOrEqual(400);
  const sent = await subject
    .request()
    .post('/tasks')
    .set('Idempotency-Key', 'key')
    .send({ id: 1, name: 'one' });
  expect(sent.status).toBe(500);
  expect(await subject.count(Task)).toBe(0);
});
