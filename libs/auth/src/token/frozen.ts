/** Freezes JSON with all that is in it, so that nobody can change what others see too. */
export function frozen<T>(json: T): T {
  if (typeof json !== 'object' || json === null) return json;
  for (const value of Object.values(json)) frozen(value);
  return Object.freeze(json);
}
