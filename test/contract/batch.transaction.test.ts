import { expect } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import {
  Batch,
  Callable,
  EndpointGroup,
  RestfulApi,
  type Authentication,
  type Credentials,
} from '@nest-endpoints/core';
import { MemoryLimits, RateLimit } from '@nest-endpoints/limits';
import { expectAnswer, failure } from '../support/answers.js';
import { bothPostgresql, everyDatabase, service, type Subject } from '../support/contract.js';
import { deadlock, isMariaDb } from '../support/database.js';
import { Statements } from '../support/statements.js';
import { Port, Voyage } from './batch.voyages.js';

const voyages = {
  modelClass: Voyage,
  readableColumnNames: ['id', 'title', 'miles'],
  writeableColumnNames: ['title', 'miles'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['title'],
  defaultSortColumnName: 'id',
} as const;

interface Execute {
  readonly em: { execute(sql: string): Promise<unknown> };
}

/** Lets a function fail the way the database does, so many times. */
let failures = 0;
let tried = 0;
let begun = Promise.withResolvers<undefined>();
let told = Promise.withResolvers<string>();

const fail = async ({ em }: Execute): Promise<void> => {
  tried += 1;
  if (failures <= 0) return;
  failures -= 1;
  await em.execute(deadlock);
};

const waiting = ({ signal }: { readonly signal: AbortSignal }): Promise<unknown> =>
  new Promise(() => {
    begun.resolve(undefined);
    signal.addEventListener('abort', () => {
      told.resolve((signal.reason as Error).message);
    });
  });

const endpoints = [
  new EndpointGroup({
    timeout: 20_000,
    endpoints: [
      new Batch({ url: 'batch' }),
      new Batch({ url: 'hasty', timeout: 200 }),
      new Batch({ url: 'many', maximumOperations: 1000 }),
      new RestfulApi({ url: 'voyages', ...voyages }),
      new RestfulApi({ url: 'failing', ...voyages, afterSave: fail }),
      new RestfulApi({
        url: 'counted',
        ...voyages,
        afterSave: fail,
        limits: [
          new RateLimit({
            quota: 2,
            window: 36_000,
            store: new MemoryLimits(),
            by: ({ requestHeaders }) => String(requestHeaders['x-who']),
          }),
        ],
      }),
      new Callable({ url: 'waits', toCall: waiting }),
      new Callable({
        url: 'sleeps',
        toCall: ({ em }) => {
          begun.resolve(undefined);
          return em.execute(isMariaDb ? 'select sleep(20)' : 'select pg_sleep(20)');
        },
      }),
      new Callable({
        url: 'swallowed',
        requestMethods: ['POST'],
        toCall: async ({ em }) => {
          await em.execute('select nothing').catch(() => undefined);
          return 'fine';
        },
      }),
    ],
  }),
];

const { contract } = service({ entities: [Voyage, Port], endpoints }, everyDatabase);

// Who waits for each other is found out soon, so that the test does not take long.
const impatient = { driverOptions: { options: '-c deadlock_timeout=20ms' } };

const onPostgres = service(
  { entities: [Voyage, Port], endpoints, orm: impatient },
  everyDatabase.filter(({ database }) => database === 'postgresql'),
).contract;

const send = ({ request }: Subject, operations: readonly unknown[], url = '/batch') =>
  request().post(url).send({ operations });

const create = (title: string, url = 'voyages') => ({ method: 'POST', path: `/${url}`, body: { title } });
const change = (id: number, miles: number) => ({ method: 'PATCH', path: `/voyages/${id}`, body: { miles } });

contract(
  'A Batch costs begin, commit and the statements of its operations, and no savepoint',
  async (subject) => {
    const { request } = subject;
    const statements = await Statements.of(subject);
    const { body } = await send(subject, [create('warm'), create('up', 'failing')]);
    expect(body.status).toBe('success');
    const alone: number[] = [];
    for (const url of ['voyages', 'failing']) {
      const sent = await statements.during(() =>
        request()
          .post(`/${url}`)
          .send({ title: `alone ${url}` }),
      );
      alone.push(sent.filter((text) => !/^(?:begin|commit|start)/i.test(text)).length);
    }
    const sent = await statements.during(() =>
      send(subject, [create('one'), create('two', 'failing'), create('three')]),
    );
    const [voyage = 0, hooked = 0] = alone;
    expect(sent.filter((text) => /savepoint/i.test(text))).toEqual([]);
    expect(sent.length).toBe(2 * voyage + hooked + 2);
    const refused = await statements.during(() => send(subject, [create('four'), create('one')]));
    expect(refused.filter((text) => /savepoint/i.test(text))).toEqual([]);
    expect(await subject.count(Voyage)).toBe(7);
  },
);

contract(
  'A function that waits is told when the time of the batch is up, and nothing stays',
  async (subject) => {
    begun = Promise.withResolvers();
    told = Promise.withResolvers();
    const answer = await send(subject, [create('a'), { method: 'GET', path: '/waits' }], '/hasty');
    expectAnswer(answer, 503, failure('Service Unavailable'));
    expect(await told.promise).toBe('the client has gone');
    expect(subject.log.text('warn')).toContain('the time limit of 200 ms is over');
    expect((await send(subject, [create('a')])).status).toBe(200);
    expect(await subject.count(Voyage)).toBe(1);
  },
);

const leave = async ({ url }: Subject, operations: readonly unknown[]): Promise<void> => {
  begun = Promise.withResolvers();
  const body = JSON.stringify({ operations });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sent = httpRequest(`${url}/batch`, { method: 'POST', headers });
  sent.on('error', () => undefined).end(body);
  await begun.promise;
  sent.destroy();
};

contract('A client that goes away during an operation leaves nothing behind', async (subject) => {
  told = Promise.withResolvers();
  await leave(subject, [create('a'), create('b', 'failing'), { method: 'GET', path: '/waits' }]);
  expect(await told.promise).toBe('the client has gone');
  expect((await send(subject, [create('a')])).status).toBe(200);
  expect(await subject.count(Voyage)).toBe(1);
});

/** How long a transaction stays open, in milliseconds. */
const stayed = async (subject: Subject): Promise<number> => {
  const since = performance.now();
  const open = async (): Promise<unknown> => {
    const [row] = await subject
      .em()
      .getConnection()
      .execute<{ n: number }[]>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
      );
    return row?.n;
  };
  while ((await open()) !== 0) await turn();
  return performance.now() - since;
};

onPostgres('Its connection is free within a second, whatever a statement is at', async (subject) => {
  await leave(subject, [create('a'), create('b'), { method: 'GET', path: '/sleeps' }]);
  expect(await stayed(subject)).toBeLessThan(1000);
  expect(await subject.count(Voyage)).toBe(0);
});

const notSqlite = service(
  { entities: [Voyage, Port], endpoints },
  everyDatabase.filter(({ database }) => database !== 'sqlite'),
).contract;

notSqlite(
  'What the database undid because of others runs again as a whole, three times at most',
  async (subject) => {
    const operations = [create('a'), create('b', 'failing')];
    [failures, tried] = [3, 0];
    expect((await send(subject, operations)).status).toBe(200);
    expect([tried, await subject.count(Voyage)]).toEqual([4, 2]);
    [failures, tried] = [4, 0];
    const answer = await send(subject, [create('c'), create('d', 'failing')]);
    expectAnswer(answer, 503, failure('operations.1: Service Unavailable'));
    expect(answer.headers['retry-after']).toBe('1');
    expect([tried, await subject.count(Voyage)]).toEqual([4, 2]);
  },
);

notSqlite('Limits count an operation once, though its batch runs again', async (subject) => {
  const statuses: number[] = [];
  for (const title of ['a', 'b', 'c']) {
    [failures, tried] = [3, 0];
    const { status } = await send(subject, [create(title, 'counted')]).set('x-who', subject.database);
    statuses.push(status, tried);
  }
  expect(statuses).toEqual([200, 4, 200, 4, 429, 0]);
});

let counted: unknown[] = [];

/** Counts the voyages that there are when it is asked for a sender. */
class Counting implements Authentication {
  readonly allowedHeaders = [];

  async authenticate({ context }: Credentials): Promise<undefined> {
    const { em } = await context();
    counted.push(await em.count(Voyage));
  }
}

const around = [
  new EndpointGroup({
    authentication: new Counting(),
    endpoints: [
      new Batch({ url: 'batch' }),
      new RestfulApi({
        url: 'failing',
        ...voyages,
        afterSave: fail,
        afterCommit: async ({ em }) => void counted.push([await em.count(Voyage), em.isInTransaction()]),
      }),
    ],
  }),
];

service(
  { entities: [Voyage, Port], endpoints: around },
  everyDatabase.filter(({ database }) => database !== 'sqlite'),
).contract(
  'In each trial an authentication is asked within the transaction, and functions behind its commit outside of it',
  async (subject) => {
    [failures, tried, counted] = [1, 0, []];
    const { status } = await send(subject, [create('a', 'failing'), create('b', 'failing')]);
    expect([status, tried]).toEqual([200, 3]);
    expect(counted).toEqual([0, 0, 0, 1, [2, false], [2, false]]);
  },
);

/** Elsewhere a statement that is refused leaves its transaction as it is: what was hidden has done nothing, and all else is kept. */
const undoing = service({ entities: [Voyage, Port], endpoints }, bothPostgresql).contract;

undoing('An operation that hides what the database refused does not seem to be kept', async (subject) => {
  const answer = await send(subject, [create('a'), { method: 'POST', path: '/swallowed' }]);
  expect([answer.status, await subject.count(Voyage)]).toEqual([500, 0]);
});

onPostgres(
  'Batches at the same time that touch the same records succeed or fail as wholes',
  async (subject) => {
    for (const title of ['a', 'b']) await subject.save(Voyage, { title });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, miles) => {
        const [first, second] = miles % 2 === 0 ? [1, 2] : [2, 1];
        return send(subject, [change(first, miles), change(second, miles)]);
      }),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    statuses.delete(503);
    expect([...statuses]).toEqual([200]);
    const [a, b] = await subject.em().find(Voyage, {}, { orderBy: { id: 'asc' } });
    expect(a?.miles).toBe(b?.miles);
  },
);

contract('Many operations leave no listener and no transaction behind', async (subject) => {
  const operations = Array.from({ length: 300 }, (_, index) => create(`${index}`));
  expect((await send(subject, operations, '/many')).body.data).toHaveLength(300);
  expect(await subject.count(Voyage)).toBe(300);
  expect(subject.log.text('warn')).toBe('');
});
