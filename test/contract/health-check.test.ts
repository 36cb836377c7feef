import { expect } from '@jest/globals';
import { Authorization, EndpointGroup, HealthCheck } from '@nest-endpoints/core';
import { Injectable, Scope } from '@nestjs/common';
import { expectAnswer, failure, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { library } from '../support/entities/library.js';
import { Claims } from './claims.js';

@Injectable()
class Sound {}

@Injectable()
class Built {
  static count = 0;

  constructor(readonly sound: Sound) {
    Built.count += 1;
  }
}

class Cracked {
  readonly state = crack();
}

function crack(): never {
  throw new Error('cracked');
}

@Injectable({ scope: Scope.REQUEST })
class CrackedByRequest {
  constructor() {
    throw new Error('cracked by request');
  }
}

class Nobody extends Authorization {
  override gate(): boolean {
    return false;
  }
}

let called: string[] = [];

const { contract } = service({
  entities: library,
  root: { readYourWrites: true },
  providers: [Sound, CrackedByRequest, { provide: 'sound name', useValue: 1 }],
  endpoints: [
    new HealthCheck({ url: 'plain' }),
    new HealthCheck({
      url: 'built',
      dependencyInjectionNames: ['sound name', Sound],
      classesToBuild: [Built],
    }),
    new HealthCheck({
      url: 'called',
      callables: [
        () => called.push('first'),
        async ({ em }: { em: { count(entity: unknown): Promise<number> } }) => {
          await em.count(library[2]);
          called.push('second');
          return false;
        },
      ],
    }),
    new HealthCheck({ url: 'unknown', dependencyInjectionNames: ['nobody provides this'] }),
    new HealthCheck({ url: 'cracked', classesToBuild: [Cracked] }),
    new HealthCheck({ url: 'cracked-by-request', dependencyInjectionNames: [CrackedByRequest] }),
    new HealthCheck({
      url: 'several',
      callables: [
        () => {
          throw new Error('the first reason');
        },
        () => Promise.reject(new Error('the second reason')),
      ],
    }),
    new HealthCheck({ url: 'hanging', checkTimeout: 50, callables: [() => new Promise(() => undefined)] }),
    new HealthCheck({ url: 'waiting', checkTimeout: 1000, callables: [waiting('a'), waiting('b')] }),
    new EndpointGroup({
      url: 'locked',
      authentication: new Claims(),
      authorization: new Nobody(),
      endpoints: [new HealthCheck({ url: 'health', authentication: new Claims() })],
    }),
  ],
});

/** Each waits for the other, so they end only when they run side by side. */
const arrived = new Map<string, () => void>();
function waiting(name: string): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      arrived.set(name, resolve);
      if (arrived.size === 2) for (const leave of arrived.values()) leave();
    });
}

const unhealthy = failure('');

contract('HealthCheck with no configuration always succeeds', async ({ request }) => {
  expectAnswer(await request().get('/plain'), 200, success({}));
  expectAnswer(await request().post('/plain'), 404, notFound);
});

contract('HealthCheck builds what is named, and classes anew on each call', async ({ request }) => {
  Built.count = 0;
  expectAnswer(await request().get('/built'), 200, success({}));
  expectAnswer(await request().get('/built'), 200, success({}));
  expect(Built.count).toBe(2);
});

contract('HealthCheck calls what is listed and ignores what it returns', async ({ request }) => {
  called = [];
  expectAnswer(await request().get('/called'), 200, success({}));
  expect(called.toSorted()).toEqual(['first', 'second']);
});

contract(
  'If anything a HealthCheck builds or calls raises: 500, failure, empty data',
  async ({ request, log }) => {
    for (const path of ['/unknown', '/cracked', '/cracked-by-request', '/several'])
      expectAnswer(await request().get(path), 500, unhealthy);
    for (const reason of ['nobody provides this', 'cracked', 'the first reason', 'the second reason'])
      expect(log.text('warn')).toContain(reason);
  },
);

contract('A check of a HealthCheck that does not end in time has failed', async ({ request, log }) => {
  expectAnswer(await request().get('/hanging'), 500, unhealthy);
  expect(log.text('warn')).toContain('no answer within 50 ms');
});

contract('The checks of a HealthCheck run side by side', async ({ request }) => {
  arrived.clear();
  expectAnswer(await request().get('/waiting'), 200, success({}));
});

contract(
  'HealthCheck is public in an authenticated group and whatever its own options say',
  async ({ request }) => {
    expectAnswer(await request().get('/locked/health'), 200, success({}));
  },
);

contract('A HealthCheck does not look at X-Consistency', async ({ request }) => {
  expectAnswer(await request().get('/plain').set('X-Consistency', 'forged'), 200, success({}));
});
