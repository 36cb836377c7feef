import { setTimeout as elapsed } from 'node:timers/promises';
import { afterAll, expect } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Callable } from '@nest-endpoints/core';
import { expectAnswer, failure, success } from '../support/answers.js';
import { once, service, type Subject } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { faultyWay } from '../support/faulty.proxy.js';

const { hostname, port } = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgresql://localhost:5432');
const way = await faultyWay({ host: hostname, port: Number(port) });
afterAll(() => way.close());

/** The time that an answer of the database is waited for, in milliseconds. */
const limit = 1000;

/** More than one part of what Kysely reads at once. */
const many = 300;

/** Counts books, and does something behind the first one. */
const counted = async (em: SqlEntityManager, after: () => unknown): Promise<number> => {
  let count = 0;
  for await (const { title } of em.stream(Book)) {
    if (title !== '') count += 1;
    if (count === 1) await after();
  }
  return count;
};

const posted = (url: string, work: (em: SqlEntityManager) => Promise<unknown>) =>
  new Callable({
    url,
    requestMethods: ['POST'],
    toCall: async ({ em }) => ({ found: await work(em) }),
  });

const hang = (): void => {
  way.hang();
};

const hanging = {
  stream: (em: SqlEntityManager) => counted(em, hang),
  'stream-within': (em: SqlEntityManager) => em.transactional((inner) => counted(inner, hang)),
  begin: (em: SqlEntityManager) => {
    hang();
    return em.transactional((inner) => inner.execute('select 1'));
  },
  commit: (em: SqlEntityManager) => em.transactional((inner) => inner.execute('select 1').then(hang)),
};

const { contract } = service(
  libraryWith(
    [
      posted('slow', (em) => counted(em, () => elapsed(2 * limit))),
      ...Object.entries(hanging).map(([url, work]) => posted(url, work)),
      books(),
      books({ url: 'hooked-books', afterSave: hang }),
    ],
    {
      orm: {
        driverOptions: { query_timeout: limit, connectionTimeoutMillis: limit },
        pool: { min: 1, max: 1 },
        host: '127.0.0.1',
        port: way.port,
      },
    },
  ),
  once,
);

const filled = async ({ em }: Subject): Promise<void> => {
  const own = em();
  for (let index = 0; index < many; index += 1) own.persist(own.create(Book, { title: `book ${index}` }));
  await own.flush();
};

contract('A stream may take longer than the answer to a query', async (subject) => {
  await filled(subject);
  expectAnswer(await subject.request().post('/slow'), 200, success({ found: many }));
});

contract(
  'A server that hangs in a stream, a begin or a commit of own code is a 503 in time, and keeps no place in the pool',
  async (subject) => {
    const { request } = subject;
    await filled(subject);
    for (const url of Object.keys(hanging)) {
      for (let times = 0; times < 2; times += 1) {
        const begun = performance.now();
        const answer = await request().post(`/${url}`).timeout(10_000);
        expect([url, answer.status]).toEqual([url, 503]);
        expect(performance.now() - begun).toBeLessThan(2 * limit);
        way.mend();
      }
      expect((await request().get('/books')).status).toBe(200);
    }
  },
);

contract('A server that hangs in the commit of a write is waited for once', async ({ request }) => {
  const begun = performance.now();
  expectAnswer(
    await request().post('/hooked-books').send({ title: 'Emma' }),
    503,
    failure('Service Unavailable'),
  );
  expect(performance.now() - begun).toBeLessThan(2 * limit);
  way.mend();
  expect((await request().get('/books')).body.data).toEqual([]);
});
