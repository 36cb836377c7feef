import { ChangeRecord } from '@nest-endpoints/core';
import { DriverException, type MikroORM } from '@mikro-orm/core';
import type { DeclaredEvent } from '../event/declared.event.js';
import type { EventFacts, ToldEvent } from '../event/told.event.js';
import type { RelaySql } from '../relay/relay.sql.js';
import { tableOf } from '../relay/relay.tables.js';
import type { Subscriber } from './subscription.store.js';

/** An event, and a subscription that hears of it. */
export interface Heard {
  readonly event: ToldEvent;
  readonly subscription: number;
}

/** Finds out who may hear of what. */
export class WebhookAudience {
  readonly #changes: string;

  constructor(
    orm: MikroORM,
    private readonly sql: RelaySql,
    private readonly declared: readonly DeclaredEvent[],
    private readonly warn: (text: string) => void,
  ) {
    this.#changes = tableOf(orm, ChangeRecord, 'ChangeRecord');
  }

  /** The events with those who may hear of them, in the order of the events. */
  async heard(events: readonly ToldEvent[], subscribers: readonly Subscriber[]): Promise<readonly Heard[]> {
    const allowed = new Map<EventFacts, ReadonlyMap<number, ReadonlySet<string>>>();
    for (const declared of this.declared) {
      const own = events.filter(({ event }) => event === declared);
      if (own.length === 0) continue;
      const interested = subscribers.filter(({ events: names }) => wants(names, own));
      allowed.set(declared, await this.#allowed(declared, own, interested));
    }
    return events.flatMap((event) => {
      const heardBy = allowed.get(event.event);
      return subscribers.flatMap(({ id, events: names }) => {
        const mayHear = heardBy?.get(id)?.has(event.change.id) === true;
        return mayHear && wants(names, [event]) ? [{ event, subscription: id }] : [];
      });
    });
  }

  /** The changes that each subscription may hear of: one statement for all whose owners have the same claims. */
  async #allowed(
    declared: DeclaredEvent,
    events: readonly ToldEvent[],
    subscribers: readonly Subscriber[],
  ): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
    const { audience, isOfApplication } = declared;
    const changes = events.map(({ change }) => change);
    const all = new Set(changes.map(({ id }) => id));
    const allowed = new Map<number, ReadonlySet<string>>();
    const groups = new Map<string, Subscriber[]>();
    for (const one of subscribers)
      if (one.audience === 'application') allowed.set(one.id, all);
      else if (!isOfApplication) groups.set(one.claims, [...(groups.get(one.claims) ?? []), one]);
    if (audience === undefined) {
      for (const { id } of [...groups.values()].flat()) allowed.set(id, all);
      return allowed;
    }
    const heard = new Map<string, ReadonlySet<string>>();
    for (const claims of groups.keys()) heard.set(claims, await this.#heardBy(audience, claims, changes));
    // Asked last: a record that moved since its rights were looked at has moved by now.
    const moved =
      heard.size === 0 ? new Set<string>() : await this.#moved(declared, changes, audience.movedBy);
    for (const [claims, members] of groups) {
      const ids = [...(heard.get(claims) ?? [])].filter((id) => !moved.has(id));
      for (const { id } of members) allowed.set(id, new Set(ids));
    }
    return allowed;
  }

  /** A rule that fails for some claims, and claims that the database refuses, must not hold the events of all others. */
  async #heardBy(
    audience: NonNullable<DeclaredEvent['audience']>,
    claims: string,
    changes: readonly ToldEvent['change'][],
  ): Promise<ReadonlySet<string>> {
    try {
      return await audience.heardBy(JSON.parse(claims), changes);
    } catch (error) {
      if (mayPass(error)) throw error;
      this.warn(`A rule has failed, so that subscriptions are not told: ${reasonOf(error)}`);
      return new Set();
    }
  }

  /**
   * The changes of records that may have been another's then: one of the columns that say whose they are has changed since, or the
   * record that had the key then has left it since.
   */
  async #moved(
    declared: DeclaredEvent,
    changes: readonly ToldEvent['change'][],
    movedBy: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (movedBy.length === 0) return new Set();
    const touches = ['before', 'after', 'withheld']
      .map((side) => `coalesce(jsonb_exists_any(l.${side}, $3::text[]), false)`)
      .join(' or ');
    const rows = await this.sql.rows(
      `select c.id::text as id from ${this.#changes} c where c.id = any ($1::bigint[])
        and (c.operation <> 'deleted' or c.after is not null) and exists (
        select 1 from ${this.#changes} l where l.model = $2 and l.record_id = c.record_id and l.id > c.id
          and case l.operation when 'created' then true
            when 'deleted' then l.before is not null and l.after is null else ${touches} end)`,
      [`{${changes.map(({ id }) => id).join(',')}}`, declared.model, arrayOf(movedBy)],
    );
    return new Set(rows.map((row) => String(row['id'])));
  }
}

/**
 * The SQLSTATEs of what the database may do later (PostgreSQL, Appendix A): connections, transactions, resources, locks, operators and
 * the system; and of what a migration or a grant brings. All else is about the values, which are the claims.
 */
const passing = /^(?:08|25|28|3D|3F|40|53|55|57|58|F0|XX|42501$|42703$|42P01$)/;

/** The reason of a failure, for the log: what the database says may quote claims. */
function reasonOf(error: unknown): string {
  if (!(error instanceof DriverException)) return String(error);
  return `the database refuses their claims (SQLSTATE ${String(error.code)})`;
}

/** True if a statement may succeed later as it is: what has no SQLSTATE is a lost connection. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof DriverException)) return false;
  const { code = '' } = error;
  return !/^[0-9A-Z]{5}$/.test(code) || passing.test(code);
}

/** True if the names of a subscription are about one of the events. */
function wants(names: readonly string[], events: readonly ToldEvent[]): boolean {
  return events.some((event) => names.includes(event.type) || names.includes(event.event.name));
}

function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((text) => JSON.stringify(text)).join(',')}}`;
}
