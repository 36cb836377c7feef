import { expect, test } from '@jest/globals';
import { HealthCheck, recommendedMySqlOptions } from '@nest-endpoints/core';
import { expectAnswer, failure, success } from '../support/answers.js';
import type { ApplicationOptions } from '../support/application.js';
import { mariaDbOnly, service } from '../support/contract.js';
import { books } from '../support/endpoints.js';
import { library } from '../support/entities/library.js';
import { sqlOf, whileTaken } from './taken.connections.js';

/** The options themselves would reach the server by an address; the limits come with what prepares a connection. */
const { onCreateConnection } = recommendedMySqlOptions({ lockTimeout: 1000, poolWait: 1500 });

const options: ApplicationOptions = {
  entities: library,
  endpoints: [
    new HealthCheck({ url: 'health' }),
    books(),
    books({ url: 'hooked-books', afterSave: () => undefined }),
  ],
  orm: { onCreateConnection, pool: { max: 2 } },
};

const { contract } = service(options, mariaDbOnly);

const { contract: pastMikroOrm } = service(
  options,
  mariaDbOnly.filter(({ way }) => way === 'direct'),
);

const unavailable = failure('Service Unavailable');

test('Recommended options for MariaDB are two seconds for a lock, and for a connection', async () => {
  const { driverOptions, onCreateConnection: prepare } = recommendedMySqlOptions();
  const sent: string[] = [];
  await prepare({ executeQuery: ({ sql }: { sql: string }) => Promise.resolve(sent.push(sql)) });
  expect(driverOptions.connectTimeout).toBe(2000);
  expect(sent.join()).toContain('innodb_lock_wait_timeout = 2, lock_wait_timeout = 2');
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
