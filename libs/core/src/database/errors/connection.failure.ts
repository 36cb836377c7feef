/** A connection to the database could not be had, or was lost while a statement was on its way. */
export abstract class ConnectionFailure extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'no connection to the database', { cause });
  }
}

/** The pool gave no connection: the database is out of reach, or all connections are taken. Nothing was asked. */
export class NoConnection extends ConnectionFailure {}

/** The connection ended before the answer came. */
export class LostConnection extends ConnectionFailure {}
