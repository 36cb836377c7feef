import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Change } from '@nest-endpoints/core';
import { readChangePage } from '@nest-endpoints/core/internal';
import type { DeclaredEvent } from '../event/declared.event.js';
import type { EventDelivery, HandOver } from '../event/event.delivery.js';
import type { ToldEvent } from '../event/told.event.js';
import { ahead } from './relay.sql.js';
import { LeaseLost, type RelayLease, type RelayPosition } from './relay.lease.js';

/** The most changes that are handed on together, and the most that their values have: each may be of any length. */
const batch = { changes: 500, bytes: 8 * 1024 * 1024 } as const;

/** The time after which the position moves behind what was taken one by one, in milliseconds. */
const unmoved = 1000;

/** The longest pause after failures, in milliseconds. */
const longestPause = 10_000;

/** The parts of a relay. */
export interface RelayParts {
  readonly em: () => SqlEntityManager;
  readonly lease: RelayLease;
  readonly events: readonly DeclaredEvent[];
  readonly delivery: EventDelivery;
  /** The time between two looks at the log, in milliseconds. */
  readonly interval: number;
  readonly warn: (text: string) => void;
}

/** Reads the log of changes, and hands on what others are to be told, while this process has the lease. */
export class EventRelay {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStarted = false;
  #isStopped = false;
  #isCalled = false;
  #failures = 0;
  /** The most changes of the next look: fewer after what has failed, as it may have been too much at once. */
  #most: number = batch.changes;
  #onAsked: () => void = () => undefined;

  constructor(private readonly parts: RelayParts) {}

  /** True while this process has the lease. */
  get isHolder(): boolean {
    return this.parts.lease.position !== undefined;
  }

  /** Begins to look at the log. Resolves once the database was asked who hands events on, however that went. */
  start(): Promise<void> {
    this.#isStarted = true;
    return new Promise((resolve) => {
      this.#onAsked = resolve;
      this.wake();
    });
  }

  /** Looks at the log now: something was written. */
  wake(): void {
    if (!this.#isStarted || this.#isStopped) return;
    this.#isCalled = true;
    if (this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#wait();
    });
  }

  /** Ends after what is being handed over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    await this.#leave();
    await this.parts.lease.release();
  }

  async #leave(): Promise<void> {
    if (!this.isHolder) return;
    try {
      await this.parts.delivery.leave?.();
    } catch (error) {
      this.parts.warn(`What is under way may be sent twice: ${String(error)}`);
    }
  }

  #wait(): void {
    if (this.#isStopped) return;
    const { interval } = this.parts;
    const pause = this.#failures === 0 ? interval : Math.min(longestPause, interval * 2 ** this.#failures);
    this.#timer = setTimeout(() => {
      this.wake();
    }, pause).unref();
  }

  async #run(): Promise<void> {
    try {
      while (this.#isCalled) {
        this.#isCalled = false;
        // Somebody may have named another one meanwhile.
        if (this.parts.lease.position?.isAhead === true) this.parts.lease.drop();
        const isHeld = await this.parts.lease.take();
        this.#onAsked();
        if (!isHeld) return;
        // What is due does not wait for the log: that may be far behind, or have a change that cannot be handed on.
        do {
          await this.parts.lease.take();
          this.parts.delivery.work?.();
        } while (await this.#handOn());
        this.parts.delivery.work?.();
      }
      this.#failures = 0;
    } catch (error) {
      if (error instanceof LeaseLost) return;
      this.#failures = Math.min(this.#failures + 1, 10);
      this.parts.warn(`Events could not be handed on: ${String(error)}`);
    } finally {
      this.#onAsked();
      if (!this.isHolder) this.parts.lease.drop();
    }
  }

  /** @returns true if there may be more changes */
  async #handOn(): Promise<boolean> {
    const { position } = this.parts.lease;
    if (position === undefined) throw new LeaseLost();
    if (this.#isStopped) return false;
    if (position.isAhead === true) throw new Error(ahead);
    const most = this.#most;
    let taken = most;
    try {
      const { changes, hasMore } = await readChangePage(this.parts.em(), position, {
        changes: most,
        bytes: batch.bytes,
      });
      const last = changes.at(-1);
      if (last === undefined) return false;
      taken = changes.length;
      const { takesOneByOne = false } = this.parts.delivery;
      await (takesOneByOne ? this.#handOneByOne(changes) : this.#handOver(changes, last));
      // Long ones are measured before they are left: no more of them are looked at than may fit.
      this.#most = Math.min(batch.changes, (hasMore && taken < most ? taken : most) * 2);
      this.#failures = 0;
      return hasMore;
    } catch (error) {
      this.#most = Math.max(1, Math.floor(taken / 2));
      throw error;
    }
  }

  async #handOver(changes: readonly Change[], last: Change): Promise<void> {
    const { lease, delivery } = this.parts;
    const handOver = await delivery.prepare(changes.flatMap((change) => this.#told(change)));
    await lease.move(placeOf(last), handOver);
  }

  /** Hands changes on one by one: those that were taken before one that fails are not handed on again. */
  async #handOneByOne(changes: readonly Change[]): Promise<void> {
    let taken: Change | undefined;
    let handOvers: HandOver[] = [];
    let movedAt = performance.now();
    const move = async (): Promise<void> => {
      if (taken === undefined) return;
      const own = handOvers;
      await this.parts.lease.move(placeOf(taken), async (sql) => {
        for (const handOver of own) await handOver(sql);
      });
      taken = undefined;
      handOvers = [];
      movedAt = performance.now();
    };
    for (const change of changes) {
      if (this.#isStopped) break;
      try {
        handOvers.push(await this.parts.delivery.prepare(this.#told(change)));
      } catch (error) {
        await move().catch((failure: unknown) => {
          this.parts.warn(`What was taken may come again: ${String(failure)}`);
        });
        throw error;
      }
      taken = change;
      if (performance.now() - movedAt >= unmoved) await move();
    }
    await move();
  }

  #told(change: Change): readonly ToldEvent[] {
    return this.parts.events.flatMap((event) => event.of(change) ?? []);
  }
}

/** The position behind a change. */
function placeOf({ transaction, id, at }: Change): RelayPosition {
  return { transaction, id, at };
}
