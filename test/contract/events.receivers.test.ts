import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WebhookSubscriptions } from '@nest-endpoints/events';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { during } from '../support/during.js';
import { soon, sql } from './events.during.js';
import { depot, of, subscribe } from './events.parcels.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const ofTests =
  "select id::text as state, tries from webhook_delivery where type = 'webhook.test' order by id";

test('Of tests of a receiver one waits at most, and each is tried once', async () => {
  receiver.clear();
  const held: (() => void)[] = [];
  receiver.answer = (_received, response) => held.push(() => response.writeHead(500).end());
  await during(depot({ schedule: [0, 1, 1], ordered: 'record' }), async (application) => {
    const { request } = application;
    const { id } = await subscribe(application, of(1), receiver.url);
    const ask = () => Promise.resolve(request().post(`/webhooks/${id}/test`).set(of(1)).expect(200));
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    const ids = new Set(answers.map(({ body }) => (body as { data: { delivery: string } }).data.delivery));
    expect(ids.size).toBe(1);
    expect((await sql(application, ofTests)).map(({ state }) => state)).toEqual([...ids]);
    await receiver.until(1);
    receiver.answer = (_received, response) => response.writeHead(500).end();
    for (const end of held) end();
    const dead = ofTests.replace('where', "where state = 'dead' and");
    const [over] = await soon(async () => {
      const rows = await sql(application, dead);
      return rows.length === 1 ? rows : undefined;
    });
    expect(over?.tries).toBe(1);
    // Whoever mends a receiver and tests again hears at once.
    receiver.answer = (_received, response) => response.writeHead(200).end();
    const before = receiver.all().length;
    await ask();
    const all = await receiver.until(before + 1);
    expect(all).toHaveLength(before + 1);
  });
});

test('A subscription that is switched off cannot be tested', async () => {
  receiver.clear();
  await during(depot(), async (application) => {
    const { request } = application;
    const { id } = await subscribe(application, of(1), receiver.url);
    await request().patch(`/webhooks/${id}`).set(of(1)).send({ active: false });
    const { status, body } = await request().post(`/webhooks/${id}/test`).set(of(1));
    expect([status, body.error]).toEqual([409, 'The subscription is not active']);
    expect(await sql(application, ofTests)).toEqual([]);
  });
});

test('Of two rotations at once neither is lost: both secrets sign', async () => {
  receiver.clear();
  await during(depot(), async (application) => {
    const { id } = await subscribe(application, of(1), receiver.url);
    const rotate = () =>
      Promise.resolve(application.request().post(`/webhooks/${id}/rotate`).set(of(1)).expect(200));
    const answers = await Promise.all([rotate(), rotate()]);
    const shown = answers.map(({ body }) => (body as { data: { secret: string } }).data.secret);
    const [row] = await sql(application, 'select secrets::text as state from webhook_subscription');
    const kept = (JSON.parse(String(row?.state)) as { value: string }[]).map(({ value }) => value);
    expect(new Set(shown).size).toBe(2);
    expect(kept).toEqual(expect.arrayContaining(shown));
  });
});

test('Who has an empty subject is nobody, and has no subscription of the application', async () => {
  receiver.clear();
  await during(depot(), async (application) => {
    const { request } = application;
    const code = application.app.get(WebhookSubscriptions, { strict: false });
    const { id } = await code.create({ url: `${receiver.url}/code`, events: ['parcel'] });
    const nobody = { 'X-Claims': JSON.stringify({ sub: '', tenant: 1 }) };
    expect((await request().get('/webhooks').set(nobody)).status).toBe(403);
    for (const asked of [
      request().get(`/webhooks/${id}`),
      request()
        .patch(`/webhooks/${id}`)
        .send({ url: `${receiver.url}/mine` }),
      request().post(`/webhooks/${id}/rotate`),
    ])
      expect((await asked.set(nobody)).status).toBe(403);
  });
});
