import { expect, test } from '@jest/globals';
import type { EventMessage } from '@nest-endpoints/events';
import supertest from 'supertest';
import { during } from '../support/during.js';
import { besides, make, untilTrue } from './events.during.js';
import { depot } from './events.parcels.js';

test('A shutdown waits for the call that is under way, and the next process makes it not again', async () => {
  const told: unknown[] = [];
  const held = Promise.withResolvers<unknown>();
  let signal: AbortSignal | undefined;
  const slow = async ({ data }: EventMessage, given: AbortSignal) => {
    told.push(data['id']);
    if (told.length < 2) return;
    signal = given;
    await held.promise;
  };
  const quick = ({ data }: EventMessage) => void told.push(data['id']);
  // A database that outlives its instances.
  const { entities, root = {} } = depot();
  await during({ entities, root }, async (database) => {
    const first = await besides(
      database,
      depot({}, () => ({ deliver: slow })),
    );
    const address = await first.getUrl();
    const ids = await make({ request: () => supertest(address) }, 3);
    await untilTrue(() => signal !== undefined);
    const closed = first.close();
    await untilTrue(() => signal?.aborted === true);
    expect(told).toEqual(ids.slice(0, 2));
    // Whoever gave it up by now would end without it.
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 200))]);
    held.resolve(undefined);
    await closed;
    const second = await besides(
      database,
      depot({}, () => ({ deliver: quick })),
    );
    await untilTrue(() => told.length >= 3);
    await second.close();
    expect(told).toEqual(ids);
  });
});
