import { MikroORM } from '@mikro-orm/core';
import type { AbstractSqlDriver, SqlEntityManager } from '@mikro-orm/sql';
import { MigrationFailure, Migrator } from '@nest-endpoints/migrations';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { StartRefusal } from '../start.refusal.js';
import type { OpenDatabase } from './open.database.js';
import { schemaDirectory } from './schema.directory.js';

export const OPEN_DATABASE = Symbol('OPEN_DATABASE');

/** Any number will do, as long as nothing else in the same database locks on it. */
const setupLock = 20_130_411;

/** Brings the schema up to date and loads the atlas into a new database; done before the service listens. */
@Injectable()
export class DatabaseSetup implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly orm: MikroORM<AbstractSqlDriver>,
    @Inject(OPEN_DATABASE) private readonly database: OpenDatabase,
  ) {}

  /**
   * The schema is compared with the SQL files only when these changed since the last start. The records are loaded in
   * one transaction: stopped half-way, none of them is there and the next start begins anew. Of several processes that
   * start on one server, one does the work and the others wait for it.
   */
  async onModuleInit(): Promise<void> {
    await this.connect();
    await this.migrate(() => this.loadRecords());
  }

  private async loadRecords(): Promise<void> {
    await this.orm.em.fork().transactional(async (em) => {
      await em.execute(`select pg_advisory_xact_lock(${String(setupLock)})`);
      if (await hasRecords(em)) return;
      const { loadAtlas } = await import('./atlas.loader.js');
      await loadAtlas(em);
    });
  }

  /** The directory of an embedded database is free for another process only once the database is closed. */
  async onApplicationShutdown(): Promise<void> {
    await this.orm.close();
    await this.database.direct?.close();
    this.database.release();
  }

  /** Connections are made by the first statement. */
  private async connect(): Promise<void> {
    try {
      await this.orm.em.fork().execute('select 1');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartRefusal(`The database cannot be opened: ${reason}`, { cause: error });
    }
  }

  private async migrate(afterwards: () => Promise<void>): Promise<void> {
    try {
      const cursor = this.database.direct ?? this.orm;
      await new Migrator({ cursor, sql: [schemaDirectory] }).applyWhenChanged(afterwards);
    } catch (error) {
      if (!(error instanceof MigrationFailure)) throw error;
      throw new StartRefusal(`The schema of the database cannot be brought up to date:\n${error.message}`, {
        cause: error,
      });
    }
  }
}

async function hasRecords(em: SqlEntityManager): Promise<boolean> {
  const [row] = await em.execute<{ exists: boolean }[]>('select exists (select from city) as exists');
  return row?.exists === true;
}
