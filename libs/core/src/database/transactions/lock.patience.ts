import { noticedWait, type Cancellation } from '../../limits/cancellation.js';

/**
 * Limits the wait for a lock of a request that has waited for its connection already, in milliseconds: the two together
 * take no longer than `lock_timeout` alone. Undefined where the connection's own setting will do.
 *
 * @param options of the pool or the driver @param waited in milliseconds
 */
export function lockPatience(options: unknown, waited: number): number | undefined {
  if (waited < noticedWait || typeof options !== 'object' || options === null) return undefined;
  // The latter is for us alone, where a pooler keeps the first from the server.
  const limit: unknown = Reflect.get(options, 'lock_timeout') ?? Reflect.get(options, 'lockTimeout');
  return typeof limit === 'number' && limit > 0 ? rest(limit, waited) : undefined;
}

/**
 * Limits the wait for one more connection in the same way, in milliseconds. Undefined where there is no limit.
 *
 * @param options of the pool or the driver @param waited in milliseconds
 */
export function connectionPatience(options: unknown, waited: number): number | undefined {
  if (typeof options !== 'object' || options === null) return undefined;
  const limit: unknown = Reflect.get(options, 'connectionTimeoutMillis');
  return typeof limit === 'number' && limit > 0 ? rest(limit, waited) : undefined;
}

/** The part of a limit that is left after a wait, in milliseconds, and time enough for what is free. */
export function rest(limit: number, waited: number): number {
  return Math.max(Math.ceil(limit - waited), noticedWait);
}

/** A statement of a request, as far as its waits are concerned. */
interface Waiting {
  readonly cancellation: Cancellation | undefined;
  /** The time that it may take with the wait for a connection, in milliseconds; undefined for as long as it takes. */
  readonly limit: number | undefined;
}

/** The time for which the request of a statement has waited for connections before, in milliseconds. One with a limit has that instead. */
export function waitedBefore({ cancellation, limit }: Waiting): number {
  return cancellation === undefined || limit !== undefined ? 0 : cancellation.waited;
}
