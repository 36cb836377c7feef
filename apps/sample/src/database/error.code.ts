/** Whether an error is the one the operating system or the driver gives this code, such as `EEXIST`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
