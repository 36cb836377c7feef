import type { Operator } from '../../operator.js';

/** Makes a parameter of a condition's value, or of a part of it. The same one may stand in a text several times. */
export type BoundValue = (part?: (value: unknown) => string | number | null) => string;

/** Gives the SQL of a stored column of the record, by the name of its property. */
export type StoredField = (property: string) => string;

/** A setting of the server that a search needs: it holds for the statement alone. */
export type SearchSetting = readonly [name: string, value: string];

/** A thing that the database must have before it can answer a search; looked for when the application starts. */
export interface SearchNeed {
  /** A select that gives one row with one value: true where the database has it. */
  readonly probe: string;
  /** The sentence for a database that has it not. */
  readonly problem: string;
}

/**
 * The SQL of a search that PostgreSQL alone can answer. Texts are made of columns and of the configuration; what a client
 * sends is a parameter.
 */
export interface SearchSql {
  /** The operator that asks for it: of a term of SimpleSearch, and the only one of a virtual column. */
  readonly operator: Operator;
  /** The direction in which the best records come first. */
  readonly best: 'asc' | 'desc';
  readonly needs: readonly SearchNeed[];
  readonly settings: readonly SearchSetting[];
  /** Writes the test if a record meets the value. @param expression the column's, or that of a virtual column */
  condition(expression: string, value: BoundValue): string;
  /** Writes how well a record meets the value. It is a number for each record that meets it. */
  rank(expression: string, value: BoundValue): string;
  /** Writes what follows the table in the statement that makes an index for it. */
  index(expression: string): string;
  /** Texts that stand in PostgreSQL's definition of such an index, in lower case, beside the names of the columns. */
  readonly indexMarks: readonly string[];
}

/** A column without a property of its own: an expression over others of the record. */
export interface VirtualExpression {
  /** The columns that it is made of. */
  readonly of: readonly string[];
  /** True if a column of this type, in lower case and without a length, can be one of them. */
  suits(databaseType: string): boolean;
  /** The columns that {@link suits}, in words. */
  readonly suitable: string;
  write(field: StoredField): string;
}

/** Writes text of the configuration as SQL. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** An extension that a search needs. @param version the first that will do; undefined for any */
export function extensionNeed(name: string, version?: readonly [number, number]): SearchNeed {
  const [major = 0, minor = 0] = version ?? [];
  const named = `select 1 from pg_extension where extname = ${sqlText(name)}`;
  const isNew = `(string_to_array(regexp_replace(extversion, '[^0-9.].*', ''), '.')::int[] >= array[${major}, ${minor}])`;
  const since = version === undefined ? '' : ` ${version.join('.')} or newer`;
  return {
    probe: `select exists (${named}${version === undefined ? '' : ` and ${isNew}`})`,
    problem: `the database needs the extension ${name}${since}: create extension ${name}${version === undefined ? '' : `, or alter extension ${name} update`}`,
  };
}
