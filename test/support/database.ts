import { MikroORM, type Options } from '@mikro-orm/core';
import { LibSqlDriver } from '@mikro-orm/libsql';
import { PgliteDriver } from '@mikro-orm/pglite';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { randomBytes } from 'node:crypto';
import { pgliteSnapshot } from './pglite.js';

/** The databases every sentence of the contract is tried on. */
export type DatabaseName = 'postgresql' | 'pglite' | 'sqlite';

/** Some options of MikroORM. */
export type OrmOptions = Partial<Options>;

/** A table of a test application. */
export interface Table {
  /** Its name in SQL. */
  readonly name: string;
  /** Whether a sequence gives its keys. */
  readonly isNumbered: boolean;
}

/** An empty database of one test application. */
export interface Database {
  /** What MikroORM needs to reach it. */
  readonly options: OrmOptions;
  /** The SQL that deletes the records of these tables, whatever refers to them, and starts their sequences again. */
  emptied(tables: readonly Table[]): string;
  /** A query whose answer changes whenever a row of the table is written. */
  versions(table: string): string;
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
      ...postgresql,
      drop: () => onServer(`drop database ${name} with (force)`),
    };
  },

  pglite: () =>
    Promise.resolve({
      options: { driver: PgliteDriver, dbName: 'memory://', driverOptions: { loadDataDir: pgliteSnapshot } },
      ...postgresql,
      drop: () => Promise.resolve(),
    }),

  // The driver keeps one connection until it is closed, so memory outlives every request.
  sqlite: () =>
    Promise.resolve({
      options: { driver: LibSqlDriver, dbName: ':memory:' },
      ...sqlite,
      drop: () => Promise.resolve(),
    }),
} satisfies Record<DatabaseName, () => Promise<Database>>;

type Statements = Pick<Database, 'emptied' | 'versions'>;

const postgresql: Statements = {
  emptied: (tables) => `truncate ${tables.map(({ name }) => name).join(', ')} restart identity cascade`,
  versions: (table) => `select xmin::text from ${table}`,
};

/**
 * It has no truncate, counts the rows that its connection wrote, and keeps its sequences in a table of its own, which it
 * makes with the first table that needs one.
 */
const sqlite: Statements = {
  emptied: (tables) => {
    const sequences = tables.some(({ isNumbered }) => isNumbered) ? ['sqlite_sequence'] : [];
    const names = [...tables.map(({ name }) => name), ...sequences];
    const deleted = names.map((name) => `delete from ${name}`);
    return ['pragma foreign_keys = off', ...deleted, 'pragma foreign_keys = on'].join('; ');
  },
  versions: () => 'select total_changes()',
};

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
