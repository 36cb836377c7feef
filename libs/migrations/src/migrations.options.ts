import type { EndpointOptions } from '@nest-endpoints/core';
import type { InjectionToken } from '@nestjs/common';
import type { CommandName } from './commands/command.table.js';
import type { Cursor } from './database/database.of.cursor.js';
import type { MigrationRules, SqlSource } from './migrator.options.js';

/** Parameters of `Migrations` (contract: Migrations). */
export interface MigrationsOptions extends EndpointOptions, MigrationRules {
  /** The connection to use; takes precedence over `cursorDependencyName`. Default: the application's MikroORM. */
  readonly cursor?: Cursor;
  /** The token of a provider that is the cursor. */
  readonly cursorDependencyName?: InjectionToken;
  /**
   * True to take `command` and `sql` from the query string or the body; `sql` as text only. Such SQL runs as the role of
   * the connection, so the endpoint must have an authentication. Default false.
   */
  readonly allowInput?: boolean;
  /** Lets `allowInput` go without authentication: whoever reaches the endpoint can change the database. Default false. */
  readonly allowUnauthenticated?: boolean;
  /**
   * The command when the request names none. Default `version`. Over HTTP `apply`, `check` with `allowInput`, and whatever brings
   * `sql` want POST, which `requestMethods` must name: the default is GET alone.
   */
  readonly command?: CommandName;
  /** The target schema. Required, unless input is allowed or modules bring it. */
  readonly sql?: readonly SqlSource[];
  /** True to put the paths of `AdditionalMigrations` that modules provide before `sql`. Default false. */
  readonly includeModuleMigrations?: boolean;
  /** Names of the classes of additional migrations to include. Default `[]`: all that there are. */
  readonly moduleMigrations?: readonly string[];
}
