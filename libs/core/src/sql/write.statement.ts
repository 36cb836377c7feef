import type { EntityProperty } from '@mikro-orm/core';
import type { Column } from '../model/column.js';
import type { ColumnPath, Model } from '../model/model.js';
import { storedFields } from '../metadata/stored.fields.js';
import { writeComparison } from './comparison.js';
import { writeCondition, type ShapedCondition } from './condition.writer.js';
import type { Dialect } from './dialect.js';
import type { Restrictions } from './restriction.js';
import { Scope, type Draft } from './scope.js';
import { StatementWriter, type Preparation, type Statement } from './statement.js';
import { holdsKey, type TableSql } from './table.sql.js';

export interface ChangedColumn {
  readonly column: Column;
  readonly isNull: boolean;
}

interface ChangedRow {
  readonly changed: readonly ChangedColumn[];
  /** The properties that change with the columns. */
  readonly along: readonly EntityProperty[];
  /** The version, which counts the changes. */
  readonly counted: EntityProperty | undefined;
}

/** The name of what was written within its statement. It hides a table of the same name, so it is one that no table has. */
const writtenName = '*written';

/** A parent that a written record refers to, of which the request may not see all: the statement must see it, too. */
export interface WrittenParent {
  /** The property that holds its key. */
  readonly property: EntityProperty;
  readonly parent: Model;
}

/** The record that is written, and what of it is answered. */
export interface WrittenRecord {
  readonly model: Model;
  readonly columns: readonly ColumnPath[];
  /** The records that the request may see, of the written one, its parents and theirs. */
  readonly restrictions: Restrictions;
  readonly parents: readonly WrittenParent[];
}

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
    return statement.#answering(() => {
      const fields = properties.map((property) => statement.#name(property));
      statement.#writer.write(`insert into ${statement.#table} `);
      if (target.parents.length > 0) statement.#writeWithin(fields, properties);
      else if (fields.length === 0) statement.#writer.write('default values');
      else {
        const values = properties.map((property) => statement.#value(property));
        statement.#writer.write(`(${fields.join(', ')}) values (${values.join(', ')})`);
      }
    });
  }

  /**
   * Changes a record that meets the conditions and has other values so far; one that has them already is left alone.
   */
  static update(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    { changed, along, counted }: ChangedRow,
    conditions: readonly ShapedCondition[],
  ): Statement {
    const statement = new WriteStatement(dialect, tables, target);
    return statement.#answering(() => {
      const assigned = changed.map((one) => statement.#assigned(one));
      const filled = along.map((property) => `${statement.#name(property)} = ${statement.#value(property)}`);
      const versions = (counted === undefined ? [] : [counted]).map(
        (property) => `${statement.#name(property)} = ${statement.#field(property)} + 1`,
      );
      const set = [...assigned, ...filled, ...versions].join(', ');
      statement.#writer.write(`update ${statement.#table} set ${set}`);
      statement.#writeWhere(conditions);
      const differs = changed.map((one) => statement.#differs(one));
      statement.#writer.write(` and (${differs.join(' or ')})`);
      for (const parent of target.parents) statement.#writeParent(parent, ' and ');
    });
  }

  /** Deletes the record that meets the conditions, and answers with one row when there was one. */
  static delete(
    dialect: Dialect,
    tables: TableSql,
    target: WrittenRecord,
    conditions: readonly ShapedCondition[],
  ): Statement {
    const statement = new WriteStatement(dialect, tables, target);
    statement.#writer.write(`delete from ${statement.#table}`);
    statement.#writeWhere(conditions);
    return statement.#writer.write(' returning 1').finish({ preparation: preparationOf(target) });
  }

  #answering(write: () => void): Statement {
    const { columns } = this.target;
    const hasParents = columns.some(({ relations }) => relations.length > 0);
    const list = columns.map((path, index) => `${this.#scope.output(path)} as c${index}`).join(', ');
    const name = this.dialect.quote(writtenName);
    if (hasParents) this.#writer.write(`with ${name} as (`);
    write();
    const alias = this.dialect.quote(this.#scope.alias);
    if (!hasParents) this.#writer.write(` returning ${list}`);
    else {
      const needed = answeredFields(this.#scope, this.target).join(', ');
      this.#writer.write(` returning ${needed}) select ${list} from ${name} as ${alias}`);
      this.#scope.writeJoins();
    }
    return this.#writer.finish({ preparation: preparationOf(this.target) });
  }

  #writeWhere(conditions: readonly ShapedCondition[]): void {
    for (const [position, condition] of conditions.entries()) {
      this.#writer.write(position === 0 ? ' where ' : ' and ');
      writeCondition(this.#scope, condition, position);
    }
    // The one place where statements that change records are told which there are.
    this.#scope.writeLimits(conditions.length === 0 ? ' where ' : ' and ');
  }

  /** A select of the values, where values alone would take no condition: the parents must be there to see. */
  #writeWithin(fields: readonly string[], properties: readonly EntityProperty[]): void {
    const values = properties.map((property) => this.dialect.cast(this.#value(property), property) ?? 'null');
    this.#writer.write(`(${fields.join(', ')}) select ${values.join(', ')}`);
    for (const [index, parent] of this.target.parents.entries())
      this.#writeParent(parent, index === 0 ? ' where ' : ' and ');
  }

  #writeParent({ property, parent }: WrittenParent, glue: string): void {
    const scope = new Scope(this.#draft, parent, true);
    this.#writer.write(`${glue}exists (select 1 from ${scope.table} where ${scope.key} = `);
    this.#writer.write(this.#value(property));
    scope.writeLimits(' and ');
    this.#writer.write(')');
  }

  /** An instant that is sent back as it was written keeps the finer digits that the database has. */
  #assigned({ column, isNull }: ChangedColumn): string {
    const { property, type } = column;
    const name = this.#name(property);
    if (isNull) return `${name} = null`;
    if (type.equalityWidth === 0) return `${name} = ${this.#value(property)}`;
    const isAlike = this.#alike(column);
    return `${name} = case when ${isAlike} then ${this.#field(property)} else ${this.#value(property)} end`;
  }

  #differs({ column, isNull }: ChangedColumn): string {
    const { property, type: columnType } = column;
    const field = this.#field(property);
    if (isNull) return `${field} is not null`;
    if (columnType.equalityWidth > 0) return `(${this.#alike(column)}) is not true`;
    const [type, casts] = comparedAs(property);
    const value = this.#value(property);
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

  #value(property: EntityProperty): string {
    return this.#writer.parameter(({ row }) => row?.get(property));
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

/** Types whose equal values are written the same, or are the same number. */
const plain = /^(?:(?:small|big)?(?:int|serial)|integer|int\d|bool|uuid$|date$|real$|double|float)/;
/** A type by a name that needs no quotes, as MikroORM writes it. */
const named = /^[a-z][a-z0-9_ ]*(?:\(\d+(?:, ?\d+)?\))?(?:\[\])*$/;

/**
 * Gives the type that a new value takes, so that it is rounded as the stored one, and the type in which both are
 * compared. It is text, to the last letter, where a collation or `citext` takes other letters for the same, or where the
 * type has no equality.
 */
export function comparedAs({
  columnTypes: [type = ''],
}: EntityProperty): readonly [string | undefined, string] {
  if (type === 'json' || type === 'jsonb') return ['jsonb', '::jsonb'];
  const isArray = type.endsWith('[]');
  if ((plain.test(type) && !isArray) || !named.test(type)) return [undefined, ''];
  return [type, '::text collate "C"'];
}
