import { refusalOf } from '../../../database/errors/database.error.js';
import type { Session } from '../../../visibility/session.js';
import { Conflict } from '../../../wire/refusals.js';
import type { BulkWriting, RecordStore } from '../../record.store.js';

/** Undoes what was only written to see what the database says. */
class Undone<T> extends Error {
  constructor(readonly found: T | undefined) {
    super();
  }
}

/**
 * Finds the first of some records that the database refuses. It says so of a statement, which is about many: they are written
 * once more in halves, and all of it is undone. Undefined where it cannot be told.
 */
export async function firstRefused<T>(
  probe: Probe,
  records: readonly T[],
  write: (records: readonly T[]) => Promise<void>,
): Promise<T | undefined> {
  const isRefused = async (some: readonly T[]): Promise<boolean> => {
    try {
      await probe.transaction(() => write(some));
      return false;
    } catch (error) {
      probe.forget();
      if (refusalOf(error) instanceof Conflict) return true;
      throw error;
    }
  };
  const first = async (some: readonly T[]): Promise<T | undefined> => {
    if (!(await isRefused(some))) return undefined;
    if (some.length === 1) return some[0];
    const half = Math.ceil(some.length / 2);
    return (await first(some.slice(0, half))) ?? (await first(some.slice(half)));
  };
  try {
    probe.forget();
    return await probe.transaction<T | undefined>(async () => {
      throw new Undone(await first(records));
    });
  } catch (error) {
    // Whatever else goes wrong here, what was refused first is told.
    return error instanceof Undone ? (error.found as T | undefined) : undefined;
  }
}

/** The store as {@link firstRefused} uses it. */
interface Probe {
  transaction<T>(work: () => Promise<T>): Promise<T>;
  forget(): void;
}

export function probeOf(store: RecordStore, writing: BulkWriting, session: Session): Probe {
  return {
    transaction: (work) => store.transaction(session, work),
    forget: () => {
      writing.forget(session);
    },
  };
}
