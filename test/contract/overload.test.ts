import { expect } from '@jest/globals';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import {
  type Authentication,
  Callable,
  EndpointGroup,
  endpointsFastifyOptions,
  HealthCheck,
} from '@nest-endpoints/core';
import { MemoryLimits, RateLimit } from '@nest-endpoints/limits';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { expectAnswer, failure, success } from '../support/answers.js';
import { everyPlatform, service } from '../support/contract.js';
import { library } from '../support/entities/library.js';

const json = { 'Content-Type': 'application/json' };
const unavailable = failure('Service Unavailable');
let held = Promise.withResolvers<string>();
let waiting = 0;

const hold = (): Promise<string> => {
  waiting += 1;
  return held.promise;
};

/** Senders whose tokens are looked at. */
let judged = 0;

class Slow implements Authentication {
  readonly allowedHeaders = [];

  async authenticate(): Promise<string> {
    judged += 1;
    await held.promise;
    return 'somebody';
  }
}

const endpoints = [
  new Callable({
    url: 'limited',
    requestMethods: ['POST'],
    authentication: new Slow(),
    limits: [new RateLimit({ quota: 1000, window: 60, store: new MemoryLimits() })],
    toCall: ({ requestData }) => requestData,
  }),
  new Callable({ url: 'held', requestMethods: ['GET', 'POST'], toCall: hold }),
  new Callable({ url: 'quick', toCall: () => 'here' }),
  new HealthCheck({ url: 'health' }),
  new HealthCheck({ url: 'held-health', callables: [hold] }),
  new HealthCheck({ url: 'other-health', callables: [() => 'well'] }),
  new EndpointGroup({
    url: 'title',
    externalCasing: 'TitleCase',
    responseHeaders: ['X-Group: title'],
    endpoints: [new Callable({ url: 'quick', toCall: () => 'here' })],
  }),
];

const until = async (count: number): Promise<void> => {
  while (waiting < count) await turn();
};

const { contract } = service({ entities: library, endpoints, root: { maximumInFlight: 3 } }, everyPlatform);

/** As many requests in flight as there may be. */
const full = async (url: string): Promise<() => Promise<void>> => {
  held = Promise.withResolvers();
  waiting = 0;
  const answers = [1, 2, 3].map(() => fetch(`${url}/held`));
  await until(3);
  return async () => {
    held.resolve('done');
    for (const answer of await Promise.all(answers)) expect(await answer.json()).toEqual(success('done'));
  };
};

contract(
  'More requests than maximumInFlight are answered 503 with Retry-After at once',
  async ({ url, request, log }) => {
    const free = await full(url);
    const answer = await request().get('/quick');
    expectAnswer(answer, 503, unavailable);
    expect(answer.headers['retry-after']).toBe('1');
    expect(log.text('warn')).toContain('Requests are turned away, because 3 requests are in flight');
    await free();
    expectAnswer(await request().get('/quick'), 200, success('here'));
  },
);

contract('A request that is turned away is answered as its endpoint answers', async ({ url, request }) => {
  const free = await full(url);
  const { status, headers, body } = await request().get('/title/quick');
  expect([status, headers['x-group'], body.Status, body.Error]).toEqual([
    503,
    'title',
    'Failure',
    'Service Unavailable',
  ]);
  await free();
});

contract('A body that is turned away does not harm the connection it came on', async ({ url }) => {
  const free = await full(url);
  const body = JSON.stringify({ text: 'x'.repeat(200_000) });
  const answers = await Promise.all([1, 2].map(() => fetch(`${url}/held`, { method: 'POST', body })));
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  for (const answer of answers) expect(await answer.json()).toEqual(unavailable);
  await free();
  expect(await (await fetch(`${url}/quick`)).json()).toEqual(success('here'));
});

contract('HealthChecks are answered while other requests are turned away', async ({ url, request }) => {
  const healthy = async (): Promise<number> => {
    const begun = performance.now();
    for (let times = 0; times < 40; times += 1)
      expectAnswer(await request().get('/health'), 200, success({}));
    return performance.now() - begun;
  };
  const usual = await healthy();
  const free = await full(url);
  expect(await healthy()).toBeLessThan(5 * usual + 1000);
  await free();
});

contract(
  'Each HealthCheck that asks somebody has places of its own, and not for ever more of them',
  async ({ url, request }) => {
    held = Promise.withResolvers();
    waiting = 0;
    const checks = Array.from({ length: 32 }, () => fetch(`${url}/held-health`));
    await until(32);
    expectAnswer(await request().get('/held-health'), 503, unavailable);
    expectAnswer(await request().get('/other-health'), 200, success({}));
    expectAnswer(await request().get('/quick'), 200, success('here'));
    held.resolve('done');
    for (const answer of await Promise.all(checks)) expect(answer.status).toBe(200);
    expectAnswer(await request().get('/held-health'), 200, success({}));
  },
);

contract('Nothing keeps a HealthCheck that asks nobody from its answer', async ({ url }) => {
  held = Promise.withResolvers();
  waiting = 0;
  const checks = Array.from({ length: 32 }, () => fetch(`${url}/held-health`));
  await until(32);
  const many = await Promise.all(Array.from({ length: 100 }, () => fetch(`${url}/health`)));
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
  held.resolve('done');
  await Promise.all(checks);
});

contract('A client that goes away leaves its place', async ({ url, request }) => {
  held = Promise.withResolvers();
  waiting = 0;
  const leaving = new AbortController();
  const answers = [1, 2, 3].map(() => fetch(`${url}/held`, { signal: leaving.signal }));
  await until(3);
  expect((await request().get('/quick')).status).toBe(503);
  leaving.abort();
  await Promise.allSettled(answers);
  let status = 503;
  while (status === 503) ({ status } = await request().get('/quick'));
  expect(status).toBe(200);
  held.resolve('done');
});

contract('Unknown paths are answered 404 while requests are turned away', async ({ url, request }) => {
  const free = await full(url);
  expect((await request().get('/nowhere')).status).toBe(404);
  await free();
});

/** A hook of the user's own, such as a look-up of a session, that is over when the client has gone. */
const slowly = (): FastifyAdapter => {
  const adapter = new FastifyAdapter(endpointsFastifyOptions());
  adapter.getInstance().addHook('onRequest', async ({ raw }) => {
    if (raw.headers['x-leaves'] === undefined) return;
    arrived += 1;
    await once(raw.socket, 'close');
  });
  return adapter;
};
let arrived = 0;

const hooked = service(
  { entities: library, endpoints, root: { maximumInFlight: 3 }, adapter: slowly },
  everyPlatform.filter(({ platform }) => platform === 'fastify'),
).contract;

hooked('A client that leaves before its request has a place takes none', async ({ url, request }) => {
  arrived = 0;
  const leaving = [1, 2, 3, 4].map(() =>
    httpRequest(`${url}/quick`, { headers: { 'x-leaves': 'yes' } })
      .on('error', () => undefined)
      .end(),
  );
  while (arrived < leaving.length) await turn();
  for (const client of leaving) client.destroy();
  for (let times = 0; times < 50; times += 1) await turn();
  expectAnswer(await request().get('/quick'), 200, success('here'));
});

const late = service({ entities: library, endpoints, root: { maximumDelay: 500 } }, everyPlatform).contract;

/** Takes the event loop for a time, in milliseconds. */
const busy = (time: number): void => {
  const end = performance.now() + time;
  while (performance.now() < end);
};

late(
  'While the event loop lags behind, requests are answered 503 and HealthChecks are not',
  async ({ url, request, log }) => {
    const seen = new Set<string>();
    for (let times = 0; times < 40 && !seen.has('quick 503'); times += 1) {
      const answers = Promise.all(
        ['quick', 'health'].map(async (path) => `${path} ${(await fetch(`${url}/${path}`)).status}`),
      );
      busy(1000);
      for (const answer of await answers) seen.add(answer);
    }
    expect([...seen]).toContain('quick 503');
    expect([...seen]).not.toContain('health 503');
    expect(log.text('warn')).toContain('because the event loop lags behind');
    // On a busy machine it may go on lagging for a while.
    while ((await request().get('/quick')).status === 503) await delay(100);
    expectAnswer(await request().get('/quick'), 200, success('here'));
  },
);

late('One long turn of the event loop turns nobody away', async ({ url }) => {
  // What came before may have been a long turn, too.
  await delay(1000);
  const answer = fetch(`${url}/quick`);
  busy(1500);
  expect((await answer).status).toBe(200);
});

contract(
  'A request with a body to an endpoint with limits has a place before it is judged',
  async ({ url }) => {
    held = Promise.withResolvers();
    judged = 0;
    const send = () => fetch(`${url}/limited`, { method: 'POST', body: '{"a": 1}', headers: json });
    const first = [send(), send(), send()];
    while (judged < 3) await turn();
    for (let times = 0; times < 5; times += 1) expect((await send()).status).toBe(503);
    held.resolve('done');
    for (const answer of await Promise.all(first)) expect(await answer.json()).toEqual(success({ a: 1 }));
    expect(judged).toBe(3);
  },
);
