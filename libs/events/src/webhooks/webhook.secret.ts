import { createHmac, randomBytes } from 'node:crypto';
import type { SubscriptionSecret } from './webhook.subscription.js';

/** The length of secrets that we make, in bytes. */
const secretBytes = 32;

/** The time for which a replaced secret signs, too, in milliseconds. */
const overlap = 24 * 60 * 60 * 1000;

/** Makes a secret as Standard Webhooks has it. */
export function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

/** The secrets with a new one: those before are good for a day, and what is over is gone. */
export function rotated(
  secrets: readonly SubscriptionSecret[],
  value: string,
  now: number,
): readonly SubscriptionSecret[] {
  const until = new Date(now + overlap).toISOString();
  const before = current(secrets, now).map((one) => ({ value: one.value, until: one.until ?? until }));
  return [{ value, until: null }, ...before];
}

/** The value of `webhook-signature`: a signature by each secret that is good. */
export function signatures(
  secrets: readonly SubscriptionSecret[],
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
  now: number,
): string {
  const signed = `${id}.${timestamp}.${body}`;
  return current(secrets, now)
    .map(({ value }) => {
      const key = Buffer.from(value.replace(/^whsec_/, ''), 'base64');
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    })
    .join(' ');
}

function current(secrets: readonly SubscriptionSecret[], now: number): readonly SubscriptionSecret[] {
  return secrets.filter(({ until }) => until === null || Date.parse(until) > now);
}
