import type { EntityProperty } from '@mikro-orm/core';
import type { Column } from '../../model/column.js';
import type { ColumnPath, Model } from '../../model/model.js';
import type { LoggedSort, RecordedTarget } from '../changes/change.log.sql.js';
import type { Restrictions } from '../restriction.js';

export interface ChangedColumn {
  readonly column: Column;
  readonly isNull: boolean;
}

export interface ChangedRow {
  readonly changed: readonly ChangedColumn[];
  /** The properties that change with the columns. */
  readonly along: readonly EntityProperty[];
  /** The version, which counts the changes. */
  readonly counted: EntityProperty | undefined;
}

/** A row that is written, or changed where one is there already. */
export interface UpsertedRow extends ChangedRow {
  /** The properties of a new row that have a value. */
  readonly properties: readonly EntityProperty[];
  /** The properties by whose values a row is there already: those of a unique index. */
  readonly conflict: readonly EntityProperty[];
  /** The property that is null in live rows, where the index is one of those alone. */
  readonly ofLive: EntityProperty | undefined;
  /** The mark of new rows: they are none before, or nobody has locked them. */
  readonly mark: 'old' | 'xmax';
}

/** A parent that a written record refers to, of which the request may not see all: the statement must see it, too. */
export interface WrittenParent {
  /** The property that holds its key. */
  readonly property: EntityProperty;
  readonly parent: Model;
  /** True if nobody may change the parent until the write is committed: it would be deleted by a mark, which no key sees. */
  readonly isHeld: boolean;
}

/** The record that is written, and what of it is answered. */
export interface WrittenRecord {
  readonly model: Model;
  readonly columns: readonly ColumnPath[];
  /** The records that the request may see, of the written one, its parents and theirs. */
  readonly restrictions: Restrictions;
  readonly parents: readonly WrittenParent[];
  /** The log of its changes; left out where they are not recorded. */
  readonly recorded?: RecordedTarget | undefined;
  /** True if a change of a recorded one locks it to know how it was: no `returning` of the database has it. */
  readonly isLocked?: boolean;
}

/** The facts that a statement tells beside the columns of a row: if it is a new one, and what the log is told of it. */
export interface Told {
  /** The expression for a new row; left out where nobody asks. */
  readonly isNew?: string;
  readonly sort: LoggedSort;
  /** The properties that may change; left out for all. */
  readonly written?: readonly EntityProperty[];
  /** The properties that may change of a record that is there; left out for the same. */
  readonly changed?: readonly EntityProperty[];
  /**
   * Writes what stands in front, and keeps these values of the record as it was: gives them as `returning` has them. Left out
   * where the database itself returns what it has written over.
   */
  readonly before?: (old: readonly string[]) => readonly string[];
}
