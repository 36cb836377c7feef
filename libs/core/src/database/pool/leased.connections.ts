import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { databaseCode } from '../errors/database.error.js';
import type { KyselyConnection, KyselyDialect, KyselyDriver } from '../kysely.types.js';

/** A connection of MikroORM's, as far as it makes the dialect that its Kysely sends with. */
interface DialectMaker {
  createKyselyDialect(overrides: object): KyselyDialect | Promise<KyselyDialect>;
}

/**
 * Lends the connections of a pool. Who kept one beyond its time cannot ask on it any more, because somebody else may have
 * it. A connection that entered a session of row level security is given up with the transaction: a statement that nobody
 * waited for would come after the commit, without variables and role. A transaction in which a statement has failed does not
 * seem to be kept: PostgreSQL answers its commit with a rollback, and no error.
 *
 * @param failsWhole true if a statement that fails undoes its transaction, whoever hides that
 */
export function leaseConnections(connection: AbstractSqlConnection, failsWhole: boolean): void {
  const maker = connection as unknown as DialectMaker;
  const make = maker.createKyselyDialect.bind(connection);
  maker.createKyselyDialect = (overrides) => {
    const dialect = make(overrides);
    const leased = (one: KyselyDialect): KyselyDialect => leasing(one, failsWhole);
    return dialect instanceof Promise ? dialect.then(leased) : leased(dialect);
  };
}

/** Says that what a transaction asks is asked in a session, which ends with it. */
export async function endWithTransaction(transaction: Providing): Promise<void> {
  const connection = await transaction.getExecutor().provideConnection((one) => Promise.resolve(one));
  if (connection instanceof Lease) connection.isOfSession = true;
}

/** A transaction, as far as it tells its connection. */
interface Providing {
  getExecutor(): {
    provideConnection<T>(consumer: (connection: KyselyConnection) => Promise<T>): Promise<T>;
  };
}

/** A connection for the time that it is taken out of the pool. */
class Lease implements KyselyConnection {
  isOfSession = false;
  /** The error that undid the transaction; undefined while there is none. */
  failure: unknown;
  #isOver = false;
  readonly cancelQuery?: NonNullable<KyselyConnection['cancelQuery']>;
  readonly collectSessionInfo?: NonNullable<KyselyConnection['collectSessionInfo']>;
  readonly killSession?: NonNullable<KyselyConnection['killSession']>;

  constructor(readonly inner: KyselyConnection) {
    // Kysely looks whether a connection can do these.
    if (inner.cancelQuery !== undefined) this.cancelQuery = inner.cancelQuery.bind(inner);
    if (inner.collectSessionInfo !== undefined)
      this.collectSessionInfo = inner.collectSessionInfo.bind(inner);
    if (inner.killSession !== undefined) this.killSession = inner.killSession.bind(inner);
  }

  end(): void {
    this.#isOver = true;
  }

  executeQuery: KyselyConnection['executeQuery'] = (query, options) =>
    this.#isOver
      ? Promise.reject(new LeaseOver())
      : this.inner.executeQuery<never>(query, options).catch((error: unknown) => {
          if (sqlState.test(databaseCode(error) ?? '')) this.failure ??= error;
          throw error;
        });

  streamQuery: KyselyConnection['streamQuery'] = (query, chunkSize, options) => {
    if (this.#isOver) throw new LeaseOver();
    return this.inner.streamQuery(query, chunkSize, options);
  };
}

/** A statement on a connection that was given back. */
class LeaseOver extends Error {
  constructor() {
    super('The transaction is over in which this was to be asked: wait for all that is asked in it');
  }
}

/** The end of a transaction in which a statement has failed before. The failure is its cause. */
class HiddenFailure extends Error {
  constructor(cause: unknown) {
    super('A statement of the transaction failed, and nobody said so: PostgreSQL keeps nothing of it', {
      cause,
    });
  }
}

/** The code of an error that PostgreSQL itself has made. */
const sqlState = /^[0-9A-Z]{5}$/;

function leasing(dialect: KyselyDialect, failsWhole: boolean): KyselyDialect {
  const create = dialect.createDriver.bind(dialect);
  dialect.createDriver = () => {
    const driver = leasingDriver(create());
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
function leasingDriver(driver: KyselyDriver): KyselyDriver {
  const acquire = driver.acquireConnection.bind(driver);
  const release = driver.releaseConnection.bind(driver);
  const begin = driver.beginTransaction.bind(driver);
  const commit = driver.commitTransaction.bind(driver);
  const rollback = driver.rollbackTransaction.bind(driver);
  driver.acquireConnection = async (options) => new Lease(await acquire(options));
  driver.releaseConnection = (lease, options) => {
    if (lease instanceof Lease) lease.end();
    return release(innerOf(lease), options);
  };
  driver.beginTransaction = (lease, settings) => begin(innerOf(lease), settings);
  driver.commitTransaction = (lease) => {
    endSession(lease);
    return commit(innerOf(lease));
  };
  driver.rollbackTransaction = (lease) => {
    endSession(lease);
    return rollback(innerOf(lease));
  };
  return driver;
}

function innerOf(lease: KyselyConnection): KyselyConnection {
  return lease instanceof Lease ? lease.inner : lease;
}

function endSession(lease: KyselyConnection): void {
  if (lease instanceof Lease && lease.isOfSession) lease.end();
}
