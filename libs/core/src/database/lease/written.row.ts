import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import type { Row } from '../../sql/row.layout.js';

/** The columns of a row that is written which somebody answers with. */
export interface AnsweredColumns {
  readonly meta: EntityMetadata;
  /** The alias that the table has in them. */
  readonly alias: string;
  readonly list: string;
}

/** A row as it was written last. */
export interface WrittenRow {
  readonly columns: AnsweredColumns;
  readonly key: unknown;
  readonly isNew: boolean;
  /** The values that were written, by property. */
  readonly given: ReadonlyMap<EntityProperty, unknown>;
  readonly row: Row;
}
