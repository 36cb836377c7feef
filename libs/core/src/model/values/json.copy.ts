/** A JSON value that nobody else has: a function that changes it changes no other. */
export function jsonCopy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value;
}
