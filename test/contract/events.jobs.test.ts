import { expect, test } from '@jest/globals';
import type { EventMessage } from '@nest-endpoints/events';
import { soon, sql, withBoss } from './events.during.js';
import { of, Parcel } from './events.parcels.js';

test('A queue of pg-boss that keeps the order of keys has the events of a record in order, though they are of one look', async () => {
  await withBoss(async (application, boss) => {
    await boss.createQueue('parcels', { policy: 'key_strict_fifo' });
    // All of it is committed before any of it is handed on.
    const other = application.em().fork();
    await other.begin();
    await other.persist(other.create(Parcel, { name: 'Holds readers back', tenantId: 3 })).flush();
    const { request } = application;
    const send = async (method: 'post' | 'patch' | 'delete', path: string, body: object = {}) => {
      const answer = await request()[method](`/parcels${path}`).set(of(1)).send(body);
      expect(answer.status).toBeLessThan(300);
      return Number(answer.body.data?.id);
    };
    const ids: number[] = [];
    for (let count = 0; count < 5; count += 1)
      ids.push(await send('post', '', { name: 'Books', tenant_id: 1 }));
    for (const id of ids) await send('patch', `/${id}`, { name: 'Toys' });
    for (const id of ids) await send('patch', `/${id}`, { name: 'Pens' });
    for (const id of ids) await send('delete', `/${id}`);
    await other.commit();
    // Of a deletion there are two events.
    const all = ids.length * 5 + 1;
    await soon(async () => {
      const rows = await sql(application, `select created_on from pgboss.job where name = 'parcels'`);
      return rows.length === all ? rows : undefined;
    });
    expect(
      await sql(application, `select 1 from pgboss.job where name = 'parcels' group by created_on`),
    ).toHaveLength(1);
    const told: EventMessage[] = [];
    while (told.length < all) {
      const jobs = await boss.fetch<EventMessage>('parcels', { batchSize: 100 });
      expect(jobs.length).toBeGreaterThan(0);
      told.push(...jobs.map(({ data }) => data));
      await boss.complete(
        'parcels',
        jobs.map(({ id }) => id),
      );
    }
    const ofRecord = (id: number) =>
      told
        .filter(({ type, data }) => type.startsWith('parcel.') && data['id'] === id)
        .map(({ type, data }) => [type, data['name']].filter(Boolean).join(' '));
    for (const id of ids)
      expect(ofRecord(id)).toEqual([
        'parcel.created Books',
        'parcel.updated Toys',
        'parcel.updated Pens',
        'parcel.deleted',
      ]);
  });
});
