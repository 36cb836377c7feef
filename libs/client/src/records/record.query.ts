/** A record as the service shows it, with `id`: what it is called by. */
export type RecordData = Readonly<Record<string, unknown>>;

/** Anything that a record may be called by. Numbers beyond 2^53 are texts. */
export type RecordId = string | number;

/** A condition on one column, in the words of AdvancedSearch. */
export interface ColumnCondition {
  readonly column: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** A condition, or a group of conditions. */
export type RecordCondition =
  | ColumnCondition
  | { readonly any: readonly RecordCondition[] }
  | { readonly all: readonly RecordCondition[] }
  | { readonly not: RecordCondition };

/** A sort by one column. */
export interface RecordSort {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/** Options of all reads. */
export interface ReadOptions {
  /** The columns to show, where clients select them. Default all. */
  readonly fields?: readonly string[] | undefined;
  /** Columns to show beside, where clients select them. */
  readonly include?: readonly string[] | undefined;
  /** The values of parameters in the path: of `trips/{trip_id}/stops`. */
  readonly path?: Readonly<Record<string, RecordId>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A question to a list. */
export interface RecordQuery extends ReadOptions {
  readonly conditions?: readonly RecordCondition[];
  readonly sorts?: readonly RecordSort[];
  /** The number of records before the first one. Where a page has ended there before, its cursor says where that is. Default 0. */
  readonly start?: number;
  /** The most records. Default what the service says; Infinity for all. */
  readonly limit?: number | undefined;
}

/** Records that were found. */
export interface RecordPage {
  readonly records: readonly RecordData[];
  /** The number of all that there are; undefined where the service does not count. */
  readonly total: number | undefined;
  /** True if there are more behind them. */
  readonly hasNext: boolean;
}

/** A record with its version. */
export interface VersionedRecord {
  readonly record: RecordData;
  /** The entity tag; undefined where the entity has no version. */
  readonly version: string | undefined;
}

/** Options of all writes of one record. */
export interface WriteOptions extends Omit<ReadOptions, 'signal'> {
  /** The version to change, as an entity tag. Another one is a conflict. Default that of {@link previous}. */
  readonly version?: string | undefined;
  /** The record as whoever changes it has seen it. */
  readonly previous?: RecordData | undefined;
}
