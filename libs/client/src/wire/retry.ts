import type { ClientRequest } from './client.request.js';

/** The wait where another origin's script may not read `Retry-After`, in milliseconds. */
const unreadable = 1000;

/** The wait before a request may be sent again, in milliseconds; undefined where it must not be, or nobody said when. */
export function waitBefore(
  { status, headers, type }: Response,
  request: ClientRequest,
  sent: Headers,
  now: number,
): number | undefined {
  if (status !== 429 && !(status === 503 && isHarmless(request, sent))) return undefined;
  const said = headers.get('Retry-After');
  if (said === null) return type === 'cors' ? unreadable : undefined;
  const wait = /^\d+$/.test(said.trim()) ? Number(said) * 1000 : Date.parse(said) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/**
 * True if it does no harm to send it twice. A 503 may be that of a write whose connection was cut, and which was committed: it would
 * be done again, unless a key tells the service that it is the same request.
 */
function isHarmless({ method, isRead, isRepeatable }: ClientRequest, sent: Headers): boolean {
  return (
    isRead === true ||
    isRepeatable === true ||
    /^(get|head|options|query)$/i.test(method) ||
    sent.has('Idempotency-Key')
  );
}
