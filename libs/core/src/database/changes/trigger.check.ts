import { ConfigurationError } from '../../wire/configuration.error.js';
import { StatementWriter } from '../../sql/statement.js';
import type { Database } from '../database.js';
import { reachProblem } from '../reach.problem.js';
import { changeTriggers } from './change.triggers.js';

/**
 * Looks for the triggers that record changes: without them nobody would. A database that is away is no reason not to start, nor
 * a table that is not there yet.
 *
 * @throws ConfigurationError for a trigger that is missing, switched off, or made for other columns
 */
export async function checkTriggers(database: Database): Promise<void> {
  const { orm, changes, dialect } = database;
  const [target] = changes?.triggered ?? [];
  if (target === undefined || (await reachProblem(orm)) !== undefined) return;
  const text = (value: string): string => dialect.platform.quoteValue(value);
  const wanted = changeTriggers(orm.em).flatMap(({ table, all }) =>
    all.map(({ name, body }) => ({ table, name, body })),
  );
  const rows = wanted.map(({ table, name }) => `(to_regclass(${text(table)}), ${text(name)})`);
  const writer = new StatementWriter(dialect)
    .write(`select w.r is not null as c0, t.tgenabled in ('O', 'A') as c1, p.prosrc as c2
    from (select r, n, row_number() over () as nr from (values ${rows.join(', ')}) as g(r, n)) as w
      left join pg_trigger as t on t.tgrelid = w.r and t.tgname = w.n and not t.tgisinternal
      left join pg_proc as p on p.oid = t.tgfoid order by w.nr`);
  const found = await database.run(database.fork(), writer.finish(), {});
  for (const [index, { table, name, body }] of wanted.entries()) {
    const [isThere, isOn, source] = found[index] ?? [];
    if (!isTrue(isThere)) continue;
    const problem = source !== body ? 'is missing, or another one' : isTrue(isOn) ? undefined : 'is off';
    if (problem !== undefined)
      throw new ConfigurationError(
        `recordChanges(${target.entity.name})`,
        'capture',
        `the trigger ${name} of ${table} ${problem}; run what changeTriggersSql(em) gives, or apply sqlFromEntities()`,
      );
  }
}

function isTrue(value: unknown): boolean {
  return value === true || value === 't' || value === 'true';
}
