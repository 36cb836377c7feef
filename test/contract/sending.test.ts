import { expect } from '@jest/globals';
import { Callable } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { library } from '../support/entities/library.js';
import { hostileClient, type HostileClient } from '../support/hostile.client.js';

const sending = 4;

const endpoints = [
  new Callable({ url: 'quick', toCall: () => 'here' }),
  // More than two sockets hold between them.
  new Callable({ url: 'large', toCall: () => 'x'.repeat(16 * 1_048_576) }),
];

const { contract } = service(
  { entities: library, endpoints, root: { maximumInFlight: 3, maximumSending: sending } },
  everyPlatform,
);

const begin = 'HTTP/1.1 200 ';

/** Clients that ask and do not read what they asked for. */
const unread = async (subject: Subject, count: number): Promise<HostileClient[]> => {
  const clients: HostileClient[] = [];
  for (let times = 0; times < count; times += 1) {
    const client = await hostileClient(subject, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
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
