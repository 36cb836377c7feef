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
  return typeof limit === 'number' && limit > 0 ? rest(limit, waited) : undefined;
}

/**
 * Limits the wait for one more connection in the same way, in milliseconds. Undefined where there is no limit.
 *
 * @param options of the pool @param waited in milliseconds
 */
export function connectionPatience(
  { connectionTimeoutMillis = 0 }: { readonly connectionTimeoutMillis?: number },
  waited: number,
): number | undefined {
  return connectionTimeoutMillis > 0 ? rest(connectionTimeoutMillis, waited) : undefined;
}

function rest(limit: number, waited: number): number {
  return Math.max(Math.ceil(limit - waited), noticedWait);
}
