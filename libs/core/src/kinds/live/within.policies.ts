import type { Session } from '../../visibility/session.js';

/** Runs reads for which policies of the database hold: within one transaction, or in the message of the one statement. */
export function withinPolicies<T>(session: Session, read: () => Promise<T>): Promise<T> {
  return session.hasPolicies ? session.whole(read) : read();
}
