import type { ForgivingSession, Session } from '../database/session.js';
import type { SchemaChange, SchemaDiffTool } from '../diff/schema.diff.tool.js';
import { checkDistributions, distributed, dividedTarget } from '../distribution/distributed.tables.js';
import { managesPrivileges } from '../gate/statement.parts.js';
import { targetStatements } from '../gate/target.statements.js';
import { checkFills } from '../safety/unknown.fills.js';
import { loadTarget } from '../shadow/shadow.loader.js';
import type { SourceText } from '../sources/source.text.js';
import { schemaNames } from '../schemas/schema.names.js';
import type { CommandContext, CommandRules } from './command.context.js';
import type { TargetSchema } from './last.target.js';

/** Reads, judges and tries the target. @throws MigrationFailure naming `file:line:column` */
export async function triedTarget(
  context: CommandContext,
  sources: readonly SourceText[],
): Promise<TargetSchema> {
  const { schema, distributions } = dividedTarget(await targetStatements(sources));
  const tool = await context.tool();
  const fills = (await context.fills()).keys();
  const snapshot = await context.database.shadow(async (session) => {
    await loadTarget(session, schema);
    await checkDistributions(session, distributions);
    await checkFills(session, fills, context.rules);
    return readTarget(tool, session);
  });
  return { snapshot, managesPrivileges: managesPrivileges(schema), distributions };
}

/** Reads the target that a session shows. */
export function readTarget(tool: SchemaDiffTool, session: Session, schema?: string): Promise<unknown> {
  return tool.readTarget?.(session, schema) ?? tool.read(session, schema);
}

/** {@link triedTarget}, unless the same migrator has just tried the same target. */
export async function targetSchema(context: CommandContext): Promise<TargetSchema> {
  const sources = await context.sources();
  return context.lastTarget.of(sources, () => triedTarget(context, sources));
}

/** Finds what is to do on the target database, as the session sees it now. */
export async function changeTo(
  session: ForgivingSession,
  tool: SchemaDiffTool,
  { snapshot, managesPrivileges, distributions = [] }: TargetSchema,
  { unmanagedSchemas: others, unmanagedTables, schema, isOfTenant }: CommandRules,
): Promise<SchemaChange> {
  const [row] = await session.query('select current_user::text as role');
  const role = String(row?.['role']);
  const current = await tool.read(session, schema);
  // Asked behind what was read: whichever of tenants' schemas that has is known then, however new it is.
  const tenants = schema === undefined ? (await schemaNames(session)).filter(isOfTenant) : [];
  const unmanagedSchemas = new Set([...others, ...tenants]);
  const rules = { unmanagedSchemas, unmanagedTables, managesPrivileges, role };
  const change = tool.compare(current, snapshot, rules);
  // A tenant's schema is on one worker as a whole.
  return schema === undefined ? distributed(session, change, distributions) : change;
}
