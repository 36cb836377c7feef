/** Whether an error says that the reader of a pipe has gone, as `head` does. */
export function isClosedPipe(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown };
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}
