import type { Session } from '../../visibility/session.js';

/**
 * Runs a transaction that lasts as long as its client reads or sends, in one of the places that there are for such.
 *
 * @throws ServiceUnavailable where others have them
 */
export function lasting<T>({ origin }: Session, work: () => Promise<T>): Promise<T> {
  return origin.database.lasting.within(work);
}
