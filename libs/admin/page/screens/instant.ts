/**
 * The text of an instant in an input of the browser: where its reader is, and as exact as the instant. Empty for none, and for one
 * of a year that the input cannot show: a text that differs from what the browser shows would be taken for a change.
 */
export function localTime(value: unknown): string {
  const date = typeof value === 'string' || value instanceof Date ? new Date(value) : undefined;
  if (date === undefined || Number.isNaN(date.getTime())) return '';
  const local = new Date(0);
  local.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate());
  local.setUTCHours(date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds());
  const text = local.toISOString();
  return /^(?!0000)\d{4}-/.test(text) ? text.replace(/(:00)?(\.000)?Z$/, '') : '';
}

/** The instant of such a text, as answers write it; null for an empty one. Text without an offset is no instant. */
export function instantOf(text: string): string | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace(/(\.000)?Z$/, '+00:00');
}
