/** The end of the day or the month, in UTC, in which a moment is; both in milliseconds since 1970. */
export function periodEnd(period: 'day' | 'month', now: number): number {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return period === 'month' ? Date.UTC(year, month + 1) : Date.UTC(year, month, date.getUTCDate() + 1);
}
