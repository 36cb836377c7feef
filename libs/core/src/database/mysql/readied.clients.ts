import type { AbstractSqlConnection } from '@mikro-orm/sql';
import type { KyselyConnection, KyselyDialect, KyselyDriver } from '../kysely.types.js';
import { rest } from '../transactions/lock.patience.js';
import { endStreams } from './ended.streams.js';
import { readExactly } from './exact.values.js';
import { patienceOf, takenWithin, type MySqlPatience } from './mysql.patience.js';
import type { MySqlClient, MySqlClients, TakesClient } from './mysql2.pool.js';
import { prepareNewClients } from './new.clients.js';

/** A connection of MikroORM's, as far as it makes the dialect that its Kysely sends with. */
interface DialectMaker {
  createKyselyDialect(overrides: object): Promise<KyselyDialect>;
}

/** The drivers of Kysely's that were made last. */
const drivers = new WeakMap<AbstractSqlConnection, KyselyDriver>();

/**
 * Remembers the driver that takes connections out of the pool for Kysely. It reads numbers and instants exactly, ends streams with
 * their connections, and waits for connections no longer than it may.
 */
export function keepKyselyDriver(connection: AbstractSqlConnection): void {
  const maker = connection as unknown as DialectMaker;
  const make = maker.createKyselyDialect.bind(connection);
  maker.createKyselyDialect = async (overrides) => {
    const dialect = await make(overrides);
    const create = dialect.createDriver.bind(dialect);
    dialect.createDriver = () => {
      const driver = create();
      prepareNewClients(connection, driver, (client) => {
        readExactly(client);
        endStreams(client);
      });
      const patience = patienceFor(connection);
      if (patience !== undefined) limitWaits(driver, patience);
      drivers.set(connection, driver);
      return driver;
    };
    return dialect;
  };
}

/** MikroORM's options of a connection, as far as they say what prepares it. */
interface Configured {
  readonly options: { readonly onCreateConnection?: object };
  readonly config: { get(name: 'onCreateConnection'): object | undefined };
}

function patienceFor(connection: AbstractSqlConnection): MySqlPatience | undefined {
  const { options, config } = connection as unknown as Configured;
  return patienceOf(options.onCreateConnection ?? config.get('onCreateConnection'));
}

/** Limits the waits of a driver. It still asks its pool before it waits for anything, which `#readied` needs. */
function limitWaits(driver: KyselyDriver, { poolWait }: MySqlPatience): void {
  const acquire = driver.acquireConnection.bind(driver);
  driver.acquireConnection = (options) =>
    new Promise((resolve, reject) => {
      const taker = takenWithin<KyselyConnection>(
        poolWait,
        (error, connection) => {
          if (connection === undefined) reject(error ?? new Error('no connection'));
          else resolve(connection);
        },
        (connection) => void driver.releaseConnection(connection),
      );
      acquire(options).then(
        (connection) => {
          taker(null, connection);
        },
        (error: unknown) => {
          taker(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
}

/**
 * Has Kysely see each connection once before anything else is sent on it: `mysql2` tells nobody of a new connection in a way
 * that could be waited for, so that Kysely itself runs MikroORM's `onCreateConnection` when it first gets one out of the pool.
 */
export class ReadiedClients {
  readonly #ready = new WeakSet<MySqlClient>();

  private constructor(
    readonly pool: MySqlClients,
    /** The limits of waits; undefined where there are none. */
    readonly patience: MySqlPatience | undefined,
    private readonly driver: KyselyDriver,
  ) {}

  /** @throws Error where MikroORM has no Kysely of its own */
  static async of(connection: AbstractSqlConnection): Promise<ReadiedClients> {
    const pool = (await connection.getNativeClient()) as MySqlClients;
    const driver = drivers.get(connection);
    if (driver === undefined) throw new Error('MikroORM has made no driver of Kysely for this connection');
    await driver.init();
    return new ReadiedClients(pool, patienceFor(connection), driver);
  }

  /** Takes a connection out of the pool. @param before what the request has waited for others, in milliseconds */
  take(taker: TakesClient, before: number): void {
    const { patience } = this;
    if (patience === undefined) {
      this.#take(taker);
      return;
    }
    const limit = before === 0 ? patience.poolWait : rest(patience.poolWait, before);
    this.#take(
      takenWithin(limit, taker, (client: MySqlClient) => {
        client.release();
      }),
    );
  }

  #take(taker: TakesClient): void {
    this.pool.getConnection((error, client) => {
      if (client === undefined || this.#ready.has(client)) {
        taker(error, client);
        return;
      }
      this.#readied(client).then(
        () => {
          this.#ready.add(client);
          taker(null, client);
        },
        (failure: unknown) => {
          // Kysely takes it for prepared already.
          client.destroy();
          taker(failure instanceof Error ? failure : new Error(String(failure)));
        },
      );
    });
  }

  /** Gives Kysely this connection when it asks the pool for one, which it does before it waits for anything. */
  #readied(client: MySqlClient): Promise<unknown> {
    const { pool, driver } = this;
    const own = Object.getOwnPropertyDescriptor(pool, 'getConnection');
    const give: MySqlClients['getConnection'] = (taker) => {
      taker(null, client);
    };
    Object.defineProperty(pool, 'getConnection', { value: give, configurable: true });
    try {
      return driver.acquireConnection();
    } finally {
      if (own === undefined) Reflect.deleteProperty(pool, 'getConnection');
      else Object.defineProperty(pool, 'getConnection', own);
    }
  }
}
