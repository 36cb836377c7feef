import { ChangeRecord } from '@nest-endpoints/core';
import { databaseCode, databaseReason } from '@nest-endpoints/core/internal';
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

/**
 * The number of looks that rules may fail, for the same claims or one after the other for others, before subscriptions are not told: the
 * last is some 15 s after the first.
 */
const patience = 5;

/** The most failures that are remembered. */
const mostFailing = 10_000;

/** Finds out who may hear of what. */
export class WebhookAudience {
  readonly #changes: string;
  /** The failures in a row of a rule for claims, whatever it asks may be back soon. */
  readonly #failures = new Map<string, number>();
  /** The failures of a look that may pass. */
  #passing: Error[] = [];
  /** The looks in a row that such failures have ended. */
  #ended = 0;

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
    this.#passing = [];
    for (const declared of this.declared) {
      const own = events.filter(({ event }) => event === declared);
      if (own.length === 0) continue;
      const interested = subscribers.filter(({ events: names }) => wants(names, own));
      allowed.set(declared, await this.#allowed(declared, own, interested));
    }
    // Once all rules were tried: one after the other they would hold the events for ever.
    const [passing] = this.#passing;
    if (passing !== undefined && (this.#ended += 1) < patience) throw passing;
    this.#ended = 0;
    if (passing !== undefined)
      this.warn(`Rules fail again and again, so that subscriptions are not told: ${reasonOf(passing)}`);
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
    for (const claims of groups.keys())
      heard.set(claims, await this.#heardBy(declared.name, audience, claims, changes));
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
    name: string,
    audience: NonNullable<DeclaredEvent['audience']>,
    claims: string,
    changes: readonly ToldEvent['change'][],
  ): Promise<ReadonlySet<string>> {
    const key = `${name} ${claims}`;
    try {
      const heard = await audience.heardBy(JSON.parse(claims), changes);
      this.#failures.delete(key);
      return heard;
    } catch (error) {
      if (mayPass(error)) throw error;
      if (this.#isTriedAnew(key, error)) this.#passing.push(asError(error));
      else this.warn(`A rule has failed, so that subscriptions are not told: ${reasonOf(error)}`);
      return new Set();
    }
  }

  /** True if what a rule asks, a service maybe, may answer soon. What the database refuses are the claims themselves. */
  #isTriedAnew(key: string, error: unknown): boolean {
    if (isRefused(error)) return false;
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.delete(key);
    this.#failures.set(key, failures);
    // Claims come and go: those are forgotten whose rule has not failed for longest.
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > mostFailing && oldest !== undefined) this.#failures.delete(oldest);
    return failures < patience;
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

/** The code of an error of the database, whoever has sent the statement; undefined for other errors. */
function stateOf(error: unknown): string | undefined {
  const code = databaseCode(error);
  // Those of operating systems, such as EBUSY, have no digits.
  return code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** True if the database refuses a statement for what is in it. */
const isRefused = (error: unknown): boolean => stateOf(error) !== undefined;

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The reason of a failure, for the log: what the database says may quote claims. */
function reasonOf(error: unknown): string {
  const state = stateOf(error);
  return state === undefined ? String(error) : `the database refuses their claims (SQLSTATE ${state})`;
}

/**
 * True if a statement may succeed later as it is, or what a rule asks otherwise may: what has no SQLSTATE is a lost connection, and `fetch`
 * has codes of its own, and a `TimeoutError`.
 */
function mayPass(error: unknown): boolean {
  const reason = databaseReason(error);
  if (reason === 'unavailable' || reason === 'transient') return true;
  if (databaseCode(error)?.startsWith('UND_ERR_') === true) return true;
  if (Reflect.get(Object(error), 'name') === 'TimeoutError') return true;
  const state = stateOf(error);
  return state === undefined ? error instanceof DriverException : passing.test(state);
}

/** True if the names of a subscription are about one of the events. */
function wants(names: readonly string[], events: readonly ToldEvent[]): boolean {
  return events.some((event) => names.includes(event.type) || names.includes(event.event.name));
}

function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((text) => JSON.stringify(text)).join(',')}}`;
}
