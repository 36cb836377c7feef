import { quoteIdentifier } from '../database/quoting.js';
import type { ForgivingSession, Session } from '../database/session.js';
import type { CommandContext } from '../commands/command.context.js';
import type { TargetSchema } from '../commands/last.target.js';
import { readTarget } from '../commands/target.schema.js';
import type { SchemaDiffTool } from '../diff/schema.diff.tool.js';
import { dividedTarget } from '../distribution/distributed.tables.js';
import { managesPrivileges } from '../gate/statement.parts.js';
import type { SqlStatement } from '../gate/sql.statement.js';
import { checkFills } from '../safety/unknown.fills.js';
import { loadTarget } from '../shadow/shadow.loader.js';
import { lookFirstIn, searchPathOf } from './schema.database.js';

/** The most targets that one shadow shows: PGlite answers nothing else meanwhile. */
const most = 25;

/**
 * Tries the target once and shows what it makes of several schemas: the one that it has made gets the name of each. What the
 * target says of other schemas is not looked at.
 */
export async function* schemaTargets(
  { database, tool, fills, rules }: Pick<CommandContext, 'database' | 'tool' | 'fills' | 'rules'>,
  statements: readonly SqlStatement[],
  schemas: readonly string[],
): AsyncGenerator<ReadonlyMap<string, TargetSchema>> {
  const hasPrivileges = managesPrivileges(statements);
  const differ = await tool();
  const filled = [...(await fills()).keys()];
  const checked = (session: Session, schema: string): Promise<void> =>
    checkFills(session, filled, { ...rules, schema });
  for (let start = 0, count = most; start < schemas.length; start += count) {
    const some = schemas.slice(start, start + count);
    const shown = await database.shadow((session) => show(session, differ, statements, some, checked));
    // A function keeps the name of its schema as a text: then each schema has a shadow of its own.
    count = shown.length;
    yield new Map(
      shown.map(([schema, snapshot]) => [schema, { snapshot, managesPrivileges: hasPrivileges }]),
    );
  }
}

async function show(
  session: ForgivingSession,
  tool: SchemaDiffTool,
  statements: readonly SqlStatement[],
  [first = '', ...others]: readonly string[],
  check: (session: Session, schema: string) => Promise<void>,
): Promise<readonly (readonly [schema: string, snapshot: unknown])[]> {
  const searchPath = await searchPathOf(session);
  await session.query(`create schema ${quoteIdentifier(first)}`);
  await lookFirstIn(session, first, searchPath);
  await loadTarget(session, dividedTarget(statements).schema);
  await check(session, first);
  const shown: (readonly [string, unknown])[] = [[first, await readTarget(tool, session, first)]];
  if (await namesItself(session, first)) return shown;
  let last = first;
  for (const schema of others) {
    await session.query(`alter schema ${quoteIdentifier(last)} rename to ${quoteIdentifier(schema)}`);
    await lookFirstIn(session, schema, searchPath);
    shown.push([schema, await readTarget(tool, session, schema)]);
    last = schema;
  }
  return shown;
}

/** True if a setting of a function names its schema: that does not change with the name. */
async function namesItself(session: ForgivingSession, schema: string): Promise<boolean> {
  const rows = await session.query(
    `select from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = $1 and p.proconfig is not null limit 1`,
    [schema],
  );
  return rows.length > 0;
}
