import { expect } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { Callable, Create } from '@nest-endpoints/core';
import { expectAnswer, failure, success } from '../support/answers.js';
import { everyDatabase, service, type Combination, type Subject } from '../support/contract.js';
import { Book, library } from '../support/entities/library.js';

const unavailable = failure('Service Unavailable');
let seen: PromiseWithResolvers<string> = Promise.withResolvers();
let begun: PromiseWithResolvers<undefined> = Promise.withResolvers();

const endpoints = [
  new Callable({ url: 'never', timeout: 150, toCall: () => new Promise(() => undefined) }),
  new Callable({
    url: 'told',
    timeout: 150,
    toCall: ({ signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          seen.resolve((signal.reason as Error).message);
        });
      }),
  }),
  new Callable({
    url: 'left',
    timeout: 0,
    toCall: ({ signal }) =>
      new Promise(() => {
        begun.resolve(undefined);
        signal.addEventListener('abort', () => {
          seen.resolve((signal.reason as Error).message);
        });
      }),
  }),
  new Callable({ url: 'unlimited', timeout: 0, toCall: () => 'done' }),
  new Create({
    url: 'slow-rule',
    timeout: 150,
    modelClass: Book,
    readableColumnNames: ['title'],
    writeableColumnNames: ['title'],
    inputValidationCallable: () => new Promise(() => undefined),
  }),
];

const onPostgres = [
  ...endpoints,
  new Callable({
    url: 'sleeps',
    timeout: 150,
    toCall: ({ em }) => em.execute('select pg_sleep(20) as nest_endpoints_sleep'),
  }),
  new Callable({
    url: 'sleeps-on',
    toCall: ({ em }) => em.execute('select pg_sleep(20) as nest_endpoints_sleep'),
  }),
];

const { contract } = service({ entities: library, endpoints }, everyDatabase);

contract('A function that never settles is answered 503 when its time is up', async ({ request, log }) => {
  const answer = await request().get('/never');
  expectAnswer(answer, 503, unavailable);
  expect(answer.headers['retry-after']).toBe('1');
  expect(log.text('warn')).toContain('the time limit of 150 ms is over');
});

contract('The signal of a function is aborted when its time is up', async ({ request }) => {
  seen = Promise.withResolvers();
  expectAnswer(await request().get('/told'), 503, unavailable);
  expect(await seen.promise).toContain('time limit');
});

contract('The signal of a function is aborted when its client goes away', async ({ url }) => {
  seen = Promise.withResolvers();
  begun = Promise.withResolvers();
  const sent = httpRequest(`${url}/left`).end();
  sent.on('error', () => undefined);
  await begun.promise;
  sent.destroy();
  expect(await seen.promise).toBe('the client has gone');
});

contract('A time limit of 0 is none', async ({ request }) => {
  expectAnswer(await request().get('/unlimited'), 200, success('done'));
});

contract('A rule that never settles leaves no record and no connection behind', async (subject) => {
  expectAnswer(await subject.request().post('/slow-rule').send({ title: 'Emma' }), 503, unavailable);
  expect(await subject.count(Book)).toBe(0);
});

const waiting = service(
  {
    entities: library,
    endpoints: [
      new Create({
        url: 'waits',
        timeout: 300,
        modelClass: Book,
        readableColumnNames: ['title'],
        writeableColumnNames: ['title'],
        afterSave: async ({ em }) => {
          // Another session, which waits for the one that waits for it.
          await em.getDriver().getConnection().execute('select 1');
        },
      }),
    ],
  },
  everyDatabase.filter(({ database }) => database === 'pglite'),
).contract;

waiting('On PGlite a wait for the open transaction ends in an error that says so', async (subject) => {
  const { request, log } = subject;
  expectAnswer(await request().post('/waits').send({ title: 'Emma' }), 503, unavailable);
  expect(log.text('warn')).toContain('on PGlite whatever another entity manager asks waits');
  expect(await subject.count(Book)).toBe(0);
});

const pooled: Combination[] = everyDatabase.filter(({ database }) => database === 'postgresql');
const sleeping = service({ entities: library, endpoints: onPostgres }, pooled).contract;

const atWork = async ({ em }: Subject): Promise<number> => {
  const rows = await em()
    .getConnection()
    .execute<{ n: number }[]>(
      `select count(*)::int as n from pg_stat_activity
       where state = 'active' and query like 'select pg_sleep%nest_endpoints_sleep'`,
    );
  return rows[0]?.n ?? 0;
};

/** How long a query went on, in milliseconds, and how long this machine takes to look. */
const gone = async (subject: Subject): Promise<{ took: number; looking: number }> => {
  const begun = performance.now();
  let looks = 1;
  while ((await atWork(subject)) > 0 && performance.now() - begun < 20_000) {
    looks += 1;
    await new Promise(setImmediate);
  }
  const took = performance.now() - begun;
  return { took, looking: took / looks };
};

/** Within a second, and a few looks more where the machine is busy. */
const expectSoonGone = async (subject: Subject): Promise<void> => {
  const { took, looking } = await gone(subject);
  expect(took).toBeLessThan(1000 + 10 * looking);
};

sleeping('A query whose time is up is cancelled', async (subject) => {
  expectAnswer(await subject.request().get('/sleeps'), 503, unavailable);
  await expectSoonGone(subject);
});

sleeping('A query whose client has gone is cancelled within a second', async (subject) => {
  const sent = httpRequest(`${subject.url}/sleeps-on`).end();
  sent.on('error', () => undefined);
  while ((await atWork(subject)) === 0) await new Promise(setImmediate);
  sent.destroy();
  await expectSoonGone(subject);
});
