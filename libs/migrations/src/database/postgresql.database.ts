import { randomInt } from 'node:crypto';
import { lostConnectionOr } from '@nest-endpoints/core/internal';
import { MigrationFailure } from '../migration.failure.js';
import { isDatabaseError, sqlStates } from './database.error.js';
import { areLent, type NumberedSession } from './lent.connections.js';
import { quoteIdentifier, quoteLiteral } from './quoting.js';
import { allRows, withinSavepoint, type ForgivingSession, type Row } from './session.js';
import type { TargetDatabase, TransactionOptions } from './target.database.js';

/** A connection of the `pg` driver. */
interface PgClient {
  connect(): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  query(query: {
    readonly text: string;
    readonly values: readonly unknown[];
    readonly queryMode: 'extended';
    readonly query_timeout: number;
  }): Promise<{ readonly rows: readonly Row[] }>;
  readonly processID: number;
  readonly user: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly password: unknown;
  readonly ssl: unknown;
}

/** A pool of the `pg` driver, as MikroORM has it. */
export interface PgPool {
  readonly options: object;
  readonly Client: new (options: object) => PgClient;
  connect(): Promise<PgClient & { release(broken?: boolean): void }>;
}

/** The first key of our advisory locks: anything that nobody else takes. */
const shadowLocks = 1_315_206_221;
const prefix = 'nest_endpoints_shadow_';

/** The pool's time limits, and those of its role, are for requests; a change of a large table takes its time. */
const noLimits = { statement_timeout: undefined, lock_timeout: undefined };

/** The ways of transactions, whatever is usual for those of requests. One that changes sees what others have committed. */
const looking = 'repeatable read read only';
const changing = 'read committed read write';
const writing = 'set default_transaction_read_only = off';

/** In milliseconds; the longest that a timer takes. Nothing shorter lifts a limit that the pool has. */
const forever = 2 ** 31 - 1;

/** A PostgreSQL server. The shadow is a temporary database on it, so that versions, roles and extensions are the same. */
export class PostgresqlDatabase implements TargetDatabase {
  constructor(private readonly pool: PgPool) {}

  async transaction<T>(
    work: (session: ForgivingSession) => Promise<T>,
    { readOnly = false }: TransactionOptions = {},
  ): Promise<T> {
    const client = await this.pool.connect().catch(thrown);
    const session = sessionOf(client, true);
    // A connection that has written is not given back: whatever a function of the target has set in it would stay.
    let spoilt = true;
    let isCommitting = false;
    try {
      await session.query(`begin isolation level ${readOnly ? looking : changing}`);
      try {
        await session.query('set local statement_timeout = 0');
        await session.query(allRows);
        const result = await work(session);
        isCommitting = true;
        await session.query('commit');
        spoilt = !readOnly;
        return result;
      } catch (error) {
        const isLost = !(await isRolledBack(session));
        spoilt = isLost || !readOnly;
        throw isLost && isCommitting && !readOnly ? unknownOutcome(error) : error;
      }
    } finally {
      client.release(spoilt);
    }
  }

  async shadow<T>(work: (session: ForgivingSession) => Promise<T>): Promise<T> {
    return this.#connected({}, async (numbered) => {
      await this.#expectOwn(numbered);
      const server = numbered.session;
      await server.query('set statement_timeout = 0');
      await server.query('set lock_timeout = 0');
      await server.query(writing);
      await sweep(server);
      const key = randomInt(2 ** 31);
      // Held by this connection alone: when it ends, by whatever cause, the next one may sweep the database away.
      await server.query('select pg_advisory_lock($1, $2)', [shadowLocks, key]);
      const name = `${await prefixHere(server)}${key}`;
      try {
        await create(server, name);
        const searchPath = await settingOf(server, 'search_path');
        return await this.#connected({ database: name }, async ({ session }) => {
          await session.query(writing);
          await session.query(`select set_config('search_path', $1, false)`, [searchPath]);
          // Nothing of it has to outlive a crash.
          await session.query('set synchronous_commit = off');
          await session.query('set standard_conforming_strings = on');
          await session.query(`set statement_timeout = '60s'`);
          return work(session);
        });
      } finally {
        await server.query(`drop database if exists ${quoteIdentifier(name)} with (force)`);
      }
    });
  }

  /** Uses a connection of its own: those of the pool may all be waiting for what is to be stopped. */
  async stop(processID: number): Promise<void> {
    await this.#connected({}, ({ session }) => session.query('select pg_cancel_backend($1)', [processID]));
  }

  /** Refuses connections that are lent by transaction: nothing below would hold on them. */
  async #expectOwn(one: NumberedSession): Promise<void> {
    if (await this.#connected({}, (other) => areLent(one, other)))
      throw new MigrationFailure(
        'migrations need connections to PostgreSQL itself, and these lead to a pooler that lends them by transaction' +
          ' (PgBouncer): give cursor a MikroORM with the address of the server',
      );
  }

  /** A connection of its own: those of the pool are for requests. */
  async #connected<T>(
    change: object,
    work: (session: NumberedSession & { readonly session: ForgivingSession }) => Promise<T>,
  ): Promise<T> {
    const { Client, options } = this.pool;
    const { user, host, port, database, password, ssl } = new Client(options);
    const client = new Client({
      ...options,
      ...noLimits,
      connectionString: undefined,
      database,
      user,
      host,
      port,
      password,
      ssl,
      ...change,
    });
    // A connection that is cut fails the query in flight; without a listener it would end the process too.
    client.on('error', () => undefined);
    await client.connect().catch(thrown);
    try {
      return await work({ session: sessionOf(client, false), processID: client.processID });
    } finally {
      await client.end();
    }
  }
}

/** False if the connection is lost: then the server undoes the transaction by itself, and why it is lost was told before. */
async function isRolledBack(session: ForgivingSession): Promise<boolean> {
  try {
    await session.query('rollback');
    return true;
  } catch {
    return false;
  }
}

function unknownOutcome(cause: unknown): MigrationFailure {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new MigrationFailure(
    `the connection was lost while the change was being committed, so it may have been: plan tells (${why})`,
    { cause },
  );
}

function sessionOf(client: PgClient, isTransaction: boolean): ForgivingSession {
  const session: ForgivingSession = {
    isTransaction,
    async query(text, values = []) {
      // The extended protocol takes one statement only, whatever a text looks like to another parser.
      const query = { text, values, queryMode: 'extended', query_timeout: forever } as const;
      const { rows } = await client.query(query).catch(thrown);
      return rows;
    },
    attempt: (work) => (isTransaction ? withinSavepoint(session, work) : work()),
  };
  return session;
}

/** The driver has nothing but a sentence for a connection that is cut: the service is not at fault then. */
function thrown(error: unknown): never {
  throw lostConnectionOr(error);
}

/** The prefix of shadows of this database: advisory locks of others cannot be seen from here. */
async function prefixHere(server: ForgivingSession): Promise<string> {
  const [row] = await server.query('select oid from pg_database where datname = current_database()');
  return `${prefix}${String(row?.['oid'])}_`;
}

/** Drops what processes that were killed have left behind. */
async function sweep(server: ForgivingSession): Promise<void> {
  const here = await prefixHere(server);
  const stale = await server.query('select datname from pg_database where starts_with(datname, $1)', [here]);
  for (const { datname } of stale) {
    const key = Number(String(datname).slice(here.length));
    if (!Number.isSafeInteger(key)) continue;
    const [row] = await server.query('select pg_try_advisory_lock($1, $2) as ours', [shadowLocks, key]);
    if (row?.['ours'] !== true) continue;
    await server.query(`drop database if exists ${quoteIdentifier(String(datname))} with (force)`);
    await server.query('select pg_advisory_unlock($1, $2)', [shadowLocks, key]);
  }
}

async function create(server: ForgivingSession, name: string): Promise<void> {
  const [row = {}] = await server.query(
    `select pg_encoding_to_char(encoding) as encoding, to_jsonb(pg_database) as facts
     from pg_database where datname = current_database()`,
  );
  const facts = row['facts'] as Readonly<Record<string, string | null>>;
  const { datcollate, datctype, datlocprovider = null } = facts;
  const locale = facts['datlocale'] ?? facts['daticulocale'] ?? null;
  const options = [
    'template template0',
    `encoding ${quoteLiteral(String(row['encoding']))}`,
    `lc_collate ${quoteLiteral(datcollate ?? 'C')}`,
    `lc_ctype ${quoteLiteral(datctype ?? 'C')}`,
    ...localeOf(datlocprovider, locale),
  ];
  try {
    await server.query(`create database ${quoteIdentifier(name)} ${options.join(' ')}`);
  } catch (error) {
    if (!isDatabaseError(error) || error.code !== sqlStates.insufficientPrivilege) throw error;
    const [{ role } = {}] = await server.query('select current_user as role');
    throw new MigrationFailure(
      `the role '${String(role)}' must have CREATEDB: the target schema is tried in a temporary database first`,
      { cause: error },
    );
  }
}

/** The locale of a database whose collation is not the C library's; by the letter PostgreSQL has for its provider. */
function localeOf(provider: string | null, locale: string | null): readonly string[] {
  if (locale === null) return [];
  if (provider === 'i') return ['locale_provider icu', `icu_locale ${quoteLiteral(locale)}`];
  if (provider === 'b') return ['locale_provider builtin', `builtin_locale ${quoteLiteral(locale)}`];
  return [];
}

async function settingOf(session: ForgivingSession, name: string): Promise<string> {
  const [row] = await session.query('select current_setting($1) as value', [name]);
  return String(row?.['value']);
}
