import type { MikroORM } from '@mikro-orm/core';
import { atMost } from '../limits/bounded.wait.js';
import { databaseCode, firstReason } from './errors/database.error.js';
import { isDriver } from './driver.facts.js';

/** In milliseconds: who starts waits no longer for the answer of a server. */
const longest = 2000;

/** The error of a database that does not answer; undefined of one that does. */
type Outcome = Error | undefined;

/** True if a database answers. The first who has to know asks it, and nobody else. */
export type Reach = () => Promise<boolean>;

/** @returns the reach of a database, asked once */
export function reachOf(orm: MikroORM): Reach {
  let asked: Promise<boolean> | undefined;
  return () => (asked ??= reachProblem(orm).then((problem) => problem === undefined));
}

/** A sentence about a database that does not answer; undefined where it does. */
export async function reachProblem(orm: MikroORM): Promise<string | undefined> {
  // A database in this process takes its time to begin, but nobody can keep it from answering.
  const error = isServer(orm) ? await atMost(longest, ask(orm), late) : await ask(orm);
  if (error === undefined) return undefined;
  const reason = [databaseCode(error), firstReason(error)].filter(
    (part) => part !== undefined && part !== '',
  );
  return `${nameOf(orm)} does not answer (${reason.join(', ')}): requests that need it are answered 503 until it does`;
}

function late(): Outcome {
  return new Error(`no answer within ${longest} ms`);
}

/** MikroORM connects when it is first asked, and takes who has not asked yet for one without a connection. */
async function ask(orm: MikroORM): Promise<Outcome> {
  try {
    await orm.driver.getConnection().ensureConnection();
    const reached = await orm.checkConnection();
    if (reached.ok) return undefined;
    return reached.error ?? new Error(reached.reason);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function nameOf(orm: MikroORM): string {
  const name = `The database '${orm.config.get('dbName') ?? ''}'`;
  if (!isServer(orm)) return name;
  const { host, port } = orm.driver.getConnection().getConnectionOptions();
  return `${name} at ${[host, port].filter((part) => part !== undefined).join(':')}`;
}

function isServer({ config, driver }: MikroORM): boolean {
  return config.getAll().clientUrl !== '' && !isDriver(driver, 'PgliteDriver');
}
