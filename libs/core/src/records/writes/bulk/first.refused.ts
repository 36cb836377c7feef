import { isDeepStrictEqual } from 'node:util';
import { databaseCode, refusalOf, violationOf } from '../../../database/errors/database.error.js';
import type { Session } from '../../../visibility/session.js';
import { Conflict } from '../../../wire/refusals.js';

/** The write of many records that the database refused. */
export interface RefusedWrite<T> {
  readonly error: unknown;
  readonly records: readonly T[];
  /** Writes some of them. */
  readonly write: (records: readonly T[]) => Promise<void>;
  /** Drops what MikroORM remembers of a write that is undone. */
  readonly forget: () => void;
}

/** The most pieces that are written to find it: those that are refused for something else are looked into, too. */
const mostTries = 100;

/**
 * Finds the first of some records that the database refuses. It says so of a statement, which is about many: they are written
 * once more in halves, and all of it is undone. Undefined where it cannot be told.
 */
export async function firstRefused<T>(
  session: Session,
  { error, records, write, forget }: RefusedWrite<T>,
): Promise<T | undefined> {
  forget();
  try {
    return await session.tryOut(async (piece) => {
      let tries = 0;
      const judged = async (some: readonly T[]): Promise<'taken' | 'refused' | 'refused otherwise'> => {
        tries += 1;
        try {
          await piece(() => write(some));
          return 'taken';
        } catch (refusal) {
          forget();
          if (!(refusalOf(refusal) instanceof Conflict)) throw refusal;
          return areAlike(error, refusal) ? 'refused' : 'refused otherwise';
        }
      };
      const first = async (some: readonly T[]): Promise<T | undefined> => {
        const said = tries < mostTries ? await judged(some) : 'taken';
        if (said === 'taken') return undefined;
        if (some.length === 1) return said === 'refused' ? some[0] : undefined;
        const half = Math.ceil(some.length / 2);
        return (await first(some.slice(0, half))) ?? (await first(some.slice(half)));
      };
      return first(records);
    });
  } catch {
    // Whatever goes wrong here, what was refused first is told.
    return undefined;
  }
}

/** True if the database has the same against two writes: of half of the records it may say something else first. */
function areAlike(one: unknown, other: unknown): boolean {
  return databaseCode(one) === databaseCode(other) && isDeepStrictEqual(violationOf(one), violationOf(other));
}
