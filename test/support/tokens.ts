import { CompactSign } from 'jose';
import type { SigningKey } from './signing.keys.js';

/** Base64url of a text, of bytes or of a JSON value. */
export const encoded = (value: unknown): string => {
  const bytes = typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value);
  return Buffer.from(bytes as string).toString('base64url');
};

/** Header parameters that `jose` only signs when told that they are understood. */
const understood = { exp: true, b64: true, alg: true, x: true, kid: true };

/** Signs claims, or any text in their place, with `jose`. A header parameter that is undefined is left out. */
export const signed = (
  key: Pick<SigningKey, 'privateKey' | 'kid'>,
  alg: string,
  claims: unknown,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const payload = typeof claims === 'string' || Buffer.isBuffer(claims) ? claims : JSON.stringify(claims);
  return new CompactSign(Buffer.from(payload as string))
    .setProtectedHeader({ alg, kid: key.kid, ...header })
    .sign(key.privateKey, { crit: understood });
};

/** A token of any header and payload, whose signature `sign` makes of what is signed. */
export const assembled = (
  header: unknown,
  claims: unknown,
  sign: (input: Buffer) => Buffer | string,
): string => {
  const input = `${encoded(header)}.${encoded(claims)}`;
  const signature = sign(Buffer.from(input));
  return `${input}.${typeof signature === 'string' ? signature : signature.toString('base64url')}`;
};
