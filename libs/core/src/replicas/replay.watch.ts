import type { EventEmitter } from 'node:events';
import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { atMost } from '../limits/bounded.wait.js';
import { LostConnection } from '../database/errors/connection.failure.js';
import { replayedPosition, type WalPosition } from './wal.position.js';
import type { WriteMark } from './write.mark.js';

/** The time between two questions to a replica of how far it is, in milliseconds. */
const period = 50;

/** A replica's answer of how far it is. */
interface Said {
  /** Undefined for what is no standby, or does not tell. */
  readonly position: WalPosition | undefined;
  /** The time when it was asked, in milliseconds since 1970. */
  readonly at: number;
}

/** The part of the pool of `pg` that matters here. */
type ConnectionEvents = Pick<EventEmitter, 'on'>;

/**
 * Watches how far a replica has replayed the primary's log. That only grows, so its last answer is a lower bound, and a
 * request decides by it without a question of its own. The replica is asked in the background, while somebody waits.
 */
export class ReplayWatch {
  #said: Said | undefined;
  #isAsking = false;
  #isStopped = false;
  #askedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #question: Promise<void> | undefined;
  #watched: ConnectionEvents | undefined;
  #listener: () => void = () => undefined;

  /** @param whenLost is told when it cannot be asked @param now in milliseconds since 1970 */
  constructor(
    private readonly connection: AbstractSqlConnection,
    private readonly traits: { readonly limit: number; readonly hasPositions: boolean },
    private readonly whenLost: (error: unknown) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** True if the write is known to be here. Asks in the background where it is not. */
  hasReached({ at, until, position }: WriteMark): boolean {
    const now = this.now();
    const said = this.#said;
    if (position === undefined || !this.traits.hasPositions) return until <= now;
    const isComparable = said?.position?.cluster === position.cluster;
    // A server that was ahead of what is written later belongs to a past that was given up (PostgreSQL, 26.3: timelines).
    // Clocks of other processes may be ahead, too.
    if (isComparable && said.position.lsn >= position.lsn && (said.at >= at || at > now)) return true;
    this.ask();
    return said !== undefined && !isComparable && until <= now;
  }

  /** Calls a function each time that it knows something new; there is one. */
  whenTold(listener: () => void): void {
    this.#listener = listener;
  }

  /** Forgets what is known: it may be of another server than the one that answers next. */
  forget(): void {
    this.#said = undefined;
  }

  /** Asks no more, and waits for what is being asked. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#question;
  }

  /** Asks soon, and not too often. */
  ask(): void {
    if (this.#isAsking || this.#isStopped || !this.traits.hasPositions) return;
    this.#isAsking = true;
    const wait = Math.max(0, this.#askedAt + period - performance.now());
    this.#timer = setTimeout(() => {
      this.#question = this.#learn();
    }, wait).unref();
  }

  async #learn(): Promise<void> {
    const at = this.now();
    this.#askedAt = performance.now();
    const { limit } = this.traits;
    try {
      await this.#watchConnections();
      const position = await atMost(limit, replayedPosition(this.connection), () => {
        throw new LostConnection(new Error(`no answer within ${limit} ms`));
      });
      this.#said = { position, at };
    } catch (error) {
      this.whenLost(error);
    } finally {
      this.#isAsking = false;
    }
    this.#listener();
  }

  /** Another connection may lead to another server, or to one that was put back to an earlier state. */
  async #watchConnections(): Promise<void> {
    const pool = (await this.connection.getNativeClient()) as ConnectionEvents;
    if (pool === this.#watched) return;
    this.#watched = pool;
    for (const event of ['connect', 'error'])
      pool.on(event, () => {
        this.forget();
      });
  }
}
