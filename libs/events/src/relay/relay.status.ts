import { ChangeRecord, type ChangePlace } from '@nest-endpoints/core';
import type { MikroORM } from '@mikro-orm/core';
import { EventPosition } from './event.position.js';
import { isAhead, type RelaySql } from './relay.sql.js';
import { tableOf } from './relay.tables.js';

/** The state of a relay, as anybody may ask for it. */
export interface RelayStatus {
  /** The transaction and id of the last change that was handed on; undefined before the first start. */
  readonly position: ChangePlace | undefined;
  /** True if a process has said that it hands events on. */
  readonly isHeld: boolean;
  /** The age of the oldest change that is not handed on, in milliseconds; 0 where there is none. */
  readonly lag: number;
  /** True if the position is of another server, see {@link isAhead}. */
  readonly isAhead: boolean;
  /** The time of the last change that was handed on, where others wait behind it. */
  readonly behindSince: Date | undefined;
}

/** Asks the database for the state of the relay, whichever process is it. */
export class RelayStatusReader {
  readonly #text: string;

  constructor(
    orm: MikroORM,
    private readonly sql: RelaySql,
    private readonly name: string,
  ) {
    const [positions, changes] = [
      tableOf(orm, EventPosition, 'EventPosition'),
      tableOf(orm, ChangeRecord, 'ChangeRecord'),
    ];
    this.#text = `select p.transaction, p.change_id, p.holder is not null as held, ${isAhead('p.transaction')} as ahead,
        (extract(epoch from p.at) * 1000)::text as at,
        (extract(epoch from clock_timestamp() - first.at) * 1000)::text as lag
      from ${positions} p left join lateral (select c.at from ${changes} c
        where (c.transaction, c.id) > (p.transaction::xid8, p.change_id::bigint)
        order by c.transaction, c.id limit 1) first on true where p.name = $1`;
  }

  async read(): Promise<RelayStatus> {
    const [row] = await this.sql.rows(this.#text, [this.name]);
    if (row === undefined)
      return { position: undefined, isHeld: false, isAhead: false, lag: 0, behindSince: undefined };
    const waits = row['lag'] !== null;
    return {
      position: { transaction: String(row['transaction']), id: String(row['change_id']) },
      isHeld: row['held'] === true,
      isAhead: row['ahead'] === true,
      // A clock that was set back makes changes of the future.
      lag: waits ? Math.max(0, Math.round(Number(row['lag']))) : 0,
      behindSince: waits ? new Date(Number(row['at'])) : undefined,
    };
  }
}
