import { isDatabaseError, sqlStates } from '../database/database.error.js';
import type { Session } from '../database/session.js';
import { told } from '../database/told.refusals.js';
import { MigrationFailure } from '../migration.failure.js';
import { invalidIndexes } from '../safety/invalid.indexes.js';
import { AppliedChange } from './applied.change.js';
import type { Command } from './command.context.js';
import { targetSchema } from './target.schema.js';

/**
 * Makes the schema the target, in one transaction. The change is planned, judged, run and compared again in it, so that
 * it either ends with the target or leaves everything as it was. It answers the statements that were run.
 */
export const apply: Command = async (context) => {
  const expressions = await context.fills();
  const target = await targetSchema(context);
  const tool = await context.tool();
  const { database, rules } = context;
  const within = <T>(work: (change: AppliedChange, session: Session) => Promise<T>): Promise<T> =>
    database.transaction((session) =>
      work(new AppliedChange(session, tool, target, rules, expressions), session),
    );
  const whole = (): Promise<readonly string[]> =>
    within(async (change, session) => {
      const statements = await change.whole();
      const invalid = await told(() => invalidIndexes(session, rules));
      await told(() => context.keep(session));
      return [...statements, ...invalid];
    });
  try {
    return await whole();
  } catch (error) {
    if (!usesNewLabel(error)) throw error;
    // PostgreSQL lets a label be used only after the transaction that added it: labels first, and then the rest.
    const labels = await within((change) => change.labels());
    try {
      return [...labels, ...(await whole())];
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

function usesNewLabel(error: unknown): boolean {
  if (!(error instanceof MigrationFailure)) return false;
  return isDatabaseError(error.cause) && error.cause.code === sqlStates.unsafeNewEnumValue;
}
