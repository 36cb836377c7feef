import type { LiveSource } from '@nest-endpoints/core/internal';
import pLimit, { type LimitFunction } from 'p-limit';
import { ChangeFeed, type Outside } from './change.feed.js';

/** A feed, and the number of streams that have it. */
interface Lent {
  readonly feed: ChangeFeed;
  readonly giveBack: () => void;
  streams: number;
}

type Log = Pick<LiveSource, 'database' | 'read' | 'readsAtOnce'>;

/** The feeds of one database, by schema, and the turns of what is read for their streams. */
interface DatabaseFeeds {
  readonly bySchema: Map<string | undefined, Lent>;
  readonly turns: LimitFunction;
}

/** The feeds of this process: one for each log of changes that streams follow, and tenants may have logs of their own. */
export class ChangeFeeds {
  readonly #lent = new Map<ChangeFeed, Lent>();
  readonly #byDatabase = new Map<object, DatabaseFeeds>();
  /** The last reads of feeds that nobody has any more. */
  readonly #ending = new Set<Promise<void>>();

  /** @param outside runs what is part of no request */
  constructor(private readonly outside: Outside) {}

  /** Gives a stream the feed of a schema, until it is {@link giveBack given back}. */
  lend({ database, read, readsAtOnce }: Log, schema: string | undefined): ChangeFeed {
    const known = this.#byDatabase.get(database);
    const feeds = known ?? { bySchema: new Map<string | undefined, Lent>(), turns: pLimit(readsAtOnce) };
    this.#byDatabase.set(database, feeds);
    const { bySchema, turns } = feeds;
    const lent = bySchema.get(schema) ?? {
      feed: new ChangeFeed((work, cancellation) => read(schema, work, cancellation), turns, this.outside),
      giveBack: () => bySchema.delete(schema),
      streams: 0,
    };
    lent.streams += 1;
    bySchema.set(schema, lent);
    this.#lent.set(lent.feed, lent);
    return lent.feed;
  }

  /** Takes back the feed of a stream. One that nobody has is forgotten: tenants are many. */
  giveBack(feed: ChangeFeed): void {
    const lent = this.#lent.get(feed);
    if (lent === undefined) return;
    lent.streams -= 1;
    if (lent.streams > 0) return;
    this.#lent.delete(feed);
    lent.giveBack();
    const ending = feed.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Waits for what is being read. */
  async close(): Promise<void> {
    await Promise.all([...[...this.#lent.keys()].map((feed) => feed.close()), ...this.#ending]);
    this.#lent.clear();
    this.#byDatabase.clear();
  }
}
