import type { KindContext } from '../../../endpoint/kind.context.js';
import type { Model } from '../../../model/model.js';
import type { RecordConflicts } from '../../../records/record.store.js';
import { ConfigurationError, UnfitModel } from '../../../wire/configuration.error.js';
import type { ConflictColumns } from './conflict.columns.js';

/**
 * The unique index of the columns by which records are found. The start is stopped where the database has none.
 *
 * @throws ConfigurationError where nobody knows if a record is there already
 */
export function conflictIndexOf(
  context: KindContext,
  model: Model,
  { columns, option }: ConflictColumns,
): RecordConflicts {
  const index = context.store(model).conflictsOf(columns);
  if (index === undefined) {
    const problem = 'its records are in a backend of your own, which has no unique constraints';
    throw new UnfitModel(context.owner, problem);
  }
  context.whenReady(async () => {
    const problem = await index.misfit();
    if (problem !== undefined) throw new ConfigurationError(context.owner, option, problem);
  });
  return index;
}
