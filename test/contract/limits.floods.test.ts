import { setImmediate } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import type { LimitContext, LimitKey } from '@nest-endpoints/core';
import { PostgresLimits, RateLimit, type RateLimitOptions, type Taken } from '@nest-endpoints/limits';
import { once, service, type Subject } from '../support/contract.js';
import { heldUp } from '../support/waits.js';
import { CountedStore } from './limits.parcels.js';

const Barrel = defineEntity({
  name: 'Barrel',
  properties: { id: p.integer().primary().autoincrement() },
});

const { contract } = service({ entities: [Barrel], endpoints: [] }, once);

interface Pool {
  readonly options: object;
  query(query: object): Promise<unknown>;
  end(): Promise<void>;
}

const context = { method: 'GET' } as LimitContext;
const sender = (text: string): LimitKey => ({ kind: 'identity', text });

/** A limit of a database whose connections are open, in a process whose code is warm. */
const ready = async (subject: Subject, options: Omit<RateLimitOptions, 'store'>): Promise<RateLimit> => {
  const limit = new RateLimit({ ...options, store: new PostgresLimits(subject.orm.em) });
  await limit.open();
  for (let times = 0; times < 3; times += 1) await flood(limit, `warm ${times}`, 5000);
  return limit;
};

/** The number of verdicts of each sort. */
const flood = async (limit: RateLimit, text: string, requests: number): Promise<Record<string, number>> => {
  const asked = Array.from({ length: requests }, async () => limit.take(sender(text), context));
  const sorts: Record<string, number> = {};
  for (const verdict of await Promise.all(asked)) {
    const sort = verdict === undefined ? 'uncounted' : verdict.allowed === true ? 'allowed' : 'refused';
    sorts[sort] = (sorts[sort] ?? 0) + 1;
  }
  return sorts;
};

contract(
  '5000 requests of one sender at once: the quota passes, and all others are refused',
  async (subject) => {
    // A machine that has no time for this process keeps an answer from being in time.
    const patient = { quota: 5, storeTimeout: 60_000 };
    const smooth = await ready(subject, { name: 'flood', window: 36_000, ...patient });
    const month = await ready(subject, { name: 'month', window: 'month', ...patient });
    for (const limit of [smooth, month]) {
      for (let round = 0; round < 10; round += 1)
        expect(await flood(limit, `round ${round}`, 5000)).toEqual({ allowed: 5, refused: 4995 });
      await limit.close();
    }
  },
);

contract(
  '5000 requests of one sender at once are two statements, whatever is left of the quota',
  async (subject) => {
    const pool = (await subject.orm.em.getConnection().getNativeClient()) as Pool;
    let statements = 0;
    class CountingPool extends (pool.constructor as new (options: object) => Pool) {
      override query(query: object): Promise<unknown> {
        statements += 1;
        return super.query(query);
      }
    }
    const counting = new CountingPool(pool.options);
    const store = new PostgresLimits({
      getConnection: () => ({ getNativeClient: () => Promise.resolve(counting) }),
    });
    const limit = new RateLimit({ name: 'two', quota: 5, window: 36_000, store, storeTimeout: 60_000 });
    await limit.open();
    for (const [taken, expected] of [
      [0, { allowed: 5, refused: 4995 }],
      [3, { allowed: 2, refused: 4998 }],
      [5, { refused: 5000 }],
    ] as const) {
      await flood(limit, `after ${taken}`, taken);
      statements = 0;
      expect(await flood(limit, `after ${taken}`, 5000)).toEqual(expected);
      expect([1, 2]).toContain(statements);
    }
    await limit.close();
    await counting.end();
  },
);

contract('A flood of a limit with a lease asks the store once for all who are refused', async () => {
  const store = new CountedStore();
  const leased = new RateLimit({ quota: 20, window: 36_000, lease: 4, store, storeTimeout: 60_000 });
  expect(await flood(leased, 'one', 20)).toEqual({ allowed: 20 });
  store.asked = 0;
  expect(await flood(leased, 'one', 1000)).toEqual({ refused: 1000 });
  // With the lease, and without.
  expect(store.asked).toBe(2);
});

contract(
  'A flood of several costs: no more than the quota passes, and nobody is uncounted',
  async (subject) => {
    let cost = 0;
    const costs = () => ((cost += 1), 1 + (cost % 7));
    const limit = await ready(subject, {
      name: 'costs',
      quota: 30,
      window: 36_000,
      cost: costs,
      storeTimeout: 60_000,
    });
    const { allowed = 0, refused = 0, uncounted } = await flood(limit, 'one', 3000);
    expect([allowed + refused, uncounted]).toEqual([3000, undefined]);
    expect(allowed).toBeLessThanOrEqual(30);
    await limit.close();
  },
);

contract('Requests that nobody waits for any more are not counted, nor kept', async (subject) => {
  const store = new PostgresLimits(subject.orm.em);
  const limit = new RateLimit({ name: 'late', quota: 100, window: 'month', store });
  const patient = new RateLimit({ name: 'late', quota: 100, window: 'month', store, storeTimeout: 60_000 });
  await patient.take(sender('one'), context);
  const rejected: unknown[] = [];
  const locking = subject.em().fork();
  await locking.transactional(async (own) => {
    await own
      .getConnection()
      .execute('lock table limit_record in access exclusive mode', [], 'run', own.getTransactionContext());
    // Each connection has a statement that waits.
    const held = [limit.take(sender('one'), context)];
    await heldUp(subject);
    held.push(limit.take(sender('two'), context));
    const waiting = Array.from({ length: 10 }, async () => limit.take(sender('one'), context));
    expect(new Set(await Promise.all([...held, ...waiting]))).toEqual(new Set([undefined]));
    const take = { key: 'gone', quota: 5, window: 60, cost: 1, until: performance.now() };
    for (let times = 0; times < 5000; times += 1)
      void Promise.resolve(store.take(take)).catch((error: unknown) => rejected.push(error));
    await setImmediate();
    expect(rejected.length).toBeGreaterThan(3000);
  });
  const after = await patient.take(sender('one'), context);
  expect(after?.remaining).toBe(97);
  await store.close();
});

contract(
  'With a lease, those who wait for a store that never answers do not wait for each other',
  async () => {
    let asked = 0;
    const store = {
      isInProcess: false,
      take: (): Promise<Taken> => {
        asked += 1;
        const taken = { allowed: true, remaining: 5, reset: 60, retryAfter: 0 };
        return asked === 1 ? new Promise<never>(() => undefined) : Promise.resolve(taken);
      },
    };
    const limit = new RateLimit({ quota: 10, window: 60, lease: 4, store });
    expect(await flood(limit, 'one', 2)).toEqual({ uncounted: 2 });
    expect(await flood(limit, 'one', 1)).toEqual({ allowed: 1 });
  },
);
