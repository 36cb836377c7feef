import { createHash } from 'node:crypto';
import { ConfigurationError } from '@nest-endpoints/core';
import { limitStatement, limitTable, sweepStatement, sweptRows } from './limit.statement.js';
import type { LimitStore, Take, Taken } from './limit.store.js';
import { MemoryLimits } from './memory.limits.js';
import { connections, PostgresConnection, type ConnectedManager, type Row } from './postgres.connection.js';
import { smoothCount } from './smooth.count.js';
import { WaitingTakes, type AskedTogether } from './waiting.takes.js';

/** The time between two sweeps, in milliseconds. */
const sweepPeriod = 60_000;

/** Counts of a PGlite: it is one process's, and its one session may be in a transaction that waits for the count. */
const counts = new WeakMap<object, MemoryLimits>();

/** SQLSTATE of a table that is not there. */
const unknownTable = '42P01';

/** The most requests a second of a smooth limit: a timestamp tells microseconds. */
const mostPerSecond = 100_000;

/**
 * Counts in the PostgreSQL of an entity manager, for all processes of a service: by its clock, in transactions of their own,
 * with one statement for all that is asked at the same time. Identities are kept as digests. With PGlite, which one process has,
 * counts are in the memory of that.
 *
 * @example new RateLimit({ quota: 100, window: 60, store: new PostgresLimits(() => orm.em) })
 */
export class PostgresLimits implements LimitStore {
  readonly isInProcess = false;
  readonly #connection: PostgresConnection;
  readonly #waiting = new WaitingTakes();
  #running = 0;
  #isCalled = false;
  #opening: Promise<unknown> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param em the entity manager of MikroORM, or a function that gives it when it is first asked for */
  constructor(em: ConnectedManager | (() => ConnectedManager)) {
    if ((typeof em as unknown) !== 'function' && (typeof em !== 'object' || (em as unknown) === null))
      throw new ConfigurationError(
        'PostgresLimits',
        'em',
        'is no entity manager, and no function that gives one',
      );
    this.#connection = new PostgresConnection(em);
  }

  misfit({ quota, window }: Pick<Take, 'quota' | 'window'>): string | undefined {
    if (typeof window !== 'number' || quota / window <= mostPerSecond) return undefined;
    return `PostgresLimits counts at most ${mostPerSecond} requests a second, not ${quota / window}`;
  }

  take(take: Take): Promise<Taken> {
    return new Promise((resolve, reject) => {
      this.#waiting.add([{ take, resolve, reject }]);
      this.#call();
    });
  }

  /** Connects, and makes the table where it is not there and may be made. */
  async open(): Promise<void> {
    await (this.#opening ??= this.#prepare());
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#connection.close();
  }

  async #prepare(): Promise<void> {
    if ((await this.#connection.pglite()) === undefined) await this.#connection.rows(limitTable, []);
  }

  /** All limits of a request ask in one turn, and then one statement is sent for them. */
  #call(): void {
    if (this.#isCalled || this.#running >= connections || this.#waiting.isEmpty) return;
    this.#isCalled = true;
    queueMicrotask(() => {
      this.#isCalled = false;
      if (this.#waiting.isEmpty || this.#running >= connections) return;
      const asked = this.#waiting.next();
      if (asked.length === 0) return;
      this.#running += 1;
      void this.#count(asked).finally(() => {
        this.#running -= 1;
        this.#waiting.counted(asked);
        this.#call();
      });
      this.#call();
    });
  }

  async #count(asked: readonly AskedTogether[]): Promise<void> {
    try {
      const pglite = await this.#connection.pglite();
      if (pglite !== undefined) {
        countInMemory(pglite, asked);
        return;
      }
      const rows = await this.#rows(asked.map(rowOf));
      const byKey = new Map(rows.map((row) => [String(row['key']), row]));
      for (const one of asked) this.#tell(one, byKey.get(digestOf(one.take.key)));
    } catch (error) {
      for (const { waiting } of asked) for (const { reject } of waiting) reject(error);
    }
  }

  /**
   * Tells the outcome. Where not all fit, as many as do are asked for again, and the others are refused. All those for which
   * nothing is left are, too, however many wait.
   */
  #tell({ take, waiting }: AskedTogether, row: Row | undefined): void {
    if (row === undefined) throw new Error('The database has not counted a request');
    const taken = takenOf(take, row, row['allowed'] === true);
    const fitting = Math.min(Math.floor(taken.remaining / take.cost), waiting.length - 1);
    const again = taken.allowed ? 0 : fitting;
    const left = taken.remaining - again * take.cost;
    const beyond = this.#waiting.beyond(take, taken.allowed ? left : Math.min(left, take.cost - 1));
    if (taken.allowed)
      for (const [index, { resolve }] of waiting.entries())
        resolve({ ...taken, remaining: taken.remaining + (waiting.length - 1 - index) * take.cost });
    for (const { take: own, resolve } of [...(taken.allowed ? [] : waiting.slice(again)), ...beyond])
      resolve(takenOf(own, row, false, again * take.cost));
    this.#waiting.add(waiting.slice(0, again));
  }

  async #rows(given: readonly AskedRow[]): Promise<readonly Row[]> {
    const columns = [0, 1, 2, 3, 4, 5].map((index) => given.map((row) => row[index]));
    this.#timer ??= setInterval(() => void this.#sweep(), sweepPeriod).unref();
    try {
      return await this.#connection.rows(limitStatement, columns, 'nest_endpoints_limits');
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== unknownTable) throw error;
      await this.#connection.rows(limitTable, []);
      return await this.#connection.rows(limitStatement, columns, 'nest_endpoints_limits');
    }
  }

  /** Deletes what is over. A sweep that fails is tried again with the next one. */
  async #sweep(): Promise<void> {
    try {
      while ((await this.#connection.rows(sweepStatement, [])).length === sweptRows);
    } catch {
      return;
    }
  }
}

function countInMemory(pglite: object, asked: readonly AskedTogether[]): void {
  const memory = counts.get(pglite) ?? new MemoryLimits();
  counts.set(pglite, memory);
  for (const { waiting } of asked) for (const { take, resolve } of waiting) resolve(memory.take(take));
}

type AskedRow = readonly [key: string, each: number, span: number, quota: number, cost: number, unit: string];

function rowOf({ take: { key, quota, window, cost }, waiting }: AskedTogether): AskedRow {
  const isSmooth = typeof window === 'number';
  const [each, span, unit] = isSmooth ? [window / quota, window, ''] : [0, 0, window];
  return [digestOf(key), each, span, quota, cost * waiting.length, unit];
}

/** @param more what others take of the quota before */
function takenOf({ quota, window, cost }: Take, row: Row, allowed: boolean, more = 0): Taken {
  const seconds = Number(row['seconds']);
  if (typeof window === 'number')
    return smoothCount({ quota, window, cost }, seconds + (window / quota) * more, allowed);
  const reset = Math.max(0, seconds);
  return {
    allowed,
    remaining: Math.max(0, quota - Number(row['used']) - more),
    reset,
    retryAfter: allowed ? 0 : reset,
  };
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
