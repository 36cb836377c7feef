import type { EntityProperty } from '@mikro-orm/core';
import type { ColumnPath } from '../../model/model.js';
import { CriteriaWriter, joinsOf, type ShapedCriterion } from '../condition.writer.js';
import { Scope } from '../scope.js';
import type { BulkDraft } from './bulk.draft.js';
import { ValueLists } from './value.lists.js';

/** The way in which the records are found that a statement is about. */
export interface FoundRecords {
  /** The column of the values that find one record each; undefined where conditions find as many as there are. */
  readonly lookup: ColumnPath | undefined;
  /** The version that some of them are expected to be in; undefined where any will do. */
  readonly version: EntityProperty | undefined;
  readonly conditions: readonly ShapedCriterion[];
}

/** The alias of the locked records beside those that are written. */
const held = 'l';

/**
 * The records that a statement changes, locked in the order of their keys: two that are about the same ones never wait for
 * each other. Nothing is written unless all of them are there, or no more than may be.
 */
export class LockedRecords {
  readonly table = '"*locked"';
  /** The records beside those that are written. */
  readonly held = `${this.table} as "${held}"`;
  /** The test that the statement may write. */
  readonly isAllowed = '(select "*is" from "*allowed")';
  readonly scope: Scope;
  /** The lists of what is known of each. */
  readonly lists: ValueLists;
  /** The key by which the records are in order when they are answered. */
  readonly order: string;
  readonly #key: string | undefined;
  readonly #columns: string[] = [];
  readonly #tests: string[] = [];

  constructor(
    private readonly parts: BulkDraft,
    private readonly records: FoundRecords,
  ) {
    const { model } = parts.target;
    const { lookup, version, conditions } = records;
    this.scope = new Scope(parts.draft, model);
    this.scope.reserve(joinsOf(conditions));
    this.lists = new ValueLists(parts.writer, 's');
    this.order = lookup === undefined ? parts.name(model.idColumn.property) : parts.position;
    if (lookup === undefined) return;
    const { property } = lookup.column;
    const value = this.lists.add(parts.column(property), ({ keys = [] }) => keys);
    this.#key = `${parts.tables.field(this.scope.alias, property)} = ${value}`;
    if (version !== undefined) this.#addVersion(version);
  }

  /** The columns that a record is answered by. @param alias of its rows */
  answered(alias: string): string {
    const { parts } = this;
    const position = this.#key === undefined ? [] : [`"${held}".${parts.position}`];
    return [...position, ...parts.fieldsOf(alias)].join(', ');
  }

  /** The names of {@link answered}, where they are columns of one table. */
  get answeredNames(): string {
    const position = this.#key === undefined ? [] : [this.parts.position];
    const { alias } = this.parts.scope;
    const fields = this.parts.fields.map((field) => field.slice(this.parts.quote(alias).length + 1));
    return [...position, ...fields].join(', ');
  }

  /** {@link answered} of the locked records themselves. */
  get own(): string {
    return this.answered(held);
  }

  /** Adds what is known of a record while it is locked. @returns it beside the record that is written */
  add(expression: string): string {
    const name = this.parts.quote(`*${this.#columns.length}`);
    this.#columns.push(`${expression} as ${name}`);
    return `"${held}".${name}`;
  }

  /** Adds a test of all locked records to what must hold before something is written. */
  demand(test: string): void {
    this.#tests.push(test);
  }

  /** The test that a written record is a locked one. */
  isHeld({ key }: Scope): string {
    return `${key} = "${held}".${this.parts.name(this.parts.target.model.idColumn.property)}`;
  }

  /** Writes the locked records, and whether the statement may write. */
  write(): void {
    const { writer } = this.parts;
    const isAsSeen = this.scope.asSeen();
    // One that others have changed meanwhile may have left the sub-selects that found it.
    if (isAsSeen !== undefined) this.demand(`bool_and(${this.add(isAsSeen)}) is not false`);
    const { lookup } = this.records;
    const position = lookup === undefined ? [] : [`${this.lists.position} as ${this.parts.position}`];
    const columns = [...position, ...this.parts.fieldsOf(this.scope.alias), ...this.#columns];
    writer.write(`with ${this.table} as (select ${columns.join(', ')} from ${this.scope.table}`);
    if (this.#key !== undefined) writer.write(` join ${this.lists.rows} on ${this.#key}`);
    this.scope.writeJoins();
    const glue = new CriteriaWriter(this.scope).write(this.records.conditions, ' where ');
    this.scope.writeLimits(glue);
    writer.write(` order by ${this.scope.key}`);
    if (lookup === undefined) writer.write(` limit ${writer.parameter(({ limit = 0 }) => limit + 1)}`);
    writer.write(` for update of ${this.parts.quote(this.scope.alias)}), `);
    const tests = [this.#isWhole(), ...this.#tests].join(' and ');
    writer.write(`"*allowed" as (select ${tests} as "*is" from ${this.held})`);
  }

  /** A value that several records have, or several values that are one record's, are found out so, too. */
  #isWhole(): string {
    const { writer } = this.parts;
    if (this.#key === undefined) return `count(*) <= ${writer.parameter(({ limit = 0 }) => limit)}`;
    const number = writer.parameter(({ keys = [] }) => keys.length);
    const key = this.parts.name(this.parts.target.model.idColumn.property);
    return `count(*) = ${number} and count(distinct ${key}) = count(*)`;
  }

  #addVersion(version: EntityProperty): void {
    const column = this.parts.column(version);
    const { list, type } = column;
    const versions = this.lists.add(
      { ...column, type: list ?? `${type}[]`, list: undefined },
      ({ versions: all = [] }) => all.map((some) => some && `{${some.join(',')}}`),
    );
    const field = this.parts.tables.field(this.scope.alias, version);
    const isStale = this.add(`(${versions} is not null and (${field} = any(${versions})) is not true)`);
    this.demand(`bool_or(${isStale}) is not true`);
  }
}
