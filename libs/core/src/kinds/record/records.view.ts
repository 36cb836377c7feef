import type { KindContext } from '../../endpoint/kind.context.js';
import type { RecordsOptions } from '../../endpoint/options/records.options.js';
import type { KindTraits } from '../../endpoint/compiled.kind.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import { softEntityOf } from '../../model/soft/soft.entity.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/**
 * The records that an endpoint is about, as a trait of its kind.
 * @param lookup the column by which it finds one record
 * @throws ConfigurationError where records are deleted for good, and for a column of which several deleted records may have a value
 */
export function recordsShown(
  { owner }: KindContext,
  { meta }: Model,
  { records = 'live' }: RecordsOptions,
  lookup?: Column,
): Pick<KindTraits, 'records'> {
  if (records === 'live') return { records };
  const soft = softEntityOf(meta);
  const { className } = meta;
  if (soft === undefined) {
    const problem = `records of ${className} are deleted for good: say softDelete(${className}, { columnName: … })`;
    throw new ConfigurationError(owner, 'records', problem);
  }
  if (lookup === undefined || lookup.property.primary === true || !soft.isUniqueAmongLive) return { records };
  const problem = `several deleted records may have the same '${lookup.name}'; look them up by their key`;
  throw new ConfigurationError(owner, 'recordLookupColumnName', problem);
}
