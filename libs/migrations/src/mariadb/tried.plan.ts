import type { CommandRules } from '../commands/command.context.js';
import type { RequiredColumn, SchemaChange, SchemaDiffTool } from '../diff/schema.diff.tool.js';
import { MigrationFailure } from '../migration.failure.js';
import { fillsOf, type FillQuoting } from '../safety/fills.js';
import { missingFills } from '../safety/missing.values.js';
import { mistakenRenames } from '../safety/mistaken.names.js';
import { objectionsOf } from '../safety/objections.js';
import { isRefusal, type MariaDbSession } from './mariadb.database.js';
import { LookedRows } from './looked.rows.js';
import { quoteName } from './mariadb.quoting.js';
import { renamedFirst } from './renamed.first.js';
import type { MariaDbSchema } from './mariadb.schema.js';
import { loadCopy } from './shadow.target.js';

/** A statement of a plan. */
interface TriedStep {
  readonly sql: string;
  /** The column that it gives values; undefined where it changes the schema. */
  readonly filled?: RequiredColumn;
}

/** The rules of a plan, with the checked expressions of fills by their names. */
export interface FilledRules extends CommandRules {
  readonly fills: ReadonlyMap<string, string>;
}

/** A plan that led to the target on a copy of the database. */
export interface TriedPlan {
  readonly steps: readonly TriedStep[];
  /** The reasons why it must not be applied; none when it may. */
  readonly objections: readonly string[];
  /** The change that the first comparison found. */
  readonly change: SchemaChange;
}

const quoting: FillQuoting = { table: ({ table }) => quoteName(table), column: quoteName };

/** The most plans that may follow each other: some differences show only after others are gone. */
const mostPlans = 4;

/** Plans, and tries the plan on a copy of the tables without their rows. @throws MigrationFailure if it does not lead there */
export async function triedPlan(
  session: MariaDbSession,
  tool: SchemaDiffTool,
  target: unknown,
  rules: FilledRules,
): Promise<TriedPlan> {
  const comparison = { ...rules, managesPrivileges: false, role: '' };
  const current = await tool.read(session);
  return session.beside(async () => {
    await loadCopy(session, current as MariaDbSchema);
    const renamed = await renamedFirst(session, rules.renames);
    const looked = new LookedRows(session, session.database, renamed);
    const compared = async (): Promise<SchemaChange> =>
      tool.compare(await tool.read(session), target, comparison);
    const change = await compared();
    const { first, objections } = await filled(change, looked, rules);
    const steps: TriedStep[] = renamed.map(({ sql }) => ({ sql }));
    let next = first;
    for (let plans = 0; next.length > 0; plans += 1) {
      if (plans === mostPlans)
        throw new MigrationFailure([
          'this plan would not lead to the target; these statements would be left:',
          ...next.map(({ sql }) => `  ${sql}`),
        ]);
      for (const step of next) {
        await tried(session, step.sql);
        steps.push(step);
      }
      next = (await compared()).steps.map(({ sql }) => ({ sql }));
    }
    return { steps, objections, change };
  });
}

/** The first statements of a plan, with those that give rows their values, and the reasons why it must not be applied. */
async function filled(
  change: SchemaChange,
  looked: LookedRows,
  rules: FilledRules,
): Promise<{ readonly first: readonly TriedStep[]; readonly objections: readonly string[] }> {
  const lacking = await looked.lacking(change);
  const fills = fillsOf(lacking, rules.fills, '', quoting);
  const columns = [...new Set(fills.map(({ column }) => column))];
  const missing = missingFills(
    lacking.filter((column) => !columns.includes(column)),
    '',
  );
  const losses = rules.allowDestructive ? [] : objectionsOf(change, await looked.changed(change));
  const mistaken = mistakenRenames(change, rules.renames, ({ table, column, to }) =>
    column === undefined ? `table ${to}` : `column ${table}.${to}`,
  );
  const { before, after } =
    columns.length === 0 ? { before: change.steps, after: [] } : change.divided(columns);
  const first = [
    ...before.map(({ sql }) => ({ sql })),
    ...fills.map(({ sql, column }) => ({ sql, filled: column })),
    ...after.map(({ sql }) => ({ sql })),
  ];
  return { first, objections: [...mistaken, ...losses, ...missing] };
}

async function tried(session: MariaDbSession, sql: string): Promise<void> {
  try {
    await session.query(sql);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new MigrationFailure([`nothing was changed: ${error.message}`, `in: ${sql}`], { cause: error });
  }
}
