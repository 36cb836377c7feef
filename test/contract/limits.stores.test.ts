import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Batch,
  Callable,
  Create,
  EndpointGroup,
  Get,
  type LimitContext,
  type LimitKey,
} from '@nest-endpoints/core';
import {
  PostgresLimits,
  RateLimit,
  type LimitWindow,
  type RateLimitOptions,
  type Taken,
} from '@nest-endpoints/limits';
import { once, service, type Subject } from '../support/contract.js';
import { CountedStore } from './limits.parcels.js';

const Crate = defineEntity({
  name: 'Crate',
  properties: { id: p.integer().primary().autoincrement(), label: p.string() },
});

let em: Subject['orm']['em'] | undefined;
const own = new PostgresLimits(() => {
  if (em === undefined) throw new Error('there is no entity manager yet');
  return em;
});
const limit = (name: string, quota: number): RateLimit =>
  new RateLimit({ name, quota, window: 3600, store: own, storeTimeout: 60_000 });

const { contract } = service(
  {
    entities: [Crate],
    endpoints: [
      new EndpointGroup({
        limits: [limit('group', 100)],
        endpoints: [
          new Callable({ url: 'both', limits: [limit('own', 1)], toCall: () => 1 }),
          new Create({
            modelClass: Crate,
            url: 'failing',
            readableColumnNames: ['id'],
            writeableColumnNames: ['label'],
            afterSave: () => {
              throw new Error('it rolls back');
            },
          }),
          new Get({ modelClass: Crate, url: 'crates/:id', readableColumnNames: ['label'] }),
          new Batch({ url: 'batch', limits: 'none' }),
        ],
      }),
    ],
  },
  once,
);

const context = { method: 'GET' } as LimitContext;
const sender: LimitKey = { kind: 'identity', text: 'one' };

/** Several processes of a service, each with a store and connections of its own, on one database. */
const processes = (subject: Subject, options: Omit<RateLimitOptions, 'store'>, count = 4): RateLimit[] =>
  Array.from({ length: count }, () => {
    const store = new PostgresLimits(subject.orm.em);
    return new RateLimit({ ...options, store, storeTimeout: 60_000 });
  });

const closed = async (limits: readonly (RateLimit | undefined)[]): Promise<void> => {
  for (const one of limits) await one?.close();
};

const allowedOf = async (
  limits: readonly (RateLimit | undefined)[],
  requests: number,
  key = sender,
): Promise<number> => {
  const verdicts = await Promise.all(
    Array.from({ length: requests }, async (_, index) => limits[index % limits.length]?.take(key, context)),
  );
  return verdicts.filter((verdict) => verdict?.allowed === true).length;
};

const emptied = async (subject: Subject): Promise<void> => {
  em = subject.orm.em;
  await own.close();
  await subject.em().getConnection().execute('drop table if exists limit_record');
};

contract(
  'Four processes and 10,000 requests: exactly the quota passes in the first instant',
  async (subject) => {
    await emptied(subject);
    const limits = processes(subject, { name: 'hour', quota: 100, window: 36_000 });
    expect(await allowedOf(limits, 10_000)).toBe(100);
    expect(await allowedOf(limits, 8)).toBe(0);
    const month = processes(subject, { name: 'month', quota: 100, window: 'month' });
    expect(await allowedOf(month, 10_000)).toBe(100);
    await closed([...limits, ...month]);
  },
);

contract(
  'With a lease no more than the quota passes, and requests with one in hand ask nobody',
  async (subject) => {
    await emptied(subject);
    const limits = processes(subject, { name: 'leased', quota: 100, window: 36_000, lease: 10 });
    const passed = await allowedOf(limits, 10_000);
    expect(passed).toBeLessThanOrEqual(100);
    expect(passed).toBeGreaterThan(100 - 4 * 11);
    let asked = 0;
    const counting = {
      isInProcess: false,
      take: (): Promise<Taken> => {
        asked += 1;
        return Promise.resolve({ allowed: true, remaining: 50, reset: 1, retryAfter: 0 });
      },
    };
    const leased = new RateLimit({ quota: 100, window: 36_000, lease: 4, store: counting });
    for (let times = 0; times < 10; times += 1) await leased.take(sender, context);
    expect(asked).toBe(2);
    await closed(limits);
  },
);

contract('A lease melts as the quota comes back: nothing of it is there twice', async () => {
  const store = new CountedStore();
  const of = (name: string, window: LimitWindow) =>
    new RateLimit({ name, quota: 100, window, lease: 50, store });
  const { now } = performance;
  const begun = performance.now();
  let passed = 0;
  performance.now = () => begun + passed * 1000;
  try {
    const smooth = [of('minute', 60), of('minute', 60)];
    expect(await allowedOf(smooth.slice(0, 1), 1)).toBe(1);
    passed = 29.9;
    expect(await allowedOf(smooth.toReversed(), 400)).toBe(99);
    const [melting, calendar] = [of('melting', 60), of('calendar', 'month')];
    await allowedOf([melting, calendar], 2);
    passed += 14.7;
    store.asked = 0;
    expect([await allowedOf([melting], 26), store.asked]).toEqual([26, 0]);
    expect([await allowedOf([melting], 1), store.asked]).toEqual([1, 1]);
    // All of a month’s quota comes back at its end.
    expect([await allowedOf([calendar], 50), store.asked]).toEqual([50, 1]);
  } finally {
    performance.now = now;
  }
});

contract('With a lease requests of several costs miss no more of the quota than one lease', async () => {
  const store = new CountedStore();
  const costs = { lease: 10, quota: 100, window: 'month', store } as const;
  for (const sent of [
    [1, 1, 10],
    [4, 7],
  ]) {
    let [index, passed] = [0, 0];
    const cost = (): number => sent[index % sent.length] ?? 1;
    const limit = new RateLimit({ ...costs, name: `of-${sent.join('-')}`, cost });
    for (; (await allowedOf([limit], 1)) === 1; index += 1) passed += cost();
    expect(passed).toBeLessThanOrEqual(100);
    const rest = new RateLimit({ ...costs, name: limit.name, lease: 0 });
    expect(passed + (await allowedOf([rest], 100))).toBeGreaterThanOrEqual(90);
  }
});

contract('Time is the database’s: a process whose clock is off counts as others do', async (subject) => {
  await emptied(subject);
  const [right, wrong] = processes(subject, { name: 'clock', quota: 4, window: 36_000 }, 2);
  const { now } = Date;
  try {
    Date.now = () => now() + 300_000;
    expect(await allowedOf([wrong], 3)).toBe(3);
    Date.now = () => now() - 300_000;
    expect(await allowedOf([wrong, right], 4)).toBe(1);
  } finally {
    Date.now = now;
  }
  await closed([right, wrong]);
});

contract(
  'No identity is kept in the table, and several limits are rows of one statement',
  async (subject) => {
    await emptied(subject);
    const first = await subject.request().get('/both').expect(200);
    expect(first.headers['ratelimit-policy']).toBe('"group";q=100;w=3600, "own";q=1;w=3600');
    await subject.request().get('/both').expect(429);
    const rows = await subject
      .em()
      .getConnection()
      .execute("select encode(key, 'hex') as key, xmin::text as xmin, allowed from limit_record");
    expect(rows).toHaveLength(2);
    expect(new Set(rows.map(({ xmin }: { xmin: string }) => xmin)).size).toBe(1);
    expect(rows.every(({ key }: { key: string }) => /^[\da-f]{64}$/.test(key))).toBe(true);
    expect(rows.map(({ allowed }: { allowed: boolean }) => allowed).toSorted()).toEqual([false, true]);
  },
);

contract('A request is counted even where it rolls back, and operations of a Batch are', async (subject) => {
  await emptied(subject);
  await subject.save(Crate, { label: 'L' });
  const failed = await subject.request().post('/failing').send({ label: 'M' }).expect(500);
  expect(failed.headers['ratelimit']).toMatch(/^"group";r=99;/);
  expect(await subject.count(Crate)).toBe(1);
  const part = { method: 'GET', path: '/crates/1' };
  await subject
    .request()
    .post('/batch')
    .send({ operations: [part, part, part] })
    .expect(200);
  const next = await subject.request().get('/crates/1').expect(200);
  expect(next.headers['ratelimit']).toMatch(/^"group";r=95;/);
});

contract(
  'A store that stops in the middle lets requests pass in time, and counts again when it is back',
  async (subject) => {
    await emptied(subject);
    const [one] = processes(subject, { name: 'stopped', quota: 1, window: 36_000 }, 1);
    expect(await allowedOf([one], 1)).toBe(1);
    await subject.em().getConnection().execute('alter table limit_record rename column tat to gone');
    const refusing = new RateLimit({
      quota: 1,
      window: 1,
      onStoreFailure: 'refuse',
      store: new PostgresLimits(subject.orm.em),
    });
    expect(await Promise.all([one?.take(sender, context), refusing.take(sender, context)])).toEqual([
      undefined,
      { allowed: 'unknown', remaining: 0, reset: 0, retryAfter: 1 },
    ]);
    await subject.em().getConnection().execute('alter table limit_record rename column gone to tat');
    expect(await allowedOf([one], 1)).toBe(0);
    await closed([one, refusing]);
  },
);
