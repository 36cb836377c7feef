import { MikroORM, type EntityName } from '@mikro-orm/core';
import { Migrator, type MigratorOptions } from '@nest-endpoints/migrations';
import { connectionOf } from './catalogue.js';
import { freshDatabase, type DatabaseName, type OrmOptions } from './database.js';

/** A database to migrate, without an application around it. */
export interface MigratedDatabase {
  readonly orm: Pick<MikroORM, 'em'>;
  /** What the server calls it. */
  readonly name: string;
  /** Its address, for other processes; empty where it has none. */
  readonly url: string;
  /** A migrator to the given target. */
  to(sql: MigratorOptions['sql'] | string, options?: Partial<MigratorOptions>): Migrator;
  /** Runs SQL past the migrator: any number of statements. */
  run(sql: string): Promise<void>;
  rows<T = Record<string, unknown>>(query: string): Promise<T[]>;
  /** Another process of the same service, or another role. */
  another(options?: OrmOptions): Promise<MikroORM>;
  /** Takes everything out of it. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

const emptied = `
  drop schema if exists nest_endpoints cascade;
  drop schema if exists public cascade;
  drop schema if exists extra cascade;
  create schema public`;

export const migratedDatabase = async (
  name: DatabaseName,
  entities: readonly EntityName[] = [],
): Promise<MigratedDatabase> => {
  const database = await freshDatabase(name);
  const connect = (options: OrmOptions = {}): Promise<MikroORM> =>
    MikroORM.init({
      ...database.options,
      entities: [...entities],
      discovery: { warnWhenNoEntities: false },
      ...options,
    });
  const orm = await connect();
  const connection = connectionOf(orm);
  const run = async (sql: string): Promise<void> => {
    await connection.executeDump(sql);
  };
  const [row] = await connection.execute<{ name: string }[]>('select current_database() as name');
  return {
    orm,
    name: row?.name ?? '',
    url: database.options.clientUrl ?? '',
    to: (sql, options = {}) =>
      new Migrator({ cursor: orm, sql: typeof sql === 'string' ? [sql] : sql, ...options }),
    run,
    rows: async (query) => connection.execute(query),
    another: (options) => connect(options),
    empty: () => run(emptied),
    close: async () => {
      await orm.close();
      await database.drop();
    },
  };
};
