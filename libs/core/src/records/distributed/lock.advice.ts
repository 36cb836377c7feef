import type { Database } from '../../database/database.js';
import { atMost } from '../../limits/bounded.wait.js';
import { StatementWriter } from '../../sql/statement.js';
import { Session } from '../../visibility/session.js';
import { DistributedDatabase } from './distributed.database.js';

/** The time that a start waits for the answer, in milliseconds. */
const patience = 2000;

/** The sources of a setting that one connection has, so that another server does not know of it. */
const ofConnection: ReadonlySet<unknown> = new Set(['client', 'session']);

/**
 * Tells that writes would wait for locks without end: a sentence where the server has no limit and tables are in parts, and where
 * the limit is that of a connection and rows are on other servers, which it does not reach. A database that cannot tell in time is
 * not asked again.
 *
 * @param isParted true if the application says a partition
 */
export async function lockAdvice(database: Database, isParted: boolean): Promise<readonly string[]> {
  if (!database.isPostgres) return [];
  const isCitus = await new DistributedDatabase(database).mayTell();
  if (!isCitus && !isParted) return [];
  const question = new StatementWriter(database.dialect).write(
    `select setting = '0' as c0, source as c1, quote_ident(current_user) as c2 from pg_settings where name = 'lock_timeout'`,
  );
  const asked = new Session(database).run(question.finish(), {});
  const [isNone, source, role] = (await atMost(patience, asked, () => []))[0] ?? [];
  const remedy = `alter role ${String(role)} set lock_timeout = '2s'`;
  if (isNone === true || isNone === 't')
    return [`A write waits without end for a row that another one has: lock_timeout is 0; ${remedy}`];
  if (!isCitus || !ofConnection.has(source)) return [];
  return [
    `A write waits without end for a row that another one has on a worker: lock_timeout of a connection does not reach workers of Citus; ${remedy}`,
  ];
}
