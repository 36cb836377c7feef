/** True for a whole number beyond 2^53: it may be another one that was rounded when it was read, as JSON is. */
export function isRounded(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
