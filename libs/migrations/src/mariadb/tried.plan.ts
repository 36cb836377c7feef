import type { CommandRules } from '../commands/command.context.js';
import type { SchemaChange, SchemaDiffTool } from '../diff/schema.diff.tool.js';
import { MigrationFailure } from '../migration.failure.js';
import { objectionsOf } from '../safety/objections.js';
import { isRefusal, type MariaDbSession } from './mariadb.database.js';
import { LookedRows } from './looked.rows.js';
import { renamedFirst } from './renamed.first.js';
import type { MariaDbSchema } from './mariadb.schema.js';
import { loadCopy } from './shadow.target.js';

/** A plan that led to the target on a copy of the database. */
export interface TriedPlan {
  readonly statements: readonly string[];
  /** The reasons why it must not be applied; none when it may. */
  readonly objections: readonly string[];
  /** The change that the first comparison found. */
  readonly change: SchemaChange;
}

/** The most plans that may follow each other: some differences show only after others are gone. */
const mostPlans = 4;

/** Plans, and tries the plan on a copy of the tables without their rows. @throws MigrationFailure if it does not lead there */
export async function triedPlan(
  session: MariaDbSession,
  tool: SchemaDiffTool,
  target: unknown,
  rules: CommandRules,
): Promise<TriedPlan> {
  const comparison = { ...rules, managesPrivileges: false, role: '' };
  const current = await tool.read(session);
  return session.beside(async () => {
    await loadCopy(session, current as MariaDbSchema);
    const renamed = await renamedFirst(session, rules.renames);
    const looked = new LookedRows(session, session.database, renamed);
    const statements = renamed.map(({ sql }) => sql);
    const objections: string[] = [];
    let first: SchemaChange | undefined;
    for (let plans = 0; ; plans += 1) {
      const change = tool.compare(await tool.read(session), target, comparison);
      first ??= change;
      if (change.steps.length === 0) break;
      if (plans === mostPlans)
        throw new MigrationFailure([
          'this plan would not lead to the target; these statements would be left:',
          ...change.steps.map(({ sql }) => `  ${sql}`),
        ]);
      if (plans === 0) {
        const lost = rules.allowDestructive ? [] : objectionsOf(change, await looked.changed(change));
        objections.push(...lost, ...(await looked.missing(change)));
      }
      for (const { sql } of change.steps) {
        await tried(session, sql);
        statements.push(sql);
      }
    }
    return { statements, objections, change: first };
  });
}

async function tried(session: MariaDbSession, sql: string): Promise<void> {
  try {
    await session.query(sql);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new MigrationFailure([`nothing was changed: ${error.message}`, `in: ${sql}`], { cause: error });
  }
}
