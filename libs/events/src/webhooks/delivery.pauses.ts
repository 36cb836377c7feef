/** The longest time that a receiver may ask for, in milliseconds: a day. */
const longest = 24 * 60 * 60 * 1000;

/** The time that `Retry-After` asks for, in milliseconds from now; undefined where it says none. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const time = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(time) ? undefined : Math.min(longest, Math.max(0, time));
}

/**
 * The pause before the first try, or after a failure: by chance up to a fifth shorter or longer, and no shorter than a receiver asks
 * for. What is handed over together does not come all at once.
 *
 * @param random from 0 up to 1
 */
export function pauseOf(planned: number, random: number, asked = 0): number {
  // Who is busy for a second may be so for hours: tries are not used up sooner than they would be.
  return Math.max(planned * (0.8 + 0.4 * random), asked);
}
