import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { rawQuery } from '../database/raw.query.js';
import { databaseCode } from '../database/errors/database.error.js';

/** A place in the write-ahead log of a PostgreSQL cluster (PostgreSQL, 9.28.3). */
export interface WalPosition {
  /** The system identifier: a primary and its standbys have the same, and nobody else. */
  readonly cluster: string;
  readonly lsn: bigint;
}

/** The question of the end of the log: all that is committed by now stands before it. */
const written = `select (pg_current_wal_insert_lsn() - '0/0')::text as lsn, system_identifier::text as cluster
  from pg_control_system()`;

/** The question of how far a standby is. A former one has replayed nothing of what it writes by now. */
const replayed = `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as lsn,
  system_identifier::text as cluster from pg_control_system()`;

/**
 * The errors of a server that does not know such places: a server that is no PostgreSQL of its own, a logical replica, or
 * one that keeps them from us (SQLSTATE, PostgreSQL Appendix A).
 */
const unknown = /^(?:0A|42|55)...$/;

/** Asks for the end of a primary's log; undefined where a server does not tell. */
export function writtenPosition(primary: AbstractSqlConnection): Promise<WalPosition | undefined> {
  return positionOf(primary, written);
}

/** Asks how far a standby has replayed the log; undefined for a server that is none. */
export function replayedPosition(standby: AbstractSqlConnection): Promise<WalPosition | undefined> {
  return positionOf(standby, replayed);
}

async function positionOf(
  connection: AbstractSqlConnection,
  statement: string,
): Promise<WalPosition | undefined> {
  try {
    const { rows } = await connection.getClient().executeQuery<Asked>(rawQuery(statement));
    const [{ lsn, cluster } = { lsn: null, cluster: '' }] = rows;
    return lsn === null ? undefined : { cluster, lsn: BigInt(lsn) };
  } catch (error) {
    if (unknown.test(databaseCode(error) ?? '')) return undefined;
    throw error;
  }
}

interface Asked {
  readonly lsn: string | null;
  readonly cluster: string;
}
