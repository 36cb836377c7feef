/** Text that two JSON values have in common when they say the same, whatever the order of their members. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  // JSON has numbers that JavaScript has not: 1e400 is read as Infinity, which is written as null.
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return canonicalMembers(Object.entries(value));
}

/** {@link canonicalText} of the members of an object. */
export function canonicalMembers(members: Iterable<readonly [string, unknown]>): string {
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${canonicalText(value)}`).join(',')}}`;
}
