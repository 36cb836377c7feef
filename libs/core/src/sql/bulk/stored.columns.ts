import type { StatementWriter } from '../statement.js';

/** A column as the database has it. Names of types are the catalogue's own, with their schemas, ready to be written. */
export interface StoredColumn {
  readonly type: string;
  /** The type of lists of such values; undefined where a list cannot be taken apart into them again. */
  readonly list: string | undefined;
  /** True if the database gives the column a value where a new row says none. */
  readonly isFilled: boolean;
}

/** The columns of a table as the database has them, by name. */
export interface StoredColumns {
  readonly byName: ReadonlyMap<string, StoredColumn>;
  /** True if `merge` answers with what it has written, beside what it was given (PostgreSQL 17). */
  readonly mergesAnswer: boolean;
  /** True if `returning` has the record as it was, too (PostgreSQL 18). */
  readonly returnsOld: boolean;
  /** The text that they were read from. */
  readonly text: string;
}

const mergeAnswers = 170_000;
const oldReturns = 180_000;

/**
 * Writes the column of a select from the catalogue that {@link readColumns} reads. Lists of lists, of composite types and of
 * domains are not what `unnest` gives back as they were, nor those that are not written with commas.
 */
export function writeColumns(writer: StatementWriter, table: string): void {
  writer.write(`(select json_build_object('version', current_setting('server_version_num'),
    'columns', json_agg(json_build_array(a.attname, quote_ident(n.nspname) || '.' || quote_ident(t.typname),
      case when t.typdelim = ',' and t.typcategory <> 'A' and t.typtype in ('b', 'e', 'r')
        then quote_ident(m.nspname) || '.' || quote_ident(l.typname) end,
      a.atthasdef or a.attidentity <> '' or t.typdefault is not null) order by a.attnum))::text
    from pg_attribute a join pg_type t on t.oid = a.atttypid join pg_namespace n on n.oid = t.typnamespace
      left join pg_type l on l.oid = t.typarray left join pg_namespace m on m.oid = l.typnamespace
    where a.attrelid = ${table} and a.attnum > 0 and not a.attisdropped) as columns`);
}

interface Told {
  readonly version: string;
  readonly columns: readonly (readonly [
    name: string,
    type: string,
    list: string | null,
    isFilled: boolean,
  ])[];
}

/** @param before what was read last, which is given again where nothing is new */
export function readColumns(told: unknown, before?: StoredColumns): StoredColumns {
  const text = String(told);
  if (before?.text === text) return before;
  const { version, columns } = JSON.parse(text) as Told;
  const byName = new Map(
    columns.map(([name, type, list, isFilled]) => [name, { type, list: list ?? undefined, isFilled }]),
  );
  return {
    byName,
    mergesAnswer: Number(version) >= mergeAnswers,
    returnsOld: Number(version) >= oldReturns,
    text,
  };
}
