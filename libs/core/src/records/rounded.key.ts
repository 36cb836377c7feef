import type { Model } from '../model/model.js';
import type { Dialect } from '../sql/dialect.js';

/**
 * Refuses a record whose key the driver has rounded. MikroORM finds, writes and deletes by the key an entity has. Where
 * its driver rounds integers beyond 2^53 that may be the key of another record.
 *
 * @throws RangeError, which is logged and answered as a failure
 */
export function refuseRounded(dialect: Dialect, { meta, idColumn }: Model, key: unknown): void {
  if (dialect.rounds(key, idColumn.property))
    throw new RangeError(
      `${meta.className}: the database's driver rounds keys beyond 2^53, this one to ${String(key)}`,
    );
}
