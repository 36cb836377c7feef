import type { EntityMetadata } from '@mikro-orm/core';
import { partingPropertiesOf } from '../../metadata/keys/key.property.js';
import { storedField, storedFields } from '../../metadata/stored.fields.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import { isUnsetMark } from '../../model/soft/unset.mark.js';
import type { Row } from '../../sql/row.layout.js';
import { StatementWriter, type Statement } from '../../sql/statement.js';
import type { Dialect } from '../../sql/dialect.js';
import type { TableSql } from '../../sql/table.sql.js';

/** The things that the database must refuse by itself, so that nobody has to ask before a write. */
export interface Guarded {
  readonly unique: readonly Column[];
  readonly belongsTo: readonly { readonly column: Column; readonly parent: Model }[];
}

/** The first version of MariaDB that returns what it inserts. */
const returningVersion = [10, 5] as const;

/** A unique index, or a foreign key: its columns with what each leads to. */
type Constraint = ReadonlyMap<string, string>;

/**
 * Writes the question of `information_schema` about a table. A row is a fact: its sort, the name of what it is about, a
 * column, and what is said of that.
 */
export function schemaQuestion(dialect: Dialect, tables: TableSql, meta: EntityMetadata): Statement {
  const writer = new StatementWriter(dialect);
  const schema = tables.schemaOf(meta);
  const at = (home: string, name: string): string => {
    const place = schema === undefined ? 'database()' : writer.parameter(() => schema);
    return `${home} = ${place} and ${name} = ${writer.parameter(() => meta.tableName)}`;
  };
  const facts = [
    `select 'table' as sort, table_type as name, version() as field, @@foreign_key_checks as fact
      from information_schema.tables where ${at('table_schema', 'table_name')}`,
    `select 'trigger', trigger_name, '', '' from information_schema.triggers
      where ${at('event_object_schema', 'event_object_table')}`,
    `select 'unique', index_name, column_name, coalesce(sub_part, '') from information_schema.statistics
      where non_unique = 0 and ${at('table_schema', 'table_name')}`,
    `select 'foreign', constraint_name, column_name,
        json_array(database(), referenced_table_schema, referenced_table_name, referenced_column_name)
      from information_schema.key_column_usage
      where referenced_table_name is not null and ${at('table_schema', 'table_name')}`,
  ];
  writer.write(facts.join(' union all '));
  return writer.finish();
}

/**
 * Gives the reason why a table is not as metadata has it; undefined when it is.
 *
 * @throws Error when there is no such table (yet)
 */
export function reasonInSchema(
  rows: readonly Row[],
  { meta }: Model,
  tables: TableSql,
  { unique, belongsTo }: Guarded,
): string | undefined {
  const facts = rows.map(
    (row) => row.map(String) as [sort: string, name: string, field: string, fact: string],
  );
  const table = facts.find(([sort]) => sort === 'table');
  if (table === undefined) throw new Error(`There is no table ${tables.table(meta)}`);
  const [, type, version, checks] = table;
  if (!isSince(version, returningVersion)) return 'the database does not return what is inserted';
  if (type !== 'BASE TABLE') return 'it is not stored in a plain table';
  if (facts.some(([sort]) => sort === 'trigger')) return 'a trigger of the table takes part';
  const key = [...new Set(meta.getPrimaryProps().flatMap(storedFields))];
  // What tells live rows from others in an index of live ones is no part of a key.
  const parting = [...partingPropertiesOf(meta), ...meta.props.filter(isUnsetMark)].flatMap(storedFields);
  const isWithin = (constraint: Constraint, field: string): boolean =>
    constraint.has(field) && [...constraint.keys()].every((one) => one === field || parting.includes(one));
  const indexes = constraintsOf(facts, 'unique');
  if (!indexes.some((index) => index.size === key.length && key.every((field) => index.get(field) === '')))
    return `the database has no unique constraint on ${key.join(', ')}`;
  const open = unique
    .map(({ property }) => storedField(property))
    .find(
      (field) =>
        !indexes.some((index) => isWithin(index, field) && [...index.values()].every((part) => part === '')),
    );
  if (open !== undefined) return `the database has no unique constraint on ${open}`;
  if (checks !== '1' && belongsTo.length > 0) return 'the database does not check foreign keys';
  const keys = constraintsOf(facts, 'foreign');
  const free = belongsTo.find(({ column, parent }) => {
    const field = storedField(column.property);
    return !keys.some((key) => isWithin(key, field) && leadsTo(key.get(field) ?? '', parent, tables));
  });
  return free && `the database has no foreign key on ${storedField(free.column.property)}`;
}

/** The constraints of a sort: the facts of each by column. */
function constraintsOf(
  facts: readonly (readonly [sort: string, name: string, field: string, fact: string])[],
  sort: string,
): readonly Constraint[] {
  const constraints = new Map<string, Map<string, string>>();
  for (const [of, name, field, fact] of facts) {
    if (of !== sort) continue;
    const constraint = constraints.get(name) ?? new Map<string, string>();
    constraints.set(name, constraint.set(field, fact));
  }
  return [...constraints.values()];
}

/** True if a foreign key leads to the key of a parent. */
function leadsTo(fact: string, { meta, idColumn }: Model, tables: TableSql): boolean {
  const [here, home, table, field] = JSON.parse(fact) as [string, string, string, string];
  const isHome = home === (tables.schemaOf(meta) ?? here);
  return isHome && table === meta.tableName && field === storedField(idColumn.property);
}

/** True if a version is none before that. */
function isSince(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
