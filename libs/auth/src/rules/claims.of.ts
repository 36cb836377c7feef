/** Reads an own property of an identity, never an inherited one. Undefined and null count as missing. */
export function claimOf(identity: unknown, name: string): unknown {
  if (typeof identity !== 'object' || identity === null || !Object.hasOwn(identity, name)) return undefined;
  return (Reflect.get(identity, name) as unknown) ?? undefined;
}
