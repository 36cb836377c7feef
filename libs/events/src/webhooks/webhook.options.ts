import { optionChecks, type OptionCheck } from '@nest-endpoints/core';
import type { SignatureScheme } from './webhook.secret.js';

const { boolean, callable, listOf, oneOfTexts, wholeNumber, filledText } = optionChecks;

/** The facts about a subscription that was disabled. */
export interface DisabledSubscription {
  readonly id: number;
  readonly url: string;
  /** The reason, in words. */
  readonly reason: string;
}

/** Options of {@link Webhooks}. Times are in milliseconds. */
export interface WebhookOptions {
  /**
   * The pauses before each try; after the last one a delivery is dead. Each is a fifth shorter or longer by chance. Default: at
   * once, 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours.
   */
  readonly schedule?: readonly number[];
  /**
   * The signatures of subscriptions that are made or rotated from now on: `v1` (default) by HMAC-SHA256 with a secret, `v1a` by
   * Ed25519, of which the receiver gets the public key.
   */
  readonly signature?: SignatureScheme;
  /** The time that a receiver may take for its whole answer, from 1 to 60,000. Default 15,000. */
  readonly timeout?: number;
  /** The part of an answer that is kept, in bytes from 0 to 65,536. Default 1,024. */
  readonly answerKept?: number;
  /** `record`: the next event of a record waits until the one before is delivered or dead. Default `none`. */
  readonly ordered?: 'none' | 'record';
  /** The most deliveries that are under way, from 1 to 1,000; half of them, at least one, of one owner. Default 32. */
  readonly concurrency?: number;
  /** The most of them to one subscription, from 1. Default 4. */
  readonly perSubscription?: number;
  /** The time of nothing but failures after which a subscription is disabled. Default 432,000,000: 5 days. */
  readonly disableAfter?: number;
  /** The time that deliveries are kept which are over. Default 2,592,000,000: 30 days. */
  readonly keepDeliveries?: number;
  /** Hosts to which no check of addresses and ports applies, e.g. `receiver.internal` or `127.0.0.1`. Default none. */
  readonly allowHosts?: readonly string[];
  /** True to send to urls without TLS, too. Default false. */
  readonly allowHttp?: boolean;
  /** The most subscriptions of one owner, from 1. Default 20. */
  readonly maximumSubscriptions?: number;
  /** The time for which the claims of an owner are good; then their subscriptions pause. Default 2,592,000,000: 30 days. */
  readonly claimsFor?: number;
  /** Is called when a subscription was disabled. What it throws is logged. */
  readonly onDisabled?: (subscription: DisabledSubscription) => unknown;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const delay = wholeNumber(0, 30 * day, 'milliseconds');

/** The checks of the options. */
export const webhookChecks = {
  schedule: listOf('pauses in milliseconds', delay, 1),
  signature: oneOfTexts('v1', 'v1a'),
  timeout: wholeNumber(1, minute, 'milliseconds'),
  answerKept: wholeNumber(0, 65_536, 'bytes'),
  ordered: oneOfTexts('none', 'record'),
  concurrency: wholeNumber(1, 1000),
  perSubscription: wholeNumber(1, 1000),
  disableAfter: wholeNumber(second, undefined, 'milliseconds'),
  keepDeliveries: wholeNumber(second, undefined, 'milliseconds'),
  allowHosts: listOf('hosts', filledText),
  allowHttp: boolean,
  maximumSubscriptions: wholeNumber(1),
  claimsFor: wholeNumber(second, undefined, 'milliseconds'),
  onDisabled: callable,
} as const satisfies Record<keyof WebhookOptions, OptionCheck>;

/** The options with their defaults. */
export type WebhookSettings = Required<Omit<WebhookOptions, 'onDisabled'>> &
  Pick<WebhookOptions, 'onDisabled'>;

/** Fills in the defaults. */
export function webhookSettings(options: WebhookOptions): WebhookSettings {
  const long = [2, 5, 10, 14, 20, 24].map((hours) => hours * hour);
  return {
    schedule: [0, 5 * second, 5 * minute, 30 * minute, ...long],
    signature: 'v1',
    timeout: 15 * second,
    answerKept: 1024,
    ordered: 'none',
    concurrency: 32,
    perSubscription: 4,
    disableAfter: 5 * day,
    keepDeliveries: 30 * day,
    allowHosts: [],
    allowHttp: false,
    maximumSubscriptions: 20,
    claimsFor: 30 * day,
    ...options,
  };
}
