import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { during } from '../support/during.js';
import { make, soon, sql } from './events.during.js';
import { depot, of, subscribe } from './events.parcels.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Has the receiver keep those waiting that are sent to a path. @returns what answers the oldest of them, and what answers all */
const keepWaiting = (isKept: (path: string) => boolean) => {
  const waiting: ServerResponse[] = [];
  let isOver = false;
  const answer = (response?: ServerResponse) => response?.writeHead(200).end();
  receiver.clear();
  receiver.answer = ({ path }, response) => {
    if (isOver || !isKept(path)) answer(response);
    else waiting.push(response);
  };
  return {
    next: () => answer(waiting.shift()),
    end: () => {
      isOver = true;
      for (const response of waiting) answer(response);
    },
  };
};

const sentTo = (path: string): number => receiver.all().filter((one) => one.path === path).length;

test('One owner has at most half of the places, however many subscriptions they have to receivers that are silent', async () => {
  const kept = keepWaiting((path) => path !== '/bob');
  await during(depot({ concurrency: 6, timeout: 60_000 }), async (application) => {
    for (const path of ['one', 'two', 'three', 'four'])
      await subscribe(application, of(1, 'Ann'), `${receiver.url}/${path}`);
    // One that code has made is nobody's, and counts by itself.
    await sql(
      application,
      `insert into webhook_subscription (url, events, secrets, active, audience, created_at)
        select '${receiver.url}/application', '["audit"]', '[]', true, 'application', now()`,
    );
    await subscribe(application, of(1, 'Bob'), `${receiver.url}/bob`);
    const ids = await make(application, 5);
    try {
      await soon(async () => {
        await sql(application, 'select 1');
        return sentTo('/bob') === 5 ? true : undefined;
      });
      expect(receiver.all()).toHaveLength(8);
      await application.request().delete(`/parcels/${ids[0]}`).set(of(1));
      await receiver.until(1, ({ path }) => path === '/application');
      await receiver.until(6, ({ path }) => path === '/bob');
      expect(receiver.all()).toHaveLength(10);
    } finally {
      kept.end();
    }
    await receiver.until(5 * 6 + 1);
  });
});

test('A place that is free is of the owner who has the fewest, and not of who waits longest', async () => {
  const kept = keepWaiting(() => true);
  await during(depot({ concurrency: 4, timeout: 60_000 }), async (application) => {
    try {
      await subscribe(application, of(1, 'Ann'), `${receiver.url}/ann`);
      await subscribe(application, of(1, 'Bob'), `${receiver.url}/bob`);
      await make(application, 6);
      await receiver.until(4);
      expect([sentTo('/ann'), sentTo('/bob')]).toEqual([2, 2]);
      const { id } = await subscribe(application, of(1, 'Carl'), `${receiver.url}/carl`);
      await make(application, 1);
      await soon(
        async () =>
          (await sql(application, `select 1 from webhook_delivery where subscription_id = ${id}`))[0],
      );
      expect(sentTo('/carl')).toBe(0);
      kept.next();
      await receiver.until(5);
      expect(sentTo('/carl')).toBe(1);
    } finally {
      kept.end();
    }
    await receiver.until(15);
  });
});
