/** The status codes of answers without a body (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
export const bodiless: readonly number[] = [204, 205, 304];

/** True if a value is an HTTP status code within limits. */
export function isStatusCode(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}
