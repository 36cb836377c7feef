/** True if an error is the one that the operating system gives this code, such as `EEXIST`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
