import { afterAll, beforeAll, expect } from '@jest/globals';
import { once, service } from '../support/contract.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { create } from './events.deliveries.js';
import { depot, of, subscribe } from './events.parcels.js';

const { contract } = service(depot(), once);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

contract(
  'What somebody has subscribed to for one tenant hears of no other, though they sign in there, too',
  async (subject) => {
    const { request, em } = subject;
    receiver.clear();
    const [inOne, inTwo] = [of(1, 'Ann'), of(2, 'Ann')];
    await subscribe(subject, inOne, `${receiver.url}/one`);
    await subscribe(subject, inTwo, `${receiver.url}/two`);
    const listed = await request().get('/webhooks').set(inTwo);
    expect(listed.body.data).toHaveLength(2);
    await create(subject, 1, 'Of one');
    await create(subject, 2, 'Of two');
    const heard = () =>
      receiver
        .all()
        .map(({ path, event }) => [path, event.data['name']].join(' '))
        .toSorted();
    await receiver.until(2);
    expect(heard()).toEqual(['/one Of one', '/two Of two']);
    // Each is renewed by whoever works for its own tenant, with what else the claims say by then.
    await em()
      .getConnection()
      .execute(`update webhook_subscription set claims_at = now() - interval '31 days'`);
    await request()
      .get('/webhooks')
      .set(of(1, 'Ann', { department: 'sales' }));
    await create(subject, 2, 'Unheard');
    await create(subject, 1, 'Again');
    await receiver.until(3);
    expect(heard()).toEqual(['/one Again', '/one Of one', '/two Of two']);
  },
);
