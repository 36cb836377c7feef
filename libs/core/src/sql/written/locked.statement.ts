import type { EntityProperty } from '@mikro-orm/core';
import type { Model } from '../../model/model.js';
import { storedFields } from '../../metadata/stored.fields.js';
import { CriteriaWriter, type ShapedCondition } from '../condition.writer.js';
import type { Dialect } from '../dialect.js';
import type { Restrictions } from '../restriction.js';
import { Scope } from '../scope.js';
import { StatementWriter, type Statement } from '../statement.js';
import type { TableSql } from '../table.sql.js';

/** The records that a statement locks. */
export interface LockedShape {
  readonly model: Model;
  readonly conditions: readonly ShapedCondition[];
  /** The records that the request may see: plain conditions alone. */
  readonly restrictions: Restrictions;
  /** The properties that are read, each of them one column. */
  readonly properties: readonly EntityProperty[];
}

/**
 * Writes the statement that finds a record by conditions, and locks it until the transaction ends. Its columns have the names of
 * the table's.
 */
export function lockedStatement(
  dialect: Dialect,
  tables: TableSql,
  { model, conditions, restrictions, properties }: LockedShape,
): Statement {
  const writer = new StatementWriter(dialect);
  const scope = new Scope({ writer, tables, restrictions }, model);
  const list = properties.map((property) => {
    const [field = property.name] = storedFields(property);
    return `${tables.field(scope.alias, property)} as ${dialect.quote(field)}`;
  });
  writer.write(`select ${list.join(', ')} from ${scope.table}`);
  scope.writeLimits(new CriteriaWriter(scope).write(conditions, ' where '));
  writer.write(` limit 1 for update of ${dialect.quote(scope.alias)}`);
  return writer.finish({ preparation: 'kept' });
}
