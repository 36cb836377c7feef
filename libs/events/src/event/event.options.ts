import type { EntityName } from '@mikro-orm/core';
import type { AuthorizationRule, ChangeOperation } from '@nest-endpoints/core';

/** An event of the application: the changes of an entity. Its name and the operation are its type, e.g. `city.updated`. */
export interface EventOptions {
  /** The entity, for which `recordChanges` was called. */
  readonly model: EntityName;
  /** The operations that are told. Default all: `created`, `updated`, `deleted`, `restored`. */
  readonly on?: readonly ChangeOperation[];
  /** The columns whose values are told, as they became by the change. Default none: key and names of what changed. */
  readonly show?: readonly string[];
  /**
   * The rule that says who may hear of a change: its `gate` and `filterModel` are asked with the claims of a subscription's owner.
   * `none` tells every subscription. Required with `Webhooks`, but for events of the application.
   */
  readonly authorization?: AuthorizationRule | 'none';
  /**
   * The properties that say whose a record is. Required where the rule does not say it itself: without values of these nobody is
   * told of a deletion, nor of changes before one of them last changed.
   */
  readonly narrowedBy?: readonly string[];
  /** `application`: only subscriptions that code has made hear of it. Default `subscribers`. */
  readonly audience?: 'subscribers' | 'application';
}

/** The form of an event: that of Standard Webhooks, or CloudEvents 1.0, structured. */
export type EventFormat = 'standard' | 'cloudevents';
