import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WebhookSubscriptions } from '@nest-endpoints/events';
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { during } from '../support/during.js';
import { make } from './events.during.js';
import { depot, of, subscribe } from './events.parcels.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** The key of a text `whpk_…`: 32 bytes in base64. */
const keyOf = (text: string): KeyObject => {
  const [, base64 = ''] = /^whpk_([A-Za-z0-9+/]{43}=)$/.exec(text) ?? [];
  const x = Buffer.from(base64, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
};

type Received = Awaited<ReturnType<Receiver['until']>>[number];

/** The schemes of signatures, and those among them that a key verifies, as the specification of Standard Webhooks says it. */
const judged = ({ headers, body }: Received, key: string): { all: string[]; good: string[] } => {
  const [id, time] = [headers['webhook-id'], headers['webhook-timestamp']].map(String);
  const signed = Buffer.from([id, time, body].join('.'));
  const signatures = String(headers['webhook-signature']).split(' ');
  const isGood = (one: string) =>
    one.startsWith('v1a,') && verify(null, signed, keyOf(key), Buffer.from(one.slice(4), 'base64'));
  const schemeOf = (one: string) => one.slice(0, one.indexOf(','));
  return { all: signatures.map(schemeOf), good: signatures.filter(isGood).map(schemeOf) };
};

test('With v1a a key signs by Ed25519 whose public half alone is shown, and takes the place of a secret by a rotation', async () => {
  receiver.clear();
  await during(depot({ signature: 'v1a' }), async (application) => {
    const { id, secret: key } = await subscribe(application, of(1), `${receiver.url}/own`);
    const code = application.app.get(WebhookSubscriptions, { strict: false });
    const made = await code.create({ url: `${receiver.url}/code`, events: ['parcel'] });
    expect(made.secret).not.toBe(key);
    await make(application, 1);
    const all = await receiver.until(2);
    for (const [path, text, other] of [
      ['/own', key, made.secret],
      ['/code', made.secret, key],
    ] as const) {
      const [received] = all.filter((one) => one.path === path) as [Received];
      expect(judged(received, text)).toEqual({ all: ['v1a'], good: ['v1a'] });
      expect(judged(received, other).good).toEqual([]);
      expect(judged({ ...received, body: `${received.body} ` }, text).good).toEqual([]);
    }
    // One that was made with a secret.
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    await application
      .em()
      .getConnection()
      .execute(
        `update webhook_subscription set secrets = '[{"value": "${secret}", "until": null}]' where id = ${id}`,
      );
    const { body } = await application.request().post(`/webhooks/${id}/rotate`).set(of(1));
    receiver.clear();
    await application.request().post(`/webhooks/${id}/test`).set(of(1));
    const [both] = (await receiver.until(1)) as [Received];
    expect(judged(both, body.data.secret)).toEqual({ all: ['v1a', 'v1'], good: ['v1a'] });
    expect(() => new Webhook(secret).verify(both.body, both.headers as Record<string, string>)).not.toThrow();
  });
});
