import type { EntityMetadata } from '@mikro-orm/core';
import type { ColumnPath, Model, Relation } from '../model/model.js';
import type { Operator } from '../model/operator.js';
import type { Selection, Sort } from '../query/query.plan.js';
import { writeComparison } from './comparison.js';
import { StatementWriter, type Statement } from './statement.js';
import type { Restrictions } from './restriction.js';
import type { Dialect } from './dialect.js';
import { kindsOf, type TableSql } from './table.sql.js';

/** A condition without its value. */
interface ShapedCondition {
  readonly path: ColumnPath;
  readonly operator: Operator;
  /** Whether instants must be equal to the last digit. Default false: as they are written. */
  readonly isExact?: boolean;
}

/** What a select statement looks like, without the values of a request. */
export interface SelectShape {
  readonly model: Model;
  /** The columns to read; `count` reads the number of records instead. */
  readonly columns: readonly ColumnPath[] | 'count';
  readonly conditions: readonly ShapedCondition[];
  readonly sorts: readonly Sort[];
  /** Whether the inputs end with a limit and a start. */
  readonly paged: boolean;
}

interface Join {
  readonly alias: string;
  readonly ownerAlias: string;
  readonly relation: Relation;
}

/**
 * Writes one select over a model and the parents its paths lead to. Inputs of the finished statement: the values of
 * the conditions in their order, then limit and start. Columns are aliased `c0`, `c1`, … in their order.
 */
export class SelectStatement {
  readonly #joins = new Map<string, Join>();
  readonly #writer: StatementWriter;

  private constructor(
    private readonly dialect: Dialect,
    private readonly tables: TableSql,
    private readonly shape: SelectShape,
    private readonly restrictions: Restrictions,
  ) {
    this.#writer = new StatementWriter(dialect);
  }

  static write(
    dialect: Dialect,
    tables: TableSql,
    shape: SelectShape,
    restrictions: Restrictions,
  ): Statement {
    return new SelectStatement(dialect, tables, shape, restrictions).#write();
  }

  #write(): Statement {
    const { model, columns, conditions, sorts } = this.shape;
    const paths = [...(columns === 'count' ? [] : columns), ...conditions.map(({ path }) => path)];
    if (columns !== 'count') paths.push(...sorts.map(({ path }) => path));
    for (const path of paths) this.#aliasOf(path.relations);
    this.#writer.write(
      `select ${this.#list()} from ${this.tables.table(model.meta)} as ${this.dialect.quote(root)}`,
    );
    for (const join of this.#joins.values()) this.#writeJoin(join);
    this.#writeWhere();
    if (columns !== 'count') this.#writeOrder();
    if (this.shape.paged) this.#writePage();
    return this.#writer.finish();
  }

  #list(): string {
    const { columns } = this.shape;
    if (columns === 'count') return 'count(*) as c0';
    return columns
      .map((path, index) => {
        const value = this.#value(path);
        return `${path.column.type.readAsText ? this.dialect.asText(value) : value} as c${index}`;
      })
      .join(', ');
  }

  /** A left join, so that a record without a parent stays; a parent the request may not see is no parent. */
  #writeJoin({ alias, ownerAlias, relation }: Join): void {
    const { property } = relation;
    const { meta, idColumn } = relation.target();
    const parentKey = this.tables.field(alias, idColumn.property);
    const on = this.tables.joined(ownerAlias, property, alias, parentKey);
    this.#writer.write(` left join ${this.tables.table(meta)} as ${this.dialect.quote(alias)} on ${on}`);
    this.#restrict(meta, parentKey, ' and ');
  }

  #writeWhere(): void {
    const { model, conditions } = this.shape;
    let glue = ' where ';
    const kinds = kindsOf(model.meta);
    if (kinds !== undefined) {
      const values = kinds.values.map((value) => this.#writer.parameter(() => value));
      this.#writer.write(`${glue}${this.tables.field(root, kinds.property)} in (${values.join(', ')})`);
      glue = ' and ';
    }
    for (const [position, { path, operator, isExact = false }] of conditions.entries()) {
      this.#writer.write(glue);
      writeComparison(this.#writer, this.#value(path), { column: path.column, operator, isExact, position });
      glue = ' and ';
    }
    this.#restrict(model.meta, this.tables.field(root, model.idColumn.property), glue);
  }

  #restrict(meta: EntityMetadata, key: string, glue: string): void {
    const fragment = this.restrictions.get(meta);
    if (fragment !== undefined) this.#writer.write(`${glue}${key} in (`).fragment(fragment).write(')');
  }

  #writeOrder(): void {
    const { model, sorts } = this.shape;
    if (sorts.length === 0) return;
    const terms = sorts.map(({ path, direction }) => this.dialect.order(this.#value(path), direction));
    if (!sorts.some(({ path }) => path.relations.length === 0 && path.column === model.idColumn))
      terms.push(`${this.tables.field(root, model.idColumn.property)} asc`);
    this.#writer.write(` order by ${terms.join(', ')}`);
  }

  #writePage(): void {
    const values = this.shape.conditions.length;
    this.#writer.write(` limit ${this.#writer.parameter((inputs) => inputs[values])}`);
    this.#writer.write(` offset ${this.#writer.parameter((inputs) => inputs[values + 1])}`);
  }

  #value({ relations, column }: ColumnPath): string {
    const meta = relations.at(-1)?.target().meta ?? this.shape.model.meta;
    return this.tables.value(this.#aliasOf(relations), meta, column);
  }

  #aliasOf(relations: readonly Relation[]): string {
    let alias = root;
    let path = '';
    for (const relation of relations) {
      path += `${relation.name}.`;
      const join = this.#joins.get(path) ?? {
        alias: `e${this.#joins.size + 1}`,
        ownerAlias: alias,
        relation,
      };
      this.#joins.set(path, join);
      alias = join.alias;
    }
    return alias;
  }
}

const root = 'e0';

/** The columns a selection needs, each once, the keys that tell whether a parent is there included. */
export function columnsOf(selection: Selection): ColumnPath[] {
  const columns = new Map<string, ColumnPath>();
  const collect = (members: Selection): void => {
    for (const member of members) {
      const path = member.kind === 'column' ? member.path : member.presence;
      if (path !== undefined) columns.set(path.text, path);
      if (member.kind === 'parent') collect(member.members);
    }
  };
  collect(selection);
  return [...columns.values()];
}
