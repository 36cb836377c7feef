import type { MikroORM } from '@mikro-orm/core';
import type { RelaySql } from '../relay/relay.sql.js';
import { tableOf } from '../relay/relay.tables.js';
import type { DisabledSubscription } from './webhook.options.js';
import { WebhookSubscription } from './webhook.subscription.js';

/** A subscription that hears of events. */
export interface Subscriber {
  readonly id: number;
  readonly events: readonly string[];
  readonly audience: 'identity' | 'application';
  /** The JSON text of its owner's claims. */
  readonly claims: string;
}

/** The outcome of tries of one subscription. */
export interface SubscriptionTries {
  readonly id: number;
  readonly succeeded: boolean;
  /** The urls whose receivers have said that they are gone. */
  readonly gone: readonly string[];
}

/** The statements about subscriptions. */
export class SubscriptionStore {
  readonly #table: string;

  constructor(orm: MikroORM) {
    this.#table = tableOf(orm, WebhookSubscription, 'WebhookSubscription');
  }

  /** The subscriptions that hear of events now. @param claimsFor the time for which claims are good, in milliseconds */
  async subscribers(sql: RelaySql, claimsFor: number): Promise<readonly Subscriber[]> {
    const rows = await sql.rows(
      `select id, events::text as events, audience, claims::text as claims from ${this.#table} where active
        and (audience = 'application' or claims_at > clock_timestamp() - $1::float8 * interval '1 millisecond')
        order by id`,
      [claimsFor],
    );
    return rows.map((row) => ({
      id: Number(row['id']),
      events: JSON.parse(String(row['events'])) as readonly string[],
      audience: row['audience'] === 'application' ? 'application' : 'identity',
      claims: typeof row['claims'] === 'string' ? row['claims'] : 'null',
    }));
  }

  /**
   * Remembers since when there are only failures. A receiver that is gone ends a subscription whose url is still its own: the
   * owner may have changed it while the try was under way.
   *
   * @returns the subscriptions that are disabled for it, or gone
   */
  async tried(
    sql: RelaySql,
    all: readonly SubscriptionTries[],
    disableAfter: number,
  ): Promise<readonly DisabledSubscription[]> {
    const tries = JSON.stringify(all);
    await sql.rows(
      `update ${this.#table} s set failing_since = case when t.succeeded then null else clock_timestamp() end
        from jsonb_to_recordset($1::jsonb) as t (id int, succeeded boolean)
        where s.id = t.id and (s.failing_since is null) <> t.succeeded`,
      [tries],
    );
    const failed = all.filter(({ succeeded, gone }) => !succeeded || gone.length > 0);
    if (failed.length === 0) return [];
    const rows = await sql.rows(
      `update ${this.#table} s set active = false, disabled_at = clock_timestamp(), disabled_for =
          case when jsonb_exists(t.gone, s.url) then 'The receiver has answered 410 Gone' else 'Nothing but failures' end
        from jsonb_to_recordset($1::jsonb) as t (id int, succeeded boolean, gone jsonb)
        where s.id = t.id and s.active and (jsonb_exists(t.gone, s.url)
          or not t.succeeded and s.failing_since < clock_timestamp() - $2::float8 * interval '1 millisecond')
        returning s.id, s.url, s.disabled_for`,
      [JSON.stringify(failed), disableAfter],
    );
    return rows.map((row) => ({
      id: Number(row['id']),
      url: String(row['url']),
      reason: String(row['disabled_for']),
    }));
  }

  /**
   * Renews the claims of an owner's subscriptions, where they are another's now or older than an hour.
   *
   * @param isSame whether a subscription with these claims may go on with the new ones
   */
  async signedIn(
    sql: RelaySql,
    [issuer, subject]: readonly [string, string],
    claims: string,
    isSame: (before: unknown) => boolean,
  ): Promise<void> {
    const outdated = `owner_issuer = $1 and owner_subject = $2 and audience = 'identity'
          and (claims is distinct from $3::jsonb or claims_at is null or claims_at < clock_timestamp() - interval '1 hour')`;
    const known = [issuer, subject, claims];
    const rows = await sql.rows(`select distinct claims::text from ${this.#table} where ${outdated}`, known);
    const before = rows.map((row) => String(row['claims'])).filter((text) => isSame(JSON.parse(text)));
    if (before.length === 0) return;
    await sql.rows(
      `update ${this.#table} set claims = $3::jsonb, claims_at = clock_timestamp()
        where ${outdated} and claims::text in (select jsonb_array_elements_text($4::jsonb))`,
      [...known, JSON.stringify(before)],
    );
  }
}
