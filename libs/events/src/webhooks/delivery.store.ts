import type { MikroORM } from '@mikro-orm/core';
import type { RelaySql, SqlRow } from '../relay/relay.sql.js';
import { tableOf } from '../relay/relay.tables.js';
import { WebhookDelivery } from './webhook.delivery.js';
import { WebhookSubscription, type SubscriptionSecret } from './webhook.subscription.js';

/** A delivery to be made. */
export interface NewDelivery {
  readonly subscription: number;
  readonly event_id: string;
  readonly type: string;
  readonly model: string;
  readonly record_id: string;
  readonly body: string;
  /** The time until its first try, in milliseconds. */
  readonly pause: number;
}

/** A delivery that is due, and where it goes. */
export interface DueDelivery {
  readonly id: string;
  readonly subscription: number;
  /** The text that tells its owner from others; an application's own subscription is the only one of its owner. */
  readonly owner: string;
  readonly eventId: string;
  readonly body: string;
  /** The number of tries before. */
  readonly tries: number;
  readonly url: string;
  readonly secrets: readonly SubscriptionSecret[];
  /** True if it is about no record, but tries a receiver. */
  readonly isTest: boolean;
}

/** The deliveries to look for. */
export interface DueQuery {
  readonly most: number;
  /** The most of one subscription, with those under way. */
  readonly mostOfOne: number;
  /** The most of one owner, with those under way. */
  readonly mostOfOwner: number;
  /** The deliveries that are under way. */
  readonly underWay: readonly DueDelivery[];
}

/** The state of a delivery after a try. */
export interface TriedDelivery {
  readonly id: string;
  readonly subscription: number;
  readonly state: 'due' | 'delivered' | 'dead';
  /** The time until the next try, in milliseconds. */
  readonly pause: number;
  readonly status: number | null;
  readonly answer: string;
  readonly error: string | null;
}

/** The most rows that a sweep deletes at a time. */
const sweptRows = 1000;

/** The most that one statement inserts: no value of PostgreSQL, and no text of JavaScript, has room for any number of bodies. */
const slice = { rows: 1000, bytes: 8 * 1024 * 1024 } as const;

/** The statements about deliveries. Lists go as JSON, so that each text is one whatever their lengths. */
export class DeliveryStore {
  readonly #deliveries: string;
  readonly #subscriptions: string;
  readonly #due: string;

  /** @param isOrdered true if an event waits for the one before of its record */
  constructor(orm: MikroORM, isOrdered: boolean) {
    const deliveries = (this.#deliveries = tableOf(orm, WebhookDelivery, 'WebhookDelivery'));
    const subscriptions = (this.#subscriptions = tableOf(orm, WebhookSubscription, 'WebhookSubscription'));
    // One look at an index for each, which no plan can turn into a join of all with all.
    const first = `and d.id = (select min(b.id) from ${deliveries} b where b.subscription_id = d.subscription_id
      and b.model = d.model and b.record_id = d.record_id and b.state = 'due')`;
    const owner = `case audience when 'application' then jsonb_build_array(id)
      else jsonb_build_array(owner_issuer, owner_subject) end::text`;
    // The time is asked for once: an index then ends where waiting begins.
    // A look at no more rows than each subscription may have; of them each owner's first ones, and then their second ones.
    this.#due = `select p.* from (select d.*, s.url, s.secrets::text as secrets, s.owner,
          s.taken + row_number() over (partition by s.owner order by d.due_at, d.id::bigint) as place
        from (select *, coalesce(($3::jsonb->>o.owner)::int, 0) as taken, coalesce(($3::jsonb->>o.id::text)::int, 0) as own
          from (select id, url, secrets, ${owner} as owner from ${subscriptions} where active) o) s
        cross join lateral (select d.id::text as id, d.subscription_id as subscription, d.event_id::text as event_id,
            d.body, d.tries, d.due_at, d.model = '' as is_test
          from ${deliveries} d where d.subscription_id = s.id and d.state = 'due' and d.due_at <= (select clock_timestamp())
            and d.id <> all ($4::bigint[]) ${isOrdered ? first : ''}
          order by d.due_at, d.id limit greatest($2::int - s.own, 0)) d
        where s.taken < $5::int) p
      where p.place <= $5::int order by p.place, p.due_at, p.id::bigint limit $1`.replaceAll(/\s+/g, ' ');
  }

  /** Keeps deliveries, each of which is due first after its pause. They are asked for as they are written. */
  async insert(sql: RelaySql, deliveries: Iterable<NewDelivery>): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const json of slices(deliveries)) ids.push(...(await this.#insert(sql, json)));
    return ids;
  }

  async #insert(sql: RelaySql, json: string): Promise<readonly string[]> {
    const rows = await sql.rows(
      `insert into ${this.#deliveries}
          (subscription_id, event_id, type, model, record_id, body, state, tries, due_at, created_at)
        select n.subscription, n.event_id, n.type, n.model, n.record_id, n.body, 'due', 0,
          clock_timestamp() + n.pause * interval '1 millisecond', clock_timestamp()
        from rows from (jsonb_to_recordset($1::jsonb)
            as (subscription int, event_id uuid, type text, model text, record_id text, body text, pause float8))
          with ordinality as n (subscription, event_id, type, model, record_id, body, pause, place)
        where exists (select 1 from ${this.#subscriptions} s where s.id = n.subscription)
        order by n.place returning id::text as id`,
      [json],
    );
    return rows.map((row) => String(row['id']));
  }

  /** Finds deliveries that are due: those of owners who have the fewest under way, and of one owner those that wait longest, first. */
  async due(
    sql: RelaySql,
    { most, mostOfOne, mostOfOwner, underWay }: DueQuery,
  ): Promise<readonly DueDelivery[]> {
    // The texts of owners are lists, and no ids.
    const taken = new Map<string, number>();
    for (const key of underWay.flatMap(({ owner, subscription }) => [owner, `${subscription}`]))
      taken.set(key, (taken.get(key) ?? 0) + 1);
    const ids = `{${underWay.map(({ id }) => id).join(',')}}`;
    const values = [most, mostOfOne, JSON.stringify(Object.fromEntries(taken)), ids, mostOfOwner];
    return (await sql.rows(this.#due, values)).map(dueOf);
  }

  /** Writes down how tries went, of deliveries that are still to be tried. */
  async tried(sql: RelaySql, all: readonly TriedDelivery[]): Promise<void> {
    await sql.rows(
      `update ${this.#deliveries} d set state = t.state, tries = d.tries + 1, last_status = t.status, last_answer = t.answer,
          last_error = t.error, due_at = clock_timestamp() + t.pause * interval '1 millisecond',
          ended_at = case when t.state = 'due' then null else clock_timestamp() end
        from jsonb_to_recordset($1::jsonb)
          as t (id bigint, state text, pause float8, status int, answer text, error text)
        where d.id = t.id and d.state = 'due'`,
      [JSON.stringify(all)],
    );
  }

  /** Has a dead or delivered one tried anew. @returns the number of those that are */
  async retry(sql: RelaySql, id: string): Promise<number> {
    return (
      await sql.rows(`${this.#anew} where state <> 'due' and id = $1::bigint returning 1 as retried`, [id])
    ).length;
  }

  /** Has the dead ones of active subscriptions tried anew, so many at a time. @returns their number */
  async retryDead(sql: RelaySql): Promise<number> {
    const [last] = await sql.rows(`select max(id)::text as id from ${this.#deliveries} where state = 'dead'`);
    let retried = 0;
    // What dies again meanwhile is not tried anew by this.
    for (let after: unknown = '0'; typeof after === 'string';) {
      const [slice]: readonly SqlRow[] = await sql.rows(
        `with dead as (select d.id from ${this.#deliveries} d where d.state = 'dead' and d.id > $1::bigint and d.id <= $2::bigint
            and exists (select 1 from ${this.#subscriptions} s where s.id = d.subscription_id and s.active)
            order by d.id limit ${sweptRows}),
          anew as (${this.#anew} where state = 'dead' and id in (select id from dead) returning 1)
          select (select max(id)::text from dead) as after, (select count(*)::int from anew) as retried`,
        [after, last?.['id'] ?? '0'],
      );
      retried += Number(slice?.['retried'] ?? 0);
      after = slice?.['after'];
    }
    return retried;
  }

  /** Has deliveries due no sooner than after a time, in milliseconds: they are under way in a process that ends. */
  async putOff(sql: RelaySql, ids: readonly string[], time: number): Promise<void> {
    await sql.rows(
      `update ${this.#deliveries} set due_at = clock_timestamp() + $2::float8 * interval '1 millisecond'
        where state = 'due' and id = any ($1::bigint[])`,
      [`{${ids.join(',')}}`, time],
    );
  }

  /** Has the test of a subscription that waits tried now, and anew. @returns its id; undefined where none waits */
  async testAnew(sql: RelaySql, subscription: number): Promise<string | undefined> {
    const [row] = await sql.rows(
      `${this.#anew} where subscription_id = $1::int and model = '' and record_id = '' and state = 'due' returning id::text as id`,
      [subscription],
    );
    return row === undefined ? undefined : String(row['id']);
  }

  get #anew(): string {
    return `update ${this.#deliveries} set state = 'due', tries = 0, due_at = clock_timestamp(), ended_at = null`;
  }

  /** The number of deliveries in a state that are not over well. */
  async counts(sql: RelaySql): Promise<{ readonly due: number; readonly dead: number }> {
    const [row] = await sql.rows(
      `select (select count(*)::int from ${this.#deliveries} where state = 'due') as due,
        (select count(*)::int from ${this.#deliveries} where state = 'dead') as dead`,
    );
    return { due: Number(row?.['due'] ?? 0), dead: Number(row?.['dead'] ?? 0) };
  }

  /**
   * Deletes deliveries that have been over for a time, and those that wait as long for a subscription that is not active.
   *
   * @param signal ends it between two statements
   */
  async sweep(sql: RelaySql, keep: number, signal: AbortSignal): Promise<void> {
    const before = `clock_timestamp() - $1::float8 * interval '1 millisecond'`;
    await this.#swept(
      sql,
      `${this.#deliveries} d where d.state <> 'due' and d.ended_at < ${before} order by d.ended_at`,
      keep,
      signal,
    );
    await this.#swept(
      sql,
      `${this.#subscriptions} s join ${this.#deliveries} d on d.subscription_id = s.id
        where not s.active and d.state = 'due' and d.due_at < ${before}`,
      keep,
      signal,
    );
  }

  async #swept(sql: RelaySql, which: string, keep: number, signal: AbortSignal): Promise<void> {
    for (let length = sweptRows; length === sweptRows && !signal.aborted;)
      ({ length } = await sql.rows(
        `delete from ${this.#deliveries} where id in
          (select d.id from ${which} limit ${sweptRows} for update of d skip locked) returning 1 as swept`,
        [keep],
      ));
  }

  /** The clock of the database, in milliseconds. */
  async clock(sql: RelaySql): Promise<number> {
    const [row] = await sql.rows(`select (extract(epoch from clock_timestamp()) * 1000)::text as now`);
    return Number(row?.['now']);
  }

  /** Brings times nearer that a clock which was set back has put off. */
  async shift(sql: RelaySql, back: number): Promise<void> {
    await sql.rows(
      `update ${this.#deliveries} set due_at = due_at - $1::float8 * interval '1 millisecond' where state = 'due'`,
      [back],
    );
  }
}

/** Gives deliveries in slices, each as the JSON text of a list. One alone is a slice however long it is. */
function* slices(deliveries: Iterable<NewDelivery>): Generator<string> {
  let texts: string[] = [];
  let bytes = 0;
  for (const delivery of deliveries) {
    const text = JSON.stringify(delivery);
    const length = Buffer.byteLength(text);
    if (texts.length === slice.rows || (texts.length > 0 && bytes + length > slice.bytes)) {
      yield `[${texts.join(',')}]`;
      texts = [];
      bytes = 0;
    }
    texts.push(text);
    bytes += length;
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`;
}

function dueOf(row: SqlRow): DueDelivery {
  return {
    id: String(row['id']),
    subscription: Number(row['subscription']),
    owner: String(row['owner']),
    eventId: String(row['event_id']),
    body: String(row['body']),
    tries: Number(row['tries']),
    url: String(row['url']),
    secrets: JSON.parse(String(row['secrets'])) as readonly SubscriptionSecret[],
    isTest: row['is_test'] === true,
  };
}
