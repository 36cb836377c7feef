import { EventType, type EntityMetadata, type EventSubscriber, type MikroORM } from '@mikro-orm/core';

/** The events of entities, each with the life-cycle hooks and subscribers of its own. */
const entityEvents = [
  EventType.onInit,
  EventType.onLoad,
  EventType.beforeCreate,
  EventType.afterCreate,
  EventType.beforeUpdate,
  EventType.afterUpdate,
  EventType.beforeDelete,
  EventType.afterDelete,
] as const;

/** The events of units of work, whatever they are about. */
const commonEvents = [
  EventType.beforeFlush,
  EventType.onFlush,
  EventType.afterFlush,
  EventType.beforeTransactionStart,
  EventType.afterTransactionStart,
  EventType.beforeTransactionCommit,
  EventType.afterTransactionCommit,
  EventType.beforeTransactionRollback,
  EventType.afterTransactionRollback,
] as const;

/** Tells whether life-cycle hooks or subscribers take part in writes of an entity, at next to no cost. */
export class Listeners {
  #known = -1;
  #hearsAll = false;
  readonly #hears = new Map<EntityMetadata, boolean>();
  /** Subscribers of our own, whose work statements past MikroORM do themselves. */
  readonly #own = new Set<EventSubscriber>();

  constructor(private readonly orm: MikroORM) {}

  /** Counts a subscriber as none: it hears of flushes alone. */
  ignore(subscriber: EventSubscriber): void {
    this.#own.add(subscriber);
  }

  /** Subscribers may be registered at any time, and never leave. */
  hear(meta: EntityMetadata): boolean {
    const manager = this.orm.em.getEventManager();
    const subscribers = manager.getSubscribers();
    if (subscribers.size !== this.#known) {
      this.#known = subscribers.size;
      const others = [...subscribers].filter((one) => !this.#own.has(one));
      this.#hearsAll = others.some((one) => commonEvents.some((event) => event in one));
      this.#hears.clear();
    }
    if (this.#hearsAll) return true;
    const known = this.#hears.get(meta);
    if (known !== undefined) return known;
    const hears = entityEvents.some((event) => manager.hasListeners(event, meta));
    this.#hears.set(meta, hears);
    return hears;
  }
}
