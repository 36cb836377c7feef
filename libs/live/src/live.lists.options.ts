import { checkOptions, optionChecks, type ChecksOf, type LiveSettings } from '@nest-endpoints/core';
import { liveSettingChecks } from '@nest-endpoints/core/internal';

/** Options of {@link LiveLists}; the settings of streams hold for endpoints that have none of their own. */
export interface LiveListsOptions extends LiveSettings {
  /** The most streams of this process, from 1 to 100,000. One more is a 429. Default 1,000. */
  readonly maximumStreams?: number;
  /** The most streams of one identity, and without one of an address, from 1 to 100,000. One more is a 429. Default 10. */
  readonly maximumStreamsEach?: number;
  /**
   * The time after which it is judged again who has sent a request, and what they may see, in milliseconds from 1,000 to 600,000.
   * Default 60,000.
   */
  readonly judgeEvery?: number;
}

/** Options of which none is left out. */
export type LiveListsSettings = Required<LiveListsOptions>;

const { wholeNumber } = optionChecks;
const owner = 'LiveLists';

const checks = {
  ...liveSettingChecks,
  maximumStreams: wholeNumber(1, 100_000),
  maximumStreamsEach: wholeNumber(1, 100_000),
  judgeEvery: wholeNumber(1000, 600_000, 'milliseconds'),
} as const satisfies ChecksOf<LiveListsOptions>;

const usual: LiveListsSettings = {
  interval: 250,
  maximumStreams: 1000,
  maximumStreamsEach: 10,
  maximumKeys: 10_000,
  heartbeat: 15_000,
  maximumAge: 3_600_000,
  judgeEvery: 60_000,
};

/** @throws ConfigurationError for options that are not allowed */
export function settingsOf(options: LiveListsOptions): LiveListsSettings {
  checkOptions(owner, options, { checks });
  return merged(usual, options);
}

/** Settings with those of an endpoint in their place. */
export function merged(settings: LiveListsSettings, own: LiveListsOptions): LiveListsSettings {
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...settings, ...(Object.fromEntries(given) as Partial<LiveListsSettings>) };
}
