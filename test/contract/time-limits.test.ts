import { expect } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { LockMode } from '@mikro-orm/core';
import { Callable, Create, Delete, Get } from '@nest-endpoints/core';
import { expectAnswer, failure, success } from '../support/answers.js';
import { everyDatabase, service, type Combination, type Subject } from '../support/contract.js';
import { isMariaDb } from '../support/database.js';
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

const sleep = `select ${isMariaDb ? 'sleep' : 'pg_sleep'}(20) as nest_endpoints_sleep`;

const onServers = [
  ...endpoints,
  new Callable({ url: 'sleeps', timeout: 150, toCall: ({ em }) => em.execute(sleep) }),
  new Callable({ url: 'sleeps-on', toCall: ({ em }) => em.execute(sleep) }),
  new Delete({ url: 'locked/:id', timeout: 300, modelClass: Book }),
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

const servers: Combination[] = everyDatabase.filter(
  ({ database }) => database === 'postgresql' || database === 'mariadb',
);
const sleeping = service({ entities: library, endpoints: onServers }, servers).contract;

/** Tells how many statements the server works on. */
const active = isMariaDb
  ? (text: string) => `select count(*) as n from information_schema.processlist where info like '${text}'`
  : (text: string) =>
      `select count(*)::int as n from pg_stat_activity where state = 'active' and query like '${text}'`;

const sleeps = 'select %sleep(20)%nest_endpoints_sleep';
const deletes = 'delete from _book_ %';

const atWork = async ({ em }: Subject, text: string): Promise<number> => {
  const [row] = await em().getConnection().execute<{ n: number }[]>(active(text));
  return row?.n ?? 0;
};

/** How long a query went on, in milliseconds, and how long this machine takes to look. */
const gone = async (subject: Subject, text: string): Promise<{ took: number; looking: number }> => {
  const begun = performance.now();
  let looks = 1;
  while ((await atWork(subject, text)) > 0 && performance.now() - begun < 20_000) {
    looks += 1;
    await new Promise(setImmediate);
  }
  const took = performance.now() - begun;
  return { took, looking: took / looks };
};

/** Within a second, and a few looks more where the machine is busy. */
const expectSoonGone = async (subject: Subject, text = sleeps): Promise<void> => {
  const { took, looking } = await gone(subject, text);
  expect(took).toBeLessThan(1000 + 10 * looking);
};

sleeping('A query whose time is up is cancelled', async (subject) => {
  expectAnswer(await subject.request().get('/sleeps'), 503, unavailable);
  await expectSoonGone(subject);
});

sleeping('A query whose client has gone is cancelled within a second', async (subject) => {
  const sent = httpRequest(`${subject.url}/sleeps-on`).end();
  sent.on('error', () => undefined);
  while ((await atWork(subject, sleeps)) === 0) await new Promise(setImmediate);
  sent.destroy();
  await expectSoonGone(subject);
});

sleeping(
  'A write that waits for a lock when its time is up is cancelled, and nothing else',
  async (subject) => {
    const { id } = await subject.save(Book, { title: 'Emma' });
    const remove = () => subject.request().delete(`/locked/${id}`);
    await subject.em().transactional(async (em) => {
      await em.findOne(Book, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      expectAnswer(await remove(), 503, unavailable);
      await expectSoonGone(subject, deletes);
    });
    expect(await subject.count(Book)).toBe(1);
    expectAnswer(await remove(), 200, success({}));
  },
);

/** The numbers of the connections that MikroORM has prepared. */
const prepared: number[] = [];

const asked = `select connection_id() as id`;

interface Preparing {
  executeQuery(query: object): Promise<{ readonly rows: readonly { readonly id: number }[] }>;
}

/** The limits of MariaDB are set on each connection when it is new. */
if (isMariaDb)
  service(
    {
      entities: library,
      endpoints: [new Get({ url: 'books/:id', modelClass: Book, readableColumnNames: ['title'] })],
      orm: {
        onCreateConnection: async (connection) => {
          const query = { kind: 'RawNode', sqlFragments: [asked], parameters: [] };
          const statement = { sql: asked, query, parameters: [], queryId: { queryId: asked } };
          const { rows } = await (connection as Preparing).executeQuery(statement);
          prepared.push(...rows.map(({ id }) => id));
        },
      },
    },
    servers,
  ).contract('A connection is prepared once before anything is sent past MikroORM on it', async (subject) => {
    const { id } = await subject.save(Book, { title: 'Emma' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => subject.request().get(`/books/${id}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const all: readonly { readonly id: number }[] = await subject
      .em()
      .getConnection()
      .execute<{ id: number }[]>('select id from information_schema.processlist where db = database()');
    expect(prepared.toSorted()).toEqual(all.map((one) => one.id).toSorted());
    expect(all.length).toBeGreaterThan(1);
  });
