/** True if a value is an HTTP status code within limits. */
export function isStatusCode(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}
