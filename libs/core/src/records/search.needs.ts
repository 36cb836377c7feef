import type { Database } from '../database/database.js';
import type { Reach } from '../database/reach.problem.js';
import type { ModelRegistry, SearchedColumn } from '../metadata/model.registry.js';
import { StatementWriter } from '../sql/statement.js';
import { Session } from '../visibility/session.js';
import { ConfigurationError } from '../wire/configuration.error.js';

/**
 * Looks for what the searches of columns need: extensions of the database, and text search configurations. A database that is
 * away is no reason not to start.
 *
 * @throws ConfigurationError with the statement that gives the database what it lacks
 */
export async function checkSearches(
  database: Database,
  models: ModelRegistry,
  isReached: Reach,
): Promise<void> {
  const needs = models.searchedColumns.flatMap((column) =>
    (column.type.search?.needs ?? []).map((need) => ({ ...column, need })),
  );
  if (needs.length === 0 || !(await isReached())) return;
  const probes = needs.map(({ need }) => `(${need.probe})::text`);
  const writer = new StatementWriter(database.dialect).write(
    `select ${probes.map((probe, index) => `${probe} as n${index}`).join(', ')}`,
  );
  const [answers = []] = await new Session(database).run(writer.finish(), {});
  for (const [index, { className, name, need }] of needs.entries())
    if (answers[index] !== 'true') throw lacking({ className, name }, need.problem);
}

function lacking({ className, name }: Pick<SearchedColumn, 'className' | 'name'>, problem: string): Error {
  return new ConfigurationError(`defineColumns(${className})`, name, problem);
}
