import type { Command, CommandContext } from '../commands/command.context.js';
import { targetStatements } from '../gate/target.statements.js';
import type { Session } from '../database/session.js';
import { MigrationFailure } from '../migration.failure.js';
import { SchemaDatabase } from './schema.database.js';
import { schemaTargets } from './schema.targets.js';

/** The schemas that a command is for, and how it goes on. */
export interface SchemaWork {
  readonly schemas: readonly string[];
  /** True if they are to be made first. */
  readonly areNew: boolean;
  /** The number of schemas at a time. */
  readonly atOnce: number;
  /** Remembers, in the transaction that makes a schema the target, which target it was. */
  readonly keep: (session: Session, schema: string) => Promise<void>;
  /** Is given a line for each schema as it ends. */
  readonly tell: (line: string) => void;
}

/** The outcome for a schema: its lines, or why there are none. */
interface Outcome {
  readonly schema: string;
  readonly lines: readonly string[];
  readonly failed: boolean;
  /** The error where it failed. */
  readonly error?: unknown;
}

/**
 * Carries out a command for the schemas of tenants, several at a time. Each is a transaction of its own: what fails in one keeps
 * it from none of the others, and the same command goes on with those that are left.
 *
 * @returns the lines of all schemas, behind a comment with the name of each
 * @throws MigrationFailure with a line for each schema that failed
 */
export async function runInSchemas(
  command: Command,
  context: CommandContext,
  work: SchemaWork,
): Promise<readonly string[]> {
  const { schemas, atOnce } = work;
  const statements = await targetStatements(await context.sources());
  const outcomes: Outcome[] = [];
  try {
    for await (const targets of schemaTargets(context, statements, schemas)) {
      const left = [...targets];
      const worker = async (): Promise<void> => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          const [schema, target] = next;
          const begun = performance.now();
          const outcome = await outcomeOf(command, schema, {
            ...context,
            database: new SchemaDatabase(context.database, schema, work.areNew),
            lastTarget: { of: () => Promise.resolve(target) },
            rules: { ...context.rules, schema },
            keep: (session) => work.keep(session, schema),
          });
          outcomes.push(outcome);
          work.tell(progress(outcome, performance.now() - begun, outcomes.length, schemas.length));
        }
      };
      const ends = await Promise.allSettled(Array.from({ length: atOnce }, worker));
      const failed = ends.find(({ status }) => status === 'rejected');
      if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
    }
  } catch (error) {
    if (outcomes.length === 0) throw error;
    const done = new Set(outcomes.map(({ schema }) => schema));
    for (const schema of schemas) if (!done.has(schema)) outcomes.push(failure(schema, error));
  }
  const defect = outcomes.find(({ error }) => isDefect(error));
  if (defect !== undefined) throw defect.error;
  return report(outcomes);
}

async function outcomeOf(command: Command, schema: string, context: CommandContext): Promise<Outcome> {
  try {
    return { schema, lines: await command(context), failed: false };
  } catch (error) {
    return failure(schema, error);
  }
}

function failure(schema: string, error: unknown): Outcome {
  const lines = error instanceof MigrationFailure ? error.lines : String(error).split('\n');
  return { schema, lines, failed: true, error };
}

/** True for a mistake in a program. A database that refuses, or that is gone, is none. */
function isDefect(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

function progress({ schema, lines, failed }: Outcome, took: number, count: number, of: number): string {
  const what = failed ? `failed: ${lines[0] ?? ''}` : lines.length === 1 ? '1 line' : `${lines.length} lines`;
  return `${count}/${of} ${schema}: ${what}, ${Math.round(took)} ms`;
}

function report(outcomes: readonly Outcome[]): readonly string[] {
  const ordered = outcomes.toSorted((a, b) => (a.schema < b.schema ? -1 : 1));
  const failures = ordered.filter(({ failed }) => failed);
  if (failures.length === 0)
    return ordered.flatMap(({ schema, lines }) => (lines.length === 0 ? [] : [`-- ${schema}`, ...lines]));
  const rest = ordered.length - failures.length;
  throw new MigrationFailure([
    `${failures.length} of ${ordered.length} schemas failed, ${rest} did not; the same command goes on with:`,
    ...failures.flatMap(({ schema, lines }) => lines.map((line) => `${schema}: ${line}`)),
  ]);
}
