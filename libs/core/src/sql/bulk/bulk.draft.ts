import type { Dialect } from '../dialect.js';
import { Scope, type Draft } from '../scope.js';
import { StatementWriter, type Statement } from '../statement.js';
import type { TableSql } from '../table.sql.js';
import { storedField } from '../../metadata/stored.fields.js';
import { preparationOf } from '../write.statement.js';
import { answeredFields } from '../written/written.fields.js';
import type { WrittenParent, WrittenRecord } from '../written/written.record.js';
import type { EntityProperty } from '@mikro-orm/core';
import type { StoredColumn, StoredColumns } from './stored.columns.js';
import { positionName } from './value.lists.js';

/** The part that all statements share which write many records: what they answer of them, in the order in which they were given. */
export class BulkDraft {
  readonly writer: StatementWriter;
  readonly draft: Draft;
  /** The records that are answered. */
  readonly scope: Scope;
  /** Their columns that the answer and the parents need, the key among them. */
  readonly fields: readonly string[];

  constructor(
    readonly dialect: Dialect,
    readonly tables: TableSql,
    readonly target: WrittenRecord,
    private readonly stored: StoredColumns,
  ) {
    this.writer = new StatementWriter(dialect);
    this.draft = { writer: this.writer, tables, restrictions: target.restrictions };
    this.scope = new Scope(this.draft, target.model);
    this.scope.reserve(target.columns);
    this.fields = [...new Set([...answeredFields(this.scope, target), this.scope.key])];
  }

  quote(name: string): string {
    return this.dialect.quote(name);
  }

  /** The name of the column that a property is stored in. */
  name(property: EntityProperty): string {
    return this.quote(storedField(property));
  }

  /** @throws TypeError for one that the table has not */
  column(property: EntityProperty): StoredColumn {
    const column = this.stored.byName.get(storedField(property));
    if (column === undefined) throw new TypeError(`The table has no column of '${property.name}'`);
    return column;
  }

  /** {@link fields} of the rows of another alias. */
  fieldsOf(alias: string): string[] {
    const own = this.quote(this.scope.alias);
    return this.fields.map((field) => `${this.quote(alias)}${field.slice(own.length)}`);
  }

  /** Writes that a parent is there to see, by the value that refers to it. */
  writeParent({ parent, isHeld }: WrittenParent, value: string): void {
    const scope = new Scope(this.draft, parent, true);
    this.writer.write(`exists (select 1 from ${scope.table} where ${scope.key} = ${value}`);
    scope.writeLimits(' and ', { isLocked: isHeld });
    this.writer.write(isHeld ? ' for share)' : ')');
  }

  /**
   * Ends the statement with what is answered.
   * @param rows of the written records, for a `from`
   * @param told what is told of each behind its columns
   */
  answering(rows: string, order: readonly string[], told: readonly string[] = []): Statement {
    const { columns } = this.target;
    const alias = this.quote(this.scope.alias);
    const list = columns.map((path, index) => `${this.scope.output(path)} as c${index}`);
    list.push(...told.map((name) => `${alias}.${name}`));
    this.writer.write(` select ${list.length === 0 ? '1' : list.join(', ')} from ${rows} as ${alias}`);
    this.scope.writeJoins();
    this.writer.write(` order by ${order.map((name) => `${alias}.${name}`).join(', ')}`);
    return this.writer.finish({ preparation: preparationOf(this.target) });
  }

  get position(): string {
    return this.quote(positionName);
  }
}
