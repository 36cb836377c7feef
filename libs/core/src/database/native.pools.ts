import type { MikroORM } from '@mikro-orm/core';
import type { AbstractSqlConnection, AbstractSqlDriver } from '@mikro-orm/sql';
import { isDriver, reasonAgainstSharing, type DriverName } from './driver.facts.js';
import { connectionsOf, type StatementsHeard } from './errors/connection.statements.js';
import { MySqlPool } from './mysql/mysql.pool.js';
import { keepKyselyDriver } from './mysql/readied.clients.js';
import type { NativePool, PoolUse } from './pool/native.pool.js';
import { PostgresPool } from './pool/postgres.pool.js';

/** The facts about a driver of MikroORM whose connections can be used past it. */
interface NativeDriver {
  /** The name of its class, or of one that it extends. */
  readonly name: DriverName;
  /** Is given each of its connections before the first is opened; left out where nothing is to be known of them. */
  watch?(connection: AbstractSqlConnection): void;
  /** Gives the reason why its pool cannot be used all the same, beside those that hold for every driver. */
  reasonAgainst(orm: MikroORM): string | undefined;
  pool(orm: MikroORM, use: PoolUse, heard: StatementsHeard): NativePool;
}

const nativeDrivers = [
  {
    name: 'PostgreSqlDriver',
    reasonAgainst: ({ config }) =>
      optionsOf(config).some(({ onCreateConnection }) => onCreateConnection !== undefined)
        ? 'MikroORM prepares each connection (onCreateConnection)'
        : undefined,
    pool: (orm, { prepares, gathers }, heard) => new PostgresPool(orm, prepares, gathers, heard),
  },
  {
    name: 'MySqlDriver',
    watch: keepKyselyDriver,
    // MikroORM has a new password for each connection then, and hands over a pool that knows none of them.
    reasonAgainst: ({ config }) =>
      optionsOf(config).some(({ password }) => typeof password === 'function')
        ? 'MikroORM asks for the password of each connection'
        : undefined,
    pool: (orm, use, heard) => new MySqlPool(orm, use, heard),
  },
] as const satisfies readonly NativeDriver[];

/** The pools of a MikroORM for statements that go past it, one for each way in which they are sent. */
export class NativePools {
  /** The reason why there are none; undefined where there are. */
  readonly reasonAgainst: string | undefined;
  /** True if the driver can stop a statement that the database works on. */
  readonly canCancel: boolean;
  readonly #native: NativeDriver | undefined;
  readonly #made = new Map<string, NativePool>();

  /** @param heard who wants to know of statements */
  constructor(
    private readonly orm: MikroORM,
    driver: AbstractSqlDriver,
    private readonly heard: StatementsHeard,
  ) {
    const native: NativeDriver | undefined = nativeDrivers.find(({ name }) => isDriver(driver, name));
    this.#native = native;
    this.canCancel = native !== undefined;
    for (const connection of connectionsOf(driver)) native?.watch?.(connection);
    this.reasonAgainst =
      native === undefined
        ? 'the driver is none of those of PostgreSQL, MariaDB and MySQL'
        : (reasonAgainstSharing(orm) ?? native.reasonAgainst(orm));
  }

  /** The pool for statements that are sent in this way; undefined where all of them are MikroORM's. */
  for(use: PoolUse): NativePool | undefined {
    if (this.reasonAgainst !== undefined) return undefined;
    const key = `${use.prepares} ${use.gathers}`;
    const pool = this.#made.get(key) ?? this.#native?.pool(this.orm, use, this.heard);
    if (pool !== undefined) this.#made.set(key, pool);
    return pool;
  }
}

type Config = MikroORM['config'];

/** The options of the connection that writes, and those of replicas. */
function optionsOf(config: Config): readonly Partial<ReturnType<Config['getAll']>>[] {
  return [config.getAll(), ...(config.get('replicas') ?? [])];
}
