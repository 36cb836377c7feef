import type { MikroORM } from '@mikro-orm/core';
import { ChangeRecord, type ChangePlace } from '@nest-endpoints/core';
import { EventPosition } from './event.position.js';
import { isAhead, type RelayDatabase, type RelaySql } from './relay.sql.js';
import { tableOf } from './relay.tables.js';

/** The changes of another server that are given transactions of this one by one statement. */
const batch = 10_000;

/** The transactions that changes of another server have here: those that were handed on, and the others. None of PostgreSQL's is lower. */
const old = { handedOn: '3', waiting: '4' } as const;

/** Moves the position of a relay back in the log. Nothing that waits is skipped. */
export class EventReplay {
  readonly #changes: string;
  readonly #positions: string;

  constructor(
    orm: MikroORM,
    private readonly database: RelayDatabase,
    private readonly name: string,
  ) {
    this.#changes = tableOf(orm, ChangeRecord, 'ChangeRecord');
    this.#positions = tableOf(orm, EventPosition, 'EventPosition');
  }

  /** @returns the new place; undefined where all that is meant waits already, or there is none */
  async from(from: Date | string): Promise<ChangePlace | undefined> {
    const session = await this.database.session();
    try {
      return await session.transaction((sql) => this.#moved(sql, from));
    } finally {
      session.giveBack();
    }
  }

  async #moved(sql: RelaySql, from: Date | string): Promise<ChangePlace | undefined> {
    const waiting = await this.#broughtHere(sql);
    const since = typeof from === 'string' ? 'id >= $1::bigint' : 'at >= $1::timestamptz';
    const [row] = await sql.rows(
      `update ${this.#positions} p
        set transaction = c.transaction::text, change_id = (c.id - 1)::text, at = c.at, holder = null
        from (select transaction, id, at from ${this.#changes} where ${since} or id = $3::bigint
          order by transaction, id limit 1) c
        where p.name = $2 and (c.transaction, c.id) <= (p.transaction::xid8, p.change_id::bigint)
        returning p.transaction, p.change_id`,
      [typeof from === 'string' ? from : from.toISOString(), this.name, waiting],
    );
    return row && { transaction: String(row['transaction']), id: String(row['change_id']) };
  }

  /**
   * Has changes of another server, whose data were restored here, come before all that changes here, in the order of their ids: those
   * that it had not handed on behind the others.
   *
   * @returns the first of those; null for none
   */
  async #broughtHere(sql: RelaySql): Promise<string | null> {
    const ofOther = isAhead('c.transaction');
    const isWaiting = `(c.transaction, c.id) > (p.transaction::xid8, p.change_id::bigint)`;
    const [first] = await sql.rows(
      `select count(*)::int as count, (min(c.id) filter (where ${isWaiting}))::text as waiting
        from ${this.#changes} c join ${this.#positions} p on p.name = $1 where ${ofOther}`,
      [this.name],
    );
    for (let left = Number(first?.['count'] ?? 0); left > 0; left -= batch)
      await sql.rows(
        `update ${this.#changes} l set transaction = m.transaction::xid8
          from (select c.id, case when ${isWaiting} then '${old.waiting}' else '${old.handedOn}' end as transaction
            from ${this.#changes} c join ${this.#positions} p on p.name = $1 where ${ofOther} limit ${batch}) m
          where l.id = m.id`,
        [this.name],
      );
    return typeof first?.['waiting'] === 'string' ? first['waiting'] : null;
  }
}
