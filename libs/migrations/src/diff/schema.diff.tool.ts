import type { Session } from '../database/session.js';

/** The rules of a comparison: what it leaves as it is. */
export interface ComparisonRules {
  /** Schemas that belong to somebody else. */
  readonly unmanagedSchemas: ReadonlySet<string>;
  /** Tables that belong to somebody else, `schema.table`. */
  readonly unmanagedTables: ReadonlySet<string>;
  /** True if the target says who may do what; otherwise the existing privileges stay. */
  readonly managesPrivileges: boolean;
  /** The role that runs the statements and will own what they make. */
  readonly role: string;
}

/** One statement of a plan. */
export interface SchemaStep {
  readonly sql: string;
  /** True if it adds a label to an enum. PostgreSQL lets a transaction that adds one use it only after its end. */
  readonly addsLabel: boolean;
  /** The tables all of whose rows it looks at, whatever policies say. Default none. */
  readonly looksAt?: readonly TableName[];
}

/** A table by its name. */
export interface TableName {
  readonly schema: string;
  readonly table: string;
}

/** A column that keeps its values under another type. */
export interface RetypedColumn {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  /** The types as SQL names them. */
  readonly from: string;
  readonly to: string;
  /** The type that values are held by where the new one is a domain, which may not be there yet. */
  readonly heldBy?: string;
}

/** A column that becomes NOT NULL without a default, so that rows that are there may have no value for it. */
export interface RequiredColumn {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  /** True if it is added: then no row has a value for it. */
  readonly isNew: boolean;
}

/** The steps of a change in two parts; between them rows get their values. */
export interface DividedSteps {
  /** All that can be done while the columns are nullable. */
  readonly before: readonly SchemaStep[];
  /** The rest: NOT NULL, and what needs it. */
  readonly after: readonly SchemaStep[];
}

/** The steps that make one schema into another. */
export interface SchemaChange {
  /** In the order in which they work; none when the schemas are the same. */
  readonly steps: readonly SchemaStep[];
  /** The objects that would be gone with their contents, e.g. `table public.city`. */
  readonly losses: readonly string[];
  /** Columns whose values the new type may not hold. */
  readonly retyped: readonly RetypedColumn[];
  /** Columns of existing tables that become NOT NULL, and that no default fills. */
  readonly required: readonly RequiredColumn[];
  /** Pairs of a removed and an added object that look the same: the author of the target may have meant a rename. */
  readonly possibleRenames: readonly PossibleRename[];
  /**
   * The steps, but with these columns nullable at first. Columns that the change removes from their tables are still
   * there between the parts, to be read.
   */
  divided(columns: readonly RequiredColumn[]): DividedSteps;
  /** Statements that make what the current schema has and that the change touches. */
  exported(): readonly string[];
}

/** An object that may have been renamed, e.g. `column public.city.name` to `column public.city.title`. */
export interface PossibleRename {
  readonly from: string;
  readonly to: string;
}

/** Compares schemas. What it reads of a database only itself understands. */
export interface SchemaDiffTool<Snapshot = unknown> {
  /** Its name and version, for the command `version`. */
  readonly version: string;
  /** @param schema the one schema to read; undefined for all that there is */
  read(session: Session, schema?: string): Promise<Snapshot>;
  /**
   * Reads the target in the database in which it was tried. The session shows the same afterwards.
   *
   * Default {@link read}.
   */
  readTarget?(session: Session, schema?: string): Promise<Snapshot>;
  compare(current: Snapshot, target: Snapshot, rules: ComparisonRules): SchemaChange;
}
