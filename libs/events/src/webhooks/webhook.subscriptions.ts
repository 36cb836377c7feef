import { randomUUID } from 'node:crypto';
import type { InferEntity } from '@mikro-orm/core';
import { ConfigurationError, Conflict, InvalidInput } from '@nest-endpoints/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { sqlOf, type RelaySql } from '../relay/relay.sql.js';
import { newSecret, rotated, shownSecret } from './webhook.secret.js';
import { knownOwner, ownerOf } from './webhook.owner.js';
import { WebhookSubscription } from './webhook.subscription.js';
import type { Webhooks } from './webhooks.js';

/** A subscription as MikroORM has it. */
export type Subscription = InferEntity<typeof WebhookSubscription>;

/** A subscription that code makes. */
export interface NewSubscription {
  readonly url: string;
  /** The names of events, e.g. `city.updated`, or `city` for all of them. */
  readonly events: readonly string[];
  readonly description?: string;
}

/** The subscriptions to the events of the application. A provider of Nest. */
export class WebhookSubscriptions {
  /** @param given undefined where events go out in another way */
  constructor(
    private readonly given: Webhooks | undefined,
    private readonly em: () => SqlEntityManager,
  ) {}

  /** The webhooks that events go out by. @throws ConfigurationError where there are none */
  get webhooks(): Webhooks {
    if (this.given !== undefined) return this.given;
    throw new ConfigurationError(
      'EventsModule',
      'deliver',
      'is no Webhooks, so that there are no subscriptions',
    );
  }

  /** Makes a subscription of the application, which hears of all that it asks for. @throws InvalidInput */
  async create({
    url,
    events,
    description,
  }: NewSubscription): Promise<{ readonly id: number; readonly secret: string }> {
    this.refuse({ url, events });
    const secret = newSecret(this.webhooks.settings.signature);
    const em = this.em();
    const made: Subscription = em.create(WebhookSubscription, {
      url,
      events,
      description: description ?? null,
      secrets: [{ value: secret, until: null }],
      audience: 'application',
    } as never);
    await em.persist(made).flush();
    return { id: made.id, secret: shownSecret(secret) };
  }

  /**
   * Renews the claims by which an identity hears of events, as when it signs in. Endpoints of webhooks do so by themselves. What
   * somebody has subscribed to for one tenant never hears of another one's records, though they may sign in there, too.
   */
  async signedIn(identity: unknown): Promise<void> {
    const owner = ownerOf(identity);
    if (owner === undefined) return;
    const { context, subscriptions } = this.webhooks.parts;
    const belonging = (of: unknown): string =>
      JSON.stringify(context.events.map(({ audience }) => audience?.belonging(of) ?? ''));
    const now = belonging(identity);
    const isSame = (before: unknown): boolean => belonging(before) === now;
    await subscriptions.signedIn(context.sql, owner, JSON.stringify(identity), isSame);
  }

  /** Makes a record that a client creates its sender's. @throws InvalidInput */
  async prepare(record: Subscription, identity: unknown, em: SqlEntityManager): Promise<void> {
    this.refuse(record);
    const [ownerIssuer, ownerSubject] = knownOwner(identity);
    const { maximumSubscriptions } = this.webhooks.settings;
    // One at a time, so that two at once are not one too many.
    await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [
      `${ownerIssuer} ${ownerSubject}`,
    ]);
    const count = await em.count(WebhookSubscription, { ownerIssuer, ownerSubject }, { filters: false });
    if (count >= maximumSubscriptions)
      throw new InvalidInput({ url: `there should be at most ${maximumSubscriptions} subscriptions` });
    Object.assign(record, {
      ownerIssuer,
      ownerSubject,
      claims: identity,
      claimsAt: new Date(),
      secrets: [{ value: newSecret(this.webhooks.settings.signature), until: null }],
      audience: 'identity',
    });
  }

  /** Gives a subscription a new secret. The one before signs, too, for a day. */
  rotate(record: Subscription): string {
    const secret = newSecret(this.webhooks.settings.signature);
    record.secrets = rotated(record.secrets, secret, Date.now());
    return shownSecret(secret);
  }

  /**
   * Sends an event of the type `webhook.test`, once. A subscription has one that waits at most: it is tried now, and is no new one.
   *
   * @param em of the request. Default one of its own
   * @returns the id of its delivery
   * @throws Conflict for a subscription that is not active
   */
  test(
    subscription: Pick<Subscription, 'id' | 'active'>,
    em: SqlEntityManager = this.em(),
  ): Promise<string | undefined> {
    return em.transactional((own) => this.#tested(subscription, sqlOf(own)));
  }

  async #tested(
    { id, active }: Pick<Subscription, 'id' | 'active'>,
    sql: RelaySql,
  ): Promise<string | undefined> {
    const { context, deliveries } = this.webhooks.parts;
    if (!active) throw new Conflict('The subscription is not active');
    // One at a time, so that two at once are one.
    await sql.rows('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhook.test ${id}`]);
    const waiting = await deliveries.testAnew(sql, id);
    if (waiting !== undefined) return waiting;
    const eventId = randomUUID();
    const type = 'webhook.test';
    const time = new Date().toISOString();
    const body =
      context.format === 'cloudevents'
        ? {
            specversion: '1.0',
            id: eventId,
            source: '/webhooks',
            type,
            time,
            datacontenttype: 'application/json',
            data: {},
          }
        : { type, timestamp: time, data: {} };
    const made = {
      subscription: id,
      event_id: eventId,
      type,
      model: '',
      record_id: '',
      body: JSON.stringify(body),
    };
    const [delivery] = await deliveries.insert(sql, [{ ...made, pause: 0 }]);
    return delivery;
  }

  /** Refuses what no subscription may be. @throws InvalidInput */
  refuse({ url, events }: { readonly url?: string; readonly events?: unknown }): void {
    const { rules, parts } = this.webhooks;
    const { events: declared } = parts.context;
    const known = declared.flatMap(({ name, types }) => [name, ...types]);
    const problems = {
      url: url === undefined ? undefined : rules.complaint(url),
      events: events === undefined ? undefined : namesComplaint(events, known),
    };
    if (Object.values(problems).some((problem) => problem !== undefined)) throw new InvalidInput(problems);
  }
}

/** The problem of names of events: a client may send any JSON, and each delivery reads them. */
function namesComplaint(value: unknown, known: readonly string[]): string | undefined {
  if (!Array.isArray(value)) return 'value should be a list of events';
  const names: readonly unknown[] = value;
  if (names.length === 0) return 'value should name an event';
  if (!names.every((name) => known.some((one) => one === name)))
    return `value should be among: ${known.join(', ')}`;
  return new Set(names).size === names.length ? undefined : 'value should name each event once';
}
