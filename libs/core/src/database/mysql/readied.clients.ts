import type { AbstractSqlConnection } from '@mikro-orm/sql';
import type { KyselyDialect, KyselyDriver } from '../kysely.types.js';
import { readExactly } from './exact.numbers.js';
import type { MySqlClient, MySqlClients, TakesClient } from './mysql2.pool.js';

/** A connection of MikroORM's, as far as it makes the dialect that its Kysely sends with. */
interface DialectMaker {
  createKyselyDialect(overrides: object): Promise<KyselyDialect>;
}

/** The drivers of Kysely's that were made last. */
const drivers = new WeakMap<AbstractSqlConnection, KyselyDriver>();

/** Remembers the driver that takes connections out of the pool for Kysely, which reads them exactly. */
export function keepKyselyDriver(connection: AbstractSqlConnection): void {
  const maker = connection as unknown as DialectMaker;
  const make = maker.createKyselyDialect.bind(connection);
  maker.createKyselyDialect = async (overrides) => {
    const dialect = await make(overrides);
    const create = dialect.createDriver.bind(dialect);
    dialect.createDriver = () => {
      const driver = create();
      readExactly(connection, driver);
      drivers.set(connection, driver);
      return driver;
    };
    return dialect;
  };
}

/**
 * Has Kysely see each connection once before anything else is sent on it: `mysql2` tells nobody of a new connection in a way
 * that could be waited for, so that Kysely itself runs MikroORM's `onCreateConnection` when it first gets one out of the pool.
 */
export class ReadiedClients {
  readonly #ready = new WeakSet<MySqlClient>();

  private constructor(
    readonly pool: MySqlClients,
    private readonly driver: KyselyDriver,
  ) {}

  /** @throws Error where MikroORM has no Kysely of its own */
  static async of(connection: AbstractSqlConnection): Promise<ReadiedClients> {
    const pool = (await connection.getNativeClient()) as MySqlClients;
    const driver = drivers.get(connection);
    if (driver === undefined) throw new Error('MikroORM has made no driver of Kysely for this connection');
    await driver.init();
    return new ReadiedClients(pool, driver);
  }

  /** Takes a connection out of the pool. */
  take(taker: TakesClient): void {
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
