import { check, has } from '../options/checks.js';

/** The check of `authentication`. */
export const authentication = check(
  'an authentication, e.g. new Jwks({ … }); new Public() lets everybody in',
  (value) => has(value, ['authenticate']) && isListOfTexts((value as Claimed).allowedHeaders),
);

/** A value that may be an authentication. */
interface Claimed {
  readonly allowedHeaders?: unknown;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((header) => typeof header === 'string');
}
