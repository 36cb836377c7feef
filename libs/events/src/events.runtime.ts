import type { MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { ConfigurationError } from '@nest-endpoints/core';
import {
  mayPostpone,
  runsCommand,
  type ApplicationDocumentation,
  type ChangeSweep,
  type RootOptions,
} from '@nest-endpoints/core/internal';
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DeclaredEvent } from './event/declared.event.js';
import type { EventDelivery } from './event/event.delivery.js';
import { FunctionDelivery } from './event/function.delivery.js';
import { webhookDocuments } from './event/webhook.documents.js';
import { checkEvents, type EventsOptions } from './events.options.js';
import { EventPosition } from './relay/event.position.js';
import { EventRelay } from './relay/event.relay.js';
import { EventReplay } from './relay/event.replay.js';
import { relayDatabase } from './relay/relay.database.js';
import { processClock, RelayLease } from './relay/relay.lease.js';
import { ahead, type RelayDatabase } from './relay/relay.sql.js';
import { RelayStatusReader, type RelayStatus } from './relay/relay.status.js';
import { tableOf } from './relay/relay.tables.js';
import { Webhooks } from './webhooks/webhooks.js';

/** The name of the one relay that an application has. */
const name = 'events';

/** The time that a start waits for a database that does not answer, in milliseconds. */
const firstWait = 5000;

/** The time that a shutdown waits for what is under way, in milliseconds. */
const lastWait = 10_000;

/** The parts of an application that events need. */
export interface RuntimeParts {
  readonly options: EventsOptions;
  readonly orm: MikroORM;
  readonly root: RootOptions | null | undefined;
  readonly sweep: ChangeSweep;
  readonly documentation: ApplicationDocumentation;
}

/** The events of an application: from its start to its end. */
export class EventsRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly events: readonly DeclaredEvent[];
  readonly delivery: EventDelivery;
  readonly #stopping = new AbortController();
  readonly #relay: EventRelay;
  readonly #state: RelayStatusReader;
  readonly #replay: EventReplay;
  readonly #logger = new Logger('Endpoints');

  private constructor(
    private readonly parts: RuntimeParts,
    private readonly database: RelayDatabase,
  ) {
    const { options, orm, root, sweep, documentation } = parts;
    const { events, deliver, format = 'standard', interval = 500 } = options;
    const { lease = 'session', clock = processClock } = options;
    const casing = root?.externalCasing ?? 'snake_case';
    this.events = Object.entries(events).map(
      ([event, given]) => new DeclaredEvent(event, orm, casing, given),
    );
    this.delivery = typeof deliver === 'function' ? new FunctionDelivery(deliver) : deliver;
    const warn = (text: string): void => {
      this.#logger.warn(text);
    };
    const { signal } = this.#stopping;
    this.#state = new RelayStatusReader(orm, database, name);
    this.#replay = new EventReplay(orm, database, name);
    const isHolder = (): boolean => this.#relay.isHolder;
    this.delivery.connect({ orm, events: this.events, format, sql: database, isHolder, signal, warn });
    this.#relay = new EventRelay({
      em: () => this.em(),
      lease: new RelayLease(database, tableOf(orm, EventPosition, 'EventPosition'), name, lease, clock),
      events: this.events,
      delivery: this.delivery,
      interval,
      warn,
    });
    sweep.holdFor(async (of) => {
      if (of.orm !== orm) return undefined;
      const { position: place, behindSince } = await this.#state.read();
      return place && { place, behindSince };
    });
    if (this.webhooks !== undefined) documentation.webhooks = webhookDocuments(this.events, format);
  }

  /** @throws ConfigurationError */
  static of(parts: RuntimeParts): EventsRuntime {
    checkEvents(parts.options);
    if (parts.root?.schemaOf !== undefined)
      throw new ConfigurationError(
        'EventsModule',
        'events',
        'cannot be told where tenants have schemas (schemaOf): each has a log of its own, and one is read',
      );
    return new EventsRuntime(parts, relayDatabase(parts.orm));
  }

  /** Undefined where events go out in another way. */
  get webhooks(): Webhooks | undefined {
    return this.delivery instanceof Webhooks ? this.delivery : undefined;
  }

  /** An entity manager that is part of no request. */
  em(): SqlEntityManager {
    return this.parts.orm.em.fork({ disableContextResolution: true }) as SqlEntityManager;
  }

  /** Waits until there is a position: of whatever a request changes, others are told. A command tells nobody: it ends. */
  async onApplicationBootstrap(): Promise<void> {
    if (mayPostpone() || runsCommand()) return;
    const late = new Promise<void>((resolve) => setTimeout(resolve, firstWait).unref());
    await Promise.race([this.#relay.start(), late]);
  }

  /** The database is closed after this. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#relay.stop();
    await this.delivery.close?.(lastWait);
    await this.database.close();
  }

  /** The position, how far it is behind in milliseconds, and the deliveries that wait or are dead. */
  async status(): Promise<Readonly<Record<string, string | number | boolean | undefined>>> {
    const { position, lag, isHeld } = await this.#state.read();
    const { deliveries } = this.webhooks?.parts ?? {};
    const counts = deliveries === undefined ? {} : await deliveries.counts(this.database);
    return { ...position, lag, held: isHeld, ...counts };
  }

  /** @throws Error where events are late */
  async check(): Promise<RelayStatus> {
    const state = await this.#state.read();
    if (state.isAhead) throw new Error(`events are not handed on: ${ahead}`);
    const { maximumLag = 60_000 } = this.parts.options;
    if (state.lag > maximumLag)
      throw new Error(
        `events are ${state.lag} ms late${state.isHeld ? '' : ', and no process hands them on'}`,
      );
    return state;
  }

  /** Hands on anew what has changed since an instant, or from a change on. Nothing that waits is skipped: it only goes back. */
  async replay(from: Date | string): Promise<{ readonly transaction: string; readonly id: string }> {
    const place = await this.#replay.from(from);
    this.#relay.wake();
    if (place !== undefined) return place;
    const { position } = await this.#state.read();
    return position ?? { transaction: '', id: '' };
  }

  /** Has dead deliveries tried anew. @returns their number; undefined where events go out in another way */
  async retryDead(): Promise<number | undefined> {
    const { webhooks } = this;
    return webhooks === undefined ? undefined : webhooks.parts.deliveries.retryDead(this.database);
  }
}
