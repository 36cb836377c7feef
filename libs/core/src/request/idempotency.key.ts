import { BadRequest } from '../wire/refusals.js';

const longest = 255;

/** A string of structured fields (RFC 9651, 3.3.3), without spaces. */
const quoted = /^"((?:[!#-[\]-~]|\\["\\])*)"$/;

/** The form that many clients send instead: no quotes, and nothing that would make a list or parameters of it. */
const bare = /^[!#-+\--:<-~]+$/;

/**
 * The key in an `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header, 2.1): 1 to 255 visible characters of
 * ASCII, in quotes or without.
 * @throws BadRequest
 */
export function idempotencyKey(header: string): string {
  const inside = quoted.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const key = inside ?? (bare.test(header) ? header : '');
  if (key !== '' && key.length <= longest) return key;
  throw new BadRequest(
    `The header Idempotency-Key must be one key of 1 to ${longest} visible ASCII characters, best in double quotes`,
  );
}
