import { MikroORM, type Options } from '@mikro-orm/core';
import { LibSqlDriver } from '@mikro-orm/libsql';
import { MariaDbDriver } from '@mikro-orm/mariadb';
import { MySqlDriver } from '@mikro-orm/mysql';
import { PgliteDriver } from '@mikro-orm/pglite';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { randomBytes } from 'node:crypto';
import { recommendedMySqlOptions } from '@nest-endpoints/core';
import { citusUrl, createCitusDatabase, dropCitusDatabase } from './citus.js';
import { lentPglite } from './pglite.js';

/** The databases every sentence of the contract is tried on. */
export type DatabaseName = 'postgresql' | 'pglite' | 'sqlite' | 'mariadb';

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

/**
 * Which way an application takes to PostgreSQL: to the server itself, or through PgBouncer, which lends a connection to
 * each transaction, with a replica for reads where the run has one.
 */
export type Route = 'direct' | 'pooled';

/**
 * The way of an application whose test does not care: `npm run test:cluster` sends all of them through PgBouncer, but
 * those whose options set parameters when a connection starts, which a pooler refuses by its nature.
 */
export const usualRoute = ({ driverOptions = {} }: OrmOptions = {}): Route => {
  const setsParameters = 'statement_timeout' in driverOptions || 'lock_timeout' in driverOptions;
  return isCluster && !setsParameters ? 'pooled' : 'direct';
};

/** Whether this run has a primary, a replica and PgBouncer in front of both. */
export const isCluster = process.env['TEST_CLUSTER'] !== undefined;

/** Whether this run has MariaDB, and nothing else. */
export const isMariaDb = process.env['TEST_MARIADB'] !== undefined;

/** PgBouncer in front of the server of this run; undefined where it is not installed. */
export const poolerAddress = process.env['TEST_POOLER_URL'];

/** Makes an empty database that nobody else uses, so that test files run side by side. */
export const freshDatabase = (name: DatabaseName, route: Route = 'direct'): Promise<Database> =>
  fresh[name](route);

const fresh = {
  async postgresql(route) {
    const name = `test_${randomBytes(6).toString('hex')}`;
    if (citusUrl !== undefined) return onCitus(citusUrl, name);
    await onServer(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
    return {
      options: { driver: PostgreSqlDriver, ...addresses[route](name) },
      ...postgresql,
      drop: () => onServer(`drop database ${name} with (force)`),
    };
  },

  async pglite() {
    const { pglite, giveBack } = await lentPglite();
    return {
      options: { driver: PgliteDriver, dbName: 'memory://', driverOptions: { pglite: () => pglite } },
      ...postgresql,
      drop: giveBack,
    };
  },

  async mariadb() {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await onMariaDb(`create database ${name} character set utf8mb4 collate ${collation}`);
    return {
      options: { ...mariaDbServer(), dbName: name },
      ...mariadb,
      drop: () => onMariaDb(`drop database ${name}`),
    };
  },

  // The driver keeps one connection until it is closed, so memory outlives every request.
  sqlite: () =>
    Promise.resolve({
      options: { driver: LibSqlDriver, dbName: ':memory:' },
      ...sqlite,
      drop: () => Promise.resolve(),
    }),
} satisfies Record<DatabaseName, (route: Route) => Promise<Database>>;

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

/** It tells which row was written last of each table by a number that only grows. */
const mariadb: Statements = {
  emptied: (tables) => {
    const truncated = tables.map(({ name }) => `truncate table ${name}`);
    const parts = ['set foreign_key_checks = 0', ...truncated, 'set foreign_key_checks = 1'];
    // One statement: what it sets holds on a connection.
    return `begin not atomic ${parts.join('; ')}; end`;
  },
  versions: (table) => `checksum table ${table}`,
};

/** The order of text by its code points, in which all letters and spaces count, as in the other databases of the tests. */
const collation = 'utf8mb4_nopad_bin';

const recommended = recommendedMySqlOptions();

/** The driver of a run on MariaDB. That of MySQL speaks to it, too, as docs/databases.md tells; no test of CI's asks for it. */
const mariaDbDriver = process.env['TEST_MARIADB_DRIVER'] === 'mysql' ? MySqlDriver : MariaDbDriver;

const mariaDbServer = () => {
  const socketPath = process.env['TEST_MARIADB_SOCKET'];
  if (!socketPath)
    throw new Error('TEST_MARIADB_SOCKET is not set: run these tests with `npm run test:mariadb`');
  return {
    ...recommended,
    driver: mariaDbDriver,
    user: 'root',
    collate: collation,
    driverOptions: { ...recommended.driverOptions, socketPath },
  };
};

const onMariaDb = async (statement: string): Promise<void> => {
  const { driverOptions } = mariaDbServer();
  const orm = await MikroORM.init({
    ...{ ...unconnected, driver: MariaDbDriver },
    ...{ user: 'root', dbName: 'mysql', driverOptions },
  });
  await orm.driver.execute(statement);
  await orm.close();
};

const server = (): string => {
  const address = process.env['TEST_DATABASE_URL'];
  if (!address)
    throw new Error('TEST_DATABASE_URL is not set: run the tests with `npm test`, which starts PostgreSQL');
  return address;
};

const on = (database: string, address: string): string =>
  Object.assign(new URL(address), { pathname: database }).href;

const addresses = {
  direct: (database) => ({ clientUrl: on(database, server()) }),
  pooled: (database) => {
    if (poolerAddress === undefined) throw new Error('PgBouncer is not installed');
    const replica = process.env['TEST_REPLICA_URL'];
    return {
      clientUrl: on(database, poolerAddress),
      ...(replica !== undefined && { replicas: [{ clientUrl: on(database, replica) }] }),
    };
  },
} satisfies Record<Route, (database: string) => OrmOptions>;

const onCitus = async (coordinator: string, name: string): Promise<Database> => {
  await createCitusDatabase(coordinator, name);
  return {
    options: { driver: PostgreSqlDriver, clientUrl: on(name, coordinator) },
    ...postgresql,
    drop: () => dropCitusDatabase(coordinator, name),
  };
};

const onServer = async (statement: string): Promise<void> => {
  const orm = await MikroORM.init({ ...unconnected, clientUrl: server() });
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

/** A statement that fails as one does which the database undoes because of others. SQLite has none. */
export const deadlock = isMariaDb
  ? `signal sqlstate '40001' set mysql_errno = 1213`
  : `do $$ begin raise exception 'of the test' using errcode = '40P01'; end $$`;
