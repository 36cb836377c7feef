import { checkOptions, ConfigurationError, optionChecks, type OptionCheck } from '@nest-endpoints/core';
import { changeOperations } from './event/declared.event.js';
import type { EventDelivery } from './event/event.delivery.js';
import type { EventFormat, EventOptions } from './event/event.options.js';
import type { EventFunction } from './event/function.delivery.js';
import { Webhooks } from './webhooks/webhooks.js';
import type { EventsClock, LeaseMode } from './relay/relay.lease.js';

/** Options of `EventsModule.forRoot`. */
export interface EventsOptions {
  /** The events by their names, e.g. `{ city: { model: City } }`. */
  readonly events: Readonly<Record<string, EventOptions>>;
  /** The way in which events go out: `new Webhooks()`, `new PgBossQueue(boss, name)`, or a function. */
  readonly deliver: EventDelivery | EventFunction;
  /** The form of events. Default `standard`. */
  readonly format?: EventFormat;
  /** The time between two looks at the log, in milliseconds from 250 to 60,000. Default 500. */
  readonly interval?: number;
  /** The age of the oldest change that is not handed on at which `EventsHealth` fails, in milliseconds. Default 60,000. */
  readonly maximumLag?: number;
  /**
   * The way in which one process of many is told: `session` (default) by an advisory lock of PostgreSQL; `row` by a lease of 30
   * seconds, for poolers that share sessions and databases without such locks.
   */
  readonly lease?: LeaseMode;
  /** The clock by which processes that are silent are told, for tests. Default that of the process. */
  readonly clock?: EventsClock;
}

const { callable, check, either, listOf, objectThat, objectWith, oneOfTexts, names, wholeNumber, isRecord } =
  optionChecks;

const event = objectWith(
  {
    model: check(
      'an entity',
      (value) => value !== null && ['function', 'object', 'string'].includes(typeof value),
    ),
    on: listOf(changeOperations.join(', '), oneOfTexts(...changeOperations), 1),
    show: names,
    authorization: either('a rule, none', objectThat('a rule', 'gate', 'filterModel'), oneOfTexts('none')),
    narrowedBy: names,
    audience: oneOfTexts('subscribers', 'application'),
  } satisfies Record<keyof EventOptions, OptionCheck>,
  ['model'],
);

const checks = {
  events: check('an object of events by their names', isRecord),
  deliver: either(
    'new Webhooks(…), new PgBossQueue(…), a function',
    callable,
    objectThat('a delivery', 'connect', 'prepare'),
  ),
  format: oneOfTexts('standard', 'cloudevents'),
  interval: wholeNumber(250, 60_000, 'milliseconds'),
  maximumLag: wholeNumber(1, undefined, 'milliseconds'),
  lease: oneOfTexts('session', 'row'),
  clock: objectThat('a clock', 'elapsed'),
} as const satisfies Record<keyof EventsOptions, OptionCheck>;

const owner = 'EventsModule.forRoot';

/** @throws ConfigurationError for options that are wrong, and for events that do not say who may hear of them */
export function checkEvents(options: EventsOptions): void {
  checkOptions(owner, options, { checks });
  for (const name of ['events', 'deliver'] as const)
    if ((options[name] as unknown) === undefined) throw new ConfigurationError(owner, name, 'is required');
  for (const [name, given] of Object.entries(options.events)) {
    if (!/^[a-z][a-z0-9_.]{0,99}$/.test(name))
      throw new ConfigurationError(
        owner,
        'events',
        `'${name}' is not allowed; allowed: a-z, digits, _ and .`,
      );
    const problem = event.complaint(given);
    if (problem !== undefined) throw new ConfigurationError(owner, `events.${name}`, problem);
    const isForEverybody = given.audience === 'application' || !(options.deliver instanceof Webhooks);
    if (!isForEverybody && given.authorization === undefined)
      throw new ConfigurationError(
        owner,
        `events.${name}.authorization`,
        "is required: a rule that says who may hear of it, or 'none' for all subscriptions",
      );
  }
}
