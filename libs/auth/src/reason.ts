/** Describes an error for the log, whatever was thrown. `fetch` says no more than that it failed; its cause says why. */
export function reasonOf(error: unknown): string {
  const { message, cause } = Object(error) as { readonly message?: unknown; readonly cause?: unknown };
  if (typeof message !== 'string') return typeof error === 'string' ? error : 'something that is no error';
  const { message: why } = Object(cause) as { readonly message?: unknown };
  return typeof why === 'string' ? `${message}: ${why}` : message;
}
