import { ConfigurationError, checkOptions, optionChecks, type OptionCheck } from '@nest-endpoints/core';
import type { RateLimitOptions } from './rate.limit.options.js';

const { callable, check, either, listOf, objectThat, oneOfTexts, wholeNumber } = optionChecks;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'] as const;

const checks = {
  name: check(
    '1 to 40 letters, digits, _ . -',
    (value) => typeof value === 'string' && /^[\w.-]{1,40}$/.test(value),
  ),
  quota: wholeNumber(1, 1_000_000_000),
  window: either(
    'a whole number of seconds from 1 to 31536000, day, month',
    wholeNumber(1, 31_536_000),
    oneOfTexts('day', 'month'),
  ),
  by: either('identity, address, a function', oneOfTexts('identity', 'address'), callable),
  addressPrefix: wholeNumber(1, 128, 'bits'),
  cost: either('a whole number from 0, a function', wholeNumber(0), callable),
  methods: listOf('HTTP methods', oneOfTexts(...methods), 1),
  store: objectThat('a store, e.g. new PostgresLimits(em)', 'take'),
  lease: wholeNumber(0),
  onStoreFailure: oneOfTexts('allow', 'refuse'),
  storeTimeout: wholeNumber(1, 60_000, 'milliseconds'),
  headers: oneOfTexts('draft', 'x', 'none'),
} as const satisfies Record<keyof RateLimitOptions, OptionCheck>;

/** @throws ConfigurationError for options that are wrong, or contradict each other */
export function checkRateLimit(options: RateLimitOptions): void {
  const owner = `RateLimit '${(Object(options) as Partial<RateLimitOptions>).name ?? 'default'}'`;
  checkOptions(owner, options, { checks });
  for (const name of ['quota', 'window'] as const)
    if ((options[name] as unknown) === undefined) throw new ConfigurationError(owner, name, 'is required');
  const { quota, window, lease = 0, store } = options;
  if (lease > quota / 2)
    throw new ConfigurationError(owner, 'lease', `${lease} is more than half of the quota, ${quota}`);
  const misfit = store?.misfit?.({ quota, window });
  if (misfit !== undefined) throw new ConfigurationError(owner, 'store', misfit);
}
