import { ConfigurationError } from '../../wire/configuration.error.js';
import { StatementWriter } from '../../sql/statement.js';
import type { Database } from '../database.js';
import type { Reach } from '../reach.problem.js';
import { changeTriggers } from './change.triggers.js';

/** The most schemas that one statement looks at. */
const atOnce = 50;

/** A trigger that does not record what it should. */
interface BadTrigger {
  readonly schema: string | undefined;
  readonly name: string;
  readonly table: string;
  readonly problem: string;
}

/**
 * Looks for the triggers that record changes: without them nobody would. A database that is away is no reason not to start, nor
 * a table that is not there yet. What one tenant's schema has not stops nobody else.
 *
 * @param schemas gives the schemas of tenants
 * @returns a warning of what their schemas have not
 * @throws ConfigurationError for a trigger that is missing, switched off, or made for other columns
 */
export async function checkTriggers(
  database: Database,
  isReached: Reach,
  schemas: () => Promise<readonly string[]>,
): Promise<string | undefined> {
  const { changes } = database;
  const [target] = changes?.triggered ?? [];
  if (target === undefined || !(await isReached())) return undefined;
  const [own] = await badTriggers(database, [undefined]);
  if (own !== undefined)
    throw new ConfigurationError(
      `recordChanges(${target.entity.name})`,
      'capture',
      `the trigger ${own.name} of ${own.table} ${own.problem}; run what changeTriggersSql(em) gives, or apply sqlFromEntities()`,
    );
  const all = await schemas();
  const bad: BadTrigger[] = [];
  for (let first = 0; first < all.length; first += atOnce)
    bad.push(...(await badTriggers(database, all.slice(first, first + atOnce))));
  const [one] = bad;
  if (one === undefined) return undefined;
  const count = new Set(bad.map(({ schema }) => schema)).size;
  const others = count === 1 ? '' : `; ${count} schemas have such triggers`;
  return `The trigger ${one.name} of ${one.table} ${one.problem}, so that changes are not recorded; run what changeTriggersSql(em, '${String(one.schema)}') gives${others}`;
}

async function badTriggers(
  database: Database,
  schemas: readonly (string | undefined)[],
): Promise<readonly BadTrigger[]> {
  const { orm, dialect } = database;
  const text = (value: string): string => dialect.platform.quoteValue(value);
  const wanted = schemas.flatMap((schema) =>
    changeTriggers(orm.em, schema).flatMap(({ table, all }) =>
      all.map(({ name, body }) => ({ schema, table, name, body })),
    ),
  );
  const rows = wanted.map(({ table, name }) => `(to_regclass(${text(table)}), ${text(name)})`);
  const writer = new StatementWriter(dialect)
    .write(`select w.r is not null as c0, t.tgenabled in ('O', 'A') as c1, p.prosrc as c2
    from (select r, n, row_number() over () as nr from (values ${rows.join(', ')}) as g(r, n)) as w
      left join pg_trigger as t on t.tgrelid = w.r and t.tgname = w.n and not t.tgisinternal
      left join pg_proc as p on p.oid = t.tgfoid order by w.nr`);
  const found = await database.run(database.fork(), writer.finish(), {});
  return wanted.flatMap(({ schema, table, name, body }, index) => {
    const [isThere, isOn, source] = found[index] ?? [];
    if (!isTrue(isThere)) return [];
    if (source !== body) return { schema, table, name, problem: 'is missing, or another one' };
    return isTrue(isOn) ? [] : { schema, table, name, problem: 'is off' };
  });
}

function isTrue(value: unknown): boolean {
  return value === true || value === 't' || value === 'true';
}
