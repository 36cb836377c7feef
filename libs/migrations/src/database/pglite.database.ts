import { allRows, withinSavepoint, type ForgivingSession, type Row } from './session.js';
import { quoteIdentifier } from './quoting.js';
import type { TargetDatabase } from './target.database.js';

/** PGlite, as MikroORM has it. */
export interface Pglite {
  transaction<T>(work: (transaction: PgliteTransaction) => Promise<T>): Promise<T | undefined>;
}

interface PgliteTransaction {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly Row[] }>;
}

/** Ends a transaction of PGlite without leaving anything of it. */
class Undone extends Error {}

/**
 * PGlite, PostgreSQL inside this process. It has one session and one database; a second one would cost another half a
 * gigabyte and some seconds. So the shadow is the database itself, emptied in a transaction that is always undone. Nobody
 * else can look in meanwhile, and a crash undoes it as well.
 */
export class PgliteDatabase implements TargetDatabase {
  constructor(private readonly pglite: Pglite) {}

  async transaction<T>(work: (session: ForgivingSession) => Promise<T>): Promise<T> {
    let result: { readonly value: T } | undefined;
    await this.pglite.transaction(async (transaction) => {
      const session = sessionOf(transaction);
      await session.query(allRows);
      result = { value: await work(session) };
    });
    if (result === undefined) throw new Error('PGlite ended a transaction without a word');
    return result.value;
  }

  async shadow<T>(work: (session: ForgivingSession) => Promise<T>): Promise<T> {
    let result: { readonly value: T } | undefined;
    const undone = new Undone();
    try {
      await this.transaction(async (session) => {
        await empty(session);
        await session.query('set local standard_conforming_strings = on');
        result = { value: await work(session) };
        throw undone;
      });
    } catch (error) {
      if (error !== undone || result === undefined) throw error;
    }
    if (result === undefined) throw new Error('PGlite ended a transaction without a word');
    return result.value;
  }
}

function sessionOf(transaction: PgliteTransaction): ForgivingSession {
  const session: ForgivingSession = {
    isTransaction: true,
    query: async (text, values = []) => (await transaction.query(text, [...values])).rows,
    attempt: (work) => withinSavepoint(session, work),
  };
  return session;
}

/** The objects that a new database does not have: a query for their names, and the statement that drops one. */
const contents = [
  ['select evtname as name from pg_event_trigger', 'drop event trigger'],
  ['select pubname as name from pg_publication', 'drop publication'],
  [`select extname as name from pg_extension where extname <> 'plpgsql'`, 'drop extension if exists'],
  [
    `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
    'drop schema',
  ],
] as const;

async function empty(session: ForgivingSession): Promise<void> {
  await session.query(`set local session_replication_role = replica`);
  for (const [names, drop] of contents)
    for (const { name } of await session.query(names))
      await session.query(`${drop} ${quoteIdentifier(String(name))} cascade`);
  await session.query('set local session_replication_role = default');
  await session.query('create schema public');
  await session.query(`comment on schema public is 'standard public schema'`);
  await session.query('grant usage on schema public to public');
}
