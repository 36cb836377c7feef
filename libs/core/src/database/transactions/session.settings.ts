import type { SessionContext } from '@mikro-orm/core';
import type { AbstractSqlDriver } from '@mikro-orm/sql';
import { Failure } from '../../wire/refusals.js';
import { connectionsOf } from '../errors/connection.statements.js';
import { databaseCode, databaseReason, isConnectionLost, isLostName } from '../errors/database.error.js';
import type { KyselyTransaction } from '../kysely.types.js';
import { endWithTransaction } from '../lease/leased.connections.js';
import { rawQuery } from '../raw.query.js';
import { sessionText, settingText } from './session.text.js';
import { isSpread, isToldToWorkers, setLocalText, spreading } from './spread.session.js';

type Begun = Pick<KyselyTransaction, 'executeQuery' | 'getExecutor'>;

/**
 * Sets the variables and the role of row level security until the transaction ends.
 *
 * @throws Failure for a role or variable that the database cannot have: no value of the request's is wrong then
 */
export async function enterSession(session: SessionContext | undefined, transaction: Begun): Promise<void> {
  if (session === undefined) return;
  const settings = sessionSettings(session);
  if (settings.length === 0) return;
  await endWithTransaction(transaction);
  try {
    if (isSpread(session)) await enterSpread(settings, transaction);
    else await transaction.executeQuery(rawQuery(settingText(settings.length), settings.flat()));
  } catch (error) {
    throw sessionFailure(session, error);
  }
}

/** Sets them on all servers of a cluster: what a worker hears of is the whole text of a message, so that each has its own. */
async function enterSpread(
  settings: readonly (readonly [string, string])[],
  transaction: Begun,
): Promise<void> {
  const here = settings.filter(([name]) => !isToldToWorkers(name));
  const told = settings.filter(([name]) => isToldToWorkers(name)).map((one) => setLocalText(...one));
  for (const text of told.length === 0 ? [] : [spreading, ...told])
    await transaction.executeQuery(rawQuery(text));
  if (here.length > 0) await transaction.executeQuery(rawQuery(settingText(here.length), here.flat()));
}

/**
 * The settings of a session: its variables, and its role, which is a setting too and as a value needs no quoting.
 *
 * @throws TypeError for a value that no variable may have
 */
export function sessionSettings({ variables = {}, role }: SessionContext): (readonly [string, string])[] {
  const settings: (readonly [string, string])[] = Object.entries(variables).map(([name, value]) => [
    name,
    sessionText(name, value),
  ]);
  if (role !== undefined) settings.push(['role', role]);
  return settings;
}

/** The error of a session that the database does not take. It is a failure of the service, unless it passes. */
export function sessionFailure<E>(session: SessionContext, error: E): E | Failure {
  return isPassing(error) ? error : new Failure({ cause: new SessionRefused(session, error) });
}

/** Has the transactions that MikroORM begins by itself entered in the same way. */
export function enterAlike(driver: AbstractSqlDriver): void {
  for (const connection of connectionsOf(driver))
    (connection as unknown as Entering).applySessionContext = applied;
}

/** A connection, as far as it enters sessions. */
interface Entering {
  applySessionContext(transaction: Begun, session: SessionContext): Promise<void>;
}

const applied = (transaction: Begun, session: SessionContext): Promise<void> =>
  enterSession(session, transaction);

/**
 * A refused session, for the log. Variables may have a client's values, so that what the database says of them is left
 * out.
 */
class SessionRefused extends Error {
  constructor({ variables = {}, role }: SessionContext, error: unknown) {
    const code = databaseCode(error) ?? 'no code';
    const named = [...(role === undefined ? [] : [`the role '${role}'`]), ...Object.keys(variables)];
    super(`The database refused the session of row level security (${code}): look at ${named.join(', ')}`);
  }
}

/** True if the database may accept the same session later. */
function isPassing(error: unknown): boolean {
  const reason = databaseReason(error);
  return reason === 'unavailable' || reason === 'transient' || isConnectionLost(error) || isLostName(error);
}
