/** A request, as far as it matters whether it may be sent twice. */
export interface Sent {
  readonly method: string;
  readonly headers: Headers;
}

/** The wait where another origin's script may not read `Retry-After`, in milliseconds. */
const unreadable = 1000;

/**
 * The wait before a request may be sent again, in milliseconds; undefined where it must not be, or nobody said when.
 * @param isRead true if the request changes nothing, whatever its method
 */
export function waitBefore(response: Response, sent: Sent, isRead: boolean, now: number): number | undefined {
  const { status, headers, type } = response;
  if (status !== 429 && !(status === 503 && isRepeatable(sent, isRead))) return undefined;
  const said = headers.get('Retry-After');
  if (said === null) return type === 'cors' ? unreadable : undefined;
  const wait = /^\d+$/.test(said.trim()) ? Number(said) * 1000 : Date.parse(said) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/**
 * True if it does no harm to send it twice. A 503 may be that of a write whose connection was cut, and which was committed: what
 * creates records would create them again, unless a key tells the service that it is the same request.
 */
function isRepeatable({ method, headers }: Sent, isRead: boolean): boolean {
  return isRead || method.toUpperCase() !== 'POST' || headers.has('Idempotency-Key');
}
