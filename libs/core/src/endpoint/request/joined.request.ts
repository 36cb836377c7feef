import type { IncomingMessage } from 'node:http';
import type { Session } from '../../visibility/session.js';

/** The sessions of requests that others are a part of, by Node's request of the part. No client can put one here. */
const sessions = new WeakMap<object, Session>();

/** True once a request was joined to another: most applications never look further. */
let isUsed = false;

/** Makes a request that this process sends itself a part of another one, in whose session it takes part. */
export function join(request: IncomingMessage, session: Session): void {
  isUsed = true;
  sessions.set(request, session);
}

/**
 * The session of the request that this one is a part of; undefined for most.
 *
 * @param native the platform's own request, or Node's
 */
export function joinedSession(native: unknown): Session | undefined {
  if (!isUsed) return undefined;
  const { raw = native } = Object(native) as { readonly raw?: unknown };
  return typeof raw === 'object' && raw !== null ? sessions.get(raw) : undefined;
}
