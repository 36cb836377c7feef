import type { EntityManager } from '@mikro-orm/core';
import {
  checkOptions,
  ConfigurationError,
  optionChecks as checks,
  type OptionChecks,
} from '@nest-endpoints/core';
import { mayPostpone, ownSchemas, postpone } from '@nest-endpoints/core/internal';
import { Logger } from '@nestjs/common';
import type { CommandName } from './commands/command.table.js';
import { LastTarget } from './commands/last.target.js';
import type { CommandRules } from './commands/command.context.js';
import type { WorkCancellation } from './database/cancellable.database.js';
import { entityManagerOf, type Cursor } from './database/database.of.cursor.js';
import { dialectOf } from './dialects/dialect.of.cursor.js';
import type { MigrationWork } from './dialects/migration.dialect.js';
import { PostgresqlDialect } from './dialects/postgresql.dialect.js';
import type { SchemaDiffTool } from './diff/schema.diff.tool.js';
import { EntitiesSql } from './entities.sql.js';
import {
  cursorCheck,
  ruleChecks,
  sqlCheck,
  type MigrationRules,
  type SqlSource,
} from './migrator.options.js';
import { AppliedDigest } from './applied.digest.js';
import type { SourceText } from './sources/source.text.js';
import type { SqlEntry } from './sources/sql.entries.js';
import { readTarget } from './sources/target.sources.js';
import { MigrationFailure } from './migration.failure.js';
import { TenantMigrator, type TenantMigrations } from './schemas/tenant.migrator.js';
import { isOfTenant, TenantNames } from './schemas/tenant.names.js';

/** Parameters of {@link Migrator}. */
export interface MigratorOptions extends MigrationRules {
  /** The connection to use: MikroORM, an entity manager of it or a connection, to PostgreSQL, PGlite or MariaDB. */
  readonly cursor: Cursor;
  /** The target schema: the combination of all entries, in any order. */
  readonly sql: readonly SqlSource[];
  /** Paths of additional migrations of modules, put before `sql`; those that are not there are skipped. Default none. */
  readonly modulePaths?: readonly string[];
  /** True if texts of `sql` may be paths of this machine. Default true; false for what a client sent. */
  readonly mayBePaths?: boolean;
  /**
   * The tool that compares schemas. Default: on PostgreSQL @supabase/pg-delta, which the
   * application installs; on MariaDB the one of this package.
   */
  readonly diffTool?: () => Promise<SchemaDiffTool>;
  /**
   * The cancellation of the request that it works for: once that is given up, the work is undone (on MariaDB it stops).
   * Default none.
   */
  readonly cancellation?: WorkCancellation;
}

/** Open, because the endpoint hands its own options on. */
const migratorChecks: OptionChecks = {
  ...ruleChecks,
  cursor: cursorCheck,
  sql: sqlCheck,
  modulePaths: checks.listOf('paths', checks.filledText),
  mayBePaths: checks.boolean,
  diffTool: checks.callable,
};

const logger = new Logger('Migrator');

/** Plans and applies a target schema; the endpoint and the start of an application use it alike. */
export class Migrator {
  readonly #lastTarget = new LastTarget();

  constructor(private readonly options: MigratorOptions) {
    checkOptions('Migrator', options, { checks: migratorChecks, isOpen: true });
    for (const name of ['cursor', 'sql'] as const)
      if ((options[name] as unknown) === undefined)
        throw new ConfigurationError('Migrator', name, 'is required');
  }

  /** Carries out a command and gives its lines. @throws MigrationFailure, and the database is as it was */
  run(command: CommandName): Promise<readonly string[]> {
    return this.#run(command, false);
  }

  async #run(command: CommandName, isAskedFor: boolean): Promise<readonly string[]> {
    const dialect = await dialectOf(this.options.cursor, this.options.cancellation);
    if (this.options.schemas !== undefined && dialect.ofTenants === undefined) throw noSchemas();
    return dialect.run(command, this.#work(isAskedFor));
  }

  /** The work for the schemas of tenants. @throws MigrationFailure where the option `schemas` describes none */
  async tenants(): Promise<TenantMigrations> {
    return this.#tenants();
  }

  async #tenants(): Promise<TenantMigrator> {
    const { schemas, schemasAtOnce = 4, cursor, cancellation } = this.options;
    if (schemas === undefined)
      throw new MigrationFailure('the option schemas says of no schema that it is a tenant’s');
    const dialect = await dialectOf(cursor, cancellation);
    if (!(dialect instanceof PostgresqlDialect)) throw noSchemas();
    const names = new TenantNames(dialect.ofTenants, schemas, ownSchemasOf(entityManagerOf(cursor)));
    return new TenantMigrator(dialect.context(this.#work(true)), names, schemasAtOnce);
  }

  #work(isAskedFor: boolean): MigrationWork {
    return {
      sources: () => this.#sources(),
      fills: this.options.fills ?? {},
      lastTarget: this.#lastTarget,
      rules: this.#rules(),
      diffTool: this.options.diffTool,
      isAskedFor,
    };
  }

  /**
   * Applies, unless the same target was applied last time: then only its digest is looked at. For the start of an
   * application. The statements that were run are logged. Where the command line only reads documents, a database that
   * had a target before stays as it is.
   *
   * The schemas of tenants follow, those that had another target last.
   *
   * @param afterwards work that needs the target, such as records that have to be there; done at every start
   */
  async applyWhenChanged(afterwards?: () => Promise<unknown>): Promise<readonly string[]> {
    const dialect = await dialectOf(this.options.cursor, this.options.cancellation);
    const digest = dialect.applied(await this.#sources());
    const work = async (): Promise<readonly string[]> => {
      const own = (await digest.isCurrent()) ? [] : await this.#applied();
      const tenants = this.options.schemas && (await this.#tenants());
      const others = (await tenants?.applyWhenChanged((line) => logger.log(line))) ?? [];
      const statements = [...own, ...others];
      await afterwards?.();
      return statements;
    };
    // A new database gets its tables all the same: modules that start later may count on them.
    if (!mayPostpone() || !(await digest.isThere())) return work();
    postpone(work);
    return [];
  }

  async #applied(): Promise<readonly string[]> {
    const begun = performance.now();
    const statements = await this.#run('apply', true);
    for (const statement of statements) logger.log(statement.replaceAll(/\s+/g, ' '));
    const count = statements.length === 1 ? '1 statement' : `${statements.length} statements`;
    logger.log(`applied ${count} in ${Math.round(performance.now() - begun)} ms`);
    return statements;
  }

  async #sources(): Promise<readonly SourceText[]> {
    const { sql, modulePaths = [], mayBePaths = true } = this.options;
    const explicit = await Promise.all(
      sql.map(async (source, index): Promise<SqlEntry> => {
        const name = `sql[${index}]`;
        if (typeof source === 'string') return { name, value: source, mayBePath: mayBePaths };
        return { name: `${name} (entities)`, value: await this.#entities(source), mayBePath: false };
      }),
    );
    return readTarget({ explicit, automatic: modulePaths });
  }

  #entities(source: EntitiesSql): Promise<string> {
    return source.textOf(entityManagerOf(this.options.cursor));
  }

  #rules(): CommandRules {
    const { allowDestructive = false, renames = [], unmanaged = [] } = this.options;
    const { lockTimeout = 5_000, waitTimeout = 60_000, schemas: tenants } = this.options;
    const em = entityManagerOf(this.options.cursor);
    const tables = unmanaged.filter((name) => name.includes('.'));
    const schemas = unmanaged.filter((name) => !name.includes('.'));
    return {
      allowDestructive,
      renames,
      isOfTenant: isOfTenant(tenants, ownSchemasOf(em)),
      unmanagedSchemas: new Set([...schemas, AppliedDigest.schema]),
      unmanagedTables: new Set([...tables, bookkeepingOf(em)]),
      lockTimeout,
      waitTimeout,
    };
  }
}

/** The schemas of the application itself: without an entity manager the one that PostgreSQL begins with. */
function ownSchemasOf(em: EntityManager | undefined): ReadonlySet<string> {
  return em === undefined ? new Set(['public']) : ownSchemas(em);
}

function noSchemas(): MigrationFailure {
  return new MigrationFailure(
    'the option schemas needs PostgreSQL: a schema of MariaDB is a database of its own',
  );
}

/** The table in which `@mikro-orm/migrations` keeps what it has run. */
function bookkeepingOf(em: EntityManager | undefined): string {
  const { tableName = 'mikro_orm_migrations' } = em?.config.get('migrations') ?? {};
  return tableName.includes('.') ? tableName : `public.${tableName}`;
}
