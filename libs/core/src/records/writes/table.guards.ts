import type { Model } from '../../model/model.js';
import { partingPropertiesOf } from '../../metadata/keys/key.property.js';
import { storedField } from '../../metadata/stored.fields.js';
import type { Database } from '../../database/database.js';
import { livePredicate } from '../soft/live.predicate.js';
import { Session } from '../../visibility/session.js';
import type { Row } from '../../sql/row.layout.js';
import { arrayLiteral } from '../../sql/array.literal.js';
import { readColumns, writeColumns, type StoredColumns } from '../../sql/bulk/stored.columns.js';
import { changeTriggerNames } from '../../sql/changes/change.trigger.sql.js';
import { StatementWriter } from '../../sql/statement.js';
import type { TableSql } from '../../sql/table.sql.js';
import { reasonInSchema, schemaQuestion, type Guarded } from './schema.guards.js';

/** The facts of the catalogue about a table. */
export interface TableFacts {
  /** The reason why it is not as metadata has it; undefined when it is. */
  readonly reason: string | undefined;
  /** Its columns, where PostgreSQL tells them. The same object as before where nothing is new. */
  readonly columns: StoredColumns | undefined;
}

/** The place of a table, and what was known of it. */
interface KnownTables {
  readonly tables: TableSql;
  readonly before: TableFacts | undefined;
}

/**
 * Asks the catalogue if a table is as metadata has it: a plain table, in which no trigger or rule changes what is written, with
 * the unique and foreign keys that are relied on.
 *
 * @param session by default one of its own
 * @throws Error when there is no such table (yet)
 */
export async function tableFacts(
  database: Database,
  model: Model,
  guarded: Guarded,
  known: KnownTables,
  session = new Session(database),
): Promise<TableFacts> {
  const { dialect } = database;
  if (dialect.hasCatalogue) return storedFacts(database, model, guarded, known, session);
  const { tables } = known;
  const rows = await session.run(schemaQuestion(dialect, tables, model.meta), {});
  return { reason: reasonInSchema(rows, model, tables, guarded), columns: undefined };
}

/** Asks the catalogue of PostgreSQL. */
async function storedFacts(
  database: Database,
  model: Model,
  { unique, belongsTo }: Guarded,
  { tables, before }: KnownTables,
  session: Session,
): Promise<TableFacts> {
  const writer = new StatementWriter(database.dialect);
  const text = (value: string): string => writer.parameter(() => value);
  const list = (values: readonly string[]): string => `${text(arrayLiteral(values))}::text[]`;
  const parents = belongsTo.map(({ parent }) => parent);
  /** The columns in which all records of a request have the same values. */
  const parting = list(partingPropertiesOf(model.meta).map(storedField));
  // The triggers of the log look at what is written, and leave it as it is.
  const own = database.changes?.isTriggered(model.meta) === true ? changeTriggerNames : [];
  writer.write(`select c.relkind as kind,
    c.relhasrules or exists (select 1 from pg_trigger t
      where (t.tgrelid = c.oid or c.relkind = 'p' and t.tgrelid in (select relid from pg_partition_tree(c.oid)))
        and not t.tgisinternal and t.tgenabled <> 'D' and t.tgname <> all (${list(own)})) as watched,
    (select string_agg(field, ', ') from unnest(${list(unique.map(({ property }) => storedField(property)))}) as wanted(field)
      where not exists (select 1 from pg_index i cross join lateral (
          select array_agg(a.attname::text) as fields from generate_subscripts(i.indkey, 1) n
            join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[n] where n < i.indnkeyatts) k
        where i.indrelid = c.oid and field = any(k.fields) and k.fields <@ (field || ${parting})
          and i.indisunique and i.indisvalid and i.indimmediate and i.indexprs is null
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = ${text(livePredicate(model.meta))}))) as open_unique,
    (select string_agg(field, ', ') from unnest(
        ${list(belongsTo.map(({ column }) => storedField(column.property)))},
        ${list(parents.map(({ meta }) => tables.table(meta)))},
        ${list(parents.map(({ idColumn }) => storedField(idColumn.property)))}) as wanted(field, parent, key)
      where not exists (select 1 from pg_constraint k
        cross join lateral (
          select array_agg(a.attname::text) as fields, bool_or(a.attname = field and p.attname = key) as leads
          from unnest(k.conkey, k.confkey) u(own, theirs)
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.own
            join pg_attribute p on p.attrelid = k.confrelid and p.attnum = u.theirs) f
        where k.conrelid = c.oid and k.contype = 'f' and k.convalidated
          and not k.condeferrable and to_jsonb(k) ->> 'conenforced' is distinct from 'false'
          and k.confrelid = to_regclass(parent) and f.leads and f.fields <@ (field || ${parting}))) as open_foreign, `);
  writeColumns(writer, 'c.oid');
  writer.write(` from pg_class c where c.oid = to_regclass(${text(tables.table(model.meta))})`);
  const [row] = await session.run(writer.finish(), {});
  if (row === undefined) throw new Error(`There is no table ${tables.table(model.meta)}`);
  return { reason: reasonIn(row), columns: readColumns(row.at(-1), before?.columns) };
}

function reasonIn([kind, isWatched, notUnique, notForeign]: Row): string | undefined {
  if (kind !== 'r' && kind !== 'p') return 'it is not stored in a plain table';
  if (isWatched === true || isWatched === 't') return 'a trigger or rule of the table takes part';
  if (typeof notUnique === 'string') return `the database has no unique constraint on ${notUnique}`;
  return typeof notForeign === 'string' ? `the database has no foreign key on ${notForeign}` : undefined;
}
