import { checkOptions, ConfigurationError } from '@nest-endpoints/core';
import type { DeliveryContext, EventDelivery, HandOver } from '../event/event.delivery.js';
import type { EventFormat } from '../event/event.options.js';
import type { ToldEvent } from '../event/told.event.js';
import { DeliveryPump } from './delivery.pump.js';
import { DeliveryStore, type NewDelivery } from './delivery.store.js';
import { hostResolver } from './host.resolver.js';
import { pauseOf } from './delivery.pauses.js';
import { ReceiverRules, type Resolve } from './receiver.rules.js';
import { SubscriptionStore } from './subscription.store.js';
import { WebhookAudience, type Heard } from './webhook.audience.js';
import {
  webhookChecks,
  webhookSettings,
  type WebhookOptions,
  type WebhookSettings,
} from './webhook.options.js';
import { WebhookSender } from './webhook.sender.js';

/** The surroundings of webhooks, for tests. */
export interface WebhookSurroundings {
  /** Finds the addresses of a host. Default: by DNS; of `allowHosts` by the resolver of the system. */
  readonly resolve?: Resolve;
  /** The name servers that are asked, e.g. `127.0.0.1:5353`. Default those of the system. */
  readonly nameServers?: readonly string[];
  /** The time, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** A number from 0 up to 1. Default `Math.random`. */
  readonly random?: () => number;
}

/** The parts of webhooks that endpoints and commands need. */
export interface WebhookParts {
  readonly context: DeliveryContext;
  readonly deliveries: DeliveryStore;
  readonly subscriptions: SubscriptionStore;
}

/** The pause between two sweeps, and between two looks at the clock of the database, in milliseconds. */
const pauses = { sweep: 10 * 60_000, clock: 5000 } as const;

/** The jump of a clock that is none of its usual corrections, in milliseconds. */
const jump = 2000;

/**
 * Sends events to the urls of subscriptions, as Standard Webhooks has it.
 *
 * @example deliver: new Webhooks({ ordered: 'record' })
 */
export class Webhooks implements EventDelivery {
  readonly settings: WebhookSettings;
  /** The rules about where webhooks may go. */
  readonly rules: ReceiverRules;
  readonly #surroundings: Required<Omit<WebhookSurroundings, 'nameServers'>>;
  #parts: WebhookParts | undefined;
  #audience: WebhookAudience | undefined;
  #pump: DeliveryPump | undefined;
  #sweptAt = -Infinity;
  #clock: { readonly database: number; readonly own: number } | undefined;
  #tending: Promise<void> | undefined;

  constructor(options: WebhookOptions = {}, surroundings: WebhookSurroundings = {}) {
    checkOptions('Webhooks', options, { checks: webhookChecks });
    this.settings = webhookSettings(options);
    this.rules = new ReceiverRules(this.settings);
    this.#surroundings = {
      resolve: hostResolver(surroundings.nameServers),
      now: Date.now,
      random: Math.random,
      ...surroundings,
    };
  }

  /** @throws ConfigurationError for events that do not say who may hear of them */
  connect(context: DeliveryContext): void {
    // Two applications would send by the deliveries of one database.
    if (this.#parts !== undefined && !this.#parts.context.signal.aborted)
      throw new ConfigurationError(
        'Webhooks',
        'deliver',
        'is that of another application; make one for each',
      );
    const { orm, sql, format, isHolder, warn } = context;
    const deliveries = new DeliveryStore(orm, this.settings.ordered === 'record');
    const subscriptions = new SubscriptionStore(orm);
    this.#parts = { context, deliveries, subscriptions };
    this.#audience = new WebhookAudience(orm, sql, context.events, warn);
    const { timeout, answerKept } = this.settings;
    const { now, resolve, random } = this.#surroundings;
    const sender = new WebhookSender({ rules: this.rules, resolve, timeout, answerKept, now });
    const contentType = format === 'cloudevents' ? 'application/cloudevents+json' : 'application/json';
    const { settings } = this;
    this.#pump = new DeliveryPump({
      sql,
      deliveries,
      subscriptions,
      sender,
      settings,
      contentType,
      isHolder,
      warn,
      now,
      random,
    });
  }

  async prepare(events: readonly ToldEvent[]): Promise<HandOver> {
    const { context, deliveries, subscriptions } = this.parts;
    if (events.length === 0) return () => Promise.resolve();
    const subscribers = await subscriptions.subscribers(context.sql, this.settings.claimsFor);
    const heard = (await this.#audience?.heard(events, subscribers)) ?? [];
    const [first = 0] = this.settings.schedule;
    const { random } = this.#surroundings;
    return async (sql) => {
      await deliveries.insert(
        sql,
        deliveriesOf(heard, context.format, () => pauseOf(first, random())),
      );
    };
  }

  work(): void {
    this.#pump?.work();
    this.#tending ??= this.#tend().finally(() => {
      this.#tending = undefined;
    });
  }

  async leave(): Promise<void> {
    await this.#pump?.leave();
  }

  async close(time: number): Promise<void> {
    await this.#tending;
    await this.#pump?.close(time);
  }

  /** @throws ConfigurationError where no EventsModule has them */
  get parts(): WebhookParts {
    if (this.#parts !== undefined) return this.#parts;
    throw new ConfigurationError(
      'Webhooks',
      'deliver',
      'EventsModule.forRoot does not deliver by these Webhooks',
    );
  }

  /** Sees to what is over, and to clocks that were set back. */
  async #tend(): Promise<void> {
    const { context, deliveries } = this.parts;
    const own = performance.now();
    try {
      if (this.#clock === undefined || own - this.#clock.own >= pauses.clock) await this.#lookAtClock();
      if (own - this.#sweptAt < pauses.sweep) return;
      this.#sweptAt = own;
      await deliveries.sweep(context.sql, this.settings.keepDeliveries, context.signal);
    } catch (error) {
      context.warn(`Deliveries could not be seen to: ${String(error)}`);
    }
  }

  /** Makes up for a clock of the database that was set back. The time for which its answer was waited for is no jump. */
  async #lookAtClock(): Promise<void> {
    const { context, deliveries } = this.parts;
    const before = performance.now();
    const database = await deliveries.clock(context.sql);
    const own = performance.now();
    const known = this.#clock;
    // The time that has passed for certain: from the one answer to the next question.
    const back = known === undefined ? 0 : known.database + (before - known.own) - database;
    if (back > jump) await deliveries.shift(context.sql, back);
    // What could not be made up for is made up for by the next look.
    this.#clock = { database, own };
  }
}

/** Gives the deliveries of events, each made when it is asked for: all bodies at once may be more than there is memory. */
function* deliveriesOf(
  heard: readonly Heard[],
  format: EventFormat,
  pause: () => number,
): Generator<NewDelivery> {
  for (const { event, subscription } of heard) {
    const receiver = String(subscription);
    yield {
      subscription,
      event_id: event.id(receiver),
      type: event.type,
      model: event.change.model,
      record_id: event.change.recordId,
      body: event.body(format, receiver),
      pause: pause(),
    };
  }
}
