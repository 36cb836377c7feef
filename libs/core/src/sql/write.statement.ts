import type { EntityProperty } from '@mikro-orm/core';
import type { Column } from '../model/column.js';
import { storedFields } from '../metadata/stored.fields.js';
import { ChangeLogSql } from './changes/change.log.sql.js';
import { writeComparison } from './comparison.js';
import { comparedAs } from './written/compared.type.js';
import { CriteriaWriter, type ShapedCondition } from './condition.writer.js';
import type {
  ChangedColumn,
  ChangedRow,
  Told,
  UpsertedRow,
  WrittenParent,
  WrittenRecord,
} from './written/written.record.js';
import type { Dialect } from './dialect.js';
import { Scope, type Draft } from './scope.js';
import { StatementWriter, type Preparation, type Statement, type StatementInputs } from './statement.js';
import { holdsKey, type TableSql } from './table.sql.js';

/** The name of what was written within its statement. It hides a table of the same name, so it is one that no table has. */
const writtenName = '*written';

/** The name of what tells if the row is a new one. No property has it. */
const createdName = '*created';

/** The values that a part of the statement writes. */
type RowOf = (inputs: StatementInputs) => StatementInputs['row'];

/**
 * Writes the statements that write one record and answer with it. Parents are joined to the record as it was written:
 * `with "*written" as (insert … returning …) select … from "*written" left join …`.
 */
export class WriteStatement {
  readonly #writer: StatementWriter;
  readonly #draft: Draft;
  readonly #scope: Scope;
  readonly #table: string;

  private constructor(
    private readonly dialect: Dialect,
    private readonly tables: TableSql,
    private readonly target: WrittenRecord,
  ) {
    this.#writer = new StatementWriter(dialect);
    this.#draft = { writer: this.#writer, tables, restrictions: target.restrictions };
    this.#scope = new Scope(this.#draft, target.model);
    this.#scope.reserve(target.columns);
    this.#table = `${tables.table(target.model.meta)} as ${dialect.quote(this.#scope.alias)}`;
  }

  /** @param properties those that have a value; the database gives the others theirs */
  static insert(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    properties: readonly EntityProperty[],
  ): Statement {
    const statement = new WriteStatement(dialect, tables, target);
    return statement.#answering(
      () => {
        statement.#writeInsert(properties);
      },
      { sort: 'created' },
    );
  }

  /**
   * Creates a record, or changes the one that is there with the same values of the conflicting properties: where it meets
   * the conditions, may be seen, and has other values so far. Behind the columns, a row tells if the record is a new one.
   */
  static upsert(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    { properties, conflict, ofLive, mark, ...row }: UpsertedRow,
    conditions: readonly ShapedCondition[],
  ): Statement {
    const statement = new WriteStatement(dialect, tables, target);
    const { alias } = statement.#scope;
    const key = target.model.idColumn.property;
    const isNew = mark === 'old' ? `${tables.field('old', key)} is null` : `${dialect.quote(alias)}.xmax = 0`;
    const write = (): void => {
      statement.#writeInsert(properties);
      const fields = conflict.map((property) => statement.#name(property));
      statement.#writer.write(` on conflict (${fields.join(', ')})`);
      if (ofLive !== undefined) statement.#writer.write(` where ${statement.#name(ofLive)} is null`);
      statement.#writer.write(' do ');
      if (row.changed.length === 0) statement.#writer.write('nothing');
      else statement.#writeChange(`update set `, row, conditions, ({ changes }) => changes);
    };
    return statement.#answering(write, { isNew: `(${isNew})`, sort: { isNew: dialect.quote(createdName) } });
  }

  /**
   * Changes a record that meets the conditions and has other values so far; one that has them already is left alone.
   */
  static update(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    row: ChangedRow,
    conditions: readonly ShapedCondition[],
  ): Statement {
    const statement = new WriteStatement(dialect, tables, target);
    const written = [
      ...row.changed.map(({ column }) => column.property),
      ...row.along,
      ...(row.counted === undefined ? [] : [row.counted]),
    ];
    return statement.#answering(
      () => {
        statement.#writeChange(`update ${statement.#table} set `, row, conditions);
        for (const parent of target.parents) statement.#writeParent(parent, ' and ');
      },
      { sort: 'updated', written },
    );
  }

  /** Deletes the record that meets the conditions, and answers with one row when there was one. */
  static delete(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    conditions: readonly ShapedCondition[],
  ): Statement {
    const statement = new WriteStatement(dialect, tables, target);
    return statement.#answering(
      () => {
        statement.#writer.write(`delete from ${statement.#table}`);
        statement.#writeWhere(conditions);
      },
      { sort: 'deleted' },
    );
  }

  #answering(write: () => void, { isNew, sort, written }: Told): Statement {
    const { columns, recorded } = this.target;
    const writer = this.#writer;
    const log = recorded && new ChangeLogSql(writer, this.tables, recorded, written);
    const isApart = log !== undefined || columns.some(({ relations }) => relations.length > 0);
    const list = columns.map((path, index) => `${this.#scope.output(path)} as c${index}`);
    const name = this.dialect.quote(writtenName);
    if (isApart) writer.write(`with ${name} as (`);
    write();
    const { alias } = this.#scope;
    const created = this.dialect.quote(createdName);
    const told = isNew === undefined ? [] : [`${isNew} as ${created}`];
    if (!isApart) writer.write(` returning ${[...list, ...told].join(', ') || '1'}`);
    else {
      const old = sort === 'created' ? undefined : log?.old(sort === 'deleted' ? alias : 'old');
      const logged = log?.returned(alias, old, sort === 'deleted' ? undefined : alias);
      const needed = [...answeredFields(this.#scope, this.target), ...told, ...(logged ?? [])];
      writer.write(` returning ${needed.join(', ')})`);
      log?.writeLogged(name, sort);
      const shown = isNew === undefined ? list : [...list, `${this.dialect.quote(alias)}.${created}`];
      writer.write(` select ${shown.join(', ') || '1'} from ${name} as ${this.dialect.quote(alias)}`);
      this.#scope.writeJoins();
    }
    return writer.finish({ preparation: preparationOf(this.target) });
  }

  #writeInsert(properties: readonly EntityProperty[]): void {
    const { parents } = this.target;
    const fields = properties.map((property) => this.#name(property));
    this.#writer.write(`insert into ${this.#table} `);
    if (parents.length > 0) this.#writeWithin(fields, properties);
    else if (fields.length === 0) this.#writer.write('default values');
    else {
      const values = properties.map((property) => this.#value(property));
      this.#writer.write(`(${fields.join(', ')}) values (${values.join(', ')})`);
    }
  }

  /** Writes what a row that meets the conditions gets, where it has other values so far. */
  #writeChange(
    verb: string,
    { changed, along, counted }: ChangedRow,
    conditions: readonly ShapedCondition[],
    of: RowOf = ({ row }) => row,
  ): void {
    const assigned = changed.map((one) => this.#assigned(one, of));
    const filled = along.map((property) => `${this.#name(property)} = ${this.#value(property, of)}`);
    const versions = (counted === undefined ? [] : [counted]).map(
      (property) => `${this.#name(property)} = ${this.#field(property)} + 1`,
    );
    this.#writer.write(verb + [...assigned, ...filled, ...versions].join(', '));
    const glue = this.#writeWhere(conditions);
    const differs = changed.map((one) => this.#differs(one, of));
    this.#writer.write(`${glue}(${differs.join(' or ')})`);
  }

  /** @returns what stands before the next condition */
  #writeWhere(conditions: readonly ShapedCondition[]): string {
    const glue = new CriteriaWriter(this.#scope).write(conditions, ' where ');
    // The one place where statements that change records are told which there are.
    return this.#scope.writeLimits(glue);
  }

  /** A select of the values, where values alone would take no condition: the parents must be there to see. */
  #writeWithin(fields: readonly string[], properties: readonly EntityProperty[]): void {
    const values = properties.map((property) => this.dialect.cast(this.#value(property), property) ?? 'null');
    this.#writer.write(`(${fields.join(', ')}) select ${values.join(', ')}`);
    for (const [index, parent] of this.target.parents.entries())
      this.#writeParent(parent, index === 0 ? ' where ' : ' and ');
  }

  #writeParent({ property, parent, isHeld }: WrittenParent, glue: string): void {
    const scope = new Scope(this.#draft, parent, true);
    this.#writer.write(`${glue}exists (select 1 from ${scope.table} where ${scope.key} = `);
    this.#writer.write(this.#value(property));
    scope.writeLimits(' and ');
    this.#writer.write(isHeld ? ' for share)' : ')');
  }

  /** An instant that is sent back as it was written keeps the finer digits that the database has. */
  #assigned({ column, isNull }: ChangedColumn, of: RowOf): string {
    const { property, type } = column;
    const name = this.#name(property);
    if (isNull) return `${name} = null`;
    const value = this.#value(property, of);
    if (type.equalityWidth === 0) return `${name} = ${value}`;
    return `${name} = case when ${this.#alike(column)} then ${this.#field(property)} else ${value} end`;
  }

  #differs({ column, isNull }: ChangedColumn, of: RowOf): string {
    const { property, type: columnType } = column;
    const field = this.#field(property);
    if (isNull) return `${field} is not null`;
    if (columnType.equalityWidth > 0) return `(${this.#alike(column)}) is not true`;
    const [type, casts] = comparedAs(property);
    const value = this.#value(property, of);
    return `${field}${casts} is distinct from ${type === undefined ? value : `(${value}::${type})`}${casts}`;
  }

  /** Writes the test that the record has an instant which is written like the new one. */
  #alike(column: Column): string {
    const { property } = column;
    return this.#writer.apart((writer) => {
      const comparison = { column, comparison: '=', isExact: false, listLength: 0 } as const;
      writeComparison(writer, this.#field(property), {
        ...comparison,
        value: ({ sent }) => sent?.get(column),
      });
    });
  }

  #name(property: EntityProperty): string {
    return this.dialect.quote(storedFields(property)[0] ?? property.name);
  }

  #field(property: EntityProperty): string {
    return this.tables.field(this.#scope.alias, property);
  }

  #value(property: EntityProperty, of: RowOf = ({ row }) => row): string {
    return this.#writer.parameter((inputs) => of(inputs)?.get(property));
  }
}

/** The columns that the answer and the joins to its parents take from a written row. */
export function answeredFields({ alias, draft }: Scope, { model, columns }: WrittenRecord): string[] {
  const fields = columns.map(({ relations: [relation], column }) => {
    if (relation === undefined) return draft.tables.field(alias, column.property);
    return draft.tables.field(
      alias,
      holdsKey(relation.property) ? relation.property : model.idColumn.property,
    );
  });
  return [...new Set(fields)];
}

/** A sub-select of keys may find few records or many. */
export function preparationOf({ restrictions }: WrittenRecord): Preparation {
  return [...restrictions.values()].every(({ isPlain }) => isPlain) ? 'kept' : 'renewed';
}
