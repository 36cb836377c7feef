/** From here on a wait for a connection counts, in milliseconds. */
export const noticedWait = 100;

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
  return typeof limit === 'number' && limit > 0
    ? Math.max(Math.ceil(limit - waited), noticedWait)
    : undefined;
}
