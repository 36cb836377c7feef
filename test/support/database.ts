import { MikroORM, type Options } from '@mikro-orm/core';
import { PgliteDriver } from '@mikro-orm/pglite';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { randomBytes } from 'node:crypto';
import { pgliteSnapshot } from './pglite.js';

/** The databases every sentence of the contract is tried on. */
export const databases = ['postgresql', 'pglite'] as const;
export type DatabaseName = (typeof databases)[number];

/** Some options of MikroORM. */
export type OrmOptions = Partial<Options>;

/** An empty database of one test application. */
export interface Database {
  /** What MikroORM needs to reach it. */
  readonly options: OrmOptions;
  /** Removes it; the application is closed by then. */
  drop(): Promise<void>;
}

/** Makes an empty database that nobody else uses, so that test files run side by side. */
export const freshDatabase = (name: DatabaseName): Promise<Database> => fresh[name]();

const fresh = {
  async postgresql() {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await onServer(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
    return {
      options: { driver: PostgreSqlDriver, clientUrl: addressOf(name) },
      drop: () => onServer(`drop database ${name} with (force)`),
    };
  },

  pglite: () =>
    Promise.resolve({
      options: { driver: PgliteDriver, dbName: 'memory://', driverOptions: { loadDataDir: pgliteSnapshot } },
      drop: () => Promise.resolve(),
    }),
} satisfies Record<DatabaseName, () => Promise<Database>>;

const server = (): URL => {
  const address = process.env['TEST_DATABASE_URL'];
  if (!address)
    throw new Error('TEST_DATABASE_URL is not set: run the tests with `npm test`, which starts PostgreSQL');
  return new URL(address);
};

const addressOf = (database: string): string => Object.assign(server(), { pathname: database }).href;

const onServer = async (statement: string): Promise<void> => {
  const orm = await MikroORM.init({ ...unconnected, clientUrl: server().href });
  await orm.driver.execute(statement);
  await orm.close();
};

/** Options of a MikroORM without entities, or of one that never reaches its database. */
export const unconnected = {
  driver: PostgreSqlDriver,
  dbName: 'postgres',
  entities: [],
  discovery: { warnWhenNoEntities: false },
} satisfies OrmOptions;
