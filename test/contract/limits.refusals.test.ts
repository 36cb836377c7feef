import { expect } from '@jest/globals';
import {
  Authorization,
  Batch,
  Callable,
  Cors,
  endpointsFastifyOptions,
  NotAuthenticated,
  type Authentication,
  type Credentials,
} from '@nest-endpoints/core';
import { MemoryLimits, RateLimit } from '@nest-endpoints/limits';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { ApplicationOptions } from '../support/application.js';
import { everyPlatform, service } from '../support/contract.js';
import { library } from '../support/entities/library.js';

const store = new MemoryLimits();
const limit = (name: string, quota: number, window: number, more: object = {}): RateLimit =>
  new RateLimit({
    name,
    quota,
    window,
    by: ({ requestHeaders }) => String(requestHeaders['x-who']),
    store,
    ...more,
  });
const one = { toCall: () => 1 };

interface Person {
  readonly name: string;
}

/** Knows a sender some time later. */
class Later implements Authentication {
  readonly allowedHeaders = ['X-Name'];

  async authenticate({ headers }: Credentials): Promise<Person> {
    const name = await Promise.resolve(headers['x-name']);
    if (typeof name !== 'string') throw new NotAuthenticated();
    return { name };
  }
}

/** Knows a machine by its key alone. */
class Keyed implements Authentication {
  readonly allowedHeaders = ['X-Key'];

  authenticate({ headers }: Credentials): object {
    return { keyId: headers['x-key'] };
  }
}

/** Lets Ann in, some time later. */
class Anns extends Authorization<object, Person> {
  override gate({ name }: Person): Promise<boolean> {
    return Promise.resolve(name === 'ann');
  }
}

const { contract } = service(
  {
    entities: library,
    endpoints: [
      new Callable({ ...one, url: 'two', limits: [limit('short', 2, 60), limit('long', 2, 3600)] }),
      new Callable({
        ...one,
        url: 'costly',
        limits: [
          limit('cost', 4, 60, {
            cost: ({ queryParameters }: { queryParameters: { c?: string } }) =>
              Number(queryParameters.c ?? 1),
          }),
        ],
      }),
      new Callable({
        ...one,
        url: 'gone',
        limits: [limit('gone', 9, 60)],
        deprecated: { since: '2020-01-01', sunset: '2021-01-01', afterSunset: 'gone' },
      }),
      new Callable({
        ...one,
        url: 'once',
        requestMethods: ['POST'],
        limits: [new RateLimit({ name: 'once', quota: 1, window: 60, by: () => 'all' })],
      }),
      new Callable({
        url: 'awaited',
        toCall: ({ authorizationData }) => authorizationData,
        authentication: new Later(),
        authorization: new Anns(),
        inBatches: false,
        limits: [limit('awaited', 9, 60)],
      }),
      new Callable({
        ...one,
        url: 'keyed',
        authentication: new Keyed(),
        inBatches: false,
        limits: [new RateLimit({ name: 'keyed', quota: 1, window: 36_000, store })],
      }),
      new Batch({ url: 'batch', wholeApplication: true, securityHeaders: [new Cors('https://app.example')] }),
    ],
  },
  everyPlatform,
);

contract('Who is refused may come again when no limit refuses any more', async ({ request, platform }) => {
  const ask = () => request().get('/two').set('x-who', `${platform} ann`);
  await ask().expect(200);
  await ask().expect(200);
  const { headers } = await ask().expect(429);
  expect([headers['ratelimit'], headers['retry-after']]).toEqual(['"short";r=0;t=30', '1800']);
  await request().get('/two').set('x-who', `${platform} ben`).expect(200);
});

contract(
  'A request that costs more than there ever is says nothing of what is left',
  async ({ request, platform }) => {
    const ask = (cost: number) => request().get(`/costly?c=${cost}`).set('x-who', `${platform} ann`);
    expect((await ask(1).expect(200)).headers['ratelimit']).toBe('"cost";r=3;t=15');
    const { headers } = await ask(5).expect(429);
    expect(headers).toMatchObject({ 'ratelimit-policy': '"cost";q=4;w=60', 'retry-after': '60' });
    expect(headers).not.toHaveProperty('ratelimit');
    expect((await ask(1).expect(200)).headers['ratelimit']).toMatch(/^"cost";r=2;t=(?:29|30)$/);
  },
);

contract(
  'An endpoint that is gone tells of its limits, and takes nothing of them',
  async ({ request, platform }) => {
    for (let times = 0; times < 12; times += 1) {
      const { headers } = await request().get('/gone').set('x-who', `${platform} ann`).expect(410);
      expect(headers['ratelimit-policy']).toBe('"gone";q=9;w=60');
      expect(headers).not.toHaveProperty('ratelimit');
    }
  },
);

contract(
  'Scripts of other origins may read when a part of their batch may come again',
  async ({ request }) => {
    const operation = { method: 'POST', path: '/once' };
    const { status, headers } = await request()
      .post('/batch')
      .set('Origin', 'https://app.example')
      .send({ operations: [operation, operation] });
    expect([status, headers['retry-after']]).toEqual([429, '60']);
    expect(headers['access-control-expose-headers']).toContain('Retry-After');
  },
);

contract('Limits or not, who promises to know a sender and their rights is waited for', async (subject) => {
  const { request, platform } = subject;
  const ask = () => request().get('/awaited').set('x-who', platform);
  expect((await ask().expect(401)).body.error).toBe('Not Authenticated');
  expect((await ask().set('x-name', 'ben').expect(403)).body.error).toBe('Not Authorized');
  const { body, headers } = await ask().set('x-name', 'ann').expect(200);
  expect([body.data, headers['ratelimit']]).toEqual([{ name: 'ann' }, expect.stringContaining('r=7')]);
});

contract('An identity without a subject is the id of its key', async ({ request, platform }) => {
  const seen: number[] = [];
  for (const key of ['a', 'a', 'b'])
    seen.push((await request().get('/keyed').set('x-key', `${platform} ${key}`)).status);
  expect(seen).toEqual([200, 429, 200]);
});

/** A limit counts for itself in each application. */
const keyed = (): ApplicationOptions => ({
  entities: library,
  endpoints: [
    new Callable({
      ...one,
      url: 'keyed',
      authentication: new Keyed(),
      limits: [new RateLimit({ quota: 1, window: 36_000 })],
    }),
  ],
});

const of = (platform: string) => everyPlatform.filter((combination) => combination.platform === platform);

const behindProxies = [
  service(
    { ...keyed(), configure: (app) => (app as NestExpressApplication).set('trust proxy', true) },
    of('express'),
  ),
  service(
    { ...keyed(), adapter: () => new FastifyAdapter({ ...endpointsFastifyOptions(), trustProxy: true }) },
    of('fastify'),
  ),
];

for (const { contract: behindProxy } of behindProxies)
  behindProxy('An identity without a subject and a key is the address', async ({ request }) => {
    const seen: number[] = [];
    for (const address of ['10.1.2.3', '10.1.2.4', '10.1.2.3'])
      seen.push((await request().get('/keyed').set('X-Forwarded-For', address)).status);
    expect(seen).toEqual([200, 200, 429]);
  });
