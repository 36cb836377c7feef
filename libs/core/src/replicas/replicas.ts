import type { ConnectionOptions, MikroORM } from '@mikro-orm/core';
import type { AbstractSqlConnection, AbstractSqlDriver } from '@mikro-orm/sql';
import { atMost } from '../limits/bounded.wait.js';
import { isAskingPrimary } from './asked.primary.js';
import type { ReadSource } from './read.source.js';
import { Replica, type ReplicaListener } from './replica.js';
import { writtenPosition, type WalPosition } from './wal.position.js';
import type { WriteMark } from './write.mark.js';

/** The time limit of a replica's answer, in milliseconds, where the driver's options set none. */
const usualWait = 2000;
const usualStatement = 5000;

/** The time that a write waits to be told its place in the log, in milliseconds. */
const patience = 1000;

/** The facts about the request that is being answered. */
export interface Answering {
  /** True while a request of ours is answered. */
  readonly isOn: () => boolean;
  /** The server from which it reads; undefined where nothing is known of that. */
  readonly reads: () => ReadSource | undefined;
}

/**
 * The replicas that MikroORM is configured with. They are asked in turn; one that fails rests, and is tried in the
 * background.
 */
export class Replicas {
  readonly all: readonly Replica[];
  readonly #primary: AbstractSqlConnection;
  readonly #hasPositions: boolean;
  #turn = 0;
  #listener: ReplicaListener = () => undefined;

  private constructor(
    orm: MikroORM,
    connections: readonly AbstractSqlConnection[],
    primary: AbstractSqlConnection,
    hasPositions: boolean,
  ) {
    this.#primary = primary;
    this.#hasPositions = hasPositions;
    const options = orm.config.get('replicas') ?? [];
    const tell: ReplicaListener = (replica, error) => {
      this.#listener(replica, error);
    };
    this.all = connections.map((connection, index) => {
      const limit = limitOf(options[index]?.driverOptions ?? orm.config.get('driverOptions'));
      return new Replica(connection, {
        name: nameOf(options[index] ?? {}, index),
        limit,
        hasPositions,
        tell,
      });
    });
  }

  /**
   * Finds the replicas of a MikroORM, and has it choose among them as requests do.
   *
   * @param hasPositions whether they may be standbys of PostgreSQL
   * @returns undefined where there are none
   */
  static of(orm: MikroORM, hasPositions: boolean, answering: Answering): Replicas | undefined {
    const driver = orm.em.getDriver() as unknown as AbstractSqlDriver;
    const connections = Reflect.get(driver, 'replicas') as readonly AbstractSqlConnection[];
    if (connections.length === 0) return undefined;
    const replicas = new Replicas(orm, connections, driver.getConnection('write'), hasPositions);
    replicas.#chooseFor(driver, answering);
    preferPrimary(orm, answering);
    return replicas;
  }

  /** Hears of replicas that fail and of those that work again; there is one listener. */
  listen(listener: ReplicaListener): void {
    this.#listener = listener;
  }

  /** Calls a function each time that a replica has said how far it is; there is one. */
  whenTold(listener: () => void): void {
    for (const { replay } of this.all) replay.whenTold(listener);
  }

  /** Has replicas asked soon how far they are. */
  ask(): void {
    for (const replica of this.all) if (!replica.isResting) replica.replay.ask();
  }

  /** The next one in turn that shows everything that was written; undefined where none does. */
  next(marks: readonly WriteMark[]): Replica | undefined {
    const { length } = this.all;
    for (let step = 0; step < length; step += 1) {
      const turn = (this.#turn + step) % length;
      const replica = this.all[turn];
      if (replica === undefined || replica.isResting) continue;
      if (!marks.every((mark) => replica.shows(mark))) continue;
      this.#turn = (turn + 1) % length;
      return replica;
    }
    return undefined;
  }

  /**
   * Asks for the end of the primary's log by now; undefined where it does not tell, or not soon enough.
   * @throws the driver's error when it cannot be asked
   */
  async written(): Promise<WalPosition | undefined> {
    if (!this.#hasPositions) return undefined;
    return atMost(patience, writtenPosition(this.#primary), () => undefined);
  }

  /** Asks nothing in the background any more: a connection that is being made would keep MikroORM from closing. */
  async stop(): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.stop()));
  }

  /** MikroORM chooses by chance, and from those that are gone, too. */
  #chooseFor(driver: AbstractSqlDriver, { reads }: Answering): void {
    driver.getConnection = (type = 'write') => {
      const source = reads();
      if (type === 'write') {
        source?.leave();
        return this.#primary;
      }
      const replica = source === undefined ? this.next([]) : source.replica;
      return replica?.connection ?? this.#primary;
    };
  }
}

/**
 * Keeps finds of our requests on the primary. MikroORM sends finds to replicas, which may not have what the same request
 * has written. While a request of ours is answered, and where something is decided for good, only finds that ask for it go there
 * (`connectionType: 'read'`); elsewhere it stays as configured.
 */
function preferPrimary({ config }: MikroORM, { isOn }: Answering): void {
  let given = config.get('preferReadReplicas');
  Object.defineProperty(config.getAll(), 'preferReadReplicas', {
    configurable: true,
    enumerable: true,
    get: () => given && !isOn() && !isAskingPrimary(),
    set: (value: boolean) => {
      given = value;
    },
  });
}

/** Options of `pg`; their values may be of any type. */
interface DriverLimits {
  readonly connectionTimeoutMillis?: unknown;
  readonly statement_timeout?: unknown;
  readonly query_timeout?: unknown;
}

/** Adds up the time limits of the connection. */
function limitOf(options: unknown): number {
  const { connectionTimeoutMillis, statement_timeout, query_timeout } = Object(options) as DriverLimits;
  // Behind a pooler the server is told no limit; the driver has its own.
  const statement = milliseconds(statement_timeout, milliseconds(query_timeout, usualStatement));
  return milliseconds(connectionTimeoutMillis, usualWait) + statement;
}

function milliseconds(value: unknown, usual: number): number {
  return typeof value === 'number' && value > 0 ? value : usual;
}

/** Names a replica for the log: its place, without the user. */
function nameOf(options: ConnectionOptions, index: number): string {
  const { host, port, clientUrl, dbName } = options;
  const address = clientUrl === undefined ? undefined : new URL(clientUrl).host;
  const place = address ?? (host === undefined ? dbName : `${host}:${port ?? ''}`);
  return `replica ${index + 1}${place === undefined ? '' : ` (${place})`}`;
}
