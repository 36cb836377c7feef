/**
 * True if a claim is one value that can be compared. A whole number beyond 2^53 is none: it may be another one's that was
 * rounded when the token was read.
 */
export function isScalar(claim: unknown): claim is string | number | boolean {
  if (typeof claim === 'string' || typeof claim === 'boolean') return true;
  return Number.isFinite(claim) && (!Number.isInteger(claim) || Number.isSafeInteger(claim));
}

/** Reads an own property of an identity, never an inherited one. Undefined and null count as missing. */
export function claimOf(identity: unknown, name: string): unknown {
  if (typeof identity !== 'object' || identity === null || !Object.hasOwn(identity, name)) return undefined;
  return (Reflect.get(identity, name) as unknown) ?? undefined;
}
