import type { MikroORM } from '@mikro-orm/core';
import { atMost } from './bounded.wait.js';
import { databaseCode } from './database.error.js';

/** In milliseconds: who starts waits no longer for the answer of a database. */
const longest = 2000;

/** A sentence about a database that does not answer; undefined where it does. Asked once, when an application listens. */
export async function reachProblem(orm: MikroORM): Promise<string | undefined> {
  const { host, port, dbName } = orm.config.getAll();
  const where = [host, port].filter((part) => part !== undefined).join(':');
  const name = `The database '${dbName ?? ''}'${where === '' ? '' : ` at ${where}`}`;
  const reached = await atMost(longest, check(orm), () => ({
    ok: false as const,
    reason: `no answer within ${longest} ms`,
  }));
  if (reached.ok) return undefined;
  const code = 'error' in reached ? databaseCode(reached.error) : undefined;
  const reason = [code, reached.reason].filter((part) => part !== undefined && part !== '').join(', ');
  return `${name} does not answer (${reason}): requests that need it are answered 503 until it does`;
}

/** The outcome of one question. MikroORM connects when it is first asked, and says of itself that it is not connected before. */
async function check(orm: MikroORM): ReturnType<MikroORM['checkConnection']> {
  try {
    await orm.driver.getConnection().ensureConnection();
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
  return orm.checkConnection();
}
