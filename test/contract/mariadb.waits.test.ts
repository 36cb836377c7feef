import { expect, test } from '@jest/globals';
import { HealthCheck, recommendedMySqlOptions } from '@nest-endpoints/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { expectAnswer, failure, success } from '../support/answers.js';
import type { ApplicationOptions } from '../support/application.js';
import { mariaDbOnly, service } from '../support/contract.js';
import { books } from '../support/endpoints.js';
import { library } from '../support/entities/library.js';
import { elapsed } from '../support/waits.js';
import { sqlOf, whileTaken } from './taken.connections.js';

/** The options themselves would reach the server by an address; the limits come with what prepares a connection. */
const { onCreateConnection } = recommendedMySqlOptions({ lockTimeout: 1000, poolWait: 1500 });

const options: ApplicationOptions = {
  entities: library,
  endpoints: [
    new HealthCheck({ url: 'health' }),
    books(),
    books({ url: 'bare-books', readableColumnNames: ['id', 'title'] }),
    books({ url: 'hooked-books', afterSave: () => undefined }),
  ],
  orm: { onCreateConnection, pool: { max: 2 } },
};

const { contract } = service(options, mariaDbOnly);

const { contract: pastMikroOrm } = service(
  options,
  mariaDbOnly.filter(({ way }) => way === 'direct'),
);

/** The limits of the waits for locks, in seconds, that a hook has seen. */
const seen: unknown[] = [];

const limitsOf = (em: SqlEntityManager): Promise<unknown[]> =>
  em.execute('select @@lock_wait_timeout as ofTable, @@innodb_lock_wait_timeout as ofRow');

const { contract: patient } = service(
  {
    entities: library,
    endpoints: [
      books(),
      books({
        url: 'looking-books',
        afterSave: async ({ em }) => {
          seen.push(...(await limitsOf(em)));
        },
      }),
    ],
    orm: {
      onCreateConnection: recommendedMySqlOptions({ lockTimeout: 60_000, poolWait: 60_000 })
        .onCreateConnection,
      pool: { max: 2 },
    },
  },
  mariaDbOnly,
);

/** Runs work in so many milliseconds. */
const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

const unavailable = failure('Service Unavailable');

test('Recommended options for MariaDB are two seconds for a lock, and for a connection', async () => {
  const { driverOptions, onCreateConnection: prepare } = recommendedMySqlOptions();
  const sent: string[] = [];
  await prepare({ executeQuery: ({ sql }: { sql: string }) => Promise.resolve(sent.push(sql)) });
  expect(driverOptions.connectTimeout).toBe(2000);
  expect(sent.join()).toMatch(/\block_wait_timeout = 2, innodb_lock_wait_timeout = 2$/);
});

contract(
  'Who gets no connection to MariaDB in time is answered 503, past MikroORM and through it',
  async (subject) => {
    const { request } = subject;
    await whileTaken(subject, async () => {
      const answers = await Promise.all([
        request().get('/books'),
        request().post('/books').send({ title: 'Emma' }),
        request().post('/hooked-books').send({ title: 'Emma' }),
      ]);
      for (const answer of answers) {
        expectAnswer(answer, 503, unavailable);
        expect(answer.headers['retry-after']).toBe('1');
      }
      expectAnswer(await request().get('/health'), 200, success({}));
    });
    // Those who have waited in vain take no connection away.
    for (const path of ['/books', '/hooked-books', '/books'])
      expect((await request().get(path)).status).toBe(200);
  },
);

pastMikroOrm(
  'A table of MariaDB that is locked is a 503 after the time for locks, and a wait for a connection counts',
  async (subject) => {
    const { request } = subject;
    const asked = async () => {
      const begun = performance.now();
      const answer = await request().get('/books');
      return { answer, took: performance.now() - begun };
    };
    // Both connections are there, so that nobody waits for a new one.
    await Promise.all([request().get('/books'), request().get('/books')]);
    await sqlOf(subject).transactional(async (em) => {
      await em.execute('lock tables book write');
      // One is left: the second one has it when the first one has waited for the lock.
      const both = await Promise.all([asked(), asked()]);
      await em.execute('unlock tables');
      for (const { answer, took } of both) {
        expectAnswer(answer, 503, unavailable);
        expect(took).toBeLessThan(1800);
      }
    });
    expect((await request().get('/books')).status).toBe(200);
  },
);

patient(
  'What a transaction has waited for its connection it waits less for locks, and nobody after it',
  async (subject) => {
    const post = () =>
      Promise.resolve(subject.request().post('/looking-books').send({ title: 'Emma' }).expect(201));
    await post();
    let late: Promise<unknown> | undefined;
    await whileTaken(subject, async () => {
      late = post();
      await elapsed(1200);
    });
    await late;
    await post();
    const own = { ofTable: 60, ofRow: 60 };
    const [first, waited, last] = seen.splice(0) as (typeof own)[];
    expect([first, last]).toEqual([own, own]);
    expect(waited?.ofTable).toBeLessThanOrEqual(58);
    expect(waited?.ofTable).toBeGreaterThan(30);
    expect(waited?.ofRow).toBe(Number(waited?.ofTable) + 1);
  },
);

pastMikroOrm(
  'A write that waited for the question of another one in vain does not wait for a connection as long again',
  async (subject) => {
    // With no columns of parents one statement writes it, once the catalogue was asked.
    const ask = () => Promise.resolve(subject.request().post('/bare-books').send({ title: 'Emma' }));
    await whileTaken(subject, async () => {
      const took = await timeOf(async () => {
        for (const answer of await Promise.all([ask(), ask(), ask()])) expectAnswer(answer, 503, unavailable);
      });
      // Waiting as long again would take three seconds.
      expect(took).toBeLessThan(2900);
    });
    expect((await ask()).status).toBe(201);
  },
);
