import { randomUUID } from 'node:crypto';
import type { ChangePlace } from '@nest-endpoints/core';
import { isAhead, type RelayDatabase, type RelaySession, type RelaySql, type SqlRow } from './relay.sql.js';

/** The place of the last change that was handed on, and its time. */
export interface RelayPosition extends ChangePlace {
  readonly at: Date;
  /** True if no transaction of this server is as high yet: the position is of another one, whose data were restored here. */
  readonly isAhead?: boolean;
}

/** The way in which one process of many is told. */
export type LeaseMode = 'session' | 'row';

/** A clock that no one sets. */
export interface EventsClock {
  /** Gives the milliseconds since any moment, never turned back. */
  elapsed(): number;
}

/** The clock of the process. */
export const processClock: EventsClock = { elapsed: () => performance.now() };

/**
 * Times in milliseconds: between two signs of life; without one until the session of a holder is ended; without one until a lease
 * without a lock is anybody's.
 */
const times = { beat: 4000, hung: 15_000, lease: 30_000 } as const;

/**
 * The lock: two numbers, of which the first is ours (`NEEP`), and the second tells names apart, and tables of positions: several
 * applications may be in one database, each in a schema of its own.
 */
const lockClass = 0x4e454550;
const lockKey = `hashtext($1::text || ' ' || $2::text::regclass::oid)`;

/** Errors of databases that have no such locks (SQLSTATE). */
const lockless: readonly unknown[] = ['0A000', '42883'];

/** The last sign of life that was seen, and when. */
interface Seen {
  readonly holder: unknown;
  readonly beat: unknown;
  readonly since: number;
}

/** Another process has taken over meanwhile: what was handed over is undone. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process hands events on');
  }
}

/** The right to hand events on, which one process of all has. It ends with the session, or when another process takes it. */
export class RelayLease {
  readonly #token = randomUUID();
  #session: RelaySession | undefined;
  #position: RelayPosition | undefined;
  #last: RelayPosition | undefined;
  #seen: Seen | undefined;
  #beating: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: RelayDatabase,
    private readonly table: string,
    private readonly name: string,
    private mode: LeaseMode,
    private readonly clock: EventsClock,
  ) {}

  /** The place up to which events are handed on; undefined while another process has the lease. */
  get position(): RelayPosition | undefined {
    return this.#session?.isLost === false ? this.#position : undefined;
  }

  /** True if this process has the lease now. Takes it where nobody has it. */
  async take(): Promise<boolean> {
    if (this.position !== undefined) return true;
    this.drop();
    const session = await this.database.session();
    try {
      await session.rows(this.#first, [this.name, ...this.#known]);
      const position = await this.#taken(session);
      if (position !== undefined) {
        this.#position = this.#last = position;
        this.#session = session;
        this.#seen = undefined;
        this.#beating = setInterval(() => void this.#beat(session), times.beat).unref();
        return true;
      }
    } catch (error) {
      session.end();
      throw error;
    }
    session.giveBack();
    return false;
  }

  /** Moves the position with what is handed over, in one transaction. @throws LeaseLost */
  async move(to: RelayPosition, handOver: (sql: RelaySql) => Promise<void>): Promise<void> {
    const { position: from } = this;
    const session = this.#session;
    if (from === undefined || session === undefined) throw new LeaseLost();
    try {
      await session.transaction(async (sql) => {
        await this.#moved(sql, from, to);
        await handOver(sql);
      });
    } catch (error) {
      // What is not known to be written is asked for anew.
      if (session === this.#session) this.drop();
      throw error;
    }
    if (session === this.#session) this.#position = this.#last = to;
  }

  async #moved(sql: RelaySql, from: RelayPosition, to: RelayPosition): Promise<void> {
    const moved = await sql.rows(
      `update ${this.table} set transaction = $4, change_id = $5, at = $6::timestamptz, beat = beat + 1
        where name = $1 and holder = $2 and transaction = $3 and change_id = $7 returning 1 as moved`,
      [this.name, this.#token, from.transaction, to.transaction, to.id, to.at.toISOString(), from.id],
    );
    if (moved.length !== 1) throw new LeaseLost();
  }

  /** Gives the lease up, so that another process takes it at once. */
  async release(): Promise<void> {
    const session = this.#session;
    if (session?.isLost === false)
      await session
        .rows(`update ${this.table} set holder = null where name = $1 and holder = $2`, [
          this.name,
          this.#token,
        ])
        .catch(() => undefined);
    this.drop();
  }

  /** Forgets the lease: it is lost, or has to be asked for anew. */
  drop(): void {
    this.#session?.end();
    clearInterval(this.#beating);
    this.#session = undefined;
    this.#position = undefined;
  }

  /** Shows that this process is alive, whatever it waits for. */
  async #beat(session: RelaySession): Promise<void> {
    try {
      const alive = await session.rows(
        `update ${this.table} set beat = beat + 1 where name = $1 and holder = $2 returning 1 as alive`,
        [this.name, this.#token],
      );
      if (alive.length === 1 || session !== this.#session) return;
    } catch {
      // The next look at the log tells what is wrong with the database.
    }
    if (session === this.#session) this.drop();
  }

  /** Events begin with what no transaction had ended when the table of positions was first asked. */
  get #first(): string {
    return `insert into ${this.table} (name, transaction, change_id, at, beat)
      values ($1, coalesce($2::text, pg_snapshot_xmin(pg_current_snapshot())::text), coalesce($3::text, '0'),
        coalesce($4::timestamptz, clock_timestamp()), 0) on conflict do nothing`;
  }

  /** The last position that this process has moved to: where the table was emptied meanwhile, nothing is skipped. */
  get #known(): readonly (string | null)[] {
    const { transaction, id, at } = this.#last ?? {};
    return [transaction ?? null, id ?? null, at?.toISOString() ?? null];
  }

  async #taken(session: RelaySession): Promise<RelayPosition | undefined> {
    if (this.database.isOwn) return this.#claimed(session);
    if (this.mode === 'session') {
      try {
        const [row] = await session.rows(`select pg_try_advisory_lock(${lockClass}, ${lockKey}) as locked`, [
          this.name,
          this.table,
        ]);
        if (row?.['locked'] === true) return (await this.#claimed(session)) ?? vanished();
        await this.#endHung(session);
        return undefined;
      } catch (error) {
        if (!lockless.includes((error as { readonly code?: unknown }).code)) throw error;
        this.mode = 'row';
      }
    }
    return this.#leased(session);
  }

  /** The lock is ours: nobody else has the lease. */
  async #claimed(sql: RelaySql): Promise<RelayPosition | undefined> {
    const [row] = await sql.rows(
      `update ${this.table} set holder = $2, beat = beat + 1 where name = $1 returning ${told}`,
      [this.name, this.#token],
    );
    return positionOf(row);
  }

  /** A holder that shows no sign of life has its session ended: it may have its lock, and an open transaction, for ever. */
  async #endHung(session: RelaySession): Promise<void> {
    if (!(await this.#isSilent(session, times.hung))) return;
    this.#seen = undefined;
    await session.rows(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
        and classid::bigint = ${lockClass} and objid = (${lockKey}::bigint & 4294967295)::oid and objsubid = 2
        and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()`,
      [this.name, this.table],
    );
  }

  /** Without locks a lease is a row: of whoever has it and shows signs of life. */
  async #leased(session: RelaySession): Promise<RelayPosition | undefined> {
    const isSilent = await this.#isSilent(session, times.lease);
    const { holder = null, beat = null } = this.#seen ?? {};
    if (holder !== null && !isSilent) return undefined;
    const [row] = await session.rows(
      `update ${this.table} set holder = $2, beat = beat + 1
        where name = $1 and holder is not distinct from $3 and beat::text = $4 returning ${told}`,
      [this.name, this.#token, holder, beat],
    );
    return positionOf(row);
  }

  /** True if the holder has shown no sign of life for a time. Clocks of machines are not asked: they jump. */
  async #isSilent(session: RelaySession, time: number): Promise<boolean> {
    const [row] = await session.rows(`select holder, beat::text as beat from ${this.table} where name = $1`, [
      this.name,
    ]);
    const { holder = null, beat = null } = row ?? {};
    const isSame = this.#seen?.holder === holder && this.#seen?.beat === beat;
    const now = this.clock.elapsed();
    if (!isSame) this.#seen = { holder, beat, since: now };
    return isSame && now - (this.#seen?.since ?? 0) >= time;
  }
}

/** Fails, which ends the session: it has the lock, and there is no position any more. */
function vanished(): never {
  throw new Error('The position of events was deleted meanwhile');
}

const told = `transaction, change_id, (extract(epoch from at) * 1000)::text as at, ${isAhead('transaction')} as ahead`;

function positionOf(row: SqlRow | undefined): RelayPosition | undefined {
  if (row === undefined) return undefined;
  return {
    transaction: String(row['transaction']),
    id: String(row['change_id']),
    at: new Date(Number(row['at'])),
    isAhead: row['ahead'] === true,
  };
}
