import { BaseMySqlPlatform } from '@mikro-orm/sql';
import { StatementWriter } from '../../sql/statement.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { Database } from '../database.js';
import type { Reach } from '../reach.problem.js';

/** The modes of which a session has one, or cuts and changes values that do not fit. */
const strict = ['STRICT_ALL_TABLES', 'STRICT_TRANS_TABLES'];

/** The modes that a session must not have, and their reasons. */
const harmful: ReadonlyMap<string, string> = new Map([
  ['NO_BACKSLASH_ESCAPES', 'texts that the driver writes into SQL end where a client says'],
  ['EMPTY_STRING_IS_NULL', 'empty texts are stored as null'],
]);

const advice = 'give MikroORM what recommendedMySqlOptions() gives, or run: set global sql_mode';

/**
 * Looks at the session that MikroORM has on MariaDB or MySQL. A database that is away is no reason not to start.
 *
 * @throws ConfigurationError for a session that changes values, or lets clients write SQL
 */
export async function checkSession(database: Database, isReached: Reach): Promise<void> {
  const { dialect } = database;
  if (!(dialect.platform instanceof BaseMySqlPlatform) || !(await isReached())) return;
  const question = new StatementWriter(dialect).write('select @@session.sql_mode as c0');
  const [row] = await database.run(database.fork(), question.finish(), {});
  const listed = row?.[0];
  const modes = typeof listed === 'string' ? listed.split(',') : [];
  const bad = modes.find((mode) => harmful.has(mode));
  if (bad !== undefined) {
    const others = modes.filter((mode) => !harmful.has(mode));
    throw problem(`the session has ${bad}, so that ${harmful.get(bad) ?? ''}`, others);
  }
  if (!modes.some((mode) => strict.includes(mode)))
    throw problem('the session is not strict, so that values that do not fit are cut or changed', [
      ...modes.filter((mode) => mode !== ''),
      'STRICT_ALL_TABLES',
    ]);
}

function problem(what: string, modes: readonly string[]): ConfigurationError {
  return new ConfigurationError('MikroORM', 'sql_mode', `${what}; ${advice} = '${modes.join()}'`);
}
