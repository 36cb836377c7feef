import type { CommandRules } from '../commands/command.context.js';
import type { CommandName } from '../commands/command.table.js';
import type { LastTarget } from '../commands/last.target.js';
import type { TargetDatabase } from '../database/target.database.js';
import type { SchemaDiffTool } from '../diff/schema.diff.tool.js';
import type { Fills } from '../safety/fills.js';
import type { SourceText } from '../sources/source.text.js';

/** The wishes of a migrator, whatever its database. */
export interface MigrationWork {
  /** Reads the target schema. @throws MigrationFailure */
  readonly sources: () => Promise<readonly SourceText[]>;
  readonly fills: Fills;
  readonly lastTarget: Pick<LastTarget, 'of'>;
  readonly rules: CommandRules;
  /** The tool of the application's own choice. */
  readonly diffTool?: (() => Promise<SchemaDiffTool>) | undefined;
  /** True if somebody asks later whether the target was applied; otherwise it is remembered only where one was before. */
  readonly isAskedFor: boolean;
}

/** Tells from the database which target was applied last. */
export interface AppliedTarget {
  isCurrent(): Promise<boolean>;
  /** True if some target was applied before. */
  isThere(): Promise<boolean>;
}

/** All that differs from one sort of database to the next: how SQL is read and judged, tried, compared and applied. */
export interface MigrationDialect {
  /** Carries out a command and gives its lines. @throws MigrationFailure */
  run(command: CommandName, work: MigrationWork): Promise<readonly string[]>;
  applied(sources: readonly SourceText[]): AppliedTarget;
  /** The database whose tenants may have schemas; undefined where there are none. */
  readonly ofTenants: TargetDatabase | undefined;
}
