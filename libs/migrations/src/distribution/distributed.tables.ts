import type { Session } from '../database/session.js';
import type { SchemaChange, SchemaStep } from '../diff/schema.diff.tool.js';
import type { SqlStatement } from '../gate/sql.statement.js';
import { MigrationFailure } from '../migration.failure.js';
import { distributionOf, type Distribution } from './distribution.js';

/** A foreign key. It refers to a table that is distributed by then, or neither is. */
const foreignKey = /^alter\s+table\s.*\sforeign\s+key\b/is;

/** Divides a target into what makes a schema and what says where rows are. */
export function dividedTarget(statements: readonly SqlStatement[]): {
  readonly schema: readonly SqlStatement[];
  readonly distributions: readonly Distribution[];
} {
  const distributions = statements.flatMap((statement) => distributionOf(statement) ?? []);
  const placing = new Set(distributions.map(({ statement }) => statement));
  return { schema: statements.filter((statement) => !placing.has(statement)), distributions };
}

/** Looks if the target has the tables and columns. @throws MigrationFailure with a line `file:line:column: …` for each that it has not */
export async function checkDistributions(
  session: Session,
  distributions: readonly Distribution[],
): Promise<void> {
  const problems: string[] = [];
  for (const { statement, table, column } of distributions) {
    const [row] = await session.query(
      `select to_regclass($1) is not null as is_there, $2::text is null or exists (select 1 from pg_attribute
        where attrelid = to_regclass($1) and attname = $2 and attnum > 0 and not attisdropped) as has_column`,
      [table, column ?? null],
    );
    if (row?.['is_there'] !== true) problems.push(`${statement.at()}: the target has no table ${table}`);
    else if (row['has_column'] !== true)
      problems.push(`${statement.at()}: the table ${table} has no column ${String(column)}`);
  }
  if (problems.length > 0) throw new MigrationFailure(problems);
}

/**
 * Adds to a change what distributes its tables: behind all that makes them, and before foreign keys. What is distributed as the
 * target says stays as it is.
 *
 * @throws MigrationFailure for what cannot be carried out: no extension, a table with rows, one that is distributed in another way
 */
export async function distributed(
  session: Session,
  change: SchemaChange,
  distributions: readonly Distribution[],
): Promise<SchemaChange> {
  if (distributions.length === 0) return change;
  const steps = await stepsOf(session, distributions);
  if (steps.length === 0) return change;
  return {
    ...change,
    steps: inOrder(change.steps, steps),
    divided: (columns) => {
      const { before, after } = change.divided(columns);
      return { before: inOrder(before, steps), after };
    },
  };
}

async function stepsOf(
  session: Session,
  distributions: readonly Distribution[],
): Promise<readonly SchemaStep[]> {
  const [extension] = await session.query(`select 1 as found from pg_extension where extname = 'citus'`);
  if (extension === undefined)
    throw new MigrationFailure([
      'the target distributes tables, and the database has no extension citus: create it on each server and add the workers, as docs/scaling.md says',
    ]);
  const problems: string[] = [];
  const steps: SchemaStep[] = [];
  for (const distribution of distributions) {
    const problem = await problemOf(session, distribution);
    if (problem === undefined) steps.push({ sql: distribution.statement.text.trim(), addsLabel: false });
    else if (problem !== 'done') problems.push(`${distribution.statement.at()}: ${problem}`);
  }
  if (problems.length > 0) throw new MigrationFailure(problems);
  return steps;
}

/** The reason why a table cannot be distributed now; `done` where it is. */
async function problemOf(session: Session, { table, column }: Distribution): Promise<string | undefined> {
  const [known] = await session.query(
    `select citus_table_type::text as sort, distribution_column::text as by from citus_tables
      where table_name = to_regclass($1) and citus_table_type in ('distributed', 'reference')`,
    [table],
  );
  if (known !== undefined) {
    const by = known['sort'] === 'distributed' ? String(known['by']) : undefined;
    if (by === column) return 'done';
    const is = by === undefined ? 'copied to all workers' : `distributed by ${by}`;
    return `the table ${table} is ${is} already: select undistribute_table('…') by hand, which moves its rows`;
  }
  const [found] = await session.query(
    `select format('select exists (select 1 from %s) as has_rows', to_regclass($1)) as question where to_regclass($1) is not null`,
    [table],
  );
  if (found === undefined) return undefined;
  const [rows] = await session.query(String(found['question']));
  if (rows?.['has_rows'] !== true) return undefined;
  return `the table ${table} has rows, which writes would wait for while they are copied: distribute it by hand, create_distributed_table_concurrently does it while they go on`;
}

function inOrder(steps: readonly SchemaStep[], placing: readonly SchemaStep[]): readonly SchemaStep[] {
  const keys = steps.filter(({ sql }) => foreignKey.test(sql));
  return [...steps.filter((step) => !keys.includes(step)), ...placing, ...keys];
}
