import { expect } from '@jest/globals';
import { DriverException } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Callable, Get } from '@nest-endpoints/core';
import { clientError, expectAnswer, failure, success } from '../support/answers.js';
import { everyPlatform, once, postgresqlOnly, service } from '../support/contract.js';
import { Book, library } from '../support/entities/library.js';
import { heldUp } from '../support/waits.js';

/** An error as a driver throws it, or as MikroORM wraps it. */
const thrown = (code: string, isWrapped: boolean): Error => {
  const error = Object.assign(new Error('select secret from hidden'), { code });
  return isWrapped ? new DriverException(error) : error;
};

const { contract } = service(
  {
    entities: library,
    endpoints: [
      new Callable({
        url: 'fails/:code/:wrapped',
        toCall: ({ code, wrapped }) => {
          throw thrown(code, wrapped === 'wrapped');
        },
      }),
    ],
  },
  everyPlatform.slice(0, 1),
);

const unavailable = failure('Service Unavailable');
const answers = {
  409: [
    ['A record with these values already exists', '23505 SQLITE_CONSTRAINT_UNIQUE ER_DUP_ENTRY'],
    [
      'Other records still refer to this record',
      '23001 23503 SQLITE_CONSTRAINT_FOREIGNKEY ER_ROW_IS_REFERENCED_2',
    ],
    [
      'The database refuses these values',
      '23502 23514 23P01 22001 22003 22007 22008 22021 22P02 22P05 54000',
    ],
    [
      'The database refuses these values',
      'SQLITE_CONSTRAINT_NOTNULL SQLITE_CONSTRAINT_CHECK ER_BAD_NULL_ERROR',
    ],
  ],
  503: '08000 08001 08003 08006 57P01 57P02 57P03 53000 53100 53200 53300 25006 57014 55P03 40001 40P01 28P01 3D000 ECONNREFUSED ECONNRESET ETIMEDOUT EPROTO ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC ER_CLIENT_INTERACTION_TIMEOUT SQLITE_BUSY SQLITE_FULL ER_LOCK_DEADLOCK PROTOCOL_CONNECTION_LOST',
  500: '42P01 42703 42501 42601 42883 XX000 XX001 0A000 P0001 SQLITE_ERROR',
} as const;

const ways = ['raw', 'wrapped'];

/** Every code of a text, thrown in every way. */
const each = async (codes: string, check: (path: string) => Promise<void>): Promise<void> => {
  for (const way of ways) for (const code of codes.split(' ')) await check(`/fails/${code}/${way}`);
};

contract('A refusal of the database that no column explains is a 409 without SQL', async ({ request }) => {
  for (const [sentence, codes] of answers[409])
    await each(codes, async (path) => {
      const { status, body } = await request().get(path);
      expect([path, status, body]).toEqual([path, 409, clientError(sentence)]);
    });
});

contract('A database that cannot answer is a 503 with Retry-After', async ({ request }) => {
  await each(answers[503], async (path) => {
    const { status, body, headers } = await request().get(path);
    expect([path, status, body, headers['retry-after']]).toEqual([path, 503, unavailable, '1']);
  });
});

contract('Any other error of the database is a 500, logged with the request id', async ({ request, log }) => {
  await each(answers[500], async (path) => {
    const { status, body, headers } = await request().get(path);
    expect([path, status, body]).toEqual([path, 500, failure('Internal Server Error')]);
    expect(log.text('error')).toContain(headers['x-request-id']);
  });
});

/** All connections are taken for as long as it runs. */
const taken = service(
  {
    entities: library,
    endpoints: [
      new Callable({ url: 'asks', toCall: ({ em }) => em.count(Book) }),
      new Callable({ url: 'begins', toCall: ({ em }) => em.transactional(() => 'begun') }),
      new Callable({ url: 'mistake', toCall: ({ em }) => em.execute('select ?', [new Date(NaN)]) }),
      new Get({ url: 'books/:id', modelClass: Book, readableColumnNames: ['title'] }),
    ],
    orm: { pool: { max: 1 }, driverOptions: { connectionTimeoutMillis: 200 } },
    // Of one server: a replica has connections of its own.
    route: 'direct',
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

taken.contract('A pool that has no connection to give is a 503, whoever asks for one', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma' });
  await (subject.em() as SqlEntityManager).transactional(async (em) => {
    await em.execute('select 1');
    for (const path of ['/asks', '/begins', `/books/${id}`]) {
      const answer = await subject.request().get(path);
      expectAnswer(answer, 503, unavailable);
      expect(answer.headers['retry-after']).toBe('1');
    }
  });
  expectAnswer(await subject.request().get('/asks'), 200, success(1));
});

taken.contract('A mistake in what a database is asked is a 500', async ({ request }) => {
  expectAnswer(await request().get('/mistake'), 500, failure('Internal Server Error'));
});

/** Its server goes away under a statement. */
const cut = service(
  {
    entities: library,
    endpoints: [new Get({ url: 'books/:id', modelClass: Book, readableColumnNames: ['title'] })],
    orm: { pool: { max: 3 } },
    // A lock of the primary holds nobody up who reads from a replica.
    route: 'direct',
  },
  once,
);

cut.contract('A read whose connection is cut is tried again on another', async ({ request, save, em }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const locker = em() as SqlEntityManager;
  await locker.begin();
  await locker.execute('lock table book');
  const reading = request()
    .get(`/books/${id}`)
    .then((answer) => answer);
  const [held] = await heldUp({ em });
  await locker.execute('select pg_terminate_backend(?)', [held]);
  await locker.rollback();
  expectAnswer(await reading, 200, success({ title: 'Emma' }));
});
