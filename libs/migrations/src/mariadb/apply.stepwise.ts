import { createHash } from 'node:crypto';
import type { CommandRules } from '../commands/command.context.js';
import type { RequiredColumn, SchemaDiffTool } from '../diff/schema.diff.tool.js';
import { MigrationFailure } from '../migration.failure.js';
import { fillName } from '../safety/fills.js';
import { AppliedProgress } from './applied.progress.js';
import { isRefusal, type MariaDbSession } from './mariadb.database.js';
import { quoteName } from './mariadb.quoting.js';
import { triedPlan, type FilledRules } from './tried.plan.js';

/**
 * Makes the schema the target, statement by statement: MariaDB commits each. What was done stays; the next apply plans from
 * there. It answers the statements that were run, behind a comment where it goes on with what an apply before began.
 */
export async function applyStepwise(
  session: MariaDbSession,
  tool: SchemaDiffTool,
  target: unknown,
  rules: FilledRules & { readonly digest: string },
): Promise<readonly string[]> {
  await alone(session, rules);
  const progress = new AppliedProgress(session);
  const cut = await progress.cut();
  const { steps, objections } = await triedPlan(session, tool, target, rules);
  if (objections.length > 0) throw new MigrationFailure(objections);
  const statements = steps.map(({ sql }) => sql);
  const goesOn =
    cut === undefined
      ? []
      : [`-- goes on: an apply before was cut after ${cut.done} of ${cut.planned} statements`];
  if (statements.length > 0) await progress.begin(statements.length);
  for (const [done, { sql, filled }] of steps.entries()) {
    try {
      await session.query(sql);
      if (filled !== undefined) await haveValues(session, filled);
    } catch (error) {
      if (!isRefusal(error) && !(error instanceof MigrationFailure)) throw error;
      throw new MigrationFailure([...cameTo(statements, done), error.message, `in: ${sql}`], {
        cause: error,
      });
    }
    await progress.came(done + 1);
  }
  if (statements.length > 0 || cut !== undefined) await progress.end();
  const left = tool.compare(await tool.read(session), target, {
    ...rules,
    managesPrivileges: false,
    role: '',
  });
  if (left.steps.length > 0)
    throw new MigrationFailure([
      `all ${statements.length} statements were applied, and the schema is not the target; these would be left:`,
      ...left.steps.map(({ sql }) => `  ${sql}`),
    ]);
  await progress.keepDigest(rules.digest);
  return [...goesOn, ...statements];
}

/** @throws MigrationFailure if a fill has left a row without a value */
async function haveValues(session: MariaDbSession, column: RequiredColumn): Promise<void> {
  const [row] = await session.query(
    `select 1 as yes from ${quoteName(column.table)} where ${quoteName(column.column)} is null limit 1`,
  );
  if (row !== undefined)
    throw new MigrationFailure(`the fill of '${fillName(column, '')}' gives no value to some row`);
}

/** Says exactly what stays. */
function cameTo(statements: readonly string[], done: number): readonly string[] {
  if (done === 0) return ['nothing was changed: the first statement failed:'];
  return [
    `${done} of ${statements.length} statements were applied and stay; the next apply goes on from there:`,
    ...statements.slice(0, done).map((sql) => `  ${sql}`),
    'then this one failed:',
  ];
}

/** Waits for others that apply, then sets how long a statement may wait for a table that somebody else uses. */
async function alone(session: MariaDbSession, { waitTimeout, lockTimeout }: CommandRules): Promise<void> {
  const key = `nest_endpoints_${createHash('sha256').update(session.database).digest('hex').slice(0, 32)}`;
  const [row] = await session.query('select get_lock(?, ?) as ours', [key, waitTimeout / 1_000]);
  if (Number(row?.['ours']) !== 1)
    throw new MigrationFailure(
      `nothing was changed: another process has been applying for more than ${waitTimeout} ms`,
    );
  const seconds = Math.max(1, Math.ceil(lockTimeout / 1_000));
  await session.query(`set session lock_wait_timeout = ${seconds}`);
  await session.query(`set session innodb_lock_wait_timeout = ${seconds}`);
}
