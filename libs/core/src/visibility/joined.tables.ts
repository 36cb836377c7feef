import type { Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import { storedFields } from '../metadata/stored.fields.js';
import type { JoinedColumn, JoinString } from '../query/join.string.js';
import type { Condition } from '../query/query.plan.js';
import { whereCondition, type WhereString } from '../query/where.string.js';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';
import { writeComparison } from '../sql/comparison.js';
import type { Database } from '../database/database.js';
import type { TableSql } from '../sql/table.sql.js';
import type { Fragment } from '../sql/restriction.js';
import { inFragment, StatementWriter } from '../sql/statement.js';

interface JoinedTable {
  readonly alias: string;
  readonly model: Model;
  readonly join: JoinString;
}

/**
 * The tables that `joins` strings put beside a model's own, and the `where` strings about them. They become a
 * sub-select of the model's keys: a record is not repeated, however many rows of a table it meets.
 */
export class JoinedTables {
  readonly #tables = new Map<string, JoinedTable>();
  readonly #conditions: { readonly table: JoinedTable; readonly condition: Condition }[] = [];

  /** @param modelOf the model of a table that MikroORM knows: identifiers come from metadata only */
  constructor(
    private readonly owner: string,
    private readonly database: Database,
    private readonly model: Model,
    private readonly modelOf: (tableName: string) => Model | undefined,
  ) {}

  /** @throws ConfigurationError for a table or column that is unknown, and for an alias that is taken */
  add(join: JoinString): void {
    const model = this.modelOf(join.table);
    if (model === undefined) throw this.#refusal(join, `the table '${join.table}' is not known to MikroORM`);
    if (join.alias === this.model.meta.tableName || this.#tables.has(join.alias))
      throw this.#refusal(join, `the name '${join.alias}' is taken; give it another with AS`);
    this.#tables.set(join.alias, { alias: join.alias, model, join });
    for (const side of join.on.flat()) this.#field(join, side);
  }

  /** Takes a `where` string about a column of a joined table; false for one that is not. */
  take(text: string, where: WhereString): boolean {
    const [alias = '', ...rest] = where.columnName.split('.');
    const table = this.#tables.get(alias);
    if (table === undefined) return false;
    const column = columnOf(table.model, rest.join('.'));
    if (column === undefined)
      throw new ConfigurationError(
        this.owner,
        'where',
        `'${text}': '${alias}' has no column '${rest.join('.')}'; ${oneOf(table.model.columns.keys())}`,
      );
    const path = { text: where.columnName, relations: [], column };
    this.#conditions.push({ table, condition: whereCondition(this.owner, text, where, path) });
    return true;
  }

  /** The keys of the records that meet every join and condition; undefined when nothing is asked of them. */
  fragment(tables: TableSql): Fragment | undefined {
    const isInner = [...this.#tables.values()].some(({ join }) => join.kind === 'inner');
    if (!isInner && this.#conditions.length === 0) return undefined;
    const { dialect } = this.database;
    const writer = new StatementWriter(dialect, () => '?');
    const root = this.model.meta.tableName;
    const keys = this.model.meta.getPrimaryProps().map((property) => tables.field(root, property));
    writer.write(`select ${keys.join(', ')} from ${tables.table(this.model.meta)} as ${dialect.quote(root)}`);
    for (const { alias, model, join } of this.#tables.values()) {
      const on = join.on.map((pair) => pair.map((side) => this.#field(join, side)).join(' = '));
      writer.write(
        ` ${join.kind} join ${tables.table(model.meta)} as ${dialect.quote(alias)} on ${on.join(' and ')}`,
      );
    }
    for (const [position, { table, condition }] of this.#conditions.entries()) {
      const { column } = condition.path;
      const { comparison, value } = condition;
      const listLength = Array.isArray(value) && !dialect.bindsLists ? value.length : 0;
      writer.write(position === 0 ? ' where ' : ' and ');
      writeComparison(writer, inFragment(tables.value(table.alias, table.model.meta, column)), {
        column,
        comparison,
        isExact: false,
        listLength,
        value: ({ values }) => values?.[position],
      });
    }
    const { text, bind } = writer.finish();
    return {
      sql: text,
      parameters: bind({ values: this.#conditions.map(({ condition }) => condition.value) }),
    };
  }

  #field(join: JoinString, { alias, columnName }: JoinedColumn): string {
    const model = alias === this.model.meta.tableName ? this.model : this.#tables.get(alias)?.model;
    if (model === undefined)
      throw this.#refusal(
        join,
        `'${alias}' is unknown; ${oneOf([this.model.meta.tableName, ...this.#tables.keys()])}`,
      );
    const column = columnOf(model, columnName);
    if (column === undefined || !isStored(column))
      throw this.#refusal(join, `'${alias}' has no column '${columnName}'; ${oneOf(model.columns.keys())}`);
    return this.database.tables.field(alias, column.property);
  }

  #refusal({ text }: JoinString, problem: string): ConfigurationError {
    return new ConfigurationError(this.owner, 'joins', `'${text}': ${problem}`);
  }
}

/** True if a column is in the table itself: no list of keys, no formula. */
function isStored({ type, property }: Column): boolean {
  return type.storage !== 'links' && property.formula === undefined;
}

/** A column by its name, its property's, or the one it has in the database. */
function columnOf({ columns }: Model, name: string): Column | undefined {
  return (
    columns.get(name) ??
    [...columns.values()].find(
      ({ property }) => property.name === name || storedFields(property).includes(name),
    )
  );
}
