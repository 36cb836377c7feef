import type { Session } from './session.js';

/** A session, and the number by which whoever answered there knows it (PostgreSQL, 54.2.9). */
export interface NumberedSession {
  readonly session: Session;
  readonly processID: number;
}

/** How often it is tried: a stranger may take the one connection that would tell. */
const rounds = 5;

/**
 * Whether these two connections lead to a pooler that lends them to each transaction: what one sets up for its session
 * would be a stranger's, and what it locks would stay locked. Two that are connections of the server's own never are the
 * same process, nor does one become another.
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
