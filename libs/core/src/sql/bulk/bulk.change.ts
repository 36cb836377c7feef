import type { EntityProperty } from '@mikro-orm/core';
import type { Column } from '../../model/column.js';
import { ChangeLogSql } from '../changes/change.log.sql.js';
import type { Dialect } from '../dialect.js';
import { asWritten } from '../dialects/postgresql.rules.js';
import { Scope } from '../scope.js';
import type { Statement } from '../statement.js';
import type { TableSql } from '../table.sql.js';
import type { WrittenRecord } from '../written/written.record.js';
import { BulkDraft } from './bulk.draft.js';
import { differing } from './differing.js';
import { LockedRecords, type FoundRecords } from './locked.records.js';
import type { StoredColumn, StoredColumns } from './stored.columns.js';

/** A column that is changed. */
interface BulkColumn {
  readonly column: Column;
  /** True if some records have no new value of it. */
  readonly isPartial: boolean;
}

/** The values that records get. */
export interface BulkValues {
  readonly changed: readonly BulkColumn[];
  /** The properties that change with the columns. */
  readonly along: readonly EntityProperty[];
  /** The version, which counts the changes. */
  readonly counted: EntityProperty | undefined;
  /** True if all records get the same values. */
  readonly isSame: boolean;
}

/** The type of the lists that say which records get a value. */
const truth: StoredColumn = { type: 'bool', list: 'bool[]', isFilled: false };

/** A new value of a record. */
interface NewValue {
  readonly property: EntityProperty;
  /** The value while the record is locked, and when it is written. */
  readonly given: string;
  readonly written: string;
  /** The test that there is one, likewise; undefined where there is one for each. */
  readonly isGiven: { readonly given: string; readonly written: string } | undefined;
}

/**
 * Writes the statements that change or delete many records, or none, and answer with all of them:
 * `with "*locked" as (select … for update), "*allowed" as (select …), "*written" as (update …) select …`.
 *
 * New values are compared with the locked record: the one that the statement began with may be older.
 */
export class BulkChange {
  readonly #parts: BulkDraft;
  readonly #records: LockedRecords;

  private constructor(parts: BulkDraft, found: FoundRecords) {
    this.#parts = parts;
    this.#records = new LockedRecords(parts, found);
  }

  static update(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    stored: StoredColumns,
    found: FoundRecords,
    values: BulkValues,
  ): Statement {
    return new BulkChange(new BulkDraft(dialect, tables, target, stored), found).#updated(values);
  }

  /** The rows are of the records as they were. */
  static delete(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    stored: StoredColumns,
    found: FoundRecords,
  ): Statement {
    return new BulkChange(new BulkDraft(dialect, tables, target, stored), found).#deleted();
  }

  #updated({ changed, along, counted, isSame }: BulkValues): Statement {
    const { writer } = this.#parts;
    const records = this.#records;
    const columns = changed.map(({ column, isPartial }) => ({
      column,
      value: this.#value(column.property, isSame, isPartial),
    }));
    const others = along.map((property) => this.#value(property, isSame, false));
    const tests = columns.map(({ column, value }) => this.#differs(column, value));
    const differs = records.add(`(${tests.join(' or ')})`);
    this.#demandParents(columns.map(({ value }) => value));
    const version = counted === undefined ? [] : [counted];
    const log = this.#log([...columns.map(({ column }) => column.property), ...along, ...version]);
    // The record as it was is the locked one: nobody changes it meanwhile.
    const old = log?.old(records.scope.alias).map((value) => records.add(value));
    records.write();
    const written = new Scope(this.#parts.draft, this.#parts.target.model);
    const field = (property: EntityProperty): string => this.#parts.tables.field(written.alias, property);
    const set = [
      ...columns.map(({ column, value }) => [column.property, assigned(column, value, field)] as const),
      ...others.map(({ property, written: value }) => [property, value] as const),
      ...version.map((property) => [property, `${field(property)} + 1`] as const),
    ].map(([property, value]) => `${this.#parts.name(property)} = ${value}`);
    writer.write(`, "*written" as (update ${written.table} set ${set.join(', ')} from ${records.held}`);
    this.#writeHeld(written, ` and ${differs}`);
    const logged = log?.returned(written.alias, old, written.alias) ?? [];
    writer.write(` returning ${[records.answered(written.alias), ...logged].join(', ')})`);
    log?.writeLogged('"*written"', 'updated');
    const left = `select ${records.own} from ${records.held} where ${differs} is not true and ${records.isAllowed}`;
    const own = log === undefined ? 'select *' : `select ${records.answeredNames}`;
    return this.#parts.answering(`(${own} from "*written" union all ${left})`, [records.order]);
  }

  #deleted(): Statement {
    const { writer } = this.#parts;
    const records = this.#records;
    records.write();
    const deleted = new Scope(this.#parts.draft, this.#parts.target.model);
    writer.write(`, "*deleted" as (delete from ${deleted.table} using ${records.held}`);
    this.#writeHeld(deleted);
    const log = this.#log();
    const logged = log?.returned(deleted.alias, log.old(deleted.alias), undefined) ?? ['1'];
    writer.write(` returning ${logged.join(', ')})`);
    log?.writeLogged('"*deleted"', 'deleted');
    const rows = `(select ${records.own} from ${records.held} where ${records.isAllowed})`;
    return this.#parts.answering(rows, [records.order]);
  }

  /** The log of the changes; undefined where they are not recorded. @param written the properties that may change */
  #log(written?: readonly EntityProperty[]): ChangeLogSql | undefined {
    const { writer, tables, target } = this.#parts;
    return target.recorded && new ChangeLogSql(writer, tables, target.recorded, written);
  }

  /** Writes which records are written: the locked ones, if all may be. */
  #writeHeld(scope: Scope, further = ''): void {
    const { isAllowed } = this.#records;
    this.#parts.writer.write(` where ${this.#records.isHeld(scope)} and ${isAllowed}${further}`);
    scope.writeLimits(' and ');
  }

  #value(property: EntityProperty, isSame: boolean, isPartial: boolean): NewValue {
    const column = this.#parts.column(property);
    if (isSame) {
      const value = `${this.#parts.writer.written(property)}::${column.type}`;
      return { property, given: value, written: value, isGiven: undefined };
    }
    const { lists } = this.#records;
    const given = lists.add(column, ({ rows: [rows = []] = [] }) => rows.map((row) => row.get(property)));
    const written = this.#records.add(given);
    if (!isPartial) return { property, given, written, isGiven: undefined };
    const isGiven = lists.add(truth, ({ rows: [rows = []] = [] }) => rows.map((row) => row.has(property)));
    const isWritten = this.#records.add(isGiven);
    return { property, given, written, isGiven: { given: isGiven, written: isWritten } };
  }

  #differs(column: Column, { given, isGiven }: NewValue): string {
    const field = this.#parts.tables.field(this.#records.scope.alias, column.property);
    const differs = differing(column, field, given);
    return isGiven === undefined ? differs : `${isGiven.given} and ${differs}`;
  }

  /** New parents must be there to see. */
  #demandParents(values: readonly NewValue[]): void {
    for (const parent of this.#parts.target.parents) {
      const value = values.find(({ property }) => property === parent.property);
      if (value === undefined) continue;
      const { written, isGiven } = value;
      const exists = this.#parts.writer.apart(() => {
        this.#parts.writeParent(parent, written);
      });
      const isAsked = isGiven === undefined ? '' : `${isGiven.written} and `;
      this.#records.demand(
        `not exists (select 1 from ${this.#records.held} where ${isAsked}${written} is not null and not ${exists})`,
      );
    }
  }
}

/** The new value; an instant that is sent back as it was written keeps the finer digits that the database has. */
function assigned(
  { property, type: { equalityWidth: width } }: Column,
  { written, isGiven }: NewValue,
  field: (property: EntityProperty) => string,
): string {
  const own = field(property);
  const kept: string[] = [];
  if (isGiven !== undefined) kept.push(`not ${isGiven.written}`);
  if (width > 0) kept.push(`${asWritten(own, width)} is not distinct from ${asWritten(written, width)}`);
  return kept.length === 0 ? written : `case when ${kept.join(' or ')} then ${own} else ${written} end`;
}
