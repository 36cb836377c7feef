/** Freezes JSON with all that is in it, however deep, so that nobody can change what others see too. */
export function frozen<T>(json: T): T {
  const open: unknown[] = [json];
  for (const value of open) {
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) open.push(member);
    Object.freeze(value);
  }
  return json;
}
