import type { Row } from '../../sql/row.layout.js';
import type { Statement, StatementInputs } from '../../sql/statement.js';
import type { KyselyTransaction } from '../kysely.types.js';
import type { Cancellation } from '../../limits/cancellation.js';
import type { QueryText } from '../pool/text.query.js';
import type { Lease } from './lease.js';
import type { NativeClient } from './lent.clients.js';

/** Rows as the server sends them, and as MikroORM has them. */
export interface TypedRows {
  readonly rows: readonly Row[];
  readonly records: readonly Record<string, unknown>[];
}

/** The options of a statement within a transaction. */
export interface WithinOptions {
  readonly cancellation?: Cancellation | undefined;
  /** Is told of the columns of the rows before they come. */
  readonly describes?: QueryText['describes'];
}

/** Sends statements of ours on connections that are lent for transactions. */
export interface WithinSender {
  /** True if somebody reads the log of statements. */
  readonly isLogged: boolean;
  /** Sends a statement as a part of the transaction that a connection is lent for. */
  within(
    lease: NativeLease,
    statement: Statement,
    inputs: StatementInputs,
    options?: WithinOptions,
  ): Promise<readonly Row[]>;
  /**
   * {@link within} for rows as MikroORM has them: values by the names of columns, as `pg` reads their types.
   *
   * @param width the number of the columns that are for MikroORM; default all
   */
  recordsWithin(
    lease: NativeLease,
    statement: Statement,
    inputs: StatementInputs,
    width?: number,
  ): Promise<TypedRows>;
}

/** The way of a statement past Kysely. */
export interface NativeWay {
  readonly pool: WithinSender;
  /** Ends the statement when nobody waits for it any more. */
  readonly cancellation: Cancellation | undefined;
}

/** A connection that a statement can be sent on past Kysely. */
export interface NativeLease {
  readonly lease: Lease;
  readonly native: NativeClient;
  /** The way of what a flush writes; undefined where that is for Kysely. */
  readonly way: NativeWay | undefined;
}

const leases = new WeakMap<KyselyTransaction, NativeLease>();

/** Remembers the connection on which a transaction of a request asks. */
export function keepLease(
  transaction: KyselyTransaction,
  lease: Lease | undefined,
  way: NativeWay | undefined,
): void {
  const native = lease?.native;
  if (lease !== undefined && native !== undefined) leases.set(transaction, { lease, native, way });
}

/** Has a part of a transaction ask on the connection of the whole. */
export function keepLeaseOf(part: KyselyTransaction, whole: KyselyTransaction | undefined): void {
  const known = leaseIn(whole);
  if (known !== undefined) leases.set(part, known);
}

/** The connection on which a transaction of a request asks, where statements can go past Kysely. */
export function leaseIn(transaction: KyselyTransaction | undefined): NativeLease | undefined {
  return transaction === undefined ? undefined : leases.get(transaction);
}
