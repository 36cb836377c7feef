import { isDatabaseError, sqlStates } from '../database/database.error.js';
import type { SchemaDiffTool } from '../diff/schema.diff.tool.js';
import { MigrationFailure } from '../migration.failure.js';
import { AppliedChange } from './applied.change.js';
import type { Command, CommandContext } from './command.context.js';
import type { TargetSchema } from './last.target.js';
import { targetSchema } from './target.schema.js';

/**
 * Makes the schema the target, in one transaction. The change is planned, judged, run and compared again in it, so that
 * it either ends with the target or leaves everything as it was. It answers the statements that were run.
 */
export const apply: Command = async (context) => {
  const target = await targetSchema(context);
  const tool = await context.tool();
  try {
    return await applied(context, tool, target);
  } catch (error) {
    if (!usesNewLabel(error)) throw error;
    // PostgreSQL lets a label be used only after the transaction that added it: labels first, and then the rest.
    const labels = await context.database.transaction((session) =>
      new AppliedChange(session, tool, target, context.rules).labels(),
    );
    try {
      return [...labels, ...(await applied(context, tool, target))];
    } catch (failure) {
      throw failure instanceof MigrationFailure ? afterLabels(failure, labels) : failure;
    }
  }
};

/** The one thing that stays of a migration that failed; the next one goes on from there. */
function afterLabels(failure: MigrationFailure, labels: readonly string[]): MigrationFailure {
  return new MigrationFailure(
    [...failure.lines, 'but for these, which had to be committed first:', ...labels.map((sql) => `  ${sql}`)],
    { cause: failure.cause },
  );
}

function applied(
  { database, rules }: CommandContext,
  tool: SchemaDiffTool,
  target: TargetSchema,
): Promise<readonly string[]> {
  return database.transaction((session) => new AppliedChange(session, tool, target, rules).whole());
}

function usesNewLabel(error: unknown): boolean {
  if (!(error instanceof MigrationFailure)) return false;
  return isDatabaseError(error.cause) && error.cause.code === sqlStates.unsafeNewEnumValue;
}
