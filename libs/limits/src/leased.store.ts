import { isLate, late } from './late.takes.js';
import type { LimitStore, Take, Taken } from './limit.store.js';

/** A part of a quota that this process has in hand. */
interface Lease {
  left: number;
  /** The time at which it was asked for, on this process's own clock. */
  readonly since: number;
  /** The time from which it is worth nothing. */
  readonly ends: number;
  /** The time in which the store gives back one of it, in milliseconds. */
  readonly each: number;
  /** The count as it was when it was taken. */
  readonly count: Taken;
}

/** A request that asks for a lease, for which others of its sender wait. */
interface Asking {
  readonly take: Take;
  readonly taken: Promise<Taken>;
}

/** The most senders for whom something is in hand. */
const most = 100_000;

/**
 * Takes more of a store than a request needs, and gives the rest to those that follow. All of it is counted by then, and what the
 * store gives back meanwhile is dropped: it would be there twice. So no more than the quota passes.
 */
export class LeasedStore implements LimitStore {
  readonly isInProcess = false;
  readonly #leases = new Map<string, Lease>();
  readonly #asking = new Map<string, Asking>();

  constructor(
    private readonly store: LimitStore,
    private readonly lease: number,
  ) {}

  take(take: Take): Taken | Promise<Taken> {
    return this.#inHand(take) ?? this.#ask(take);
  }

  async #ask(take: Take): Promise<Taken> {
    const known = this.#asking.get(take.key);
    // Nobody waits for one that nobody waits for: a store that never answers would stop all that follow.
    if (known !== undefined && !isLate(known.take)) return this.#askAfter(known, take);
    const asking = { take, taken: this.#renew(take) };
    this.#asking.set(take.key, asking);
    try {
      return await asking.taken;
    } finally {
      if (this.#asking.get(take.key) === asking) this.#asking.delete(take.key);
    }
  }

  /** Waits for somebody who asks for a lease already, of which something may be left. */
  async #askAfter(asking: Asking, take: Take): Promise<Taken> {
    const taken = await asking.taken;
    // Whoever comes at the same time is refused at the same time.
    if (!taken.allowed && take.cost >= asking.take.cost) return taken;
    if (isLate(take)) throw late;
    return this.#inHand(take) ?? this.store.take(take);
  }

  /** Too little is in hand for the request: it is a part of what it takes, and comes back where the rest is refused. */
  async #renew(take: Take): Promise<Taken> {
    const held = this.#leases.get(take.key);
    const part = this.#leftOf(held);
    if (held === undefined || part === 0) return this.#rest(take);
    held.left = 0;
    let taken: Taken | undefined;
    try {
      taken = await this.#rest({ ...take, cost: take.cost - part });
      return taken.allowed ? taken : { ...taken, remaining: taken.remaining + part };
    } finally {
      if (taken?.allowed !== true) held.left += part;
    }
  }

  /** Takes of the store, with a lease where there is enough for both. */
  async #rest(take: Take): Promise<Taken> {
    const { key, quota, window, cost } = take;
    if (cost + this.lease > quota) return this.store.take(take);
    // The store counts later: it gives back no earlier than a lease melts.
    const since = performance.now();
    const count = await this.store.take({ ...take, cost: cost + this.lease });
    // Not enough for both: the request alone may pass.
    if (!count.allowed) return this.store.take(take);
    const each = typeof window === 'number' ? (window / quota) * 1000 : Infinity;
    const ends = since + (typeof window === 'number' ? each * this.lease : count.reset * 1000);
    this.#leases.delete(key);
    this.#leases.set(key, { left: this.lease, since, ends, each, count });
    if (this.#leases.size > most) this.#dropOldest();
    return { ...count, remaining: count.remaining + this.lease };
  }

  #inHand({ key, cost }: Take): Taken | undefined {
    const lease = this.#leases.get(key);
    const left = this.#leftOf(lease);
    if (lease === undefined || left < cost) return undefined;
    lease.left = left - cost;
    return { ...lease.count, remaining: lease.count.remaining + lease.left };
  }

  #leftOf(lease: Lease | undefined): number {
    const now = performance.now();
    if (lease === undefined || now >= lease.ends) return 0;
    // The store gives whole ones back, too.
    return Math.min(lease.left, this.lease - Math.floor((now - lease.since) / lease.each));
  }

  #dropOldest(): void {
    const [oldest] = this.#leases.keys();
    if (oldest !== undefined) this.#leases.delete(oldest);
  }
}
