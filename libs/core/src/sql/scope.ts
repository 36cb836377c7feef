import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { isReadAsText } from '../model/column.js';
import type { ColumnPath, Model, Relation } from '../model/model.js';
import type { ReadPath } from '../query/query.plan.js';
import type { SearchSql } from '../model/columns/searched/search.sql.js';
import { boundParts } from './comparison.js';
import type { Restriction, Restrictions } from './restriction.js';
import { writeConditions, writeRestriction } from './restriction.writer.js';
import type { StatementInputs, StatementWriter } from './statement.js';
import { kindsOf, type TableSql } from './table.sql.js';

/** The parts that all writers of one statement share. */
export interface Draft {
  readonly writer: StatementWriter;
  readonly tables: TableSql;
  /** The restrictions whose texts the statement contains; their values come with each request. */
  readonly restrictions: Restrictions;
}

/** A table of a statement whose records are restricted. */
interface Restricted {
  readonly alias: string;
  /** True if other records refer to them: the statement is not for them. */
  readonly isReferred: boolean;
}

/** The use of the records that are limited. */
interface LimitedUse {
  /** True if the request has written the record: then only what such a record must meet. Default false. */
  readonly isWritten?: boolean;
  /** True if its kind does not matter. Default false. */
  readonly isOfTable?: boolean;
  /** True if the statement writes the records, or locks them: then others may change them while it waits. Default false. */
  readonly isLocked?: boolean;
}

interface Join {
  readonly alias: string;
  readonly ownerAlias: string;
  readonly relation: Relation;
}

/** One `from` of a statement: the table of a model, and the parents that paths from it lead to. */
export class Scope {
  readonly #joins = new Map<string, Join>();
  readonly #ranks = new Map<string, string>();

  /**
   * @param isReferred whether other records refer to these: the statement is not for them
   * @param alias by which columns name the table. Default one that the statement does not have yet
   */
  constructor(
    readonly draft: Draft,
    readonly model: Model,
    readonly isReferred = false,
    readonly alias = draft.writer.alias(),
  ) {}

  /** The name of the table with its alias. */
  get table(): string {
    return this.#named(this.model.meta, this.alias);
  }

  get key(): string {
    return this.draft.tables.field(this.alias, this.model.idColumn.property);
  }

  /** All columns of the key, for a sub-select of keys. */
  get keys(): string {
    return this.draft.tables.keys(this.alias, this.model.meta);
  }

  /** Joins what the paths need. Before anything of the scope is written; a to-many relation ends a path here. */
  reserve(paths: Iterable<Pick<ColumnPath, 'relations'>>): this {
    for (const { relations } of paths) this.aliasOf(toOne(relations));
    return this;
  }

  /** Left joins, so that a record without a parent stays; a parent the request may not see is no parent. */
  writeJoins(): void {
    const { writer, tables } = this.draft;
    for (const { alias, ownerAlias, relation } of this.#joins.values()) {
      const { meta, idColumn } = relation.target();
      const parentKey = tables.field(alias, idColumn.property);
      writer.write(
        ` left join ${this.#named(meta, alias)} on ${tables.joined(ownerAlias, relation, alias, parentKey)}`,
      );
      this.#writeKinds(meta, alias, ' and ');
      this.writeRelated(relation, tables.keys(alias, meta));
      this.restrict(meta, { alias, isReferred: true }, ' and ');
    }
  }

  /** Writes what the entity says of the records that a relation leads to. */
  protected writeRelated(relation: Relation, keys: string): void {
    const { writer, tables } = this.draft;
    const related = tables.related(relation);
    if (related === undefined) return;
    writer.write(` and ${keys} in (`);
    writer.fragment(related.sql, () => related).write(')');
  }

  /** Writes what holds for every record of the model: its kind, where several share the table, and who may see it. */
  writeLimits(glue: string, use: LimitedUse = {}): string {
    const isKept = use.isOfTable !== true && this.#writeKinds(this.model.meta, this.alias, glue);
    const next = isKept ? ' and ' : glue;
    return this.restrict(this.model.meta, this, next, use) ? ' and ' : next;
  }

  /**
   * The test that a record is still in the version that sub-selects of the statement see; undefined where these tell nothing of
   * which records there are. It names the plain conditions as well: a distributed database finds the row by them. A planner that made
   * a join of it would not ask it again.
   */
  asSeen(): string | undefined {
    const { writer, tables, restrictions } = this.draft;
    const { meta } = this.model;
    const restriction = restrictions.get(meta);
    const version = writer.dialect.rowVersion;
    if (version === undefined || restriction?.hasKeys !== true) return undefined;
    const seen = writer.alias();
    const same = meta
      .getPrimaryProps()
      .map((key) => [tables.field(seen, key), tables.field(this.alias, key)]);
    same.push([tables.column(seen, version), tables.column(this.alias, version)]);
    return writer.apart(() => {
      const tests = same.map((fields) => fields.join(' = ')).join(' and ');
      writer.write(`exists (select 1 from ${this.#named(meta, seen)} where ${tests}`);
      writeConditions(writer, restriction, this.#placeOf(meta, seen), ' and ');
      writer.write(`${writer.dialect.apart})`);
    });
  }

  /** Keeps the records of an entity that shares its table with others. */
  #writeKinds(meta: EntityMetadata, alias: string, glue: string): boolean {
    const { writer, tables } = this.draft;
    const kinds = kindsOf(meta);
    if (kinds === undefined) return false;
    const values = kinds.values.map((value) => writer.parameter(() => value));
    writer.write(`${glue}${tables.field(alias, kinds.property)} in (${values.join(', ')})`);
    return true;
  }

  /** The value of a column that to-one relations lead to. */
  value({ relations, column }: ColumnPath): string {
    const meta = relations.at(-1)?.target().meta ?? this.model.meta;
    return this.draft.tables.value(this.aliasOf(relations), meta, column);
  }

  /**
   * Writes what records are sorted by for a column: its value, its place in an order that the entity gives its values, or how
   * well it meets the value of the sort at `position`.
   */
  rank(path: ColumnPath, position = 0): string {
    const { customOrder } = path.column.property;
    const { search } = path.column.type;
    if (search !== undefined) return this.#ranked(path, search, position);
    const value = this.value(path);
    if (customOrder === undefined || customOrder.length === 0)
      return this.draft.writer.dialect.ranked(value, path.column.property);
    const places = this.draft.writer.dialect.platform.generateCustomOrder(value, customOrder);
    // A number by its type, so that every database compares it with a cursor's as one.
    return typeof places === 'string' ? `cast(${places} as integer)` : value;
  }

  /** One text wherever it stands, so that the database works it out once for a row. */
  #ranked(path: ColumnPath, search: SearchSql, position: number): string {
    const key = `${position} ${path.text}`;
    const { writer } = this.draft;
    const rank =
      this.#ranks.get(key) ??
      search.rank(
        this.value(path),
        boundParts(writer, ({ ranks }) => ranks?.[position]?.value),
      );
    this.#ranks.set(key, rank);
    for (const setting of search.settings) writer.set(setting);
    return rank;
  }

  /** {@link value} in the form in which rows have it. */
  output(path: ReadPath): string {
    if (path.ranked !== undefined) return this.draft.writer.dialect.asText(`(${this.rank(path.ranked)})`);
    const value = this.value(path);
    const { dialect } = this.draft.writer;
    const isText = path.asText ?? (isReadAsText(path.column) || dialect.readsAsText(path.column));
    return isText ? dialect.asText(value) : value;
  }

  /** The alias of the table that to-one relations lead to. */
  aliasOf(relations: readonly Relation[]): string {
    let { alias } = this;
    let path = '';
    for (const relation of relations) {
      path += `${relation.name}.`;
      const join = this.#joins.get(path) ?? {
        alias: this.draft.writer.alias(),
        ownerAlias: alias,
        relation,
      };
      this.#joins.set(path, join);
      alias = join.alias;
    }
    return alias;
  }

  /** The one place where statements that read are told which records of an entity there are. */
  protected restrict(
    meta: EntityMetadata,
    restricted: Restricted,
    glue: string,
    { isWritten, isLocked }: LimitedUse = {},
  ): boolean {
    const { alias, isReferred } = restricted;
    const { writer, restrictions, tables } = this.draft;
    const restriction = restrictions.get(meta);
    if (restriction === undefined) return false;
    const isAsSeen = isLocked === true ? this.asSeen() : undefined;
    const written = { keys: tables.keys(alias, meta), isWritten: isWritten === true, isAsSeen };
    const place = { ...this.#placeOf(meta, alias, isReferred), ...written };
    return writeRestriction(writer, restriction, place, glue);
  }

  #placeOf(meta: EntityMetadata, alias: string, isReferred = this.isReferred) {
    return {
      field: (property: EntityProperty): string => this.draft.tables.field(alias, property),
      of: ({ restrictions }: StatementInputs): Restriction | undefined => restrictions?.get(meta),
      isReferred,
    };
  }

  #named(meta: EntityMetadata, alias: string): string {
    return `${this.draft.tables.table(meta)} as ${this.draft.writer.dialect.quote(alias)}`;
  }
}

/** The relations before the first to-many one. */
export function toOne(relations: readonly Relation[]): readonly Relation[] {
  const first = relations.findIndex((relation) => relation.isToMany);
  return first === -1 ? relations : relations.slice(0, first);
}
