import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhooks } from '@nest-endpoints/events';
import supertest from 'supertest';
import { startApplication } from '../support/application.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { besides, soon, sql } from './events.during.js';
import { depot, inner, of, subscribe } from './events.parcels.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

test('Deliveries that are over are kept for a time, and those of subscriptions that are switched off no longer', async () => {
  const { entities, root } = depot();
  // A service without events: nothing sweeps before the rows are there.
  const first = await startApplication('express', 'postgresql', {
    entities,
    root: root ?? {},
  });
  await sql(
    first,
    `insert into webhook_subscription (url, events, secrets, active, audience, created_at)
      select '${receiver.url}', '["parcel"]', '[]', active, 'application', now() from unnest(array[true, false]) active`,
  );
  // Of each state one for every day of the last four, for both of them; 2,500 more of the first day.
  await sql(
    first,
    `insert into webhook_delivery (subscription_id, event_id, type, model, record_id, body, state, tries, due_at, created_at, ended_at)
      select s, gen_random_uuid(), 'parcel.created', 'Parcel', day::text, '{}', state, 1, now() - day * interval '1 day', now(),
        case when state <> 'due' then now() - day * interval '1 day' end
      from generate_series(1, 2) s, unnest(array['due', 'dead', 'delivered']) state,
        (select generate_series(1, 4) union all select 4 from generate_series(1, 2500)) days(day)
      where s = 2 or state <> 'due'`,
  );
  const keepDeliveries = 2.5 * 24 * 60 * 60 * 1000;
  const second = await besides(first, depot({ keepDeliveries }));
  try {
    const left = await soon(async () => {
      const rows = await sql(
        first,
        `select subscription_id || ' ' || state || ' ' || record_id as state from webhook_delivery order by 1`,
      );
      return rows.length <= 10 ? rows.map(({ state }) => state) : undefined;
    });
    expect(left).toEqual(
      ['1 dead', '1 delivered', '2 dead', '2 delivered', '2 due'].flatMap((one) => [`${one} 1`, `${one} 2`]),
    );
    expect(receiver.all()).toEqual([]);
  } finally {
    await second.close();
    await first.close();
  }
});

test('A shutdown waits for what is under way, and leaves the rest to others', async () => {
  receiver.clear();
  const { entities, root } = depot();
  const first = await startApplication('express', 'postgresql', {
    entities,
    root: root ?? {},
  });
  let answer: () => void = () => undefined;
  receiver.answer = (_received, response) => {
    answer = () => response.writeHead(200).end();
  };
  const second = await besides(first, depot({ concurrency: 1 }));
  const address = await second.getUrl();
  const request = () => supertest(address);
  await subscribe({ request }, of(1), receiver.url);
  for (const name of ['one', 'two', 'three'])
    await request().post('/parcels').set(of(1)).send({ name, tenant_id: 1 });
  await soon(async () => (await sql(first, 'select 1 from webhook_delivery offset 2'))[0]);
  await receiver.until(1);
  const closed = second.close();
  await soon(async () => (await sql(first, 'select 1 from event_position where holder is null'))[0]);
  answer();
  await closed;
  const rows = await sql(first, `select state || ' ' || tries as state from webhook_delivery order by id`);
  expect(rows.map(({ state }) => state)).toEqual(['delivered 1', 'due 0', 'due 0']);
  expect(receiver.all()).toHaveLength(1);
  await first.close();
});

test('A delivery that a shutdown gives up is due again, and no try of it', async () => {
  receiver.clear();
  const { entities, root } = depot();
  const first = await startApplication('express', 'postgresql', { entities, root: root ?? {} });
  receiver.answer = () => undefined;
  const webhooks = new Webhooks(inner);
  const second = await besides(
    first,
    depot({}, () => ({ deliver: webhooks })),
  );
  const address = await second.getUrl();
  const request = () => supertest(address);
  await subscribe({ request }, of(1), receiver.url);
  await request().post('/parcels').set(of(1)).send({ name: 'one', tenant_id: 1 });
  await receiver.until(1);
  // As a shutdown does, which would wait longer.
  await webhooks.close(0);
  await second.close();
  const rows = await sql(first, `select state || ' ' || tries as state from webhook_delivery`);
  expect(rows.map(({ state }) => state)).toEqual(['due 0']);
  await first.close();
});
