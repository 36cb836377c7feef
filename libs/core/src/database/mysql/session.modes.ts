import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { Database } from '../database.js';
import { isDriver } from '../driver.facts.js';
import { reachProblem } from '../reach.problem.js';

/** The modes of which a session needs one: without them values that do not fit are cut, or others are stored in their place. */
const strict = ['STRICT_ALL_TABLES', 'STRICT_TRANS_TABLES'];

/** The modes in which the statements of `mysql2` and MikroORM mean something else, with what becomes of them. */
const misleading: readonly (readonly [mode: string, problem: string])[] = [
  ['NO_BACKSLASH_ESCAPES', 'mysql2 escapes text with backslashes, which would end it early'],
  ['ANSI_QUOTES', 'text in double quotes would be a name'],
];

interface Row {
  readonly modes: string;
}

/**
 * Looks at the modes in which sessions of MariaDB and MySQL begin. A database that is away is no reason not to start.
 *
 * @throws ConfigurationError for sessions that store something else than they are given, or read statements in another way
 */
export async function checkSessionModes({ orm }: Database): Promise<void> {
  if (!isDriver(orm.driver, 'MySqlDriver') || (await reachProblem(orm)) !== undefined) return;
  const connection = orm.driver.getConnection() as AbstractSqlConnection;
  const [row] = await connection.execute<Row[]>('select @@session.sql_mode as modes');
  const modes = row?.modes ?? '';
  const has = new Set(modes.split(','));
  if (!strict.some((mode) => has.has(mode)))
    throw refused(
      `values that do not fit would be changed: sessions begin with sql_mode '${modes}', without ${strict.join(' and ')}`,
    );
  for (const [mode, problem] of misleading)
    if (has.has(mode)) throw refused(`${problem}: sessions begin with ${mode} in their sql_mode`);
}

function refused(problem: string): Error {
  const remedy = `spread recommendedMySqlOptions() into the options of MikroORM, or set sql_mode in onCreateConnection`;
  return new ConfigurationError('MikroORM', 'onCreateConnection', `${problem}; ${remedy}`);
}
