import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import { storedFields } from '../../metadata/stored.fields.js';
import type { Database } from '../../database/database.js';
import { livePredicate } from '../soft/live.predicate.js';
import { Session } from '../../visibility/session.js';
import type { Row } from '../../sql/row.layout.js';
import { arrayLiteral } from '../../sql/array.literal.js';
import { readColumns, writeColumns, type StoredColumns } from '../../sql/bulk/stored.columns.js';
import { changeTriggerNames } from '../../sql/changes/change.trigger.sql.js';
import { StatementWriter } from '../../sql/statement.js';
import type { TableSql } from '../../sql/table.sql.js';

/** The things that the database must refuse by itself, so that nobody has to ask before a write. */
export interface Guarded {
  readonly unique: readonly Column[];
  readonly belongsTo: readonly { readonly column: Column; readonly parent: Model }[];
}

/** The facts of the catalogue about a table. */
export interface TableFacts {
  /** The reason why it is not as metadata has it; undefined when it is. */
  readonly reason: string | undefined;
  /** Its columns. The same object as before where nothing is new. */
  readonly columns: StoredColumns;
}

/** The place of a table, and what was known of it. */
interface KnownTables {
  readonly tables: TableSql;
  readonly before: TableFacts | undefined;
}

/**
 * Asks PostgreSQL's catalogue if a table is as metadata has it: a plain table, in which no trigger or rule changes what
 * is written, with the unique and foreign keys that are relied on.
 *
 * @param session by default one of its own
 * @throws Error when there is no such table (yet)
 */
export async function tableFacts(
  database: Database,
  model: Model,
  { unique, belongsTo }: Guarded,
  { tables, before }: KnownTables,
  session = new Session(database),
): Promise<TableFacts> {
  const { dialect } = database;
  const writer = new StatementWriter(dialect);
  const text = (value: string): string => writer.parameter(() => value);
  const list = (values: readonly string[]): string => `${text(arrayLiteral(values))}::text[]`;
  const parents = belongsTo.map(({ parent }) => parent);
  // The triggers of the log look at what is written, and leave it as it is.
  const own = database.changes?.isTriggered(model.meta) === true ? changeTriggerNames : [];
  writer.write(`select c.relkind as kind,
    c.relhasrules or exists (select 1 from pg_trigger t
      where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled <> 'D'
        and t.tgname <> all (${list(own)})) as watched,
    (select string_agg(field, ', ') from unnest(${list(unique.map(fieldOf))}) as wanted(field)
      where not exists (select 1 from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indrelid = c.oid and a.attname = field and i.indisunique and i.indisvalid and i.indimmediate
          and i.indnkeyatts = 1 and i.indexprs is null
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = ${text(livePredicate(model.meta))}))) as open_unique,
    (select string_agg(field, ', ') from unnest(
        ${list(belongsTo.map(({ column }) => fieldOf(column)))},
        ${list(parents.map(({ meta }) => tables.table(meta)))},
        ${list(parents.map(({ idColumn }) => fieldOf(idColumn)))}) as wanted(field, parent, key)
      where not exists (select 1 from pg_constraint k
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
        join pg_attribute p on p.attrelid = k.confrelid and p.attnum = k.confkey[1]
        where k.conrelid = c.oid and k.contype = 'f' and cardinality(k.conkey) = 1 and k.convalidated
          and not k.condeferrable and to_jsonb(k) ->> 'conenforced' is distinct from 'false'
          and a.attname = field and k.confrelid = to_regclass(parent) and p.attname = key)) as open_foreign, `);
  writeColumns(writer, 'c.oid');
  writer.write(` from pg_class c where c.oid = to_regclass(${text(tables.table(model.meta))})`);
  const [row] = await session.run(writer.finish(), {});
  if (row === undefined) throw new Error(`There is no table ${tables.table(model.meta)}`);
  return { reason: reasonIn(row), columns: readColumns(row.at(-1), before?.columns) };
}

function reasonIn([kind, isWatched, notUnique, notForeign]: Row): string | undefined {
  if (kind !== 'r') return 'it is not stored in a plain table';
  if (isWatched === true || isWatched === 't') return 'a trigger or rule of the table takes part';
  if (typeof notUnique === 'string') return `the database has no unique constraint on ${notUnique}`;
  return typeof notForeign === 'string' ? `the database has no foreign key on ${notForeign}` : undefined;
}

function fieldOf({ property }: Column): string {
  return storedFields(property)[0] ?? property.name;
}
