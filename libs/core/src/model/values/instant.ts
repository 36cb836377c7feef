const databaseText =
  /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?)?$/;

/**
 * Gives the milliseconds since 1970 of a date-time from a database: its text, a `Date`, or milliseconds. Text without an
 * offset is UTC (MikroORM's `forceUtcTimezone`). Undefined for what no calendar of ours has (`infinity`, years before 1
 * or after 9999, days that are none).
 */
export function instantOf(value: unknown): number | undefined {
  const instant = millisecondsOf(value);
  return isWritableInstant(instant) ? instant : undefined;
}

/** NaN for what is no instant. */
function millisecondsOf(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  const parts = databaseText.exec(String(value));
  if (parts === null) return Number.NaN;
  const [, date, time, fraction = '', sign, hours = 0, minutes = 0, seconds = 0] = parts;
  const local = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // Until about 1920 the zones of most places have seconds, which no `Date` reads.
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? local + offset : local - offset;
}

/** True if `text` is a date of the calendar, `YYYY-MM-DD`, years 0001 to 9999 (RFC 3339, full-date). */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const milliseconds = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(text);
}

/** The instants that ISO 8601 writes with a year of four digits. */
const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

export function isWritableInstant(milliseconds: number): boolean {
  return milliseconds >= first && milliseconds <= last;
}
