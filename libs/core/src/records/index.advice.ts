import type { EntityMetadata } from '@mikro-orm/core';
import { BasePostgreSqlPlatform } from '@mikro-orm/sql';
import { operatorsOf, type Column } from '../model/column.js';
import type { ColumnPath, Model } from '../model/model.js';
import type { SearchSql } from '../model/columns/searched/search.sql.js';
import { partingPropertiesOf } from '../metadata/keys/key.property.js';
import { storedFields } from '../metadata/stored.fields.js';
import type { Database } from '../database/database.js';
import { Session } from '../visibility/session.js';
import { memberSql } from '../sql/json/json.sql.js';
import { StatementWriter } from '../sql/statement.js';

/** A column that clients may sort or search by. */
export interface ColumnUse {
  readonly model: Model;
  readonly path: ColumnPath;
  readonly use: 'sorted' | 'searched';
}

/** A column of a large table that lists read without the help of an index. */
export interface IndexAdvice {
  readonly table: string;
  readonly column: string;
  readonly uses: readonly ColumnUse['use'][];
  /** The number of records as the database estimates it. */
  readonly records: number;
  /** The statement that makes an index for it. */
  readonly statement: string;
}

/** Smaller tables are read as fast without an index. */
const largeTable = 10_000;

interface UsedColumn {
  readonly meta: EntityMetadata;
  readonly column: Column;
  readonly id: Column;
  readonly uses: Set<ColumnUse['use']>;
}

/**
 * The columns of large tables that no index begins with, although lists are sorted or searched by them. PostgreSQL
 * and PGlite only; of other databases nothing is known.
 */
export async function indexAdvice(database: Database, uses: Iterable<ColumnUse>): Promise<IndexAdvice[]> {
  if (!(database.dialect.platform instanceof BasePostgreSqlPlatform)) return [];
  const advice: IndexAdvice[] = [];
  const sizes = new Map<string, TableFacts>();
  for (const { meta, column, id, uses: found } of usedColumns(uses)) {
    const table = database.tables.table(meta);
    const facts = sizes.get(table) ?? (await factsOf(database, table));
    sizes.set(table, facts);
    const { search } = column.type;
    if (search !== undefined) {
      const { text, marks } = searchIndex(database, meta, column, search);
      const isIndexed = facts.definitions.some((one) => marks.every((mark) => one.includes(mark)));
      const statement = `create index concurrently on ${table} ${text}`;
      // Several searches of one column share an index.
      const isTold = advice.some((one) => one.statement === statement);
      if (facts.records >= largeTable && !isIndexed && !isTold)
        advice.push({
          table: meta.tableName,
          column: column.name,
          uses: [...found],
          records: facts.records,
          statement,
        });
      continue;
    }
    const [name = ''] = storedFields(column.property);
    const parts = partingPropertiesOf(meta).flatMap(storedFields);
    if (facts.records < largeTable || isIndexed(facts, [...parts, name], column)) continue;
    advice.push({
      table: meta.tableName,
      column: [name, ...(column.member?.keys ?? [])].join('.'),
      uses: [...found],
      records: facts.records,
      statement: `create index concurrently on ${table} ${indexed(database, [...parts, name], column, id)}`,
    });
  }
  return advice;
}

/**
 * True if an index begins with the column, or with the member of it. Columns that say in which part of the table a record is
 * have one value in a statement, so that they may stand before it.
 *
 * @param fields of the parts, and last that of the column
 */
function isIndexed(
  { indexes, expressions }: TableFacts,
  fields: readonly string[],
  { member }: Column,
): boolean {
  const name = fields.at(-1) ?? '';
  const parts = new Set(fields.slice(0, -1));
  if (member === undefined) return indexes.some((one) => one.find((field) => !parts.has(field)) === name);
  const path = `'{${member.keys.join(',')}}'::text[]`;
  return expressions.some((expression) => expression.includes(name) && expression.includes(path));
}

/**
 * The columns of an index, and its method: parts of the table, what is looked for, and the id, which is the last tie-breaker of
 * every list.
 *
 * @param fields as of {@link isIndexed}
 */
function indexed({ dialect }: Database, fields: readonly string[], column: Column, id: Column): string {
  const { member } = column;
  const quoted = fields.map((one) => dialect.quote(one));
  const field = quoted.pop() ?? '';
  // What is in a JSON value is found by its parts.
  if (member === undefined && operatorsOf(column).includes('has'))
    return `using gin (${field} jsonb_path_ops)`;
  const value = member === undefined ? field : `(${memberSql(dialect.platform, field, member)})`;
  return `(${[...quoted, value, ...storedFields(id.property).map((one) => dialect.quote(one))].join(', ')})`;
}

/** Formulas and the columns of other tables' parents have no index of their own here. */
function usedColumns(uses: Iterable<ColumnUse>): Iterable<UsedColumn> {
  const columns = new Map<string, UsedColumn>();
  for (const { model, path, use } of uses) {
    const { meta, idColumn: id } = path.relations.at(-1)?.target() ?? model;
    const { column } = path;
    const isStored = column.property.formula === undefined && storedFields(column.property).length === 1;
    if (!isStored && column.type.virtual === undefined) continue;
    const key = `${meta._id} ${column.name}`;
    const known = columns.get(key) ?? { meta, column, id, uses: new Set() };
    known.uses.add(use);
    columns.set(key, known);
  }
  return columns.values();
}

interface TableFacts {
  readonly records: number;
  /** The columns of each index, but for expressions; one over a part of the records does not count. */
  readonly indexes: readonly (readonly string[])[];
  /** The definitions of its indexes, in lower case. */
  readonly definitions: readonly string[];
  /** The definitions of those that begin with an expression. */
  readonly expressions: readonly string[];
}

/** The index that a search of PostgreSQL's uses, and what tells that there is one. */
function searchIndex(
  { dialect, tables }: Database,
  meta: EntityMetadata,
  { type: { virtual }, property }: Column,
  search: SearchSql,
): { readonly text: string; readonly marks: readonly string[] } {
  const [own = ''] = storedFields(property);
  const fields = virtual?.of.map((name) => tables.indexed(meta, name)) ?? [dialect.quote(own)];
  const expression = virtual?.write((name) => tables.indexed(meta, name)) ?? dialect.quote(own);
  const names = fields.map((field) => field.replaceAll('"', '').toLowerCase());
  return { text: search.index(expression), marks: [...names, ...search.indexMarks] };
}

/** The planner's estimate; a table that was never analysed has none, so its size must do. */
async function factsOf(database: Database, table: string): Promise<TableFacts> {
  const writer = new StatementWriter(database.dialect);
  const name = writer.parameter(() => table);
  writer.write(
    `select case when c.reltuples < 0 then pg_relation_size(c.oid) / 100 else c.reltuples end as records,
       (select json_agg((select json_agg(a.attname order by n) from generate_subscripts(i.indkey, 1) n
            join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[n]))::text from pg_index i
        where i.indrelid = c.oid and i.indisvalid and i.indpred is null and i.indkey[0] <> 0) as indexes,
       (select string_agg(lower(pg_get_indexdef(i.indexrelid)), chr(10)) from pg_index i
        where i.indrelid = c.oid and i.indisvalid and i.indpred is null) as definitions,
       (select json_agg(pg_get_indexdef(i.indexrelid))::text from pg_index i
        where i.indrelid = c.oid and i.indisvalid and i.indpred is null and i.indkey[0] = 0) as expressions
     from pg_class c where c.oid = to_regclass(${name})`,
  );
  const [row] = await new Session(database).run(writer.finish(), {});
  const [records, indexes, definitions, expressions] = row ?? [];
  return {
    records: Math.round(Number(records ?? 0)),
    indexes: typeof indexes === 'string' ? (JSON.parse(indexes) as string[][]) : [],
    definitions: typeof definitions === 'string' ? definitions.split('\n') : [],
    expressions: typeof expressions === 'string' ? (JSON.parse(expressions) as string[]) : [],
  };
}
