import { boolean, either, objectWith, wholeNumber } from '../../options/checks.js';
import type { ChecksOf } from '../../options/option.check.js';

/** The settings of the streams of an endpoint; what is left out is as `LiveLists` says. */
export interface LiveSettings {
  /** The least time between two looks at what changed, in milliseconds from 100 to 10,000. Default 250. */
  readonly interval?: number;
  /** The most records that a stream remembers to have sent, from 1. One more resets it. Default 10,000. */
  readonly maximumKeys?: number;
  /** The time after which a stream that has nothing to tell sends `ping`, in milliseconds from 1,000. Default 15,000. */
  readonly heartbeat?: number;
  /** The time after which a stream ends, for its client to come again, in milliseconds from 1,000. Default 3,600,000: an hour. */
  readonly maximumAge?: number;
}

/** Parameters of kinds whose records can be followed. */
export interface LiveOptions {
  /**
   * True, or settings, to answer `Accept: text/event-stream` with a stream of the records and of what changes in them. It needs
   * `live` of `forRoot`, and an entity that is recorded. Default false.
   */
  readonly live?: boolean | LiveSettings;
}

/** The checks of {@link LiveSettings}. */
export const liveSettingChecks = {
  interval: wholeNumber(100, 10_000, 'milliseconds'),
  maximumKeys: wholeNumber(1, 1_000_000),
  heartbeat: wholeNumber(1000, 3_600_000, 'milliseconds'),
  maximumAge: wholeNumber(1000, 604_800_000, 'milliseconds'),
} as const satisfies ChecksOf<LiveSettings>;

/** The check of `live`. */
export const liveChecks = {
  live: either(
    `true, false, or an object with ${Object.keys(liveSettingChecks).join(', ')}`,
    boolean,
    objectWith(liveSettingChecks),
  ),
} as const satisfies ChecksOf<LiveOptions>;
