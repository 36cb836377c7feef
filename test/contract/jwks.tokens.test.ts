import { afterAll, describe, expect, test } from '@jest/globals';
import { Jwks, type ClaimsFunction, type JwksOptions } from '@nest-endpoints/auth';
import { KeyServer } from '@nest-endpoints/testing';
import { credentials, statusOf } from '../support/credentials.js';
import { ManualClock } from '../support/manual.clock.js';
import { corpusKeys } from './corpus/keys.js';
import { labelledTokens } from './corpus/tokens.js';
import { audience, issuer } from './corpus/workbench.js';

const clock = new ManualClock();
const made = await corpusKeys();
const keySet = { keys: made.members };
const keyServer = await KeyServer.start({ keySet: () => keySet as never });
const attacker = await KeyServer.start({ keySet: () => ({ keys: [made.keys.unpublished.jwk] }) });
const tokens = await labelledTokens(made, clock.seconds, attacker.url);
afterAll(() => Promise.all([keyServer.close(), attacker.close()]));

/** What a function may say, and what not. */
const verdicts: Readonly<Record<string, () => unknown>> = {
  true: () => true,
  nothing: () => undefined,
  'empty list': () => [],
  list: () => ['sub', 'tenant'],
  'later true': () => Promise.resolve(true),
  'later list': () => Promise.resolve(['sub']),
  false: () => false,
  'later false': () => Promise.resolve(false),
  'list of a missing claim': () => ['sub', 'scope'],
  'list of an inherited name': () => ['toString'],
  'list of numbers': () => [1],
  null: () => null,
  0: () => 0,
  1: () => 1,
  text: () => 'sub',
  map: () => ({ sub: true }),
  throw: () => {
    throw new Error('no');
  },
  'later throw': () => Promise.reject(new Error('no')),
  'throw what has no text': () => {
    throw Object.create(null) as Error;
  },
  'throw nothing': () => {
    throw undefined as unknown as Error;
  },
};
const judge = (({ jwtClaims: { verdict = 'true' } }) => verdicts[verdict as string]?.()) as ClaimsFunction;

const configurations: Readonly<Record<string, Omit<JwksOptions, 'jwksUrl'>>> = {
  R: { audience, issuer, algorithms: ['RS256', 'ES256'] },
  L: { claims: ['sub', 'tenant'] },
  F: { claims: judge },
  N: {},
};

const jwks = (options: Omit<JwksOptions, 'jwksUrl'> = {}) =>
  new Jwks({ jwksUrl: keyServer.url, clock, ...options });

/** Who accepts a token, asked twice: the second time it was seen before. */
const accepting = async (token: string): Promise<string> => {
  let letters = '';
  for (const [letter, authentication] of authentications) {
    const first = await statusOf(authentication, credentials(`Bearer ${token}`));
    const second = await statusOf(authentication, credentials(`Bearer ${token}`));
    expect(second).toBe(first);
    if (first === 200) letters += letter;
  }
  return letters;
};
const authentications = Object.entries(configurations).map(
  ([letter, options]) => [letter, jwks(options)] as const,
);

describe('labelled tokens', () => {
  test('There are 120 labelled tokens and more', () => {
    expect(tokens.length).toBeGreaterThan(120);
    expect(new Set(tokens.map(([label]) => label)).size).toBe(tokens.length);
  });

  test('Every labelled token is accepted by those configurations of Jwks that must accept it and by no other', async () => {
    const wrong: unknown[] = [];
    for (const [label, expected, token] of tokens) {
      const actual = await accepting(token);
      if (actual !== expected) wrong.push({ label, expected, actual });
    }
    expect(wrong).toEqual([]);
  });

  test('No key is fetched from an address that a token names', () => {
    expect(attacker.requests).toBe(0);
    expect(keyServer.requests).toBeGreaterThan(0);
  });
});
