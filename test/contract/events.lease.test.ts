import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MikroORM } from '@mikro-orm/core';
import supertest from 'supertest';
import { startApplication } from '../support/application.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { startRelay } from '../support/relay.js';
import { during } from '../support/during.js';
import { besides, make, soon, sql } from './events.during.js';
import { depot, of, subscribe } from './events.parcels.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

test('Where sessions are shared the lease is a row, which another process takes 30 seconds after the last sign of life', async () => {
  let onAsked: () => void = () => undefined;
  const relay = await startRelay(String(process.env['TEST_DATABASE_URL']), () => (chunk) => {
    if (chunk.includes('select holder, beat::text')) onAsked();
  });
  const driverOptions = { host: '127.0.0.1', port: relay.port };
  const first = await startApplication('express', 'postgresql', {
    ...depot({}, () => ({ lease: 'row' })),
    orm: { driverOptions },
  });
  // Each look of the other instance is 10 seconds after the one before, from the moment that the first one is silent.
  let isSilent = false;
  let time = 0;
  const elapsed = () => (isSilent ? (time += 10_000) : time);
  const second = await besides(
    first,
    depot({}, () => ({ lease: 'row', clock: { elapsed } })),
  );
  const address = await second.getUrl();
  const request = () => supertest(address);
  const holder = async () => {
    const em = second.get<MikroORM>(MikroORM).em.fork();
    const [row] = await em.getConnection().execute<{ holder: string }[]>('select holder from event_position');
    return row?.holder;
  };
  /** Makes a parcel, and waits until others are told of it. */
  const told = async () => {
    const { body } = await request().post('/parcels').set(of(1)).send({ name: 'Books', tenant_id: 1 });
    await receiver.until(1, ({ event }) => event.data['id'] === body.data.id);
  };
  try {
    await subscribe({ request }, of(1), receiver.url);
    await told();
    const before = await holder();
    relay.cut();
    isSilent = true;
    await told();
    const after = await holder();
    expect(after).not.toBe(before);
    // The first one comes back, and finds that another one is alive.
    isSilent = false;
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    relay.mend();
    await asked;
    await told();
    expect(await holder()).toBe(after);
    // What was under way when the first one was cut off may come twice: with its id.
    const ids = new Map(
      receiver.all().map(({ headers, event }) => [headers['webhook-id'], event.data['id']]),
    );
    expect([...ids.values()]).toEqual([1, 2, 3]);
  } finally {
    await second.close();
    await first.close();
    await relay.close();
  }
});

test('A process that another one has taken over from sends nothing more of what is due', async () => {
  receiver.clear();
  let answer: () => void = () => undefined;
  receiver.answer = (_received, response) => {
    if (receiver.all().length === 1) answer = () => response.writeHead(200).end();
    else response.writeHead(200).end();
  };
  // Only who has not the lease asks for the time, once a look: the other one is never silent.
  let looks = 0;
  const elapsed = () => {
    looks += 1;
    return 0;
  };
  const looked = async (times: number) => {
    const end = looks + times;
    await soon(async () => {
      await sql(application.one, 'select 1');
      return looks >= end ? true : undefined;
    });
  };
  const application = {} as { one: Parameters<typeof sql>[0] };
  const options = depot({ concurrency: 1 }, () => ({ lease: 'row', clock: { elapsed } }));
  await during(options, async (one) => {
    application.one = one;
    await subscribe(one, of(1), receiver.url);
    await make(one, 3);
    await receiver.until(1);
    await sql(one, `update event_position set holder = 'another', beat = beat + 1`);
    // What changes now it cannot hand on, and learns so.
    await make(one, 1);
    await looked(2);
    answer();
    await soon(async () => (await sql(one, `select 1 from webhook_delivery where state = 'delivered'`))[0]);
    await looked(2);
    expect(receiver.all()).toHaveLength(1);
    await sql(one, 'update event_position set holder = null');
    await receiver.until(4);
  });
});
