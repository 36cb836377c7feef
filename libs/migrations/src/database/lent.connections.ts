import type { Session } from './session.js';

/** A session, and the number by which whoever answered there knows it (PostgreSQL, 54.2.9). */
export interface NumberedSession {
  readonly session: Session;
  readonly processID: number;
}

/** The number of attempts: a stranger may take the one connection that would tell. */
const rounds = 5;

/**
 * True if these two connections lead to a pooler that lends them to each transaction. There, settings of a session would
 * be a stranger's, and locks would stay locked. Two connections of the server's own never are the same process, nor does
 * one become another.
 */
export async function areLent(one: NumberedSession, other: NumberedSession): Promise<boolean> {
  let own = await processOf(one.session);
  if (own === one.processID) return false;
  for (let round = 0; round < rounds; round += 1) {
    await other.session.query('begin');
    const others = await processOf(other.session);
    const now = await processOf(one.session);
    await other.session.query('rollback');
    if (others === own || now !== own) return true;
    own = now;
  }
  return false;
}

async function processOf(session: Session): Promise<unknown> {
  const [row] = await session.query('select pg_backend_pid() as pid');
  return row?.['pid'];
}
