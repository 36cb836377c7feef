import { databaseReason } from '../errors/database.error.js';

/** Gives the error of a log that could not be written, which is no fault of what a client sent, unless it may pass. */
export function unwrittenLog(error: unknown): unknown {
  const reason = databaseReason(error);
  return reason === 'unavailable' || reason === 'transient' ? error : new UnwrittenLog(error);
}

/** The reason for a 500: what is not told must not happen. */
class UnwrittenLog extends Error {
  constructor(readonly reason: unknown) {
    super(`The log of changes could not be written: ${reason instanceof Error ? reason.message : ''}`);
  }
}
