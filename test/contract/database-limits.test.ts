import { expect, test } from '@jest/globals';
import { SecretBearer } from '@nest-endpoints/auth';
import {
  AdvancedSearch,
  Callable,
  Cors,
  Create,
  HealthCheck,
  List,
  recommendedOptions,
  type RequestContext,
} from '@nest-endpoints/core';
import { clientError, expectAnswer, failure, success } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { books } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { sqlOf, whileTaken } from './taken.connections.js';

process.env['LIMITS_SECRET'] = 'a secret of this test';

const unavailable = failure('Service Unavailable');
const onPostgres = postgresqlOnly.filter(({ database }) => database === 'postgresql');

const endpoints = [
  new HealthCheck({ url: 'health' }),
  new HealthCheck({ url: 'ready', callables: [({ em }: RequestContext) => em.execute('select 1')] }),
  new Callable({ url: 'sleeps', toCall: ({ em }) => em.execute('select pg_sleep(20)') }),
  new AdvancedSearch({
    url: 'search',
    modelClass: Book,
    readableColumnNames: ['title'],
    sortableColumnNames: ['title'],
    searchableColumnNames: ['title', 'pages'],
    defaultSortColumnName: 'title',
  }),
  new List({
    url: 'titles',
    modelClass: Book,
    readableColumnNames: ['title'],
    sortableColumnNames: ['title'],
    defaultSortColumnName: 'title',
  }),
  new Create({
    url: 'closed',
    requestMethods: ['POST', 'PUT'],
    modelClass: Book,
    readableColumnNames: ['title'],
    writeableColumnNames: ['title'],
    authentication: new SecretBearer({ environmentKey: 'LIMITS_SECRET' }),
    securityHeaders: [new Cors('https://app.example')],
  }),
  books(),
];

const { contract } = service(
  {
    entities: library,
    endpoints,
    root: { bodyLimit: 1000 },
    orm: {
      ...recommendedOptions({ statementTimeout: 400, lockTimeout: 200, poolWait: 300 }),
      pool: { max: 2 },
    },
  },
  onPostgres,
);

test('Recommended options are five seconds for a statement, two for its answer beyond, two for locks and connections', () => {
  const { driverOptions } = recommendedOptions();
  const { statement_timeout, lock_timeout, query_timeout, connectionTimeoutMillis, keepAlive } =
    driverOptions;
  expect([statement_timeout, lock_timeout, query_timeout, connectionTimeoutMillis, keepAlive]).toEqual([
    5000,
    2000,
    7000,
    2000,
    true,
  ]);
});

contract(
  'A record that another session has locked is a 503 after the time limit for locks',
  async (subject) => {
    const { id } = await subject.save(Book, { title: 'Emma' });
    await sqlOf(subject).transactional(async (em) => {
      await em.execute('select * from book for update');
      const answer = await subject.request().patch(`/books/${id}`).send({ title: 'Persuasion' });
      expectAnswer(answer, 503, unavailable);
      expect(answer.headers['retry-after']).toBe('1');
    });
    expectAnswer(await subject.request().get('/ready'), 200, success({}));
  },
);

contract('A statement that takes too long is a 503, and its connection serves on', async ({ request }) => {
  for (let time = 0; time < 3; time += 1) expectAnswer(await request().get('/sleeps'), 503, unavailable);
  expectAnswer(await request().get('/ready'), 200, success({}));
});

contract('A statement that waits in vain for a lock leaves what is prepared as it is', async (subject) => {
  const { request, log } = subject;
  // No other test asks for it, so that its statement is not prepared yet.
  const ask = () => request().get('/titles');
  // Both connections are there, so that nobody waits for a new one.
  await Promise.all([request().get('/books'), request().get('/books')]);
  await sqlOf(subject).transactional(async (em) => {
    await em.execute('lock table book in access exclusive mode');
    // The second waits for its connection first, so that it has less time for the lock.
    for (const answer of await Promise.all([ask(), ask()])) expectAnswer(answer, 503, unavailable);
  });
  // On every connection of the pool.
  for (const { status } of await Promise.all([ask(), ask(), ask()])) expect(status).toBe(200);
  expect(log.text()).not.toContain('not prepared any more');
});

contract('Who gets no connection in time is answered 503', async (subject) => {
  await whileTaken(subject, async () => {
    for (const path of ['/books', '/ready'])
      expect((await subject.request().get(path)).status).toBe(path === '/ready' ? 500 : 503);
    expectAnswer(await subject.request().post('/books').send({ title: 'Emma' }), 503, unavailable);
  });
  expectAnswer(await subject.request().post('/closed'), 401, clientError('Not Authenticated'));
  expect((await subject.request().get('/books')).status).toBe(200);
});

type Asked = readonly [
  what: string,
  status: number,
  ask: (subject: Subject) => PromiseLike<{ status: number }>,
];
const deep = `{"title":${'['.repeat(70)}${']'.repeat(70)}}`;
const bad: readonly Asked[] = [
  ['a missing token', 401, ({ request }) => request().post('/closed').send({ title: 'Emma' })],
  ['a wrong token', 401, ({ request }) => request().post('/closed').set('authorization', 'Bearer nobody')],
  ['a preflight', 200, ({ request }) => request().options('/closed')],
  ['a path without endpoint', 404, ({ request }) => request().get('/nothing')],
  ['a method without endpoint', 404, ({ request }) => request().put('/books')],
  ['a malformed escape', 404, ({ raw }) => raw('GET', '/books/%zz')],
  ['a key that cannot be one', 404, ({ request }) => request().get('/books/none')],
  ['malformed JSON', 400, ({ raw }) => raw('POST', '/books', { body: '{"title":' })],
  ['JSON that is too deep', 400, ({ raw }) => raw('POST', '/books', { body: deep })],
  [
    'a body that is too large',
    413,
    ({ raw }) => raw('POST', '/books', { body: `{"title":"${'x'.repeat(2000)}"}` }),
  ],
  ['another content type', 415, ({ request }) => request().post('/books').type('form').send('title=Emma')],
  ['no body', 400, ({ request }) => request().post('/books')],
  [
    'an unknown column',
    400,
    ({ request }) => request().post('/books').send({ title: 'Emma', colour: 'red' }),
  ],
  ['a missing column', 400, ({ request }) => request().post('/books').send({ pages: 1 })],
  [
    'a value of another type',
    400,
    ({ request }) => request().post('/books').send({ title: 'Emma', pages: 'x' }),
  ],
  [
    'a value of another type for an update',
    400,
    ({ request }) => request().patch('/books/6a1b7f0e-9c5d-4f6e-8f7a-2b3c4d5e6f70').send({ pages: 'x' }),
  ],
  ['an unknown parameter of a list', 400, ({ request }) => request().get('/books?colour=red')],
  ['a bad limit', 400, ({ request }) => request().get('/books?limit=0')],
  ['a bad sort', 400, ({ request }) => request().get('/books?sort=colour')],
  ['a term of another type', 400, ({ request }) => request().get('/books?pages=x')],
  [
    'a bad search',
    400,
    ({ request }) =>
      request()
        .post('/search')
        .send({ where: [{ column: 'x' }] }),
  ],
  ['health', 200, ({ request }) => request().get('/health')],
];

contract('A bad request needs no connection, and is answered at once when all are taken', async (subject) => {
  const quickest = async ([what, status, ask]: (typeof bad)[number]): Promise<number> => {
    const times: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      const begun = performance.now();
      expect([what, (await ask(subject)).status]).toEqual([what, status]);
      times.push(performance.now() - begun);
    }
    return Math.min(...times);
  };
  const usual = new Map<unknown, number>();
  for (const one of bad) usual.set(one, await quickest(one));
  await whileTaken(subject, async () => {
    for (const one of bad)
      expect([one[0], (await quickest(one)) < 5 * (usual.get(one) ?? 0) + 50]).toEqual([one[0], true]);
  });
});
