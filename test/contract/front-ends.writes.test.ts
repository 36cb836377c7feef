import { once as event } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { EndpointsClient } from '@nest-endpoints/client';
import { once, service } from '../support/contract.js';
import { refusal } from './front-ends.refusal.js';
import { Note, shop } from './front-ends.world.js';

const { contract } = service(shop, once);

contract('A redirected write is no success, and is done nowhere else', async (subject) => {
  const { url, em } = subject;
  let status = 308;
  const from = createServer((request, response) => {
    response.writeHead(status, { Location: `${url}${request.url ?? ''}` }).end();
  });
  await event(from.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(from.address() as AddressInfo).port}`;
  const asked = { url: `${address}/api`, schema: `${url}/api/schema` };
  const notes = await new EndpointsClient(asked).records('notes');
  const tenant = await new EndpointsClient({ ...asked, headers: { 'X-Tenant': 'a' } }).records('notes');
  for (status of [301, 302, 303, 307, 308]) {
    // A read that tells nothing of whoever asks may go anywhere.
    expect((await notes.list()).records).toEqual([]);
    for (const call of [
      () => tenant.list(),
      ...[notes, tenant].flatMap((records) => [
        () => records.create({ text: 'x' }),
        () => records.update(1, { text: 'x' }),
        () => records.delete(1),
      ]),
    ]) {
      const refused = await refusal(call());
      expect([refused.status, refused.message]).toEqual([status, expect.stringMatching(/another address/)]);
    }
  }
  expect(await em().count(Note)).toBe(0);
  from.closeAllConnections();
  from.close();
});

contract('A part of a list without an answer says what was done before', async ({ url }) => {
  let posts = 0;
  const cut: typeof fetch = (address, init) => {
    if (init?.method === 'POST' && (posts += 1) > 1) return Promise.reject(new TypeError('fetch failed'));
    return fetch(address, init);
  };
  const tags = await new EndpointsClient({ url: `${url}/api`, fetch: cut }).records('tags');
  const list = Array.from({ length: 150 }, (_, index) => ({ code: `${index}`, count: 1 }));
  await expect(tags.createMany(list)).rejects.toThrow('fetch failed (100 of 150 were created before)');
});

contract('Many records are created with a key for each part, and once', async ({ url, count }) => {
  const keys: (string | null)[] = [];
  const cut: typeof fetch = async (address, init) => {
    const response = await fetch(address, init);
    if (init?.method !== 'POST') return response;
    keys.push(new Headers(init.headers).get('Idempotency-Key'));
    if (keys.length !== 1) return response;
    await response.arrayBuffer();
    return new Response('', { status: 503, headers: { 'Retry-After': '0' } });
  };
  const notes = await new EndpointsClient({ url: `${url}/api`, fetch: cut }).records('keyed-notes');
  const made = await notes.createMany(Array.from({ length: 150 }, (_, index) => ({ text: `${index}` })));
  expect([made.length, await count(Note)]).toEqual([150, 150]);
  // The first part was sent again, since nobody knew whether it was done.
  expect([keys.length, new Set(keys).size, keys[0]]).toEqual([3, 2, keys[1]]);
});

contract('A number that JSON has not is refused, and is not null', async (subject) => {
  const client = new EndpointsClient(`${subject.url}/api`);
  const notes = await client.records('notes');
  for (const rank of [Number.NaN, Infinity]) {
    const error = await refusal(notes.create({ text: 'x', rank }));
    expect([...error.inputErrors.keys()]).toEqual(['rank']);
  }
  // Where null is a value, too.
  const tags = await client.records('tags');
  const error = await refusal(tags.create({ code: '1', count: Number.NaN }));
  expect([...error.inputErrors.keys()]).toEqual(['count']);
  // A text would be taken.
  await expect(notes.create({ text: Number.NaN, rank: 1 })).rejects.toThrow(new TypeError('JSON has no NaN'));
});
