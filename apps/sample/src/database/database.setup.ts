import { MikroORM } from '@mikro-orm/core';
import type { AbstractSqlDriver, SqlEntityManager } from '@mikro-orm/sql';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { StartRefusal } from '../start.refusal.js';
import { loadAtlas } from './atlas.loader.js';
import type { OpenDatabase } from './open.database.js';

export const OPEN_DATABASE = Symbol('OPEN_DATABASE');

/** Any number will do, as long as nothing else in the same database locks on it. */
const setupLock = 20_130_411;

/** Creates the schema and loads the atlas when the database is new; done before the service listens. */
@Injectable()
export class DatabaseSetup implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly orm: MikroORM<AbstractSqlDriver>,
    @Inject(OPEN_DATABASE) private readonly database: OpenDatabase,
  ) {}

  /**
   * One transaction holds the schema and the records: stopped half-way, nothing of it is there and the next start
   * begins anew. Of several processes that start on one server, one loads and the others wait for it.
   */
  async onModuleInit(): Promise<void> {
    await this.connect();
    await this.orm.em.fork().transactional(async (em) => {
      await em.execute(`select pg_advisory_xact_lock(${String(setupLock)})`);
      if (await hasSchema(em)) return;
      const statements = await this.schemaStatements();
      const isTable = (statement: string): boolean => statement.startsWith('create table');
      // Indexes and foreign keys come after the records: built once over all of them, loading is a third quicker.
      for (const statement of statements.filter(isTable)) await em.execute(statement);
      await loadAtlas(em);
      for (const statement of statements.filter((one) => !isTable(one))) await em.execute(statement);
    });
  }

  /** The directory of an embedded database is free for another process only once the database is closed. */
  async onApplicationShutdown(): Promise<void> {
    await this.orm.close();
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

  private async schemaStatements(): Promise<string[]> {
    const script = await this.orm.schema.getCreateSchemaSQL({ wrap: false });
    return script
      .split(/;\s*\n/)
      .map((statement) => statement.trim())
      .filter((statement) => statement !== '');
  }
}

async function hasSchema(em: SqlEntityManager): Promise<boolean> {
  const [row] = await em.execute<{ exists: boolean }[]>(
    `select to_regclass('country') is not null as exists`,
  );
  return row?.exists === true;
}
