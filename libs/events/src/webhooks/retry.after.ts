/** The longest time that a receiver may ask for, in milliseconds: a day. */
const longest = 24 * 60 * 60 * 1000;

/** The time that `Retry-After` asks for, in milliseconds from now; undefined where it says none. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const time = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(time) ? undefined : Math.min(longest, Math.max(0, time));
}
