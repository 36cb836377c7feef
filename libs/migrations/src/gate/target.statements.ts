import { distributionOf } from '../distribution/distribution.js';
import { MigrationFailure } from '../migration.failure.js';
import type { SourceText } from '../sources/source.text.js';
import { objectionTo, type Objection } from './allowed.statements.js';
import { parseSource } from './sql.parser.js';
import { defaultsOfViews } from './statement.parts.js';
import type { SqlStatement } from './sql.statement.js';

/**
 * The statements of a target schema, every one of a sort that is allowed.
 *
 * @throws MigrationFailure with a line `file:line:column: …` for each that is not, and for an empty target: it would
 *   mean that everything goes.
 */
export async function targetStatements(sources: readonly SourceText[]): Promise<readonly SqlStatement[]> {
  const problems: string[] = [];
  const statements: SqlStatement[] = [];
  for (const source of sources)
    try {
      statements.push(...(await parseSource(source)));
    } catch (error) {
      if (!(error instanceof MigrationFailure)) throw error;
      problems.push(...error.lines);
    }
  const isDefaultOfView = defaultsOfViews(statements);
  problems.push(
    ...statements.flatMap((statement) =>
      isDefaultOfView(statement.node) ? problem(statement, ofView) : problemOf(statement),
    ),
  );
  if (problems.length > 0) throw new MigrationFailure(problems);
  if (statements.length === 0)
    throw new MigrationFailure('the target schema is empty: no entry of sql holds a statement');
  return statements;
}

function problemOf(statement: SqlStatement): readonly string[] {
  if (distributionOf(statement) !== undefined) return [];
  const objection = objectionTo(statement.node);
  return objection === undefined ? [] : problem(statement, objection);
}

function problem(statement: SqlStatement, { reason, byte }: Objection): readonly string[] {
  return [`${statement.atByte(byte)}: ${beginning(statement.text)}: ${reason}`];
}

const ofView: Objection = { reason: 'defaults of columns of views are not managed' };

/** The first words, by which the writer knows it again. */
function beginning(text: string): string {
  return (/^\s*(\w+(?:\s+\w+)?)/.exec(text)?.[1] ?? 'this statement').replace(/\s+/, ' ').toUpperCase();
}
