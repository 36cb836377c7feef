import { BasePostgreSqlPlatform } from '@mikro-orm/sql';
import { StatementWriter } from '../../sql/statement.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { Database } from '../database.js';
import type { Reach } from '../reach.problem.js';

/** A setting of a session that changes how PostgreSQL writes values. */
interface WrittenBy {
  readonly name: string;
  /** A setting that will do, and the test of what is there. */
  readonly needed: string;
  readonly isRight: (value: string) => boolean;
  readonly harm: string;
}

const settings: readonly WrittenBy[] = [
  {
    name: 'DateStyle',
    needed: 'ISO',
    isRight: (value) => /^ISO\b/i.test(value),
    harm: 'days and instants cannot be read',
  },
  {
    name: 'extra_float_digits',
    needed: '1',
    isRight: (value) => Number(value) >= 1,
    harm: 'numbers are rounded, and lists do not go on where their cursors are',
  },
];

/**
 * Looks at the session that MikroORM has on PostgreSQL. A database that is away is no reason not to start.
 *
 * @throws ConfigurationError for a session that writes values in a way that loses some
 */
export async function checkWriting(database: Database, isReached: Reach): Promise<void> {
  const { dialect } = database;
  if (!(dialect.platform instanceof BasePostgreSqlPlatform) || !(await isReached())) return;
  const question = new StatementWriter(dialect);
  const asked = settings.map(({ name }, index) => `current_setting('${name}') as c${index}`);
  const [row] = await database.run(
    database.fork(),
    question.write(`select ${asked.join(', ')}`).finish(),
    {},
  );
  for (const [index, { name, needed, isRight, harm }] of settings.entries()) {
    const value = String(row?.[index]);
    if (isRight(value)) continue;
    const advice = `alter role … set ${name} = ${needed}, or alter database … set ${name} = ${needed}`;
    throw new ConfigurationError('MikroORM', name, `the session has '${value}', so that ${harm}: ${advice}`);
  }
}
