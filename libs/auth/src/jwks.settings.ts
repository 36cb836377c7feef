import {
  checkOptions,
  ConfigurationError,
  optionChecks,
  type InjectMap,
  type OptionChecks,
} from '@nest-endpoints/core';
import { systemClock, type Clock } from './clock.js';
import { checkAddress } from './jwks.address.js';
import type { JwksOptions } from './jwks.options.js';
import type { Fetch } from './keys/key.document.js';
import type { KeyTimes } from './keys/key.cache.js';
import { algorithmNames, isAlgorithm, type Algorithm } from './token/algorithm.table.js';
import type { ClaimsRules } from './token/token.claims.js';

const owner = 'Jwks';

/** Checked options, with their defaults, in the units that the code works with. */
export interface JwksSettings extends ClaimsRules {
  readonly url: URL;
  readonly algorithms: readonly Algorithm[];
  readonly times: KeyTimes;
  readonly maximumTokenLength: number;
  readonly verifiedTokens: number;
  readonly authorizationUrl: string | undefined;
  readonly documentationSecurityName: string;
  readonly clock: Clock;
  readonly fetch: Fetch;
}

/** Options as JavaScript may give them. */
type Unjudged = Readonly<Partial<Record<keyof JwksOptions, unknown>>>;

interface NumberRule {
  readonly usual: number;
  readonly most: number;
  readonly unit: string;
}

const year = 31_536_000;

const numbers = {
  jwksCacheTime: { usual: 86_400, most: year, unit: 'seconds' },
  jwksGracePeriod: { usual: 86_400, most: year, unit: 'seconds' },
  jwksCooldown: { usual: 30, most: 86_400, unit: 'seconds' },
  leeway: { usual: 5, most: 300, unit: 'seconds' },
  maximumTokenLength: { usual: 8192, most: 65_536, unit: 'characters' },
  verifiedTokens: { usual: 10_000, most: 1_000_000, unit: 'tokens' },
} as const satisfies Partial<Record<keyof JwksOptions, NumberRule>>;

const booleans = ['requireExpiration', 'allowHttp'] as const;
const texts = ['audience', 'issuer', 'authorizationUrl', 'documentationSecurityName'] as const;
const others = ['jwksUrl', 'algorithms', 'claims', 'inject', 'clock', 'fetch'] as const;

const names: readonly string[] = [...Object.keys(numbers), ...booleans, ...texts, ...others];

const known: OptionChecks = Object.fromEntries(names.map((name) => [name, optionChecks.anything]));

/** @throws ConfigurationError for what types refuse, but JavaScript and the environment do not */
export function jwksSettings<I extends InjectMap>(options: JwksOptions<I>): JwksSettings {
  // A misspelt `audience` would let in the tokens of every other service.
  checkOptions(owner, options, { checks: known });
  const { authorizationUrl, documentationSecurityName = 'jwt', allowHttp = false } = options;
  const { audience, issuer, requireExpiration = false } = options;
  checkTypes(options);
  if (!/^[\w.-]+$/.test(documentationSecurityName))
    refuse(
      'documentationSecurityName',
      `'${documentationSecurityName}' is not made of letters, digits, . _ -`,
    );
  const cacheTime = whole(options, 'jwksCacheTime') * 1000;
  return {
    url: checkAddress(owner, 'jwksUrl', options.jwksUrl, allowHttp),
    audience,
    issuer,
    algorithms: algorithmsOf(options.algorithms ?? []),
    leeway: whole(options, 'leeway'),
    requireExpiration,
    times: {
      cacheTime,
      gracePeriod: whole(options, 'jwksGracePeriod') * 1000,
      cooldown: whole(options, 'jwksCooldown') * 1000,
    },
    maximumTokenLength: whole(options, 'maximumTokenLength'),
    verifiedTokens: cacheTime === 0 ? 0 : whole(options, 'verifiedTokens'),
    authorizationUrl,
    documentationSecurityName,
    clock: options.clock ?? systemClock,
    fetch: options.fetch ?? fetch,
  };
}

function refuse(option: string, problem: string): never {
  throw new ConfigurationError(owner, option, problem);
}

function checkTypes(options: Unjudged): void {
  for (const name of texts) {
    const value: unknown = options[name];
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      refuse(name, `${shown(value)} is not a text, or an empty one; leave it out if it does not matter`);
  }
  for (const name of booleans) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'boolean')
      refuse(name, `${shown(value)} is not true or false`);
  }
  const { claims = [], inject = {}, clock = systemClock, fetch: ownFetch = fetch } = options;
  if (typeof claims !== 'function' && !isTextList(claims))
    refuse('claims', `${shown(claims)} is neither a list of names nor a function`);
  if (typeof inject !== 'object' || inject === null) refuse('inject', `${shown(inject)} is not an object`);
  if (Object.hasOwn(inject, 'jwtClaims')) refuse('inject', `'jwtClaims' are the claims of the token`);
  if (!(['now', 'elapsed'] as const).every((name) => typeof (clock as Clock | null)?.[name] === 'function'))
    refuse('clock', 'has no functions now and elapsed');
  if (typeof ownFetch !== 'function') refuse('fetch', `${shown(ownFetch)} is not a function`);
}

function whole(options: Unjudged, name: keyof typeof numbers): number {
  const { usual, most, unit } = numbers[name];
  const value: unknown = options[name] ?? usual;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
  return refuse(name, `${shown(value)} is not a whole number of ${unit} from 0 to ${most}`);
}

function algorithmsOf(list: unknown): readonly Algorithm[] {
  if (!Array.isArray(list))
    return refuse('algorithms', `${shown(list)} is not a list; allowed: ${algorithmNames.join(', ')}`);
  return list.map((name: unknown) =>
    isAlgorithm(name)
      ? name
      : refuse('algorithms', `${shown(name)} is not allowed; allowed: ${algorithmNames.join(', ')}`),
  );
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== '');
}

function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
