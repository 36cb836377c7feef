import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Webhooks } from '@nest-endpoints/events';
import { Webhook } from 'standardwebhooks';
import { once, service, type Subject } from '../support/contract.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { during } from '../support/during.js';
import { make, soon, sql } from './events.during.js';
import { depot, inner, of, subscribe } from './events.parcels.js';

const { contract } = service(depot({ schedule: [0, 1], timeout: 500, concurrency: 8 }), once);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

let servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  servers = [];
});

/** A receiver that does with a connection what it likes, once something has come. */
const raw = async (way: (socket: Socket) => void): Promise<string> => {
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => way(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

/** Writes a text again and again. */
const again = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), 5);
  socket.once('close', () => {
    clearInterval(timer);
  });
};

const answered = (head: string): string => `HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`;

const isLate = 'No whole answer within 500 ms';

/** What receivers do, and what the delivery says of it; null where they have it. */
const ways: Record<string, [way: (socket: Socket) => void, error: string | null]> = {
  'changes the protocol': [
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    'The connection has ended without an answer',
  ],
  'is silent': [() => undefined, isLate],
  'has hints for ever': [(socket) => again(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'), isLate],
  'has headers for ever': [
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n${`a: ${'x'.repeat(1000)}\r\n`.repeat(100)}`),
    'HPE_HEADER_OVERFLOW: Parse Error: Header overflow',
  ],
  'says it is another protocol': [
    (socket) => socket.end('SSH-2.0-x\r\n'),
    'HPE_INVALID_CONSTANT: Parse Error: Expected HTTP/, RTSP/ or ICE/',
  ],
  'breaks off in the middle': [
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', () => socket.resetAndDestroy());
    },
    'ECONNRESET: aborted',
  ],
  'has a status that is none': [(socket) => socket.end(answered('999 No')), 'Status 999'],
  'is told twice how it went': [(socket) => socket.end(answered('200 OK') + answered('500 No')), null],
};

interface Shown {
  readonly state: string;
  readonly tries: number;
  readonly last_error: string | null;
}

const ended = async ({ request }: Subject, id: number, sub: string): Promise<Shown> => {
  const end = performance.now() + 60_000;
  for (;;) {
    const { body } = await request().get(`/webhooks/${id}/deliveries`).set(of(1, sub));
    const [one] = body.data as Shown[];
    if (one !== undefined && one.state !== 'due') return one;
    if (performance.now() > end) throw new Error(`${sub}: ${JSON.stringify(one)}`);
  }
};

contract('Receivers that do what they like take their tries, and hold nobody else', async (subject) => {
  receiver.clear();
  const ids = new Map<string, number>();
  for (const [sub, [way]] of Object.entries(ways))
    ids.set(sub, (await subscribe(subject, of(1, sub), await raw(way))).id);
  await subscribe(subject, of(1), receiver.url);
  await subject.request().post('/parcels').set(of(1)).send({ name: 'Books', tenant_id: 1 });
  await receiver.until(1);
  for (const [sub, [, error]] of Object.entries(ways)) {
    const { state, tries, last_error } = await ended(subject, Number(ids.get(sub)), sub);
    const isDelivered = error === null;
    expect([sub, state, tries, last_error]).toEqual([
      sub,
      isDelivered ? 'delivered' : 'dead',
      isDelivered ? 1 : 2,
      error,
    ]);
  }
});

contract('A sender whom no database can keep has no subscriptions', async ({ request }) => {
  for (const [sub, more] of [
    ['\u0000'],
    ['\ud800'],
    ['a', { name: '\u0000' }],
    ['a', { '\ud800': [] }],
  ] as const)
    expect(
      (
        await request()
          .get('/webhooks')
          .set(of(1, sub, more))
      ).status,
    ).toBe(403);
});

contract('A subscription that is none is an input error, whatever it is made of', async (subject) => {
  const { request } = subject;
  const url = receiver.url;
  const { id } = await subscribe(subject, of(1), url);
  const wrong: readonly object[] = [
    { events: 'parcel' },
    { events: { 0: 'parcel', length: 1 } },
    { events: [['parcel']] },
    { events: [1] },
    { events: [null] },
    { events: ['__proto__'] },
    { events: ['constructor'] },
    { events: null },
    { events: 5 },
    { events: true },
    { events: [] },
    { events: ['parcel', 'parcel'] },
    { events: Array.from({ length: 10_000 }, () => 'parcel.created') },
    { url: null },
    { url: 5 },
    { url: [url] },
    { url: '' },
    { url: `${url}/\0` },
    { url: `${url}/${'x'.repeat(2000)}` },
    { url: 'javascript:alert(1)' },
    { url: 'http://127.0.0.1:1@example.org:1/' },
    { active: 'yes' },
    { description: 'x'.repeat(501) },
    { secrets: [{ value: 'whsec_AAAA', until: null }] },
    { audience: 'application' },
    { owner_subject: 'user 2' },
    { claims: { tenant: 2 } },
  ];
  for (const more of wrong) {
    const made = await request()
      .post('/webhooks')
      .set(of(1))
      .send({ url, events: ['parcel'], ...more });
    const changed = await request().patch(`/webhooks/${id}`).set(of(1)).send(more);
    expect([more, made.status, changed.status]).toEqual([more, 400, 400]);
    expect(Object.keys(made.body.input_errors)).toEqual(Object.keys(more));
  }
  for (const key of ['0', '-1', '1e3', '2147483648', '9223372036854775808', '1%00', 'constructor'])
    for (const path of [
      `/webhooks/${key}/rotate`,
      `/webhooks/${key}/test`,
      `/webhooks/${id}/deliveries/${key}/retry`,
    ])
      expect([path, (await request().post(path).set(of(1))).status]).toEqual([path, 404]);
  expect((await request().get('/webhooks').set(of(1))).body.data).toHaveLength(1);
});

contract('Who rotates secrets without end has five that sign', async (subject) => {
  const { request } = subject;
  receiver.clear();
  const { id } = await subscribe(subject, of(1), receiver.url);
  const secrets: string[] = [];
  for (let count = 0; count < 8; count += 1) {
    const { body } = await request().post(`/webhooks/${id}/rotate`).set(of(1));
    secrets.push(String(body.data.secret));
  }
  await request().post(`/webhooks/${id}/test`).set(of(1));
  const [one] = await receiver.until(1);
  expect(String(one?.headers['webhook-signature']).split(' ')).toHaveLength(5);
  for (const [index, secret] of secrets.entries()) {
    const verify = () => new Webhook(secret).verify(one?.body ?? '', one?.headers as Record<string, string>);
    if (index < 3) expect(verify).toThrow('No matching signature');
    else expect(verify).not.toThrow();
  }
});

/** A name server that knows `inner.example.org`, at an inner address, and says nothing about `silent.example.org`. */
const startNameServer = async (): Promise<{ readonly address: string; readonly close: () => void }> => {
  const server = createSocket('udp4', (query, { port, address }) => {
    const isKnown = query.includes('inner') && query.readUInt16BE(query.indexOf('\0', 12) + 1) === 1;
    if (query.includes('silent')) return;
    const answer = Buffer.from(isKnown ? 'c00c00010001000000000004c0a80001' : '', 'hex');
    const question = query.subarray(0, query.indexOf('\0', 12) + 5);
    question.writeUInt16BE(query.includes('none') ? 0x8183 : 0x8180, 2);
    question.writeUInt16BE(isKnown ? 1 : 0, 6);
    question.writeUInt16BE(0, 10);
    server.send(Buffer.concat([question, answer]), port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${server.address().port}`, close: () => server.close() };
};

test('What name servers say is looked at, and those that are silent hold nobody else', async () => {
  receiver.clear();
  const names = await startNameServer();
  const nameServers = [names.address];
  const options = depot({}, () => ({
    deliver: new Webhooks({ ...inner, schedule: [0], timeout: 2000, perSubscription: 16 }, { nameServers }),
  }));
  const errors = {
    inner: 'The host has an address that is not of the public internet',
    none: 'ENOTFOUND: queryA ENOTFOUND none.example.org',
    silent: 'No whole answer within 2000 ms',
  };
  await during(options, async (application) => {
    for (const host of Object.keys(errors))
      await subscribe(application, of(1, host), `http://${host}.example.org/`);
    await subscribe(application, of(1), receiver.url);
    await make(application, 8);
    await receiver.until(8);
    const rows = await soon(async () => {
      const found = await sql(
        application,
        `select distinct url as state, last_error from webhook_delivery d
          join webhook_subscription s on s.id = d.subscription_id where d.state = 'dead' order by url`,
      );
      return found.length === 3 ? found : undefined;
    });
    expect(rows.map(({ state, last_error }) => [state, last_error])).toEqual(
      Object.entries(errors).map(([host, error]) => [`http://${host}.example.org/`, error]),
    );
  });
  names.close();
});
