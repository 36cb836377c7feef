import { expect, test } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Callable, recommendedOptions } from '@nest-endpoints/core';
import { Migrator } from '@nest-endpoints/migrations';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectAnswer, failure } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { bothPooled, oncePooled, service, type Subject } from '../support/contract.js';
import { unconnected } from '../support/database.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';
import { Statements } from '../support/statements.js';

const route = 'pooled';
const unavailable = failure('Service Unavailable');
const sqlOf = ({ em }: Subject): SqlEntityManager => em() as SqlEntityManager;

/** More connections than PgBouncer has for them, so that transactions change places. */
const crowd = { pool: { max: 40 } };

const prepared = service({ ...libraryWith([books()]), orm: crowd, route }, oncePooled).contract;

prepared('No client notices that a pooler forgets prepared statements', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma' });
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      if (index % 4 === 0)
        return (
          await subject
            .request()
            .post('/books')
            .send({ title: `Emma ${index}` })
        ).status;
      const path = index % 4 === 1 ? '/books' : `/books/${id}`;
      return (await subject.request().get(path)).status;
    }),
  );
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  expect(await subject.count(Book)).toBe(51);
  expect(subject.log.text()).toContain('Statements are not prepared any more');
});

const named = service(
  { ...libraryWith([books()]), orm: { pool: { min: 1, max: 1 } }, route: 'direct' },
  oncePooled,
).contract;

named('A prepared statement has the same name in every process, and no two have one', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma' });
  const prepare = async (): Promise<[string, string][]> => {
    await subject.request().get('/books');
    await subject.request().get(`/books/${id}`);
    return sqlOf(subject)
      .execute<{ name: string; statement: string }[]>(
        `select name, statement from pg_prepared_statements where statement not like '%pg_prepared%' order by name`,
      )
      .then((rows) => rows.map(({ name, statement }) => [name, statement]));
  };
  const names = await prepare();
  expect(names).toHaveLength(2);
  expect(new Set(names.map(([name]) => name)).size).toBe(2);
  // As a process that begins anew.
  await subject.orm.em.getConnection().close();
  expect(await prepare()).toEqual(names);
});

const limits = { statementTimeout: 5000, lockTimeout: 400, poolWait: 2000, pooler: 'transaction' } as const;

const sleeping = service(
  {
    ...libraryWith([
      books(),
      new Callable({
        url: 'sleeps',
        timeout: 150,
        toCall: ({ em }) => em.execute('select pg_sleep(20) as nest_endpoints_pooled'),
      }),
      new Callable({
        url: 'sleeps-within',
        timeout: 150,
        toCall: ({ em }) =>
          em.transactional((inner) => inner.execute('select pg_sleep(20) as nest_endpoints_pooled')),
      }),
    ]),
    root: { timeout: 300 },
    orm: { ...recommendedOptions(limits), pool: { max: 40 } },
    route,
  },
  bothPooled,
).contract;

const atWork = async (subject: Subject): Promise<number> => {
  const [row] = await sqlOf(subject).execute<{ n: number }[]>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
  );
  return row?.n ?? 0;
};

const expectNobodyAtWork = async (subject: Subject): Promise<void> => {
  const begun = performance.now();
  while ((await atWork(subject)) > 0 && performance.now() - begun < 2000) await sleep(10);
  expect(await atWork(subject)).toBe(0);
};

sleeping('What nobody waits for is cancelled through a pooler, and nothing of others', async (subject) => {
  let isOver = false;
  const others = Array.from({ length: 10 }, async () => {
    let times = 0;
    while (!isOver) {
      await sqlOf(subject).execute('select pg_sleep(0.002)');
      times += 1;
    }
    return times;
  });
  for (let round = 0; round < 3; round += 1) {
    const paths = ['/sleeps', '/sleeps-within', '/sleeps', '/sleeps-within', '/sleeps'];
    const answers = await Promise.all(paths.map((path) => subject.request().get(path)));
    for (const answer of answers) expectAnswer(answer, 503, unavailable);
  }
  isOver = true;
  // A statement of theirs that was cancelled would have thrown.
  expect(Math.min(...(await Promise.all(others)))).toBeGreaterThan(0);
  await expectNobodyAtWork(subject);
});

sleeping('A write that waits for a lock is cancelled through a pooler', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma' });
  await sqlOf(subject).transactional(async (em) => {
    await em.execute('select * from book for update');
    expectAnswer(await subject.request().patch(`/books/${id}`).send({ title: 'Late' }), 503, unavailable);
    await expectNobodyAtWork(subject);
  });
  expect((await subject.request().get(`/books/${id}`)).body.data.title).toBe('Emma');
});

const waiting = service(
  { ...libraryWith([books()]), orm: { ...recommendedOptions(limits), pool: { max: 2 } }, route },
  oncePooled,
).contract;

waiting('What has waited for a connection waits less for locks, and nobody else does', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma' });
  const patch = () =>
    subject
      .request()
      .patch(`/books/${id}`)
      .send({ title: `Late ${performance.now()}` });
  const statements = await Statements.of(subject);
  // The first write of an endpoint asks the catalogue about its table.
  expect((await patch()).status).toBe(200);
  const sent = await statements.during(async () => {
    // There are two connections: one has the lock, for the other the request waits a while.
    await sqlOf(subject).transactional(async (em) => {
      await em.execute('select * from book for update');
      const taken = sqlOf(subject).execute('select pg_sleep(0.2)');
      const begun = performance.now();
      expectAnswer(await patch(), 503, unavailable);
      expect(performance.now() - begun).toBeLessThan(limits.lockTimeout + 200);
      await taken;
    });
  });
  // The setting is one of its parameters.
  expect(sent.filter((statement) => statement.includes('set_config'))).toEqual([
    'select set_config($1, $2, true)',
  ]);
  const settings = await Promise.all(
    [1, 2].map(() =>
      sqlOf(subject).execute('select current_setting($$lock_timeout$$) as limit, pg_sleep(0.05)'),
    ),
  );
  expect(settings.flat()).toEqual([1, 2].map(() => expect.objectContaining({ limit: '0' })));
  expect((await patch()).status).toBe(200);
});

const migrated = service({ entities: [Author], route }, oncePooled).contract;

migrated('Migrations that lead to a pooler say that they need the server itself', async ({ orm }) => {
  await expect(new Migrator({ cursor: orm, sql: ['create table a (id int)'] }).run('plan')).rejects.toThrow(
    'migrations need connections to PostgreSQL itself',
  );
});

test('A pooler that is not known, or a session of MikroORM behind one, is a start-up error', async () => {
  expect(() => recommendedOptions({ pooler: 'session' as never })).toThrow(
    "recommendedOptions: pooler: 'session' is unknown; allowed: transaction",
  );
  const orm = { ...unconnected, ...recommendedOptions(limits), sessionContext: 'connection' } as const;
  expect(await startUpError({ ...libraryWith([books()]), orm })).toContain("sessionContext: 'connection'");
});
