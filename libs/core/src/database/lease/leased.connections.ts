import type { Configuration } from '@mikro-orm/core';
import type { AbstractSqlConnection, AbstractSqlDriver } from '@mikro-orm/sql';
import { connectionsOf } from '../errors/connection.statements.js';
import { LostConnection, NoConnection } from '../errors/connection.failure.js';
import type { KyselyConnection, KyselyDialect, KyselyDriver } from '../kysely.types.js';
import type { PgPool } from '../pool/pg.pool.js';
import { logsStopFailure, type StopFailure } from '../pool/statement.failure.js';
import { Lease } from './lease.js';
import { LentClients } from './lent.clients.js';

/** A connection of MikroORM's, as far as it makes the dialect that its Kysely sends with. */
interface DialectMaker {
  createKyselyDialect(overrides: PoolOverrides): KyselyDialect | Promise<KyselyDialect>;
}

interface PoolOverrides {
  readonly onPoolCreated?: (pool: PgPool) => unknown;
}

interface LeaseOptions {
  /** True if a statement that fails undoes its transaction, whoever hides that. */
  readonly failsWhole: boolean;
  /** True if its pool is one of `pg`. */
  readonly isPostgres: boolean;
  readonly config: Configuration;
}

interface LentOptions extends LeaseOptions {
  /** Is told why a statement could not be stopped. */
  readonly onError: StopFailure;
}

/**
 * Lends the connections of the pools of a driver. Who kept one beyond its time cannot ask on it any more, because somebody else may have
 * it. A connection that entered a session of row level security is given up with the transaction: a statement that nobody
 * waited for would come after the commit, without variables and role. A transaction in which a statement has failed does not
 * seem to be kept: PostgreSQL answers its commit with a rollback, and no error.
 */
export function leaseConnections(driver: AbstractSqlDriver, options: LeaseOptions): void {
  const lent = { ...options, onError: logsStopFailure(options.config) };
  for (const connection of connectionsOf(driver)) lease(connection, lent);
}

function lease(connection: AbstractSqlConnection, options: LentOptions): void {
  const maker = connection as unknown as DialectMaker;
  const make = maker.createKyselyDialect.bind(connection);
  maker.createKyselyDialect = (overrides) => {
    const clients = new LentClients();
    const dialect = make(options.isPostgres ? watched(overrides, clients) : overrides);
    const leased = (one: KyselyDialect): KyselyDialect => leasing(one, options, clients);
    return dialect instanceof Promise ? dialect.then(leased) : leased(dialect);
  };
}

function watched(overrides: PoolOverrides, clients: LentClients): PoolOverrides {
  return {
    ...overrides,
    onPoolCreated: (pool) => {
      clients.watch(pool);
      return overrides.onPoolCreated?.(pool);
    },
  };
}

/** Says that what a transaction asks is asked in a session, which ends with it. */
export async function endWithTransaction(transaction: Providing): Promise<void> {
  const lease = await leaseOf(transaction);
  if (lease !== undefined) lease.isOfSession = true;
}

/** The connection on which a transaction asks; undefined for one that was not lent here. */
export async function leaseOf(transaction: Providing): Promise<Lease | undefined> {
  const connection = await transaction.getExecutor().provideConnection((one) => Promise.resolve(one));
  return connection instanceof Lease ? connection : undefined;
}

/** A transaction, as far as it tells its connection. */
interface Providing {
  getExecutor(): {
    provideConnection<T>(consumer: (connection: KyselyConnection) => Promise<T>): Promise<T>;
  };
}

/** The end of a transaction in which a statement has failed before. The failure is its cause. */
class HiddenFailure extends Error {
  constructor(cause: unknown) {
    super('A statement of the transaction failed, and nobody said so: PostgreSQL keeps nothing of it', {
      cause,
    });
  }
}

function leasing(
  dialect: KyselyDialect,
  { failsWhole, onError }: LentOptions,
  clients: LentClients,
): KyselyDialect {
  const create = dialect.createDriver.bind(dialect);
  dialect.createDriver = () => {
    const driver = leasingDriver(create(), clients, onError);
    return failsWhole ? failingWhole(driver) : driver;
  };
  return dialect;
}

/** Has the commit of a transaction fail in which a statement has failed, and was not undone by itself. */
function failingWhole(driver: KyselyDriver): KyselyDriver {
  const begin = driver.beginTransaction.bind(driver);
  const commit = driver.commitTransaction.bind(driver);
  const undo = driver.rollbackToSavepoint?.bind(driver);
  driver.beginTransaction = (lease, settings) => {
    forget(lease);
    return begin(lease, settings);
  };
  driver.commitTransaction = (lease) => {
    if (lease instanceof Lease && lease.failure !== undefined)
      return Promise.reject(new HiddenFailure(lease.failure));
    return commit(lease);
  };
  if (undo !== undefined)
    driver.rollbackToSavepoint = async (lease, ...rest) => {
      await undo(lease, ...rest);
      forget(lease);
    };
  return driver;
}

function forget(lease: KyselyConnection): void {
  if (lease instanceof Lease) lease.failure = undefined;
}

/** The methods that end what a connection was taken for see the connection itself: for others it is over. */
function leasingDriver(driver: KyselyDriver, clients: LentClients, onError: StopFailure): KyselyDriver {
  const acquire = driver.acquireConnection.bind(driver);
  const release = driver.releaseConnection.bind(driver);
  const begin = driver.beginTransaction.bind(driver);
  const commit = driver.commitTransaction.bind(driver);
  const rollback = driver.rollbackTransaction.bind(driver);
  driver.acquireConnection = async (options) => {
    const [inner, client] = await clients.lent(() => acquire(options)).catch(refuse);
    return new Lease(inner, client, onError);
  };
  driver.releaseConnection = async (lease, options) => {
    if (lease instanceof Lease) {
      lease.end();
      await lease.settled();
      lease.endBroken();
    }
    await release(innerOf(lease), options);
  };
  driver.beginTransaction = async (lease, settings) => {
    if (!(lease instanceof Lease)) await begin(lease, settings);
    else if (lease.isHeld && lease.native !== undefined) lease.beginsWith(beginningOf(settings));
    else await lease.begins(() => begin(lease.inner, settings));
  };
  driver.commitTransaction = async (lease) => {
    endSession(lease);
    if (isUnasked(lease)) return;
    await refuseBroken(lease);
    await told(lease, commit);
  };
  driver.rollbackTransaction = async (lease) => {
    endSession(lease);
    if (hasNothingToUndo(lease)) return;
    try {
      await refuseBroken(lease);
      await told(lease, rollback);
    } catch (error) {
      if (!(lease instanceof Lease) || lease.isHeld) throw error;
      // Kysely gives nothing back whose transaction could not be rolled back: the end of the connection undoes it.
      lease.broken ??= error instanceof Error ? error : new LostConnection(error);
    }
  };
  const undo = driver.rollbackToSavepoint?.bind(driver);
  if (undo !== undefined)
    driver.rollbackToSavepoint = async (lease, ...rest) => {
      await refuseBroken(lease);
      await undo(lease, ...rest);
    };
  return driver;
}

/** The statement that Kysely begins a transaction with. */
function beginningOf({ isolationLevel }: Parameters<KyselyDriver['beginTransaction']>[1]): string {
  return isolationLevel === undefined ? 'begin' : `start transaction isolation level ${isolationLevel}`;
}

/** A pool that gives no connection: nothing was asked. */
function refuse(error: unknown): never {
  throw new NoConnection(error);
}

/**
 * Waits until all that was asked on a connection is over. A transaction on one that is broken is not asked to end: a server that
 * hangs would take its time once more, and the end of the connection undoes it.
 *
 * @throws LostConnection
 */
async function refuseBroken(lease: KyselyConnection): Promise<void> {
  if (!(lease instanceof Lease)) return;
  await lease.settled();
  if (lease.broken !== undefined) throw new LostConnection(lease.broken);
}

/** Ends a transaction, and has the lease know what became of it. */
async function told(lease: KyselyConnection, end: (inner: KyselyConnection) => Promise<void>): Promise<void> {
  try {
    await end(innerOf(lease));
  } catch (error) {
    throw lease instanceof Lease ? lease.failed(error) : error;
  }
}

function isUnasked(lease: KyselyConnection): boolean {
  return lease instanceof Lease && lease.endsUnasked();
}

function hasNothingToUndo(lease: KyselyConnection): boolean {
  return lease instanceof Lease && (lease.isUnbegun || lease.endsUnasked());
}

function innerOf(lease: KyselyConnection): KyselyConnection {
  return lease instanceof Lease ? lease.inner : lease;
}

function endSession(lease: KyselyConnection): void {
  if (lease instanceof Lease && lease.isOfSession) lease.end();
}
