import type { LimitStore, Take, Taken } from './limit.store.js';

/** A part of a quota that this process has in hand. */
interface Lease {
  left: number;
  /** The time from which it is worth nothing, on this process's own clock. */
  ends: number;
  /** The count as it was when it was taken. */
  readonly count: Taken;
}

/** The most senders for whom something is in hand. */
const most = 100_000;

/**
 * Takes more of a store than a request needs, and gives the rest to those that follow. All of it is counted by then, and what is
 * not used in the time in which it would come back is dropped: so no more than the quota passes.
 */
export class LeasedStore implements LimitStore {
  readonly isInProcess = false;
  readonly #leases = new Map<string, Lease>();
  readonly #asking = new Map<string, Promise<Taken>>();

  constructor(
    private readonly store: LimitStore,
    private readonly lease: number,
  ) {}

  take(take: Take): Taken | Promise<Taken> {
    return this.#inHand(take) ?? this.#ask(take);
  }

  async #ask(take: Take): Promise<Taken> {
    const asking = this.#asking.get(take.key);
    if (asking !== undefined) {
      // Somebody asks for a lease already, of which something may be left.
      await asking;
      return this.#inHand(take) ?? this.store.take(take);
    }
    const asked = this.#renew(take);
    this.#asking.set(take.key, asked);
    try {
      return await asked;
    } finally {
      this.#asking.delete(take.key);
    }
  }

  async #renew(take: Take): Promise<Taken> {
    const { key, quota, window, cost } = take;
    if (cost + this.lease > quota) return this.store.take(take);
    const count = await this.store.take({ ...take, cost: cost + this.lease });
    // Not enough for both: the request alone may pass.
    if (!count.allowed) return this.store.take(take);
    const time = typeof window === 'number' ? (window / quota) * this.lease : count.reset;
    this.#leases.delete(key);
    this.#leases.set(key, { left: this.lease, ends: performance.now() + time * 1000, count });
    if (this.#leases.size > most) this.#dropOldest();
    return { ...count, remaining: count.remaining + this.lease };
  }

  #inHand({ key, cost }: Take): Taken | undefined {
    const lease = this.#leases.get(key);
    if (lease === undefined || lease.left < cost || performance.now() >= lease.ends) return undefined;
    lease.left -= cost;
    return { ...lease.count, remaining: lease.count.remaining + lease.left };
  }

  #dropOldest(): void {
    const [oldest] = this.#leases.keys();
    if (oldest !== undefined) this.#leases.delete(oldest);
  }
}
