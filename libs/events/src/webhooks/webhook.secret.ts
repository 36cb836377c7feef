import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto';
import type { SubscriptionSecret } from './webhook.subscription.js';

/** The scheme of signatures: `v1` by a secret that both sides know, `v1a` by a key of ours that receivers know half of. */
export type SignatureScheme = 'v1' | 'v1a';

/** The length of secrets that we make, and of the halves of a key, in bytes. */
const secretBytes = 32;

/** The time for which a replaced secret signs, too, in milliseconds. */
const overlap = 24 * 60 * 60 * 1000;

/** The most secrets that a subscription has: each signs every delivery. */
const mostSecrets = 5;

/** The prefixes of a secret, and of the private and the public part of a key, as Standard Webhooks has them. */
const prefixes = { secret: 'whsec_', privateKey: 'whsk_', publicKey: 'whpk_' } as const;

/** The bytes in front of a private key of Ed25519 (PKCS #8, RFC 8410). */
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Makes a secret as Standard Webhooks has it: for `v1a` a private key of Ed25519, behind which its public one stands. */
export function newSecret(scheme: SignatureScheme): string {
  if (scheme === 'v1') return `${prefixes.secret}${randomBytes(secretBytes).toString('base64')}`;
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const both = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]);
  return `${prefixes.privateKey}${both.toString('base64')}`;
}

/** The text by which a receiver verifies: the secret itself, or the public key of a private one, which stays here. */
export function shownSecret(value: string): string {
  if (!isPrivateKey(value)) return value;
  const { x = '' } = createPublicKey(privateKeyOf(value)).export({ format: 'jwk' });
  return `${prefixes.publicKey}${Buffer.from(x, 'base64url').toString('base64')}`;
}

/** The secrets with a new one: those before are good for a day, and what is over is gone. */
export function rotated(
  secrets: readonly SubscriptionSecret[],
  value: string,
  now: number,
): readonly SubscriptionSecret[] {
  const until = new Date(now + overlap).toISOString();
  const before = current(secrets, now).map((one) => ({ value: one.value, until: one.until ?? until }));
  return [{ value, until: null }, ...before].slice(0, mostSecrets);
}

/** The value of `webhook-signature`: a signature by each secret that is good. */
export function signatures(
  secrets: readonly SubscriptionSecret[],
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
  now: number,
): string {
  const signed = `${id}.${timestamp}.${body}`;
  return current(secrets, now)
    .map(({ value }) =>
      isPrivateKey(value) ? `v1a,${signedByKey(value, signed)}` : `v1,${hashed(value, signed)}`,
    )
    .join(' ');
}

function hashed(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(prefixes.secret, ''), 'base64');
  return createHmac('sha256', key).update(signed).digest('base64');
}

function signedByKey(value: string, signed: string): string {
  return sign(null, Buffer.from(signed), privateKeyOf(value)).toString('base64');
}

function isPrivateKey(value: string): boolean {
  return value.startsWith(prefixes.privateKey);
}

function privateKeyOf(value: string): ReturnType<typeof createPrivateKey> {
  const seed = Buffer.from(value.slice(prefixes.privateKey.length), 'base64').subarray(0, secretBytes);
  return createPrivateKey({ key: Buffer.concat([privateHead, seed]), format: 'der', type: 'pkcs8' });
}

function current(secrets: readonly SubscriptionSecret[], now: number): readonly SubscriptionSecret[] {
  return secrets.filter(({ until }) => until === null || Date.parse(until) > now);
}
