import { createHash, randomBytes } from 'node:crypto';
import { atMost, lostConnectionOr } from '@nest-endpoints/core/internal';
import { stoppable, type WorkCancellation } from '../database/cancellable.database.js';
import { MigrationFailure } from '../migration.failure.js';
import type { Row, Session } from '../database/session.js';
import { quoteName } from './mariadb.quoting.js';

/** A connection of `mysql2`, of which no more is used than this. */
interface MySqlConnection {
  execute(sql: string, values: readonly unknown[], end: Ended): unknown;
  unprepare(sql: string): unknown;
  destroy(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

type Ended = (error: Error | null, rows: unknown) => void;

/** A pool of `mysql2`, as MikroORM has it. */
export interface MySqlPool {
  getConnection(end: (error: Error | null, connection: MySqlConnection) => void): void;
}

/** True for a pool of `mysql2`. */
export function isMySqlPool(client: unknown): client is MySqlPool {
  const has = (method: string): boolean => typeof Reflect.get(client as object, method) === 'function';
  return typeof client === 'object' && client !== null && has('getConnection') && has('execute');
}

/** A session with a database of its own beside the one that is migrated. */
export interface MariaDbSession extends Session {
  /** The database that is migrated. */
  readonly database: string;
  /** Runs work in an empty database on the same server, which is gone afterwards. */
  beside<T>(work: () => Promise<T>): Promise<T>;
}

/** The tokenizer reads texts by this mode, and MariaDB has to read them alike. */
const settings = [
  `set session sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION'`,
  `set session max_statement_time = 0`,
  `set session sql_quote_show_create = 1`,
  `set session foreign_key_checks = 1`,
  `set session unique_checks = 1`,
  `set names utf8mb4`,
];

/** The longest wait for a statement to be stopped, in milliseconds. */
const patience = 2_000;

/** A server of MariaDB. */
export class MariaDbDatabase {
  /** @param cancellation the one of the request that it works for; undefined where nobody gives the work up */
  constructor(
    private readonly pool: MySqlPool,
    private readonly cancellation?: WorkCancellation,
  ) {}

  /**
   * Runs work on a connection of the pool, which does not go back there: whatever was set in it is gone. Once its request is
   * given up, the statement of the moment is stopped, and no other of the work begins.
   */
  connected<T>(work: (session: MariaDbSession) => Promise<T>): Promise<T> {
    return this.#lent(async (connection) => {
      const query = queryOf(connection);
      const [row] = await query('select version() as version, database() as name');
      const version = String(row?.['version']);
      if (!version.includes('MariaDB'))
        throw new MigrationFailure(`migrations need MariaDB 10.6 or later, and this is MySQL ${version}`);
      const [major = 0, minor = 0] = version.split('.').map(Number);
      if (major < 10 || (major === 10 && minor < 6))
        throw new MigrationFailure(`migrations need MariaDB 10.6 or later, and this is ${version}`);
      const database = String(row?.['name']);
      for (const setting of settings) await query(setting);
      const session = { isTransaction: false, query, database };
      const wanted = await this.#stoppable(query);
      // What is beside goes away all the same.
      return work({ ...session, query: wanted, beside: (inner) => beside(session, inner) });
    });
  }

  async #stoppable(query: Query): Promise<Query> {
    const { cancellation } = this;
    if (cancellation === undefined) return query;
    const [row] = await query('select connection_id() as id');
    const stop = (): Promise<unknown> =>
      this.#lent((connection) => queryOf(connection)(`kill query ${Number(row?.['id'])}`));
    // Where all connections are taken, nobody is told: the statement ends by itself, and nothing follows it.
    const inTime = (): Promise<unknown> => atMost(patience, stop(), () => undefined);
    return (text, values) => stoppable(cancellation, () => query(text, values), inTime);
  }

  async #lent<T>(work: (connection: MySqlConnection) => Promise<T>): Promise<T> {
    const connection = await new Promise<MySqlConnection>((resolve, reject) => {
      this.pool.getConnection((error, found) => {
        if (error === null || (error as unknown) === undefined) resolve(found);
        else reject(lostConnectionOr(error));
      });
    });
    connection.on('error', () => undefined);
    try {
      return await work(connection);
    } finally {
      connection.destroy();
    }
  }
}

type Query = Session['query'];

/** A prepared statement is one statement, whatever a text looks like to another parser. */
function queryOf(connection: MySqlConnection): Query {
  return async (text, values = []) => {
    const rows = await new Promise<unknown>((resolve, reject) => {
      connection.execute(text, values, (error, found) => {
        if (error === null || (error as unknown) === undefined) resolve(found);
        else reject(lostConnectionOr(error));
      });
    });
    connection.unprepare(text);
    return Array.isArray(rows) ? (rows as readonly Row[]) : [];
  };
}

const prefix = 'nest_endpoints_shadow_';

async function beside<T>(
  session: Session & { readonly database: string },
  work: () => Promise<T>,
): Promise<T> {
  const { database } = session;
  const query: Query = (text, values) => session.query(text, values);
  const here = `${prefix}${createHash('sha256').update(database).digest('hex').slice(0, 12)}_`;
  await sweep(query, here);
  const name = `${here}${randomBytes(6).toString('hex')}`;
  // Held by this connection alone: when it ends, by whatever cause, the next one may sweep the database away.
  await query('select get_lock(?, 10)', [name]);
  const [row] = await query('select @@character_set_database as charset, @@collation_database as collation');
  const charset = `character set ${String(row?.['charset'])} collate ${String(row?.['collation'])}`;
  try {
    await query(`create database ${quoteName(name)} ${charset}`);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new MigrationFailure(
      [
        `the user must be allowed to create databases whose names begin with ${prefix}: the target schema is tried in one first`,
        `grant all on \`${prefix.replaceAll('_', String.raw`\_`)}%\`.* to the user`,
      ],
      { cause: error },
    );
  }
  try {
    await query(`use ${quoteName(name)}`);
    return await work();
  } finally {
    await query(`drop database if exists ${quoteName(name)}`);
    await query(`use ${quoteName(database)}`);
    await query('select release_lock(?)', [name]);
  }
}

/** Drops what processes that were killed have left behind. */
async function sweep(query: Query, here: string): Promise<void> {
  const left = await query(
    'select schema_name as name from information_schema.schemata where left(schema_name, ?) = ?',
    [here.length, here],
  );
  for (const { name } of left) {
    const [row] = await query('select get_lock(?, 0) as ours', [name]);
    if (Number(row?.['ours']) !== 1) continue;
    await query(`drop database if exists ${quoteName(String(name))}`);
    await query('select release_lock(?)', [name]);
  }
}

/** True if the database refused a statement. A lost connection is something else. */
export function isRefusal(
  error: unknown,
): error is Error & { readonly sqlState: string; readonly errno: number } {
  return error instanceof Error && 'sqlState' in error && typeof error.sqlState === 'string';
}
