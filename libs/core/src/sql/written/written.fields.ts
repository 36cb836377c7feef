import { ReferenceKind, type EntityMetadata } from '@mikro-orm/core';
import { storedFields } from '../../metadata/stored.fields.js';
import type { Scope } from '../scope.js';
import { holdsKey } from '../table.sql.js';
import type { WrittenRecord } from './written.record.js';

/** The columns of a record that somebody writes, by their names in the database. */
export function storedColumnsOf({ props }: EntityMetadata): readonly string[] {
  const stored = props.filter(
    (property) =>
      (property.kind === ReferenceKind.SCALAR || holdsKey(property)) &&
      property.persist !== false &&
      property.formula === undefined &&
      property.generated === undefined,
  );
  return [...new Set(stored.flatMap(storedFields))];
}

/** The columns that the answer and the joins to its parents take from a written row. */
export function answeredFields({ alias, draft }: Scope, { model, columns }: WrittenRecord): string[] {
  const { tables } = draft;
  const fields = columns.flatMap(({ relations: [relation], column }) => {
    if (relation === undefined) return tables.field(alias, column.property);
    const { property } = relation;
    if (!holdsKey(property)) return model.meta.getPrimaryProps().map((key) => tables.field(alias, key));
    // A parent with a key of several columns is joined by all of them.
    const parting = property.joinColumns.slice(0, -1).map((name) => tables.column(alias, name));
    return [tables.field(alias, property), ...parting];
  });
  return [...new Set(fields)];
}
