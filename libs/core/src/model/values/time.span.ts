/** A stretch of time in milliseconds since 1970: an instant is one long, a day is a whole day. */
export interface TimeSpan {
  readonly start: number;
  /** The first millisecond after it. */
  readonly end: number;
}

export function instantSpan(milliseconds: number): TimeSpan {
  return { start: milliseconds, end: milliseconds + 1 };
}

const day = 86_400_000;

/** The span of a day of the calendar, `YYYY-MM-DD`, in UTC. */
export function daySpan(date: string): TimeSpan {
  const start = Date.parse(`${date}T00:00:00Z`);
  return { start, end: start + day };
}
