import { afterAll, beforeAll, expect } from '@jest/globals';
import { once, service, type Subject } from '../support/contract.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { create, isOver, until } from './events.deliveries.js';
import { depot, of, Parcel, subscribe } from './events.parcels.js';

const { contract } = service(depot({ schedule: [0], maximumSubscriptions: 2 }), once);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** A row, as far as these tests look at it. */
interface Row {
  readonly type?: string;
  readonly secrets?: readonly { readonly until: string | null }[];
}

/** Asks the database, past the application. */
const sql = ({ em }: Subject, text: string) => em().getConnection().execute(text) as Promise<readonly Row[]>;

contract('A delivery of somebody else is as one that is not there', async (subject) => {
  const { request } = subject;
  receiver.clear();
  const [ann, bob] = [
    await subscribe(subject, of(1, 'Ann'), receiver.url),
    await subscribe(subject, of(1, 'Bob'), receiver.url),
  ];
  const { body } = await request().post(`/webhooks/${ann.id}/test`).set(of(1, 'Ann'));
  await receiver.until(1);
  const retried = async ({ id }: { readonly id: number }, who: string) => {
    const path = `/webhooks/${id}/deliveries/${body.data.delivery}/retry`;
    return (await request().post(path).set(of(1, who))).status;
  };
  expect(await retried(ann, 'Bob')).toBe(404);
  expect(await retried(bob, 'Bob')).toBe(404);
  expect(await retried(ann, 'Ann')).toBe(200);
});

contract('What is told to the application alone is told to nobody else who asks for it', async (subject) => {
  const { request } = subject;
  receiver.clear();
  await subscribe(subject, of(1), receiver.url, ['audit', 'parcel.created']);
  const gone = await create(subject, 1);
  await receiver.until(1);
  await request().delete(`/parcels/${gone}`).set(of(1));
  await create(subject, 1);
  await receiver.until(2);
  expect(await sql(subject, 'select distinct type from webhook_delivery')).toEqual([
    { type: 'parcel.created' },
  ]);
});

contract('A secret that was replaced ends in time, whatever replaces the one behind it', async (subject) => {
  const { request } = subject;
  const { id } = await subscribe(subject, of(1), receiver.url);
  const rotate = () => request().post(`/webhooks/${id}/rotate`).set(of(1));
  const ends = async () => {
    const [row] = await sql(subject, 'select secrets from webhook_subscription');
    return row?.secrets?.map((secret) => secret.until);
  };
  await rotate();
  const soon = '2999-01-01T00:00:00.000Z';
  await sql(
    subject,
    `update webhook_subscription set secrets = jsonb_set(secrets, '{1,until}', '"${soon}"')`,
  );
  await rotate();
  expect(await ends()).toEqual([null, expect.any(String), soon]);
});

contract('Who switches a subscription on again begins anew', async (subject) => {
  const { request } = subject;
  receiver.clear();
  receiver.answer = (_received, response) => response.writeHead(500).end();
  const { id } = await subscribe(subject, of(1), receiver.url);
  await sql(
    subject,
    `update webhook_subscription set active = false, disabled_at = now(), disabled_for = 'Nothing but failures',
      failing_since = now() - interval '6 days'`,
  );
  await request().patch(`/webhooks/${id}`).set(of(1)).send({ active: true });
  await request().post(`/webhooks/${id}/test`).set(of(1));
  await until(subject, id, ([one]) => isOver(one));
  const { body } = await request().get(`/webhooks/${id}`).set(of(1));
  expect(body.data).toMatchObject({ active: true, disabled_at: null, disabled_for: null });
});

contract('One name of two issuers is two owners, each with subscriptions of their own', async (subject) => {
  const { request } = subject;
  const there = of(1, 'Ann', { iss: 'there' });
  for (const who of [of(1, 'Ann'), there])
    for (let count = 0; count < 2; count += 1) await subscribe(subject, who, receiver.url);
  expect((await request().get('/webhooks').set(there)).body.data).toHaveLength(2);
});

contract('Whoever asks for their subscriptions is told for as long again', async (subject) => {
  receiver.clear();
  await subscribe(subject, of(1), receiver.url);
  await sql(subject, `update webhook_subscription set claims_at = now() - interval '31 days'`);
  await subject.request().get('/webhooks').set(of(1));
  await create(subject, 1, 'Heard');
  expect((await receiver.until(1)).map(({ event }) => event.data['name'])).toEqual(['Heard']);
});

contract('An update of nothing but what nobody sees is no event', async (subject) => {
  receiver.clear();
  await subscribe(subject, of(1), receiver.url);
  const id = await create(subject, 1);
  const em = subject.em();
  const parcel = await em.findOneOrFail(Parcel, id);
  parcel.secret = 'hidden';
  await em.flush();
  await create(subject, 1);
  await receiver.until(2);
  const told = await sql(subject, 'select distinct type from webhook_delivery');
  expect(told).toEqual([{ type: 'parcel.created' }]);
});
