import { hash } from 'node:crypto';
import type { EntityMetadata } from '@mikro-orm/core';
import type { Dialect } from '../dialect.js';
import { StatementWriter } from '../statement.js';
import type { TableSql } from '../table.sql.js';
import { ChangeLogSql, type LoggedRows, type RecordedTarget } from './change.log.sql.js';
import { toldOrigin } from './change.origin.js';

/** A trigger that records changes, as the database has it. */
export interface ChangeTrigger {
  readonly name: string;
  /** The body of its function. */
  readonly body: string;
  /** The statements that make the function and the trigger, and replace what is there. */
  readonly sql: readonly [string, string];
}

/** The triggers of an entity's table. */
export interface TableTriggers {
  /** The name of the table with its schema, as it is written in SQL. */
  readonly table: string;
  readonly all: readonly ChangeTrigger[];
}

const rowTrigger = 'change_record_row';
const truncateTrigger = 'change_record_truncate';

/** The names of the triggers of a table. */
export const changeTriggerNames: readonly string[] = [rowTrigger, truncateTrigger];

/** The longest name that PostgreSQL keeps whole, in bytes. */
const longestName = 63;

/** The operation of a trigger in words of the log. */
const operation = `case TG_OP when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end`;

/**
 * Writes the triggers by which the database itself records changes: one for each row that is written, and one for tables that
 * are emptied as a whole. Names come from metadata. Their functions have the rights of who made them, so that who changes a
 * record needs none on the log; they find nothing but what they name with its schema.
 */
export class ChangeTriggerSql {
  readonly #writer: StatementWriter;

  /** @param schema of tables without one of their own */
  constructor(
    private readonly dialect: Dialect,
    private readonly tables: TableSql,
    private readonly schema: string,
  ) {
    this.#writer = new StatementWriter(dialect);
  }

  of(target: RecordedTarget): TableTriggers {
    const { entity, log } = target;
    const { key } = entity;
    const sql = new ChangeLogSql(this.#writer, this.tables, target);
    const table = this.#qualified(entity.meta);
    const common = { into: this.#qualified(log), origin: toldOrigin } as const;
    const rows = this.#insert(sql, {
      ...common,
      from: '(select 1) as w',
      key: `coalesce(${this.tables.field('new', key)}, ${this.tables.field('old', key)})::text`,
      keyBefore: `${this.tables.field('old', key)}::text`,
      operation,
      isWhole: `TG_OP <> 'UPDATE'`,
      hasBefore: `TG_OP <> 'INSERT'`,
      hasAfter: `TG_OP <> 'DELETE'`,
      before: (column) => sql.valueOf('old', column),
      after: (column) => sql.valueOf('new', column),
      mayBeNothing: true,
    });
    const emptied = this.#insert(sql, {
      ...common,
      from: `${table} as w`,
      key: `${this.tables.field('w', key)}::text`,
      operation: `'deleted'`,
      isWhole: 'true',
      hasBefore: 'true',
      hasAfter: 'false',
      before: (column) => sql.valueOf('w', column),
      after: () => 'null::jsonb',
      mayBeNothing: false,
    });
    return {
      table,
      all: [
        this.#trigger(entity.meta, rowTrigger, rows, 'after insert or update or delete', 'row'),
        this.#trigger(entity.meta, truncateTrigger, emptied, 'before truncate', 'statement'),
      ],
    };
  }

  #insert(sql: ChangeLogSql, rows: LoggedRows): string {
    const text = this.#writer.apart(() => {
      sql.writeInsert(rows);
    });
    return ` begin ${text}; return null; end `;
  }

  #trigger(
    meta: EntityMetadata,
    name: string,
    body: string,
    when: string,
    each: 'row' | 'statement',
  ): ChangeTrigger {
    const own = shortened(`${meta.tableName}_${name}`);
    const called = `${this.dialect.quote(this.#schemaOf(meta))}.${this.dialect.quote(own)}`;
    const tag = tagFor(body);
    return {
      name,
      body,
      sql: [
        `create or replace function ${called}() returns trigger language plpgsql security definer` +
          ` set search_path = pg_catalog, pg_temp as ${tag}${body}${tag};`,
        `create or replace trigger ${this.dialect.quote(name)} ${when} on ${this.#qualified(meta)}` +
          ` for each ${each} execute function ${called}();`,
      ],
    };
  }

  #qualified(meta: EntityMetadata): string {
    return `${this.dialect.quote(this.#schemaOf(meta))}.${this.dialect.quote(meta.tableName)}`;
  }

  #schemaOf({ schema }: EntityMetadata): string {
    return schema === undefined || schema === '*' ? this.schema : schema;
  }
}

/** A name that PostgreSQL does not cut off: two tables would get one function. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longestName) return name;
  return `change_record_${hash('sha256', name, 'hex').slice(0, 32)}`;
}

/** The quotes of a text that has them nowhere. */
function tagFor(text: string): string {
  let tag = '$changes$';
  for (let number = 1; text.includes(tag); number++) tag = `$changes${number}$`;
  return tag;
}
