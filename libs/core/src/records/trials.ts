import { setTimeout as sleep } from 'node:timers/promises';
import { databaseCode, databaseReason } from './database.error.js';
import { LostConnection, NoConnection } from './connection.failure.js';

/** How often something is tried again. */
const retries = 3;

/** The longest wait before the first of them, in milliseconds; it doubles with each. */
const firstPause = 20;

/** What to know of a trial that failed. */
interface Trial {
  /** Whether it makes sense to try again, and whoever waits still does. */
  readonly mayRepeat: () => boolean;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/**
 * Tries again what the database has undone because of others (serialization failure, deadlock): three times at most,
 * after pauses of random length, so that those who were in each other's way come back one after the other.
 *
 * @param error of the first trial
 */
export async function triedAgain<T>(
  error: unknown,
  work: () => Promise<T>,
  { mayRepeat, random = Math.random }: Trial,
): Promise<T> {
  let last = error;
  for (let trial = 0; trial < retries; trial += 1) {
    if (databaseReason(last) !== 'transient' || !mayRepeat()) break;
    await sleep(random() * firstPause * 2 ** trial);
    try {
      return await work();
    } catch (failure) {
      last = failure;
    }
  }
  throw last;
}

/** Whether a connection ended under a statement: a restart of the database, or of what is in between. */
export function isCutOff(error: unknown): boolean {
  if (error instanceof LostConnection) return true;
  if (error instanceof NoConnection) return false;
  return /^(?:08003|08006|57P0[12]|ECONNRESET|EPIPE)$/.test(databaseCode(error) ?? '');
}
