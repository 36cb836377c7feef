import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Batch,
  Callable,
  EndpointGroup,
  Get,
  HealthCheck,
  type LimitContext,
  type LimitKey,
} from '@nest-endpoints/core';
import {
  FlexibleLimits,
  MemoryLimits,
  PostgresLimits,
  RateLimit,
  type ConnectedManager,
} from '@nest-endpoints/limits';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { startApplication, startUpError } from '../support/application.js';
import { hasRedis, startRedis, type RedisServer } from '../support/redis.js';

const Crate = defineEntity({ name: 'Crate', properties: { id: p.integer().primary() } });

const context = { method: 'GET' } as LimitContext;
const who = (text: string): LimitKey => ({ kind: 'identity', text });
const error = (options: object): string => {
  try {
    return new RateLimit({ quota: 10, window: 60, ...options }).name;
  } catch (thrown) {
    return String(thrown);
  }
};

test('Options of a limit that are wrong, or contradict each other, stop the start', () => {
  for (const [options, message] of [
    [{ quota: 0 }, 'quota: 0 is not allowed'],
    [{ quota: 1e10 }, 'quota: 10000000000 is not allowed'],
    [{ quota: undefined }, 'quota: is required'],
    [{ window: 0 }, 'window: 0 is not allowed'],
    [{ window: 'week' }, "window: 'week' is not allowed"],
    [{ name: 'a b' }, "name: 'a b' is not allowed"],
    [{ name: 'x'.repeat(41) }, 'name: '],
    [{ by: 'header' }, "by: 'header' is not allowed"],
    [{ addressPrefix: 129 }, 'addressPrefix: 129 is not allowed'],
    [{ cost: -1 }, 'cost: -1 is not allowed'],
    [{ methods: ['OPTIONS'] }, "methods: entry 1: 'OPTIONS' is unknown"],
    [{ lease: 6 }, 'lease: 6 is more than half of the quota, 10'],
    [{ onStoreFailure: 'ignore' }, "onStoreFailure: 'ignore' is unknown"],
    [{ headers: 'all' }, "headers: 'all' is unknown"],
    [{ store: {} }, 'store: '],
    [{ quotas: 1 }, 'quotas: is no option here (did you mean'],
    [
      { quota: 1_000_000, window: 1, store: new PostgresLimits(() => never()) },
      'store: PostgresLimits counts at most 100000 requests a second',
    ],
    [
      { store: new FlexibleLimits({ points: 5, duration: 60, consume: () => never() }) },
      'store: the limiter has points 5 and duration 60; allowed: quota 5, window 60',
    ],
  ] as const)
    expect(error(options)).toContain(message);
});

const never = (): never => {
  throw new Error('nobody calls it');
};

test('Two limits of one name that add up stop the start; what is no limit does, too', async () => {
  const limit = new RateLimit({ quota: 1, window: 1 });
  const endpoint = new Callable({ url: 'x', toCall: () => 1, limits: [limit] });
  const twice = new EndpointGroup({ limits: [limit], endpoints: [endpoint] });
  expect(await startUpError({ entities: [], endpoints: [twice] })).toBe(
    "Callable 'x': limits: two limits that add up have the name 'default'",
  );
  expect(() => new Callable({ toCall: () => 1, limits: ['all'] as never })).toThrow('limits: entry 1');
});

test('A quota comes back bit by bit, a calendar’s at once, at the end of a month of any length', () => {
  let now = Date.UTC(2027, 0, 31, 23, 59, 59, 999);
  const store = new MemoryLimits({ clock: { now: () => now } });
  const month = new RateLimit({ name: 'month', quota: 1, window: 'month', store });
  const minute = new RateLimit({ name: 'minute', quota: 4, window: 60, store });
  const take = (limit: RateLimit) => limit.take(who('a'), context);
  expect([take(month), take(month)]).toEqual([
    { allowed: true, remaining: 0, reset: 0.001, retryAfter: 0 },
    { allowed: false, remaining: 0, reset: 0.001, retryAfter: 0.001 },
  ]);
  now += 1;
  expect(take(month)).toMatchObject({ allowed: true, reset: 28 * 86_400 });
  for (let times = 0; times < 4; times += 1) expect(take(minute)).toMatchObject({ allowed: true });
  expect(take(minute)).toMatchObject({ allowed: false, retryAfter: 15 });
  now += 15_000;
  expect([take(minute), take(minute)]).toMatchObject([{ allowed: true }, { allowed: false }]);
});

test('Memory keeps a bounded number of keys, of which the oldest goes', () => {
  const store = new MemoryLimits({ maximumKeys: 3, clock: { now: () => 0 } });
  const limit = new RateLimit({ quota: 1, window: 60, store });
  const passes = (key: string) => Object(limit.take(who(key), context)).allowed as boolean;
  expect(['a', 'b', 'c', 'a', 'd'].map(passes)).toEqual([true, true, true, false, true]);
  expect([store.size, passes('a'), passes('b')]).toEqual([3, false, true]);
  const usual = new MemoryLimits();
  const many = new RateLimit({ quota: 1, window: 60, store: usual });
  for (let index = 0; index < 100_010; index += 1) void many.take(who(`k${index}`), context);
  expect(usual.size).toBe(100_000);
});

test('An IPv6 client has its whole network, an IPv4 one its address, however it is written', () => {
  const areOne = (addressPrefix: number, ...addresses: readonly string[]): boolean => {
    const limit = new RateLimit({ quota: 1, window: 60, by: 'address', addressPrefix });
    const [, second] = addresses.map((text) => limit.take({ kind: 'address', text }, context));
    return Object(second).allowed === false;
  };
  for (const [one, other, prefix, expected] of [
    ['2001:db8:1:2:aaaa::1', '2001:DB8:1:2:bbbb:cccc:dddd:eeee', 64, true],
    ['2001:db8:1:2::', '2001:db8:1:3::', 64, false],
    ['2001:db8:1:2::', '2001:db8:1:3::', 60, true],
    ['2001:db8:1:2::', '2001:db8:1:13::', 60, false],
    ['::1', '::2', 128, false],
    ['fe80::1%eth0', 'fe80::1%eth1', 128, true],
    ['::ffff:192.0.2.1', '192.0.2.1', 64, true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', 64, false],
    ['::ffff:c000:201', '192.0.2.1', 64, true],
    ['0:0:0:0:0:FFFF:C000:0201', '::ffff:192.0.2.2', 64, false],
    ['192.0.2.1', '192.0.2.2', 1, false],
    ['192.0.2.1:4711', '192.0.2.1:4712', 64, true],
    ['192.0.2.1:4711', '192.0.2.1', 64, true],
    ['[::ffff:192.0.2.1]:4711', '192.0.2.1', 64, true],
    ['[2001:db8:1:2::5]:443', '2001:db8:1:2::6', 64, true],
    ['[2001:db8:1:2::5]', '[2001:db8:1:3::5]:1', 64, false],
  ] as const)
    expect([one, other, areOne(prefix, one, other)]).toEqual([one, other, expected]);
});

test('In production, counts of one process and addresses behind an unknown proxy are warned of', async () => {
  const { NODE_ENV: before } = process.env;
  process.env['NODE_ENV'] = 'production';
  const endpoints = [
    new Callable({ url: 'x', toCall: () => 1, limits: [new RateLimit({ quota: 1, window: 1 })] }),
    new HealthCheck({ url: 'health' }),
  ];
  try {
    const app = await startApplication('express', 'sqlite', { entities: [Crate], endpoints });
    expect(app.startLog).toContain('Counts of rate limits are good in this process only');
    expect(app.startLog).toContain("The limit 'default' counts by addresses, and no proxy is trusted");
    await app.close();
  } finally {
    process.env['NODE_ENV'] = before;
  }
});

test('Limits of one name and one store that allow different numbers are warned of at the start', async () => {
  const shared = new MemoryLimits();
  const told = async (...limits: readonly RateLimit[]): Promise<string[]> => {
    const endpoints = limits.map(
      (limit, index) => new Callable({ url: `x${index}`, toCall: () => 1, limits: [limit] }),
    );
    const app = await startApplication('fastify', 'sqlite', { entities: [Crate], endpoints });
    await app.close();
    return [...app.startLog.matchAll(/^warn (Limits of .* of its own)/gm)].map(([, line = '']) => line);
  };
  const minute = { quota: 100, window: 60 };
  const few = { quota: 5, window: 60 };
  const expected =
    "Limits of the name 'default' count in one store, and allow different numbers (100 in 60 s, 5 in 60 s): " +
    'a request to one takes of the other; give each a name of its own';
  const inDatabase = (): PostgresLimits => new PostgresLimits(() => never());
  expect(
    await told(new RateLimit({ ...minute, store: shared }), new RateLimit({ ...few, store: shared })),
  ).toEqual([expected]);
  expect(
    await told(
      new RateLimit({ ...minute, store: inDatabase() }),
      new RateLimit({ ...few, store: inDatabase() }),
      new RateLimit({ quota: 1, window: 'month', store: inDatabase() }),
    ),
  ).toEqual([expected]);
  expect(await told(new RateLimit(minute), new RateLimit(few))).toEqual([]);
  expect(
    await told(
      new RateLimit({ ...minute, store: shared }),
      new RateLimit({ ...few, name: 'few', store: shared }),
      new RateLimit({ ...minute, store: shared }),
    ),
  ).toEqual([]);
});

test('On PGlite counts are in the memory of its process, so that operations of a Batch are counted, too', async () => {
  const known: ConnectedManager[] = [];
  const store = new PostgresLimits(() => known[0] ?? never());
  const limit = new RateLimit({
    quota: 9,
    window: 36_000,
    store,
    onStoreFailure: 'refuse',
    storeTimeout: 5000,
  });
  const app = await startApplication('fastify', 'pglite', {
    entities: [Crate],
    endpoints: [
      new Get({ modelClass: Crate, url: 'crates/:id', readableColumnNames: ['id'], limits: [limit] }),
      new Batch({ url: 'batch', wholeApplication: true }),
    ],
  });
  known.push(app.orm.em);
  await app.em().insert(Crate, { id: 1 });
  const part = { method: 'GET', path: '/crates/1' };
  await app
    .request()
    .post('/batch')
    .send({ operations: [part, part, part] })
    .expect(200);
  expect((await app.request().get('/crates/1')).headers['ratelimit']).toMatch(/^"default";r=5;/);
  await app.close();
});

(hasRedis ? describe : describe.skip)('With a Redis', () => {
  let server: RedisServer;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.path, { maxRetriesPerRequest: 0, enableOfflineQueue: true });
    client.on('error', () => undefined);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  test('A limiter of rate-limiter-flexible counts, and what it says is in the verdict', async () => {
    const limiter = new RateLimiterRedis({ storeClient: client, points: 2, duration: 600 });
    const store = new FlexibleLimits(limiter);
    const limits = [1, 2].map(
      () => new RateLimit({ quota: 2, window: 600, store, storeTimeout: 5000, onStoreFailure: 'refuse' }),
    );
    const verdicts = [];
    for (const index of [0, 1, 0, 1]) verdicts.push(await limits[index]?.take(who('a'), context));
    expect(verdicts).toMatchObject([
      { allowed: true, remaining: 1 },
      { allowed: true, remaining: 0 },
      { allowed: false, remaining: 0 },
      { allowed: false },
    ]);
    expect(Object(verdicts[2]).retryAfter).toBeGreaterThan(500);
    client.disconnect();
    expect(await limits[0]?.take(who('b'), context)).toMatchObject({ allowed: 'unknown' });
  });
});
