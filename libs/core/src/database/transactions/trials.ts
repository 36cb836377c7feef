import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, ServiceUnavailable, type Refusal } from '../../wire/refusals.js';
import { databaseCode, databaseReason, isConnectionLost, isUnanswered } from '../errors/database.error.js';
import { LostConnection, NoConnection } from '../errors/connection.failure.js';

/** The number of times that something is tried again. */
const retries = 3;

/** The longest wait before the first of them, in milliseconds; it doubles with each. */
const firstPause = 20;

/** The facts about a failure, asked for before each retry. */
interface Trial {
  /** True if it makes sense to try again, and whoever waits still does. */
  readonly mayRepeat: boolean;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/**
 * Tries again what the database has undone because of others (serialization failure, deadlock), three times at most. The
 * pauses are of random length, so that those who were in each other's way come back one after the other.
 *
 * @param error of the first trial
 */
export async function triedAgain<T>(error: unknown, work: () => Promise<T>, trial: Trial): Promise<T> {
  const { random = Math.random } = trial;
  let last = error;
  for (let times = 0; times < retries; times += 1) {
    if (databaseReason(last) !== 'transient' || !trial.mayRepeat) break;
    await sleep(random() * firstPause * 2 ** times);
    try {
      return await work();
    } catch (failure) {
      last = failure;
    }
  }
  throw last;
}

/** True if a connection ended under a statement: a restart of the database, or of what is in between. */
function isCutOff(error: unknown): boolean {
  // A server that hangs would be waited for as long once more.
  if (error instanceof LostConnection) return !isUnanswered(error);
  if (error instanceof NoConnection) return false;
  // Not 08P01, which PgBouncer says of a server that has gone, and of one that it has not got in time as well.
  return /^(?:08003|08006|57P0[125]|ECONNRESET|EPIPE|EPROTO|ERR_SSL_.*|ER_CLIENT_INTERACTION_TIMEOUT|PROTOCOL_CONNECTION_LOST)$/.test(
    databaseCode(error) ?? '',
  );
}

/** Tries a read again; at once where its connection was cut. Nothing was written, and the next connection may be good. */
export async function readAgain<T>(error: unknown, send: () => Promise<T>, trial: Trial): Promise<T> {
  try {
    if (isCutOff(error) && trial.mayRepeat) return await send();
    return await triedAgain(error, send, trial);
  } catch (failure) {
    throw refusalOfRead(failure) ?? failure;
  }
}

/** Tries a write that stands alone again; not where nobody knows what became of it. */
export async function writeAgain<T>(error: unknown, send: () => Promise<T>, trial: Trial): Promise<T> {
  if (isConnectionLost(error)) throw new ServiceUnavailable({ cause: error });
  return triedAgain(error, send, trial);
}

/**
 * Refuses a read for a value that the database does not take. The columns have accepted every value of a read, so it came
 * from the service's own code.
 */
function refusalOfRead(error: unknown): Refusal | undefined {
  if (isConnectionLost(error)) return new ServiceUnavailable({ cause: error });
  const reason = databaseReason(error);
  return reason === 'value' || reason === 'rule' ? new Failure({ cause: error }) : undefined;
}
