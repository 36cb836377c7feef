import { checkOptions } from '../../options/checked.options.js';
import { oneOfTexts, wholeNumber } from '../../options/checks.js';
import type { ChecksOf } from '../../options/option.check.js';
import { brakeReconnecting, type ConnectingPool } from './reconnect.brake.js';

/** The time limits for requests that wait for the database, in milliseconds; from 1. */
export interface DatabaseTimeLimits {
  /** For one statement (PostgreSQL: `statement_timeout`). Default 5,000. Two seconds later the connection is given up. */
  readonly statementTimeout?: number;
  /** For a lock that somebody else has (PostgreSQL: `lock_timeout`). Default 2,000. */
  readonly lockTimeout?: number;
  /** For a connection: one of the pool that is free, or a new one. Default 2,000. */
  readonly poolWait?: number;
  /**
   * The pooler between here and PostgreSQL: `transaction` for one that lends each transaction another connection
   * (PgBouncer with `pool_mode = transaction`). It takes no settings for a session, so the first two limits have to be
   * the role's (`alter role … set statement_timeout = '5s'`). Here they limit the wait for a connection, and for a server
   * that hangs. Statements are not prepared unless `statements` of `forRoot` says so. Default: none.
   */
  readonly pooler?: Pooler;
}

const poolers = ['transaction'] as const;

/** The kinds of poolers that {@link recommendedOptions} knows. */
export type Pooler = (typeof poolers)[number];

/** A connection of `pg`, as far as it tells whether a statement is still on its way. */
interface PgClient {
  readonly readyForQuery: boolean;
  readonly connection: {
    readonly stream: { destroy(): void };
    once(event: 'readyForQuery', listener: () => void): unknown;
  };
}

interface PgPool extends ConnectingPool {
  on(event: 'release', listener: (error: unknown, client: PgClient) => void): unknown;
}

/** The result of {@link recommendedOptions}: options of MikroORM for its PostgreSQL driver. */
export interface RecommendedOptions {
  readonly driverOptions: {
    readonly statement_timeout?: number;
    readonly lock_timeout?: number;
    /** For us alone, where a pooler must not be told the one above. */
    readonly lockTimeout?: number;
    readonly pooler?: Pooler;
    readonly query_timeout: number;
    readonly connectionTimeoutMillis: number;
    readonly keepAlive: true;
    readonly onPoolCreated: (pool: PgPool) => void;
  };
}

const milliseconds = wholeNumber(1, undefined, 'milliseconds');

const limitChecks = {
  statementTimeout: milliseconds,
  lockTimeout: milliseconds,
  poolWait: milliseconds,
  pooler: oneOfTexts(...poolers),
} as const satisfies ChecksOf<DatabaseTimeLimits>;

/** The time after which a server is ready again after an error, in milliseconds. */
const patience = 500;

/** The time that we wait for an answer beyond the limit of a statement, in milliseconds: the server may hang itself. */
const grace = 2000;

/**
 * Gives options of MikroORM with which no request waits for PostgreSQL for ever: what takes too long is a 503. Driver
 * options of your own go beside them: `driverOptions: { ...recommendedOptions().driverOptions, ssl }`.
 *
 * @throws ConfigurationError for an unknown option, anything but whole milliseconds from 1, and another pooler
 * @example MikroOrmModule.forRoot({ ...recommendedOptions(), driver: PostgreSqlDriver, clientUrl, entities })
 */
export function recommendedOptions(limits: DatabaseTimeLimits = {}): RecommendedOptions {
  checkOptions('recommendedOptions', limits, { checks: limitChecks });
  const { statementTimeout = 5000, lockTimeout = 2000, poolWait = 2000, pooler } = limits;
  return {
    driverOptions: {
      ...(pooler === undefined
        ? { statement_timeout: statementTimeout, lock_timeout: lockTimeout }
        : { lockTimeout, pooler }),
      query_timeout: statementTimeout + grace,
      connectionTimeoutMillis: poolWait,
      keepAlive: true,
      onPoolCreated: (pool) => {
        dropHanging(pool);
        brakeReconnecting(pool);
      },
    },
  };
}

/**
 * Closes a connection whose server hangs after a statement that nobody waits for any more, so that nobody gets it. After
 * an error a good server says at once that it is ready again.
 */
function dropHanging(pool: PgPool): void {
  pool.on('release', (_error, { readyForQuery, connection }) => {
    if (readyForQuery) return;
    const hanging = setTimeout(() => {
      connection.stream.destroy();
    }, patience).unref();
    connection.once('readyForQuery', () => {
      clearTimeout(hanging);
    });
  });
}
