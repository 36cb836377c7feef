/** True if an error says that the reader of a pipe has gone, as with `head`. */
export function isClosedPipe(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown };
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}
