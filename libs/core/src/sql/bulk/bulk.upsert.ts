import type { EntityProperty } from '@mikro-orm/core';
import type { Column } from '../../model/column.js';
import { ChangeLogSql } from '../changes/change.log.sql.js';
import { CriteriaWriter, type ShapedCriterion } from '../condition.writer.js';
import type { Dialect } from '../dialect.js';
import { Scope } from '../scope.js';
import type { Statement } from '../statement.js';
import type { TableSql } from '../table.sql.js';
import type { WrittenRecord } from '../written/written.record.js';
import { comparedAs } from '../written/compared.type.js';
import { BulkDraft } from './bulk.draft.js';
import { differing } from './differing.js';
import type { StoredColumns } from './stored.columns.js';
import { ValueLists } from './value.lists.js';

/** Rows that have values in the same columns. */
export interface UpsertedRows {
  /** The properties of a new row that have a value, those of the conflict among them. */
  readonly properties: readonly EntityProperty[];
  /** The columns that a record gets which is there already; none leaves it as it is. */
  readonly changed: readonly Column[];
}

/** The values that records get, and how those are known that are there already. */
export interface BulkUpserted {
  readonly sets: readonly UpsertedRows[];
  /** The properties of a unique index. */
  readonly conflict: readonly EntityProperty[];
  /** The property that is null in live rows, where the index may be one of those alone. */
  readonly ofLive: EntityProperty | undefined;
  /** The properties that change with a record, all of them to the same value. */
  readonly along: readonly EntityProperty[];
  /** The version, which counts the changes. */
  readonly counted: EntityProperty | undefined;
  /** The mark of new rows: they are none before, or nobody has locked them. */
  readonly mark: 'old' | 'xmax';
}

/** The names of what a part of the statement knows of a set of rows. No table has one. */
interface NamedRows extends UpsertedRows {
  readonly given: string;
  readonly written: string;
}

const createdName = '"*created"';
const setName = '"*set"';
const all = '"*all"';

/**
 * Writes the statement that makes or changes many records, or none, and answers with them in the order in which they were
 * given, each with whether it is a new one; null where it was not written. What is there already is left alone where it has these values. Where a record
 * is none to see, or was given twice, the statement divides by zero, which undoes it.
 */
export class BulkUpsert {
  readonly #parts: BulkDraft;

  private constructor(
    parts: BulkDraft,
    private readonly values: BulkUpserted,
    private readonly conditions: readonly ShapedCriterion[],
  ) {
    this.#parts = parts;
  }

  static of(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    stored: StoredColumns,
    values: BulkUpserted,
    conditions: readonly ShapedCriterion[],
  ): Statement {
    return new BulkUpsert(new BulkDraft(dialect, tables, target, stored), values, conditions).#written();
  }

  #written(): Statement {
    const { writer, target, position } = this.#parts;
    const sets = this.values.sets.map((set, index) => this.#given(set, index));
    writer.write('"*hidden" as (select 1 where false');
    for (const parent of target.parents) for (const set of sets) this.#writeHidden(set, parent);
    writer.write(')');
    for (const set of sets) this.#writeRows(set);
    writer.write(`, ${all} as (`);
    for (const [index, set] of sets.entries()) {
      if (index > 0) writer.write(' union all ');
      this.#writeAnswered(set, index);
    }
    const key = this.#parts.name(target.model.idColumn.property);
    const number = writer.parameter(({ rows = [] }) => rows.flat().length);
    const isWhole = `(select count(*) = ${number} and count(distinct ${key}) = count(*) from ${all})`;
    const test = `1 / case when ${isWhole} and not exists (select 1 from "*hidden") then 1 else 0 end = 1`;
    writer.write(')');
    return this.#parts.answering(`(select * from ${all} where ${test})`, [setName, position], [createdName]);
  }

  /** Writes the rows of a set. Values of the conflict are rounded as they will be stored: records are known by them. */
  #given(set: UpsertedRows, index: number): NamedRows {
    const { writer, position } = this.#parts;
    const lists = new ValueLists(writer, 's');
    const columns = set.properties.map((property, at) => {
      const value = lists.add(this.#parts.column(property), ({ rows }) =>
        (rows?.[index] ?? []).map((row) => row.get(property)),
      );
      const [type] = this.values.conflict.includes(property) ? comparedAs(property) : [];
      return `${type === undefined ? value : `(${value}::${type})`} as ${this.#value(at)}`;
    });
    const given = this.#parts.quote(`*given${index}`);
    writer.write(index === 0 ? 'with ' : '');
    writer.write(`${given} as (select ${[...columns, `${lists.position} as ${position}`].join(', ')}`);
    writer.write(` from ${lists.rows}), `);
    return { ...set, given, written: this.#parts.quote(`*written${index}`) };
  }

  /** Writes the rows whose parent is none to see: where there is one, nothing is written. */
  #writeHidden({ given, properties }: NamedRows, parent: WrittenRecord['parents'][number]): void {
    const at = properties.indexOf(parent.property);
    if (at < 0) return;
    const value = `g.${this.#value(at)}`;
    this.#parts.writer.write(` union all select 1 from ${given} as g where ${value} is not null and not `);
    this.#parts.writeParent(parent, value);
  }

  /** Rows are written in the order of what they are known by: two requests for the same ones never wait for each other. */
  #writeRows({ given, written, properties, changed }: NamedRows): void {
    const { writer, tables, target, scope, fields } = this.#parts;
    const { conflict, ofLive, mark } = this.values;
    const live = ofLive === undefined ? '' : ` where ${this.#parts.name(ofLive)} is null`;
    const table = `${tables.table(target.model.meta)} as ${this.#parts.quote(scope.alias)}`;
    const names = properties.map((property) => this.#parts.name(property)).join(', ');
    const values = properties.map((_, at) => `g.${this.#value(at)}`).join(', ');
    const order = conflict.map((one) => `g.${this.#value(properties.indexOf(one))}`).join(', ');
    const known = conflict.map((one) => this.#parts.name(one)).join(', ');
    writer.write(`, ${written} as (insert into ${table} (${names}) select ${values} from ${given} as g`);
    writer.write(
      ` where not exists (select 1 from "*hidden") order by ${order} on conflict (${known})${live} do `,
    );
    if (changed.length === 0) writer.write('nothing');
    else this.#writeChange(changed);
    const id = target.model.idColumn.property;
    const isNew =
      mark === 'old' ? `${tables.field('old', id)} is null` : `${this.#parts.quote(scope.alias)}.xmax = 0`;
    const keys = conflict.map((one, at) => `${tables.field(scope.alias, one)} as ${this.#value(at)}`);
    const replaced = changed.map(({ property }) => property);
    const log = target.recorded && new ChangeLogSql(writer, tables, target.recorded, undefined, replaced);
    const logged = log?.returned(scope.alias, log.old('old'), scope.alias) ?? [];
    writer.write(` returning ${[...fields, ...keys, `(${isNew}) as ${createdName}`, ...logged].join(', ')})`);
    log?.writeLogged(written, { isNew: createdName }, written.replace('*written', '*logged'));
  }

  #writeChange(changed: readonly Column[]): void {
    const { writer, tables, scope } = this.#parts;
    const { along, counted } = this.values;
    const set = changed.map((column) => {
      const { property, type } = column;
      const value = `excluded.${this.#parts.name(property)}`;
      const field = tables.field(scope.alias, property);
      // An instant that is sent back as it was written keeps the finer digits that the database has.
      const isKept = type.equalityWidth > 0;
      const differs = isKept ? differing(column, field, value) : '';
      return [property, isKept ? `case when ${differs} then ${value} else ${field} end` : value] as const;
    });
    const further = along.map((property) => {
      const value = writer.written(property);
      return [property, `${value}::${this.#parts.column(property).type}`] as const;
    });
    const counts =
      counted === undefined ? [] : [[counted, `${tables.field(scope.alias, counted)} + 1`] as const];
    const all = [...set, ...further, ...counts].map(([one, value]) => `${this.#parts.name(one)} = ${value}`);
    const tests = changed.map((column) =>
      differing(
        column,
        tables.field(scope.alias, column.property),
        `excluded.${this.#parts.name(column.property)}`,
      ),
    );
    writer.write(`update set ${all.join(', ')} where (${tests.join(' or ')})`);
    this.#writeMeets(scope, true);
  }

  /** Writes the records of a set: those that were written, and those that have the values already. */
  #writeAnswered({ given, written, properties, changed }: NamedRows, set: number): void {
    const { writer, tables, target, position } = this.#parts;
    const { conflict } = this.values;
    const valueOf = (property: EntityProperty): string => `g.${this.#value(properties.indexOf(property))}`;
    const same = conflict.map((one, at) => `w.${this.#value(at)} = ${valueOf(one)}`).join(' and ');
    const own = this.#parts.fieldsOf('w').join(', ');
    const told = `${set} as ${setName}, g.${position}`;
    writer.write(
      `select ${told}, w.${createdName}, ${own} from ${written} as w join ${given} as g on ${same}`,
    );
    const left = new Scope(this.#parts.draft, target.model);
    const found = conflict.map((one) => `${tables.field(left.alias, one)} = ${valueOf(one)}`);
    const fields = this.#parts.fieldsOf(left.alias).join(', ');
    writer.write(` union all select ${told}, null::boolean, ${fields} from ${left.table} join ${given} as g`);
    const key = this.#parts.name(target.model.idColumn.property);
    writer.write(` on ${found.join(' and ')}`);
    writer.write(` where not exists (select 1 from ${written} as w where w.${key} = ${left.key})`);
    for (const column of changed) {
      const field = tables.field(left.alias, column.property);
      writer.write(` and not (${differing(column, field, valueOf(column.property))})`);
    }
    this.#writeMeets(left, false);
  }

  /** Writes that a record is one of those that the request may change. */
  #writeMeets(scope: Scope, isLocked: boolean): void {
    new CriteriaWriter(scope).write(this.conditions, ' and ');
    scope.writeLimits(' and ', { isLocked });
  }

  /** The name of the value at a place. */
  #value(at: number): string {
    return this.#parts.quote(`*${at}`);
  }
}
