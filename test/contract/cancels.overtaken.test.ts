import { afterAll, expect } from '@jest/globals';
import { Callable, recommendedMySqlOptions } from '@nest-endpoints/core';
import { raw } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { expectAnswer, failure } from '../support/answers.js';
import { mariaDbOnly, postgresqlOnly, service, type Subject } from '../support/contract.js';
import { isMariaDb, type OrmOptions } from '../support/database.js';
import { authors, books } from '../support/endpoints.js';
import { Author, Book, library } from '../support/entities/library.js';
import { faultyWay } from '../support/faulty.proxy.js';

const socketPath = process.env['TEST_MARIADB_SOCKET'];
const { hostname, port } = new URL(process.env['TEST_DATABASE_URL'] ?? 'mysql://localhost');
const way = await faultyWay(
  isMariaDb && socketPath !== undefined ? { path: socketPath } : { host: hostname, port: Number(port) },
);
afterAll(() => way.close());

/** What was written on the console, where nobody looks. */
const printed: unknown[] = [];
console.error = (...words) => printed.push(words);

const address: OrmOptions = {
  ...(isMariaDb && { driverOptions: recommendedMySqlOptions().driverOptions }),
  host: '127.0.0.1',
  port: way.port,
};

const sleep = `select ${isMariaDb ? 'sleep' : 'pg_sleep'}(20)`;
const timeout = 200;

type Asking = Pick<SqlEntityManager, 'getKysely'>;

const slept = (em: Asking) =>
  em
    .getKysely<{ book: { id: string } }>()
    .selectFrom('book')
    .select(({ fn, val }) => fn('pg_sleep', [val(20)]).as('slept'))
    .execute();

const streamed = async (em: Pick<SqlEntityManager, 'stream'>) => {
  for await (const book of em.stream(Book, { where: raw('pg_sleep(20) is null') }))
    throw new Error(book.title);
};

/** Queries of Kysely that nobody gives a signal, and streams. */
const byKysely = [
  new Callable({ url: 'kysely-sleeps', timeout, toCall: ({ em }) => slept(em) }),
  new Callable({ url: 'kysely-sleeps-within', timeout, toCall: ({ em }) => em.transactional(slept) }),
  new Callable({ url: 'streams', timeout, toCall: ({ em }) => streamed(em) }),
  new Callable({ url: 'streams-within', timeout, toCall: ({ em }) => em.transactional(streamed) }),
];

const { contract } = service(
  {
    entities: library,
    endpoints: [
      new Callable({ url: 'sleeps', timeout, toCall: ({ em }) => em.execute(sleep) }),
      new Callable({
        url: 'sleeps-within',
        timeout,
        toCall: ({ em }) => em.transactional((inner) => inner.execute(sleep)),
      }),
      ...(isMariaDb ? [] : byKysely),
      books({ timeout }),
      books({ url: 'hooked-books', timeout, afterSave: () => undefined }),
      authors({ timeout: 5000 }),
    ],
    orm: { ...address, pool: { max: 2 } },
  },
  [...postgresqlOnly.filter(({ database }) => database === 'postgresql'), ...mariaDbOnly],
);

/** Has one of the two connections of the application lock the books, so that whoever asks for them waits. */
const whileLocked = (subject: Subject, work: () => Promise<void>): Promise<void> =>
  (subject.em() as SqlEntityManager).transactional(async (em) => {
    await em.execute(isMariaDb ? 'lock tables book write' : 'lock table book in access exclusive mode');
    try {
      await work();
    } finally {
      if (isMariaDb) await em.execute('unlock tables');
    }
  });

const ofBooks = /(?:from|update) ["`]book["`]/;

/** Sends requests whose statement reaches the server later than the request to stop it. */
const ways = {
  'A statement of a function': [/sleep\(20\)/, () => ['/sleeps']],
  'A statement of a function within a transaction': [/sleep\(20\)/, () => ['/sleeps-within']],
  ...(!isMariaDb && {
    'A query of Kysely': [/pg_sleep/, () => ['/kysely-sleeps']],
    'A query of Kysely within a transaction': [/pg_sleep/, () => ['/kysely-sleeps-within']],
    'A stream': [/pg_sleep/, () => ['/streams']],
    'A stream within a transaction': [/pg_sleep/, () => ['/streams-within']],
  }),
  'A list': [ofBooks, () => ['/books']],
  'A lookup': [ofBooks, (id: string) => [`/books/${id}`]],
  'A message of several lookups': [ofBooks, (id: string) => [`/books/${id}`, `/books/${id}`]],
} satisfies Record<string, readonly [text: RegExp, paths: (id: string) => readonly string[]]>;

for (const [what, [text, paths]] of Object.entries(ways))
  contract(`${what} that comes behind the request to stop it is stopped by the next one`, async (subject) => {
    const { request, save } = subject;
    const { id } = await save(Book, { title: 'Emma' });
    await save(Author, { name: 'Jane Austen' });
    await whileLocked(subject, async () => {
      const both = way.overtake(text);
      const answers = await Promise.all(paths(id).map((path) => request().get(path)));
      for (const answer of answers) expectAnswer(answer, 503, failure('Service Unavailable'));
      await both;
      // The other connection is there again.
      expect((await request().get('/authors')).body).toMatchObject({ data: [{ name: 'Jane Austen' }] });
    });
    expect(printed).toEqual([]);
  });

contract('A write that comes behind the request to stop it is stopped by the next one', async (subject) => {
  const { request, save } = subject;
  const { id } = await save(Book, { title: 'Emma' });
  await whileLocked(subject, async () => {
    const both = way.overtake(ofBooks);
    expectAnswer(
      await request().patch(`/hooked-books/${id}`).send({ title: 'Sanditon' }),
      503,
      failure('Service Unavailable'),
    );
    await both;
    expect((await request().get('/authors')).status).toBe(200);
  });
  expect((await request().get(`/books/${id}`)).body.data.title).toBe('Emma');
});
