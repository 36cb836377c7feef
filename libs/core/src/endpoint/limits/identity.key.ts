/** Text that tells the sender of a request from others: issuer and subject, or the id of a key; undefined where nothing does. */
export function identityKey(identity: unknown): string | undefined {
  if (typeof identity !== 'object' || identity === null) return undefined;
  const { iss, sub, keyId } = identity as Readonly<Record<'iss' | 'sub' | 'keyId', unknown>>;
  if (isScalar(sub)) return JSON.stringify([isScalar(iss) ? iss : null, sub]);
  return isScalar(keyId) ? JSON.stringify([keyId]) : undefined;
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
