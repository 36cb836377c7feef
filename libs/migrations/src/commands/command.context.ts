import type { Session } from '../database/session.js';
import type { TargetDatabase } from '../database/target.database.js';
import type { SchemaDiffTool } from '../diff/schema.diff.tool.js';
import type { Rename } from '../safety/renames.js';
import type { LastTarget } from './last.target.js';
import type { SourceText } from '../sources/source.text.js';

/** The objects that a command works with. */
export interface CommandContext {
  readonly database: TargetDatabase;
  /** @throws MigrationFailure when it is not installed */
  readonly tool: () => Promise<SchemaDiffTool>;
  /** Reads the target schema. @throws MigrationFailure */
  readonly sources: () => Promise<readonly SourceText[]>;
  /** The checked expressions of fills, by their names. @throws MigrationFailure */
  readonly fills: () => Promise<ReadonlyMap<string, string>>;
  readonly lastTarget: Pick<LastTarget, 'of'>;
  readonly rules: CommandRules;
  /** Remembers, in the transaction that makes the schema the target, which target it was. */
  readonly keep: (session: Session) => Promise<void>;
}

/** The rules for changes that the configuration sets. */
export interface CommandRules {
  /** True if data may be lost. */
  readonly allowDestructive: boolean;
  readonly renames: readonly Rename[];
  /** The one schema that is compared, of a tenant; undefined for all but those that are unmanaged. */
  readonly schema?: string | undefined;
  readonly unmanagedSchemas: ReadonlySet<string>;
  /** True for the name of a tenant's schema, be it there or not. */
  readonly isOfTenant: (schema: string) => boolean;
  /** `schema.table` */
  readonly unmanagedTables: ReadonlySet<string>;
  /** The time that a statement waits for a lock that a request holds, in milliseconds. */
  readonly lockTimeout: number;
  /** The time that apply waits for another process that is applying, in milliseconds. */
  readonly waitTimeout: number;
}

/** One of the contract's commands: it answers lines. @throws MigrationFailure */
export type Command = (context: CommandContext) => Promise<readonly string[]>;
