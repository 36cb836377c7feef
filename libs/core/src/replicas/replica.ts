import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { atMost } from '../limits/bounded.wait.js';
import { LostConnection } from '../database/errors/connection.failure.js';
import { rawQuery } from '../database/raw.query.js';
import type { NativePool } from '../database/pool/native.pool.js';
import { CoolDown } from './cool.down.js';
import { ReplayWatch } from './replay.watch.js';
import type { WriteMark } from './write.mark.js';

/** Hears of a replica that fails, and of one that works again. @param error undefined when it works again */
export type ReplicaListener = (replica: Replica, error?: unknown) => void;

/** The facts about a replica beside its connection. */
export interface ReplicaTraits {
  /** The name in the log. */
  readonly name: string;
  /** The time that it may take to answer, in milliseconds: to give a connection, and to run a statement. */
  readonly limit: number;
  /** True if it may tell how far it has replayed the primary's log. */
  readonly hasPositions: boolean;
  readonly tell: ReplicaListener;
}

/** A database that repeats what the primary writes, and may be asked in its place. */
export class Replica {
  readonly name: string;
  readonly replay: ReplayWatch;
  readonly #rest: CoolDown;
  readonly #pools = new Map<NativePool, NativePool>();
  /** The number of its failures. A question asked before the last one says nothing new. */
  #losses = 0;

  constructor(
    readonly connection: AbstractSqlConnection,
    private readonly traits: ReplicaTraits,
  ) {
    this.name = traits.name;
    this.replay = new ReplayWatch(connection, traits, (error) => {
      this.#lose(error);
    });
    this.#rest = new CoolDown(
      () => this.#attempt(),
      () => {
        traits.tell(this);
      },
    );
  }

  /** True if it has failed, and is not asked until it works again. */
  get isResting(): boolean {
    return this.#rest.isOn;
  }

  /** True if a write is here, as far as is known without asking. */
  shows(mark: WriteMark): boolean {
    return !this.isResting && this.replay.hasReached(mark);
  }

  /** Sends statements as another pool does, on connections to this replica. */
  poolLike(pool: NativePool): NativePool {
    const own = this.#pools.get(pool) ?? pool.on(this.connection, this.traits.limit);
    this.#pools.set(pool, own);
    return own;
  }

  /** Runs what is asked of it, and fails with {@link LostConnection} where that takes too long. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return atMost(this.traits.limit, work(), () => {
      throw new LostConnection(new Error(`no answer within ${this.traits.limit} ms`));
    });
  }

  /** Counts the losses that {@link lost} compares with: taken before something is asked. */
  get losses(): number {
    return this.#losses;
  }

  /** Has it rest because a read has failed. @param losses those that were known when it was asked */
  lost(error: unknown, losses: number): void {
    if (losses === this.#losses) this.#lose(error);
  }

  /** Asks it nothing in the background any more. */
  async stop(): Promise<void> {
    await Promise.all([this.#rest.stop(), this.replay.stop()]);
  }

  #lose(error: unknown): void {
    this.#losses += 1;
    this.replay.forget();
    if (this.isResting) return;
    this.#rest.begin();
    this.traits.tell(this, error);
  }

  async #attempt(): Promise<void> {
    await this.run(() => this.connection.getClient().executeQuery(rawQuery('select 1')));
  }
}
