import { atMost } from '@nest-endpoints/core/internal';
import type { RelaySql } from '../relay/relay.sql.js';
import type { DeliveryStore, DueDelivery, TriedDelivery } from './delivery.store.js';
import type { SubscriptionStore, SubscriptionTries } from './subscription.store.js';
import type { WebhookOutcome, WebhookSender } from './webhook.sender.js';
import type { WebhookSettings } from './webhook.options.js';
import { pauseOf } from './delivery.pauses.js';
import { signatures } from './webhook.secret.js';

/** The parts of a pump. */
export interface PumpParts {
  readonly sql: RelaySql;
  readonly deliveries: DeliveryStore;
  readonly subscriptions: SubscriptionStore;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly settings: WebhookSettings;
  readonly contentType: string;
  /** True while nobody else sends what is due. */
  readonly isHolder: () => boolean;
  readonly warn: (text: string) => void;
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

/** The longest pause that is waited for here, in milliseconds: the relay looks for all others. */
const soon = 1000;

/** Sends what is due: so many at once, so many of them to one subscription, and half of them of one owner. */
export class DeliveryPump {
  readonly #underWay = new Map<string, DueDelivery>();
  readonly #giveUp = new AbortController();
  /** The calls that tell the application: each may take as long as it likes, and nothing waits for it. */
  readonly #telling = new Set<Promise<void>>();
  #tried: [TriedDelivery & Pick<DueDelivery, 'url'>, WebhookOutcome][] = [];
  #looking: Promise<void> | undefined;
  #isCalled = false;
  #isClosed = false;

  constructor(private readonly parts: PumpParts) {}

  /** Looks for what is due, unless that is being done. */
  work(): void {
    if (this.#isClosed) return;
    this.#isCalled = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#tried.length > 0) this.work();
    });
  }

  /** Takes no more. What is under way is not due for another process before it may be over. */
  async leave(): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    const { deliveries, sql, settings } = this.parts;
    if (this.#underWay.size > 0)
      await deliveries.putOff(sql, [...this.#underWay.keys()], settings.timeout + soon);
  }

  /** Takes no more, and waits for what is under way; what is not over then is due again. @param time in milliseconds */
  async close(time: number): Promise<void> {
    this.#isClosed = true;
    const begun = performance.now();
    const late = setTimeout(() => {
      this.#giveUp.abort();
    }, time);
    await this.#looking;
    await Promise.all([...this.#sending.values()]);
    clearTimeout(late);
    await this.#write().catch(() => undefined);
    const left = Math.max(0, time - (performance.now() - begun));
    await atMost(left, Promise.all(this.#telling), () => undefined);
  }

  readonly #sending = new Map<string, Promise<void>>();

  private get isClosed(): boolean {
    return this.#isClosed;
  }

  private get isCalled(): boolean {
    return this.#isCalled;
  }

  async #look(): Promise<void> {
    try {
      do {
        this.#isCalled = false;
        await this.#write();
        await this.#start();
      } while (this.isCalled);
    } catch (error) {
      this.parts.warn(`Webhooks could not be sent: ${String(error)}`);
    }
  }

  async #start(): Promise<void> {
    const { deliveries, sql, settings, isHolder } = this.parts;
    const most = settings.concurrency - this.#underWay.size;
    // Another process may have taken over while this one was held up: what is due is its business now.
    if (most <= 0 || this.#isClosed || !isHolder()) return;
    const due = await deliveries.due(sql, {
      most,
      mostOfOne: settings.perSubscription,
      mostOfOwner: Math.max(1, Math.floor(settings.concurrency / 2)),
      underWay: [...this.#underWay.values()],
    });
    for (const one of due) {
      if (this.isClosed) return;
      this.#underWay.set(one.id, one);
      const sending = this.#send(one).finally(() => this.#sending.delete(one.id));
      this.#sending.set(one.id, sending);
    }
  }

  async #send(delivery: DueDelivery): Promise<void> {
    const { sender, now, contentType } = this.parts;
    const { eventId: id, body, url, secrets } = delivery;
    const time = now();
    const timestamp = Math.floor(time / 1000);
    const headers = {
      'content-type': contentType,
      'user-agent': 'nest-endpoints',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures(secrets, { id, timestamp, body }, time),
    };
    const { signal } = this.#giveUp;
    const outcome = await sender.send({ url, headers, body }, signal);
    // What we gave up ourselves is no failure of the receiver.
    if (signal.aborted && !outcome.isDelivered) this.#underWay.delete(delivery.id);
    else this.#tried.push([{ ...this.#judged(delivery, outcome), url }, outcome]);
    // Those that end in one turn are written down together.
    setImmediate(() => {
      this.work();
    });
  }

  #judged({ id, subscription, tries, isTest }: DueDelivery, outcome: WebhookOutcome): TriedDelivery {
    const { schedule } = this.parts.settings;
    const { isDelivered, status = null, answer, error = null } = outcome;
    // Whoever tests looks how it went, and tests again.
    const next = isTest ? undefined : schedule[tries + 1];
    const isOver = isDelivered || next === undefined;
    const pause = isOver ? 0 : pauseOf(next, this.parts.random(), outcome.retryAfter);
    const state = isDelivered ? 'delivered' : isOver ? 'dead' : 'due';
    return { id, subscription, state, pause, status, answer, error };
  }

  /** Writes down how tries went. What cannot be written is tried again by whoever looks next. */
  async #write(): Promise<void> {
    const { sql, deliveries, subscriptions, settings } = this.parts;
    const tried = this.#tried;
    if (tried.length === 0) return;
    this.#tried = [];
    try {
      const byId = new Map<number, SubscriptionTries>();
      for (const [{ subscription: id, url }, { isDelivered, status }] of tried) {
        const known = byId.get(id) ?? { id, succeeded: false, gone: [] };
        const gone = status === 410 ? [...known.gone, url] : known.gone;
        byId.set(id, { id, succeeded: known.succeeded || isDelivered, gone });
      }
      // First, so that whoever reads of a try finds what it did to the subscription.
      const disabled = await subscriptions.tried(sql, [...byId.values()], settings.disableAfter);
      await deliveries.tried(
        sql,
        tried.map(([one]) => one),
      );
      for (const one of disabled) {
        // The rest of a url may be a secret.
        const origin = URL.canParse(one.url) ? new URL(one.url).origin : 'no url';
        this.parts.warn(`subscription.disabled: ${one.id}, ${origin}: ${one.reason}`);
        const telling = this.#tell(one).finally(() => this.#telling.delete(telling));
        this.#telling.add(telling);
      }
    } finally {
      for (const [{ id }] of tried) this.#underWay.delete(id);
    }
    this.#isCalled = true;
    const pauses = tried.filter(([{ state }]) => state === 'due').map(([{ pause }]) => pause);
    const next = Math.min(...pauses);
    // What is due before anybody looks again.
    if (next < soon)
      setTimeout(() => {
        this.work();
      }, next + 1).unref();
  }

  async #tell(disabled: Parameters<NonNullable<WebhookSettings['onDisabled']>>[0]): Promise<void> {
    try {
      await this.parts.settings.onDisabled?.(disabled);
    } catch (error) {
      this.parts.warn(`onDisabled has failed: ${String(error)}`);
    }
  }
}
