import type { EntityProperty } from '@mikro-orm/core';
import { ChangeLogSql } from '../changes/change.log.sql.js';
import type { Dialect } from '../dialect.js';
import type { Statement } from '../statement.js';
import type { TableSql } from '../table.sql.js';
import type { WrittenRecord } from '../written/written.record.js';
import { BulkDraft } from './bulk.draft.js';
import type { StoredColumns } from './stored.columns.js';
import { ValueLists } from './value.lists.js';

/** The most sets of columns that one statement writes: each is a plan of its own. */
export const mostSets = 16;

/** New rows that have values in the same columns. */
interface GivenRows {
  readonly alias: string;
  readonly properties: readonly EntityProperty[];
  readonly values: readonly string[];
  /** The rows, for a `from`. */
  readonly rows: string;
  /** The rows and what is to be known of them before, `with`. */
  readonly given: string;
  readonly written: string;
  readonly logged: string;
}

/**
 * Writes the statement that makes many records, or none, and answers with them in the order in which they were given. Rows of
 * different columns are parts of their own, one after the other:
 * `with "*written0" as (merge into … using unnest(…) … returning …) select … from "*written0" order by …`.
 *
 * Only `merge` answers with which row became which record. Where it does not, rows are inserted in their order, and counted.
 */
export class BulkInsert {
  readonly #parts: BulkDraft;
  readonly #isMerged: boolean;

  private constructor(parts: BulkDraft, isMerged: boolean) {
    this.#parts = parts;
    this.#isMerged = isMerged;
  }

  /** @param sets the properties that have a value, of each set; the database gives the others theirs */
  static of(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    stored: StoredColumns,
    sets: readonly (readonly EntityProperty[])[],
  ): Statement {
    const statement = new BulkInsert(new BulkDraft(dialect, tables, target, stored), stored.mergesAnswer);
    return statement.#written(sets);
  }

  #written(sets: readonly (readonly EntityProperty[])[]): Statement {
    const { writer, target, position } = this.#parts;
    const all = sets.map((properties, index) => this.#given(properties, index));
    const isJudged = target.parents.length > 0;
    writer.write('with ');
    if (isJudged) this.#writeHidden(all);
    for (const [index, given] of all.entries()) {
      if (index > 0) writer.write(', ');
      this.#writeRows(given, isJudged);
    }
    const [only] = all;
    if (all.length === 1 && only !== undefined && this.#isMerged)
      return this.#parts.answering(only.written, [position]);
    const counted = this.#isMerged ? '' : `row_number() over () as ${position}, `;
    const parts = all.map(
      ({ written }, index) => `select ${index} as "*set", ${counted}${written}.* from ${written}`,
    );
    return this.#parts.answering(`(${parts.join(' union all ')})`, ['"*set"', position]);
  }

  #given(properties: readonly EntityProperty[], set: number): GivenRows {
    const alias = `s${set}`;
    const lists = new ValueLists(this.#parts.writer, alias);
    const values = properties.map((property) =>
      lists.add(this.#parts.column(property), ({ rows }) => valuesOf(rows?.[set] ?? [], property)),
    );
    const given = this.#parts.quote(`*given${set}`);
    const written = this.#parts.quote(`*written${set}`);
    const logged = this.#parts.quote(`*logged${set}`);
    return { alias: this.#parts.quote(alias), properties, values, rows: lists.rows, given, written, logged };
  }

  /** Writes the rows whose parents are none to see: where there is one, nothing is written. */
  #writeHidden(all: readonly GivenRows[]): void {
    const { writer, target } = this.#parts;
    for (const { given, rows } of all) writer.write(`${given} as (select * from ${rows}), `);
    writer.write('"*hidden" as (');
    let glue = '';
    for (const { given, alias, properties, values } of all)
      for (const parent of target.parents) {
        const value = values[properties.indexOf(parent.property)];
        if (value === undefined) continue;
        writer.write(`${glue}select 1 from ${given} as ${alias} where ${value} is not null and not `);
        this.#parts.writeParent(parent, value);
        glue = ' union all ';
      }
    writer.write('), ');
  }

  #writeRows(
    { alias, properties, values, rows, given, written, logged }: GivenRows,
    isJudged: boolean,
  ): void {
    const { writer, tables, target, scope, fields, position } = this.#parts;
    const from = isJudged
      ? `(select * from ${given} where not exists (select 1 from "*hidden")) as ${alias}`
      : rows;
    const table = `${tables.table(target.model.meta)} as ${this.#parts.quote(scope.alias)}`;
    const names = properties.map((property) => this.#parts.name(property)).join(', ');
    const made = values.join(', ');
    const log = target.recorded && new ChangeLogSql(writer, tables, target.recorded);
    const answered = [...fields, ...(log?.returned(scope.alias, undefined, scope.alias) ?? [])].join(', ');
    writer.write(`${written} as (`);
    if (this.#isMerged)
      writer.write(
        `merge into ${table} using ${from} on false when not matched then insert (${names}) values (${made}) returning ${alias}.${position}, ${answered}`,
      );
    else
      writer.write(
        `insert into ${table} (${names}) select ${made} from ${from} order by ${alias}.${position} returning ${answered}`,
      );
    writer.write(')');
    log?.writeLogged(written, 'created', logged);
  }
}

function valuesOf(
  rows: readonly ReadonlyMap<EntityProperty, unknown>[],
  property: EntityProperty,
): readonly unknown[] {
  return rows.map((row) => row.get(property));
}
