import { expect } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { recommendedOptions } from '@nest-endpoints/core';
import { expectAnswer, failure } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { authors, books } from '../support/endpoints.js';
import { Author, Book, library } from '../support/entities/library.js';
import { heldUp } from '../support/waits.js';

const { contract } = service(
  {
    entities: library,
    endpoints: [books(), books({ url: 'hooked-books', afterSave: () => undefined }), authors()],
    orm: {
      ...recommendedOptions({ poolWait: 1000, lockTimeout: 30_000, statementTimeout: 30_000 }),
      pool: { max: 3 },
    },
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

const sqlOf = ({ em }: Subject): SqlEntityManager => em() as SqlEntityManager;

/** Runs work while the books are locked by one of the three connections. */
const whileLocked = <T>(subject: Subject, work: () => Promise<T>): Promise<T> =>
  sqlOf(subject).transactional(async (em) => {
    await em.execute('lock table book in access exclusive mode');
    return work();
  });

/** Ends the connection that waits for the books. */
const cutOff = async (subject: Subject): Promise<void> => {
  const [pid] = await heldUp(subject);
  await sqlOf(subject).execute(`select pg_terminate_backend(${pid})`);
};

contract('A read whose connection is cut is sent once more, on another one', async (subject) => {
  const { request, save } = subject;
  const { id } = await save(Book, { title: 'Emma' });
  for (const path of ['/books', `/books/${id}`, '/books?title=Emma']) {
    const { sent } = await whileLocked(subject, async () => {
      const sent = request()
        .get(path)
        .then((one) => one);
      await cutOff(subject);
      return { sent };
    });
    expect([path, (await sent).status]).toEqual([path, 200]);
  }
});

contract('Who comes after a write whose connection was cut has another one', async (subject) => {
  const { request, save } = subject;
  const { id } = await save(Book, { title: 'Emma' });
  await save(Author, { name: 'Jane Austen' });
  await whileLocked(subject, async () => {
    for (const path of [`/books/${id}`, `/hooked-books/${id}`]) {
      const sent = request()
        .patch(path)
        .send({ title: 'Sanditon' })
        .then((one) => one);
      await cutOff(subject);
      expectAnswer(await sent, 503, failure('Service Unavailable'));
      expect((await request().get('/authors')).status).toBe(200);
    }
  });
  expect((await request().get(`/books/${id}`)).body.data.title).toBe('Emma');
});

contract('A pool that is taken is waited for once', async (subject) => {
  const { request } = subject;
  const holders = [1, 2, 3].map(() => sqlOf(subject));
  for (const holder of holders) await holder.begin();
  try {
    for (const path of ['/books', '/books?title=Emma', '/authors']) {
      const begun = performance.now();
      expectAnswer(await request().get(path), 503, failure('Service Unavailable'));
      expect(performance.now() - begun).toBeLessThan(1900);
    }
  } finally {
    for (const holder of holders) await holder.rollback();
  }
});
