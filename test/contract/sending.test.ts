import { expect } from '@jest/globals';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { Callable } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { library } from '../support/entities/library.js';
import { hostileClient, type HostileClient } from '../support/hostile.client.js';

const sending = 4;
const chunks = 128;
const chunk = 'x'.repeat(65_536);

let calls = 0;

const endpoints = [
  new Callable({ url: 'quick', toCall: () => 'here' }),
  new Callable({
    url: 'stream',
    returnStandardResponse: false,
    returnRecords: true,
    toCall: async function* () {
      for (let times = 0; times < chunks; times += 1) {
        await turn();
        yield chunk;
      }
    },
  }),
  // Short enough to be whole before its client has read any of it.
  new Callable({
    url: 'short',
    returnStandardResponse: false,
    toCall: () => {
      calls += 1;
      return Readable.from([Buffer.alloc(30_000, 'x')]);
    },
  }),
  // More than two sockets hold between them.
  new Callable({ url: 'large', toCall: () => 'x'.repeat(16 * 1_048_576) }),
];

const { contract } = service(
  { entities: library, endpoints, root: { maximumInFlight: 3, maximumSending: sending } },
  everyPlatform,
);

const begin = 'HTTP/1.1 200 ';

/** Clients that ask and do not read what they asked for. */
const unread = async (subject: Subject, count: number, path = '/large'): Promise<HostileClient[]> => {
  const clients: HostileClient[] = [];
  for (let times = 0; times < count; times += 1) {
    const client = await hostileClient(subject, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await client.hears(/^HTTP\/1\.1 200 /);
    client.stopReading();
    clients.push(client);
  }
  return clients;
};

contract('Who only has to read an answer has no place any more', async (subject) => {
  const clients = await unread(subject, sending);
  for (let times = 0; times < 10; times += 1)
    expectAnswer(await subject.request().get('/quick'), 200, success('here'));
  for (const client of clients) {
    expect(client.text.startsWith(begin)).toBe(true);
    client.leave();
  }
});

contract('Who does not read short streams has no place either', async (subject) => {
  const quick = () => subject.request().get('/quick');
  const clients: HostileClient[] = [];
  for (let times = 0; times < 3; times += 1) {
    const client = await hostileClient(subject);
    client.stopReading();
    clients.push(client);
    // Until its socket holds no more: then the next one is not begun.
    for (let known = -1; known < calls;) {
      known = calls;
      client.write('GET /short HTTP/1.1\r\nHost: x\r\n\r\n');
      for (let turns = 0; turns < 200 && calls === known; turns += 1) await quick();
    }
  }
  for (let times = 0; times < 20; times += 1) expectAnswer(await quick(), 200, success('here'));
  for (const client of clients) client.leave();
});

contract(
  'When too many answers are unread, the one that has waited for longest is cut off',
  async (subject) => {
    const clients = await unread(subject, sending + 1);
    const [longest, ...others] = clients;
    await longest?.released();
    expect(others.map(({ isHeld }) => isHeld)).toEqual(others.map(() => true));
    for (const client of clients) client.leave();
  },
);

contract(
  'A stream that waits for its client has no place, and goes on when the client reads on',
  async (subject) => {
    const clients = await Promise.all(Array.from({ length: 3 }, () => unread(subject, 1, '/stream'))).then(
      (each) => each.flat(),
    );
    // It flows until nobody takes more.
    let status = 503;
    const end = performance.now() + 10_000;
    while (status === 503 && performance.now() < end) ({ status } = await subject.request().get('/quick'));
    expect(status).toBe(200);
    for (const client of clients) {
      client.readOn();
      while (client.text.length < chunks * chunk.length || !client.text.endsWith('0\r\n\r\n')) await turn();
      client.leave();
    }
  },
);
