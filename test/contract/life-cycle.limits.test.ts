import { expect } from '@jest/globals';
import { Create } from '@nest-endpoints/core';
import { setTimeout } from 'node:timers/promises';
import { expectAnswer, failure, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { between } from '../support/waits.js';
import { heard, Note, shown, Trip, trips } from './life-cycle.trips.js';

let begun = Promise.withResolvers<undefined>();
const endless = (): Promise<void> => {
  begun.resolve(undefined);
  return new Promise<void>(() => undefined);
};

/** What a hook that was given up waits for. */
let resume: () => void = () => undefined;

const { contract } = service(
  {
    entities: [Trip, Note],
    endpoints: [
      new Create({ ...trips, url: 'endless', afterCommit: endless }),
      new Create({
        ...trips,
        url: 'hanging',
        timeout: 200,
        afterSave: () =>
          new Promise<void>((resolve) => {
            resume = resolve;
          }),
        afterCommit: () => {
          heard.push('afterCommit');
        },
      }),
      new Create({
        ...trips,
        url: 'slow',
        timeout: 300,
        afterCommit: async ({ em }) => {
          await setTimeout(600);
          heard.push(`afterCommit ${await em.count(Trip, {})}`);
        },
      }),
    ],
  },
  everyDatabase,
);

contract('The answer waits for an afterCommit that never ends a second at most', async ({ request }) => {
  begun = Promise.withResolvers();
  const sent = request().post('/endless').send({ title: 'Nice' }).then();
  await begun.promise;
  expectAnswer(await between(500, 2000, sent), 201, success(shown('Nice')));
});

contract('A hook that takes longer than the time limit leaves no record', async ({ request, count }) => {
  heard.length = 0;
  const answer = await request().post('/hanging').send({ title: 'Nice' });
  expectAnswer(answer, 503, failure('Service Unavailable'));
  resume();
  await setTimeout(50);
  expect(await count(Trip)).toBe(0);
  expect(heard).toEqual([]);
});

contract('The time limit does not fail a request whose record is committed', async ({ request }) => {
  heard.length = 0;
  expectAnswer(await request().post('/slow').send({ title: 'Nice' }), 201, success(shown('Nice')));
  expect(heard).toEqual(['afterCommit 1']);
});
