import { afterAll, beforeEach, describe, expect } from '@jest/globals';
import { IdempotencyRecord } from '@nest-endpoints/core';
import { MemoryLimits, RateLimit, type RateLimitOptions } from '@nest-endpoints/limits';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { clientError, failure } from '../support/answers.js';
import { everyPlatform, service } from '../support/contract.js';
import { operationAt } from '../support/documents.js';
import type { OpenApiDocument } from '@nest-endpoints/openapi';
import { failing, limitedEndpoints, Named, Parcel } from './limits.parcels.js';

/** Time stands still in a test, so that nothing comes back, and each test begins in another month. */
let now = 1e12;
beforeEach(() => {
  now += 40 * 86_400_000;
});

describe.each(['straight', 'platform'] as const)('On the %s road', (road) => {
  const named = new Named();
  const limit = (options: Partial<RateLimitOptions> = {}): RateLimit =>
    new RateLimit({
      quota: 2,
      window: 60,
      store: new MemoryLimits({ clock: { now: () => now } }),
      ...options,
    });
  const broken = limit({ store: failing });
  const { contract } = service(
    {
      entities: [Parcel, IdempotencyRecord],
      road,
      root: { limits: [limit({ name: 'all', quota: 1000, headers: 'none' })] },
      endpoints: limitedEndpoints(named, broken, limit),
    },
    everyPlatform,
  );

  contract('A request beyond the quota is a 429, which says when to come again', async ({ request }) => {
    const seen = [
      await request().get('/plain'),
      await request().get('/plain'),
      await request().get('/plain'),
    ];
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(seen[2]?.body).toEqual(clientError('Too Many Requests'));
    expect(seen.map(({ headers }) => [headers['ratelimit-policy'], headers['ratelimit']])).toEqual([
      ['"default";q=2;w=60', '"default";r=1;t=30'],
      ['"default";q=2;w=60', '"default";r=0;t=60'],
      ['"default";q=2;w=60', '"default";r=0;t=30'],
    ]);
    expect(seen[2]?.headers['retry-after']).toBe('30');
  });

  contract(
    'Limits add up; none clears them, an empty list does not; HealthChecks take none from others',
    async ({ request }) => {
      const own = await request().get('/added/own').expect(200);
      expect(own.headers).toMatchObject({
        'ratelimit-policy': '"group";q=3;w=60, "own";q=2;w=86400',
        ratelimit: expect.stringMatching(/^"own";r=1;t=\d+$/),
      });
      const exposed = String(own.headers['access-control-expose-headers']);
      expect(exposed).toBe('RateLimit-Policy, RateLimit, Retry-After');
      await request().get('/added/empty').expect(200);
      await request().get('/added/empty').expect(200);
      const refused = await request().get('/added/own').expect(429);
      expect(refused.headers['ratelimit']).toBe('"group";r=0;t=20');
      for (const path of ['/added/none', '/added/health', '/added/none', '/added/health'])
        expect((await request().get(path).expect(200)).headers).not.toHaveProperty('ratelimit-policy');
      await request().get('/watched').expect(200);
      await request().get('/watched').expect(429);
    },
  );

  contract('Of two limits with nothing left answers tell of the one that refuses', async ({ request }) => {
    const ask = () => request().get('/added/own');
    for (const left of [1, 0]) expect((await ask()).headers['ratelimit']).toMatch(`"own";r=${left};`);
    const refused = await ask().expect(429);
    expect(refused.headers['ratelimit']).toMatch(/^"own";r=0;t=\d+$/);
  });

  contract('An identity is issuer and subject, whatever its address', async ({ request }) => {
    const ask = (name: string) => request().get('/named').set('Authorization', `Name ${name}`);
    const seen = [];
    for (const name of ['a one', 'a one', 'a one', 'b one', 'a two']) seen.push((await ask(name)).status);
    expect(seen).toEqual([200, 200, 429, 200, 200]);
  });

  contract(
    'Strangers are counted by their address before anybody looks at their tokens',
    async ({ request }) => {
      named.asked = 0;
      const seen = [];
      for (const token of ['x', 'y', 'Name a one', 'Name a two'])
        seen.push((await request().get('/guarded').set('Authorization', token)).status);
      expect([seen, named.asked]).toEqual([[401, 401, 200, 429], 3]);
      const refused = await request().get('/guarded');
      expect(refused.headers['ratelimit']).toBe('"where";r=0;t=20');
    },
  );

  contract(
    'A refused write with an Idempotency-Key stores nothing; a replay and a 304 count',
    async ({ request, count, save }) => {
      const post = (key: string) =>
        request()
          .post('/parcels')
          .set({ Authorization: 'Name c one', 'Idempotency-Key': key })
          .send({ label: 'L' });
      expect((await post('one')).status).toBe(201);
      expect((await post('one')).headers['idempotency-replayed']).toBe('true');
      expect((await post('two')).status).toBe(429);
      expect([await count(Parcel), await count(IdempotencyRecord)]).toEqual([1, 1]);
      await save(Parcel, { label: 'M' });
      const { headers } = await request().get('/parcels/1').expect(200);
      const known = () => request().get('/parcels/1').set('If-None-Match', String(headers['etag']));
      expect((await known().expect(304)).headers['ratelimit']).toBe('"default";r=0;t=60');
      await known().expect(429);
    },
  );

  contract('X-RateLimit stands in the place of the draft where a limit says so', async ({ request }) => {
    expect((await request().get('/x')).headers).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'x-ratelimit-reset': '30',
    });
    expect((await request().get('/x')).headers).not.toHaveProperty('ratelimit');
    await request().get('/x-month').expect(200);
    expect(Number((await request().get('/x-month').expect(429)).headers['retry-after'])).toBeGreaterThan(60);
  });

  contract('A function says who is limited, and what a request costs', async ({ request }) => {
    const ask = (tenant: string, cost: number) =>
      request().get(`/costly?cost=${cost}`).set('X-Tenant', tenant);
    expect((await ask('a', 9)).headers['ratelimit']).toBe('"default";r=1;t=54');
    await ask('a', 2).expect(429);
    await ask('a', 0).expect(200);
    await ask('b'.repeat(5000), 11).expect(429);
    await ask('b'.repeat(5000), 10).expect(200);
    for (let times = 0; times < 12; times += 1) await request().get('/costly').expect(200);
    expect((await ask('c', -1)).body).toEqual(failure('Internal Server Error'));
  });

  contract(
    'HEAD and OPTIONS are not counted, and other methods where the limit is about them',
    async ({ request }) => {
      for (let times = 0; times < 3; times += 1) {
        await request().head('/added/own');
        await request().options('/added/own').expect(200);
        await request().get('/posted').expect(200);
      }
      expect((await request().post('/posted')).status).toBe(200);
      await request().post('/posted').expect(429);
    },
  );

  contract(
    'While its store fails, a limit lets requests pass, or refuses them where it says so',
    async ({ request, log }) => {
      const before = broken.failures;
      await request().get('/allowing').expect(200);
      await request().get('/allowing').expect(200);
      expect(broken.failures).toBe(before + 2);
      const refused = await request().get('/refusing').expect(503);
      expect(refused.headers['retry-after']).toBe('1');
      const begun = performance.now();
      await request().get('/waiting').expect(200);
      expect(performance.now() - begun).toBeLessThan(5000);
      expect(log.text('error').split('the store is away').length).toBeLessThanOrEqual(3);
    },
  );

  contract(
    'Each operation of a Batch takes of its own limits, and the Batch of its own',
    async ({ request }) => {
      const part = { method: 'GET', path: '/parts/one' };
      const batch = (...operations: object[]) => request().post('/parts/batch').send({ operations });
      const first = await batch(part).expect(200);
      expect(first.headers['ratelimit']).toBe('"whole";r=8;t=7');
      const refused = await batch(part, part);
      expect([refused.status, refused.body]).toEqual([429, clientError('operations.1: Too Many Requests')]);
      expect(refused.headers['ratelimit']).toBe('"whole";r=7;t=14');
    },
  );

  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterAll(() => {
    agent.destroy();
  });

  contract(
    'A 429 is sent before the body is read, and the connection serves on',
    async ({ url, request }) => {
      const send = (
        body: Buffer,
        path = '/plain',
      ): Promise<{ readonly response: IncomingMessage; readonly socket: unknown }> =>
        new Promise((resolve, reject) => {
          const headers = { 'content-type': 'application/json', 'content-length': body.length };
          const sent = httpRequest(new URL(path, url), { method: 'POST', agent, headers }, (response) => {
            response.resume().once('end', () => {
              resolve({ response, socket });
            });
          });
          let socket: unknown;
          sent.once('socket', (one) => {
            socket = one;
          });
          sent.once('error', reject).end(body);
        });
      await request().get('/plain');
      await request().get('/plain');
      const refused = await send(Buffer.alloc(5 * 1024 * 1024, 32));
      expect([refused.response.statusCode, refused.response.headers.connection]).toEqual([429, 'keep-alive']);
      const next = await send(Buffer.from('{}'), '/posted');
      expect([next.response.statusCode, next.socket === refused.socket]).toEqual([200, true]);

      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST /plain HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
      );
      const text = await new Promise<string>((resolve) => {
        socket.once('data', (chunk) => {
          resolve(chunk.toString());
        });
      });
      expect(text).toContain('429');
      socket.destroy();
    },
  );

  contract('A body that a limit lets in is read and judged as ever', async ({ request, count }) => {
    const post = (body: string) =>
      request()
        .post('/parcels')
        .set({ Authorization: 'Name d one', 'Content-Type': 'application/json' })
        .send(body);
    expect((await post('{"label":"kept"}')).status).toBe(201);
    expect((await post('{')).body).toEqual(clientError('The request body is not valid JSON'));
    expect((await post('{}')).status).toBe(429);
    expect(await count(Parcel)).toBe(1);
  });

  contract('Documents say which endpoints have limits', async ({ request }) => {
    const document = (await request().get('/schema')).body as OpenApiDocument;
    const { responses } = operationAt(document, 'get', '/plain');
    expect(responses['429']).toMatchObject({ headers: { 'Retry-After': {}, RateLimit: {} } });
    expect(operationAt(document, 'get', '/added/none').responses).not.toHaveProperty('429');
  });

  contract('Documents tell of the headers that answers tell of limits by', async ({ request }) => {
    const document = (await request().get('/schema')).body as OpenApiDocument;
    const limited = (headers: object): string[] =>
      Object.keys(headers)
        .map((name) => name.toLowerCase())
        .filter((name) => /ratelimit|retry/.test(name))
        .sort();
    for (const [method, path, statuses] of [
      ['get', '/told/draft', [200, 429]],
      ['get', '/told/x', [200, 429]],
      ['get', '/told/none', [200, 429]],
      ['post', '/told/parcels', [201]],
    ] as const)
      for (const status of statuses) {
        const { headers } = await request()[method](path).send({ label: 'one' }).expect(status);
        const told = operationAt(document, method, path).responses[status]?.headers ?? {};
        expect([path, status, limited(told)]).toEqual([path, status, limited(headers)]);
      }
  });
});
