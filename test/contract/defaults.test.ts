import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Callable, HealthCheck } from '@nest-endpoints/core';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Readable } from 'node:stream';
import { expectAnswer, failure } from '../support/answers.js';
import { startApplication, type Application } from '../support/application.js';
import { library } from '../support/entities/library.js';
import type { Response } from 'supertest';
import { between } from '../support/waits.js';

let begun = Promise.withResolvers<undefined>();
let stalled = Promise.withResolvers<undefined>();

const never = (): Promise<never> => new Promise(() => undefined);

const endpoints = [
  new HealthCheck({ url: 'health', callables: [never] }),
  new Callable({
    url: 'never',
    toCall: () => {
      begun.resolve(undefined);
      return never();
    },
  }),
  new Callable({
    url: 'endless',
    returnStandardResponse: false,
    toCall: async function* () {
      try {
        for (;;) {
          yield 'x'.repeat(100_000);
          await new Promise(setImmediate);
        }
      } finally {
        stalled.resolve(undefined);
      }
    },
  }),
];

let application: Application;
let limited: Promise<Response>;
let cut: Promise<unknown>;

/** Both take half a minute, side by side. */
beforeAll(async () => {
  begun = Promise.withResolvers();
  stalled = Promise.withResolvers();
  application = await startApplication('express', 'sqlite', { entities: library, endpoints });
  const sent = application.request().get('/never').then();
  await begun.promise;
  limited = between(15_000, 60_000, sent);
  const read = httpRequest(`${application.url}/endless`).end();
  read.on('error', () => undefined);
  const [response] = (await once(read, 'response')) as [Readable];
  response.on('error', () => undefined).pause();
  cut = between(15_000, 60_000, stalled.promise);
  // Each is asked for by a test of its own, maybe after it has failed.
  void Promise.allSettled([limited, cut]);
});

afterAll(() => application.close());

test('A check of a HealthCheck has two seconds unless check_timeout says otherwise', async () => {
  const sent = application.request().get('/health').then();
  expectAnswer(await between(1000, 4000, sent), 500, failure(''));
});

test('A request has thirty seconds unless timeout says otherwise', async () => {
  expectAnswer(await limited, 503, failure('Service Unavailable'));
});

test('A client that stops reading has thirty seconds unless stall_timeout says otherwise', async () => {
  expect(await cut).toBeUndefined();
});
