import { databaseCode, isConnectionLost, isFailedConnection } from '../database/errors/database.error.js';

/**
 * The failures of a read that are the replica's, by SQLSTATE (PostgreSQL, Appendix A), the driver's own code (SQLite,
 * MySQL) or the operating system's. Any other failure would be the same on the primary.
 */
const failures = {
  /** Failures of a replica that is not there, or lets nobody in. What one statement fails for says nothing of the others. */
  lost: /^(?:08...|28...|3D000|53300|57P0[1-5]|ECONN.*|EPIPE|EPROTO|ERR_SSL_.*|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST.*|ENET.*|SQLITE_(?:CANTOPEN|CORRUPT|IOERR|NOTADB)(?:_.*)?|ER_(?:CLIENT_INTERACTION_TIMEOUT|CON_COUNT_ERROR|SERVER_SHUTDOWN|ACCESS_DENIED_ERROR)|PROTOCOL_CONNECTION_LOST)$/,
  /**
   * Failures of a replica that cannot answer this read. The read was in the way of what is replayed (40001), it writes
   * (25006), or it takes more than this server has to give (53, 54). The server has met a fault (58, XX), or tables have
   * not arrived yet.
   */
  unfit:
    /^(?:0A...|25006|40...|42...|53...|54...|55...|58...|XX...|SQLITE_(?:BUSY|ERROR|LOCKED|SCHEMA)(?:_.*)?|ER_(?:BAD_FIELD_ERROR|NO_SUCH_TABLE))$/,
} as const satisfies Record<string, RegExp>;

export type ReplicaFailure = keyof typeof failures;

const kinds = Object.keys(failures) as ReplicaFailure[];

/** A replica cannot answer what it was asked within a transaction: all of it is asked of the primary instead. */
export class LeftReplica extends Error {
  constructor(options: ErrorOptions) {
    super('a replica could not answer any more', options);
  }
}

/**
 * Finds the failure of the replica in that of a find; undefined where it is one of the find itself. Functions of the
 * user's run within finds: what they throw is theirs.
 */
export function findFailure(error: unknown): ReplicaFailure | undefined {
  return isFailedConnection(error) ? 'lost' : failureOf(databaseCode(error));
}

/** Finds the failure of the replica in that of a statement, which nobody but the driver has touched. */
export function statementFailure(error: unknown): ReplicaFailure | undefined {
  return isConnectionLost(error) ? 'lost' : failureOf(databaseCode(error));
}

function failureOf(code: string | undefined): ReplicaFailure | undefined {
  return code === undefined ? undefined : kinds.find((kind) => failures[kind].test(code));
}
