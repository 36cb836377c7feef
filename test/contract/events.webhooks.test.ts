import { afterAll, beforeAll, expect } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { once, service } from '../support/contract.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { heldUp } from '../support/waits.js';
import { create, deliveriesOf, isOver, until } from './events.deliveries.js';
import { soon } from './events.during.js';
import { depot, of, operator, Parcel, subscribe } from './events.parcels.js';

const disabled: object[] = [];

const { contract } = service(
  depot(
    {
      schedule: [0, 1, 1, 1],
      timeout: 400,
      perSubscription: 2,
      maximumSubscriptions: 2,
      onDisabled: (one) => disabled.push(one),
    },
    () => ({ maximumLag: 1 }),
  ),
  once,
);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Waits until somebody has been told that a subscription is disabled: after all of it has been written down. */
const told = (): Promise<object> =>
  soon(async () => {
    await new Promise(setImmediate);
    return disabled[0];
  });

contract('A subscription never hears what a record was while it was of another tenant', async (subject) => {
  const { request, em } = subject;
  receiver.clear();
  await subscribe(subject, of(1), `${receiver.url}/one`);
  await subscribe(subject, of(2), `${receiver.url}/two`);
  // All of it is committed before any of it is handed on.
  const other = em().fork();
  await other.begin();
  await other.persist(other.create(Parcel, { name: 'Holds readers back', tenantId: 3 })).flush();
  const id = await create(subject, 1, 'Secret of one');
  const patch = (body: object) => request().patch(`/parcels/${id}`).send(body).set(of(1));
  expect((await patch({ name: 'Other secret of one' })).status).toBe(200);
  await patch({ tenant_id: 2, name: 'Of two' });
  await patch({ name: 'Still of two' });
  const gone = await create(subject, 1, 'Gone');
  await request().delete(`/parcels/${gone}`).set(of(1));
  // The table of positions was emptied before the test: until the relay notices, nobody knows what is late.
  const held = async () => (await request().get('/events/status').set(operator)).body.data.held as boolean;
  while (!(await held()));
  const late = await request().get('/health/events');
  expect(receiver.all()).toEqual([]);
  await other.commit();
  expect(late.status).toBe(500);
  await receiver.until(3);
  expect(
    receiver
      .all()
      .map(({ path, event }) => [path, event.type, event.data['id'], event.data['name']])
      .toSorted(),
  ).toEqual([
    ['/one', 'parcel.deleted', gone, undefined],
    ['/two', 'parcel.updated', id, 'Of two'],
    ['/two', 'parcel.updated', id, 'Still of two'],
  ]);
  const { status } = await request().get('/health/events');
  expect(status).toBe(200);
});

contract('Everybody has subscriptions of their own, to where nothing inner is', async (subject) => {
  const { request } = subject;
  receiver.clear();
  const { id } = await subscribe(subject, of(1), `${receiver.url}/one`, ['parcel.created']);
  const shown = await request().get(`/webhooks/${id}`).set(of(1));
  expect(shown.body.data).toMatchObject({ id, active: true, events: ['parcel.created'] });
  expect(JSON.stringify(shown.body)).not.toMatch(/whsec|claims|owner/);
  const others = [
    request().get(`/webhooks/${id}`),
    request().patch(`/webhooks/${id}`).send({ active: false }),
    request().delete(`/webhooks/${id}`),
    request().post(`/webhooks/${id}/rotate`),
    request().post(`/webhooks/${id}/test`),
    request().get(`/webhooks/${id}/deliveries`),
    request().post(`/webhooks/${id}/deliveries/1/retry`),
    request().post('/webhooks/none/rotate'),
  ];
  for (const asked of others) expect((await asked.set(of(2))).status).toBe(404);
  expect((await request().get('/webhooks').set(of(2))).body.data).toEqual([]);
  const wrong = {
    'http://example.org:8080/': 'value should be a url without a port',
    'https://u:p@example.org/': 'value should be a url without credentials',
    'https://localhost/': 'value should be a url of the public internet',
    'https://10.0.0.1/': 'value should be a url of the public internet',
    'https://:p@example.org/': 'value should be a url without credentials',
    'https://localhost./': 'value should be a url of the public internet',
    'https://100.64.0.1/': 'value should be a url of the public internet',
    'https://[2002:7f00:1::]/': 'value should be a url of the public internet',
    'https://[::ffff:127.0.0.1]/': 'value should be a url of the public internet',
    'https://169.254.169.254/': 'value should be a url of the public internet',
    'https://0x0a000001/': 'value should be a url of the public internet',
    'https://exa\nmple.org/': 'value should be a url',
    'https://example.org/#\n[Nest] forged \u001b[2J': 'value should be a url',
    'https://example.org\\@127.0.0.1/': 'value should be a url',
    'file:///etc/passwd': 'value should be a url that begins with https://',
  };
  for (const [url, message] of Object.entries(wrong)) {
    const { body } = await request()
      .post('/webhooks')
      .set(of(1))
      .send({ url, events: ['parcel'] });
    expect([url, body.input_errors]).toEqual([url, { url: message }]);
    const patched = await request().patch(`/webhooks/${id}`).set(of(1)).send({ url });
    expect([url, patched.body.input_errors]).toEqual([url, { url: message }]);
  }
  const unknown = await request()
    .post('/webhooks')
    .set(of(1))
    .send({ url: 'https://example.org', events: ['nothing'] });
  expect(unknown.body.input_errors.events).toMatch(/^value should be among: parcel, parcel.created/);
  await subscribe(subject, of(1), 'https://example.org/');
  const third = await request()
    .post('/webhooks')
    .set(of(1))
    .send({ url: 'https://example.org', events: ['parcel'] });
  expect(third.body.input_errors).toEqual({ url: 'there should be at most 2 subscriptions' });
  expect((await request().get('/events/status').set(of(1))).status).toBe(403);
});

contract('After a rotation both secrets sign', async (subject) => {
  const { request, em } = subject;
  receiver.clear();
  const { id, secret } = await subscribe(subject, of(1), `${receiver.url}/`);
  const { body } = await request().post(`/webhooks/${id}/rotate`).set(of(1));
  const { secret: next } = body.data as { secret: string };
  expect(next).toMatch(/^whsec_/);
  expect(next).not.toBe(secret);
  await request().post(`/webhooks/${id}/test`).set(of(1));
  const [first] = await receiver.until(1);
  expect(first?.event.type).toBe('webhook.test');
  for (const key of [secret, next])
    expect(() =>
      new Webhook(key).verify(first?.body ?? '', first?.headers as Record<string, string>),
    ).not.toThrow();
  // A day later.
  await em()
    .getConnection()
    .execute(
      `update webhook_subscription set secrets = jsonb_set(secrets, '{1,until}', '"2001-01-01T00:00:00.000Z"')`,
    );
  await request().post(`/webhooks/${id}/test`).set(of(1));
  const [, second] = await receiver.until(2);
  const verify = (key: string) => () =>
    new Webhook(key).verify(second?.body ?? '', second?.headers as Record<string, string>);
  expect(verify(next)).not.toThrow();
  expect(verify(secret)).toThrow('No matching signature');
});

contract('What fails is tried again with its id, then dead, and may be tried by hand', async (subject) => {
  const { request } = subject;
  receiver.clear();
  const { id } = await subscribe(subject, of(1), `${receiver.url}/`);
  receiver.answer = (_received, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(`moved \0 ${'x'.repeat(5000)}`);
  };
  await create(subject, 1);
  const [dead] = await until(subject, id, ([one]) => one?.state === 'dead');
  expect(dead).toMatchObject({ tries: 4, last_status: 302, last_error: 'Status 302' });
  expect(dead?.last_answer).toHaveLength(1023);
  expect(receiver.all()).toHaveLength(4);
  expect(new Set(receiver.all().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect((await request().get('/events/status').set(operator)).body.data).toMatchObject({ dead: 1, due: 0 });
  receiver.answer = (_received, response) => response.writeHead(204).end();
  const retried = await request().post(`/webhooks/${id}/deliveries/${dead?.id}/retry`).set(of(1));
  expect(retried.body.data).toEqual({ retried: 1 });
  await until(subject, id, ([one]) => one?.state === 'delivered');
  expect((await request().post('/webhooks/retry').set(operator)).body.data).toEqual({ retried: 0 });
  // Everything anew, with the same ids.
  await request().post('/events/replay?from=1').set(operator);
  await receiver.until(6);
  expect(new Set(receiver.all().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect((await request().post('/events/replay?from=yesterday').set(operator)).status).toBe(400);
});

contract('A receiver that drips, floods or breaks off takes no more than its time', async (subject) => {
  receiver.clear();
  const ways: Record<string, Receiver['answer']> = {
    drips: (_received, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 100);
      response.once('close', () => {
        clearInterval(drip);
      });
    },
    breaks: (_received, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.flushHeaders();
      response.destroy();
    },
    floods: (_received, response) => {
      response.writeHead(200);
      const flood = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(2 ** 20, 'x')));
        if (!response.destroyed) response.once('drain', flood);
      };
      flood();
    },
  };
  receiver.answer = (received, response) => {
    ways[received.path.slice(1)]?.(received, response);
  };
  const outcomes = {
    floods: { state: 'delivered', tries: 1, last_answer: 'x'.repeat(1024) },
    breaks: { state: 'dead', tries: 4 },
    drips: { state: 'dead', tries: 4, last_error: 'No whole answer within 400 ms' },
  };
  const ids = new Map<string, number>();
  for (const way of Object.keys(outcomes))
    ids.set(way, (await subscribe(subject, of(1, way), `${receiver.url}/${way}`)).id);
  await create(subject, 1);
  for (const [way, outcome] of Object.entries(outcomes))
    expect(await until(subject, Number(ids.get(way)), ([one]) => isOver(one), of(1, way))).toEqual([
      expect.objectContaining(outcome),
    ]);
});

contract('Receivers that are gone are disabled, and those that ask for time get it', async (subject) => {
  const { request, em, log } = subject;
  receiver.clear();
  disabled.length = 0;
  const { id } = await subscribe(subject, of(1), `${receiver.url}/?token=hush`);
  receiver.answer = (_received, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
  await create(subject, 1);
  await until(subject, id, ([one]) => one?.tries === 1);
  const due = async () => {
    const [row] = await em()
      .getConnection()
      .execute<{ wait: string }[]>(`select extract(epoch from due_at - now()) as wait from webhook_delivery`);
    return Number(row?.wait);
  };
  expect(await due()).toBeGreaterThan(3500);
  expect(await due()).toBeLessThanOrEqual(3600);
  receiver.answer = (_received, response) => response.writeHead(410).end();
  // While nobody can disable a subscription, no try says that it should have been.
  const other = em().fork();
  await other.begin();
  await other
    .getConnection()
    .execute(
      `select 1 from webhook_subscription for no key update`,
      [],
      'all',
      other.getTransactionContext(),
    );
  await request().post(`/webhooks/${id}/test`).set(of(1));
  await heldUp(subject);
  expect(await deliveriesOf(subject, id)).toMatchObject([{ last_status: null }, { last_status: 503 }]);
  await other.rollback();
  await until(subject, id, ([last]) => last?.last_status === 410);
  const { body } = await request().get(`/webhooks/${id}`).set(of(1));
  expect(body.data).toMatchObject({ active: false, disabled_for: 'The receiver has answered 410 Gone' });
  await told();
  expect(disabled).toEqual([expect.objectContaining({ id, reason: 'The receiver has answered 410 Gone' })]);
  expect(log.text('warn')).toContain(`subscription.disabled: ${id}, ${receiver.url}: The receiver`);
  expect(log.text('warn')).not.toContain('hush');
  await request().patch(`/webhooks/${id}`).set(of(1)).send({ active: true });
  receiver.answer = (_received, response) => response.writeHead(500).end();
  await em()
    .getConnection()
    .execute(`update webhook_subscription set failing_since = now() - interval '6 days'`);
  await request().post(`/webhooks/${id}/test`).set(of(1));
  const read = async () =>
    (await request().get(`/webhooks/${id}`).set(of(1))).body.data as { active: boolean };
  while ((await read()).active);
  expect(await read()).toMatchObject({ disabled_for: 'Nothing but failures' });
});

contract('A slow receiver holds nobody else', async (subject) => {
  receiver.clear();
  const { id } = await subscribe(subject, of(1), `${receiver.url}/slow`);
  await subscribe(subject, of(1, 'other'), `${receiver.url}/quick`);
  const held: (() => void)[] = [];
  receiver.answer = ({ path }, response) => {
    if (path === '/slow') held.push(() => response.writeHead(200).end());
    else response.writeHead(200).end();
  };
  for (let count = 0; count < 4; count += 1) await create(subject, 1);
  await receiver.until(4, ({ path }) => path === '/quick');
  expect(receiver.all().filter(({ path }) => path === '/slow').length).toBeLessThanOrEqual(2);
  receiver.answer = (_received, response) => response.writeHead(200).end();
  for (const end of held) end();
  await until(subject, id, (all) => all.length === 4 && all.every(({ state }) => state === 'delivered'));
});
