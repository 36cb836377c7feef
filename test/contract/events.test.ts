import { afterAll, beforeAll, expect } from '@jest/globals';
import { WebhookSubscriptions } from '@nest-endpoints/events';
import { Webhook } from 'standardwebhooks';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { depot, of, operator, subscribe } from './events.parcels.js';

const { contract } = service(depot({ schedule: [0, 1, 1] }), postgresqlOnly);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const create = async ({ request }: Subject): Promise<number> => {
  const { status, body } = await request().post('/parcels').set(of(1)).send({ name: 'Books', tenant_id: 1 });
  expect(status).toBe(201);
  return Number(body.data.id);
};

contract('A change is told to the subscriptions whose owners may see the record', async (subject) => {
  const { request } = subject;
  receiver.clear();
  const { secret } = await subscribe(subject, of(1), `${receiver.url}/one`);
  await subscribe(subject, of(2), `${receiver.url}/two`);
  const made = await request()
    .post('/parcels')
    .set(of(1))
    .send({ name: 'Books', weight: '1.10', count: '9007199254740993', tenant_id: 1 });
  expect(made.status).toBe(201);
  const { id } = made.body.data;
  await request().patch(`/parcels/${id}`).set(of(1)).send({ weight: '2.50' });
  await receiver.until(2);
  await request().delete(`/parcels/${id}`).set(of(1));
  const all = await receiver.until(3);
  expect(all.map(({ path, event: { type, data } }) => ({ path, type, data }))).toEqual([
    {
      path: '/one',
      type: 'parcel.created',
      data: { id, name: 'Books', weight: '1.10', count: '9007199254740993' },
    },
    { path: '/one', type: 'parcel.updated', data: { id, changed: ['weight'], weight: '2.50' } },
    { path: '/one', type: 'parcel.deleted', data: { id } },
  ]);
  for (const { body, headers } of all)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
  expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
  const status = await request().get('/events/status').set(operator);
  expect(status.body.data).toMatchObject({ lag: 0, dead: 0, held: true });
});

contract('Claims that are too old pause, and code may hear everything', async (subject) => {
  const { app, em, request } = subject;
  receiver.clear();
  const made = await app
    .get(WebhookSubscriptions, { strict: false })
    .create({ url: `${receiver.url}/code`, events: ['audit', 'parcel.created'] });
  await subscribe(subject, of(1), `${receiver.url}/one`, ['parcel', 'audit']);
  await em()
    .getConnection()
    .execute(`update webhook_subscription set claims_at = now() - interval '31 days'`);
  const id = await create(subject);
  await request().delete(`/parcels/${id}`).set(of(1));
  await receiver.until(2);
  expect(receiver.all().map(({ path, event: { type } }) => `${path} ${type}`)).toEqual([
    '/code parcel.created',
    '/code audit.deleted',
  ]);
  for (const { body, headers } of receiver.all())
    expect(() => new Webhook(made.secret).verify(body, headers as Record<string, string>)).not.toThrow();
  // Its owner asks for it, and with that signs in again.
  await request().get('/webhooks').set(of(1));
  await create(subject);
  await receiver.until(1, ({ path }) => path === '/one');
});
