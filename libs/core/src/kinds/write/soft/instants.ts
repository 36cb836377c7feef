/** The longest time by which instants may be ahead of the clock, in milliseconds. */
const mostAhead = 1000;

let last = 0;

/**
 * The time of a deletion. What was deleted along with a record is known by its time, so that two deletions of a process have
 * different ones, as long as they are no more than a thousand a second.
 */
export function nextInstant(now = Date.now()): Date {
  last = last >= now && last - now < mostAhead ? last + 1 : now;
  return new Date(last);
}
