import type { EntityMetadata, Platform } from '@mikro-orm/core';
import { checkOptions } from '../../options/checked.options.js';
import { oneOfTexts, wholeNumber } from '../../options/checks.js';
import type { ChecksOf } from '../../options/option.check.js';
import { rawQuery, type RawQuery } from '../raw.query.js';
import { indexLive } from './live.indexes.js';
import { keepPatience, waitsOf } from './mysql.patience.js';

const families = ['mariadb', 'mysql'] as const;

/** The time limits for requests that wait for MariaDB or MySQL, in milliseconds from 1, and which of both it is. */
export interface MySqlLimits {
  /** `mariadb` limits every statement, `mysql` those that read. Default `mariadb`. */
  readonly server?: (typeof families)[number];
  /** For one statement (`max_statement_time`, `max_execution_time`). Default 5,000. */
  readonly statementTimeout?: number;
  /**
   * For a lock that somebody else has, of a row or of a table (`innodb_lock_wait_timeout`, `lock_wait_timeout`), which the server
   * counts in whole seconds. Default 2,000.
   */
  readonly lockTimeout?: number;
  /** For a connection: one of the pool that is free, or a new one. Default 2,000. */
  readonly poolWait?: number;
}

/** The result of {@link recommendedMySqlOptions}: options of MikroORM for its drivers of MariaDB and MySQL. */
export interface MySqlOptions {
  readonly timezone: '+00:00';
  readonly charset: 'utf8mb4';
  readonly driverOptions: { readonly connectTimeout: number; readonly enableKeepAlive: true };
  readonly discovery: { readonly onMetadata: (meta: EntityMetadata, platform: Platform) => void };
  readonly onCreateConnection: (connection: unknown) => Promise<void>;
}

const milliseconds = wholeNumber(1, undefined, 'milliseconds');

const limitChecks = {
  server: oneOfTexts(...families),
  statementTimeout: milliseconds,
  lockTimeout: milliseconds,
  poolWait: milliseconds,
} as const satisfies ChecksOf<MySqlLimits>;

/** The digits of a second that an instant keeps: as PostgreSQL does. */
const digits = 6;

/** Values that do not fit are refused, not cut. The key 0 stays the next number: MikroORM inserts it where a record has no other value. */
const modes = [
  'STRICT_ALL_TABLES',
  'NO_ZERO_DATE',
  'NO_ZERO_IN_DATE',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
].join();

/**
 * Gives options of MikroORM with which no request waits for MariaDB or MySQL for ever, values that do not fit are refused,
 * instants keep microseconds, and texts have any length, where their properties say none.
 *
 * @throws ConfigurationError for an unknown option, and anything but whole milliseconds from 1
 * @example MikroOrmModule.forRoot({ ...recommendedMySqlOptions(), driver: MariaDbDriver, clientUrl, entities })
 */
export function recommendedMySqlOptions(limits: MySqlLimits = {}): MySqlOptions {
  checkOptions('recommendedMySqlOptions', limits, { checks: limitChecks });
  const { server = 'mariadb', lockTimeout = 2000, poolWait = 2000 } = limits;
  const settings = sessionOf(limits);
  const onCreateConnection = async (connection: unknown): Promise<void> => {
    await (connection as Connection).executeQuery(rawQuery(settings));
  };
  // MySQL has no limits for one statement alone.
  keepPatience(onCreateConnection, {
    poolWait,
    lockTimeout: server === 'mariadb' ? lockTimeout : undefined,
  });
  return {
    timezone: '+00:00',
    charset: 'utf8mb4',
    driverOptions: { connectTimeout: poolWait, enableKeepAlive: true },
    discovery: {
      onMetadata(meta, platform) {
        keepWhole(meta);
        indexLive(meta, platform);
      },
    },
    onCreateConnection,
  };
}

/** A connection of Kysely's, which MikroORM hands over. */
interface Connection {
  executeQuery(query: RawQuery): Promise<unknown>;
}

function sessionOf({ server = 'mariadb', statementTimeout = 5000, lockTimeout = 2000 }: MySqlLimits): string {
  const time =
    server === 'mariadb'
      ? `max_statement_time = ${statementTimeout / 1000}`
      : `max_execution_time = ${statementTimeout}`;
  const seconds = Math.ceil(lockTimeout / 1000);
  return `set session sql_mode = '${modes}', time_zone = '+00:00', ${time}, ${waitsOf(seconds, seconds)}`;
}

/**
 * MySQL rounds an instant to whole seconds, cuts a text at 64 KiB, and writes six digits of a number of single precision, where
 * their properties say no more.
 */
function keepWhole(meta: EntityMetadata): void {
  const inIndex = indexedNames(meta);
  for (const property of Object.values(meta.properties)) {
    if (property.length !== undefined || Object.hasOwn(property, 'columnTypes')) continue;
    const type = typeName(property.type);
    if (instants.has(type)) property.length = digits;
    if (floats.has(type)) property.columnTypes = ['double'];
    if (texts.has(type)) property.columnTypes = [inIndex.has(property.name) ? indexedText : 'longtext'];
  }
}

/** A text that an index names has a width: two of them and a number fit into the 3,072 bytes of a key. */
const indexedText = 'varchar(255)';

function indexedNames({ indexes, uniques, properties }: EntityMetadata): ReadonlySet<string> {
  const named = [...indexes, ...uniques].flatMap(({ properties: names = [] }) => names);
  const own = Object.values(properties).filter(({ index, unique }) => Boolean(index) || Boolean(unique));
  return new Set([...named, ...own.map(({ name }) => name)]);
}

const instants: ReadonlySet<string> = new Set(['DateTimeType', 'datetime', 'Date']);
const floats: ReadonlySet<string> = new Set(['FloatType', 'float']);
const texts: ReadonlySet<string> = new Set(['TextType', 'text']);

/** The name of a type, which may be one of MikroORM's classes before their entities are discovered. */
function typeName(type: unknown): string {
  if (typeof type === 'function') return type.name;
  return typeof type === 'object' && type !== null ? type.constructor.name : String(type);
}
