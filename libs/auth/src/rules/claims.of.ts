import { isRounded } from '@nest-endpoints/core/internal';

/** True if a claim is one value that can be compared. */
export function isScalar(claim: unknown): claim is string | number | boolean {
  if (typeof claim === 'string' || typeof claim === 'boolean') return true;
  return Number.isFinite(claim) && !isRounded(claim);
}

/** Reads an own property of an identity, never an inherited one. Undefined and null count as missing. */
export function claimOf(identity: unknown, name: string): unknown {
  if (typeof identity !== 'object' || identity === null || !Object.hasOwn(identity, name)) return undefined;
  return (Reflect.get(identity, name) as unknown) ?? undefined;
}
