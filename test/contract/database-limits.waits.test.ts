import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, defineColumns, List, recommendedOptions, Unique } from '@nest-endpoints/core';
import { expectAnswer, failure, success } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { elapsed, turn } from '../support/waits.js';
import { sqlOf, whileTaken } from './taken.connections.js';

/** Its records tell how long their statement would have waited for a lock. */
const Job = defineEntity({
  name: 'Job',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    patience: p.string().defaultRaw("current_setting('lock_timeout')"),
  },
});

/** Its names have no index, so that the database is asked for them before a write. */
const Task = defineEntity({
  name: 'Task',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    patience: p.string().defaultRaw("current_setting('lock_timeout')"),
  },
});

defineColumns(Task, { name: { validators: [new Unique()] } });

/** The time that requests may wait for a connection, in milliseconds. */
const poolWait = 4000;

/** The time that they do wait, and that is noticed. */
const waited = 600;

/** The time between the limits of those that have waited and of those that have not: a busy machine lets either wait a little. */
const margin = poolWait - waited / 2;

const { contract } = service(
  {
    entities: [Job, Task],
    endpoints: [
      new Create({
        url: 'jobs',
        requestMethods: ['POST'],
        modelClass: Job,
        readableColumnNames: ['name', 'patience'],
        writeableColumnNames: ['name'],
      }),
      new Create({
        url: 'tasks',
        requestMethods: ['POST'],
        modelClass: Task,
        readableColumnNames: ['name', 'patience'],
        writeableColumnNames: ['name'],
        inputValidationCallable: () => elapsed(2 * waited).then(() => ({})),
      }),
      new List({
        url: 'jobs',
        modelClass: Job,
        readableColumnNames: ['patience'],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ],
    orm: { ...recommendedOptions({ lockTimeout: poolWait, poolWait }), pool: { max: 2 } },
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

/** The pool of `pg`, as far as it is looked at. */
interface Pool {
  readonly waitingCount: number;
  connect(...taker: readonly unknown[]): unknown;
}

const poolOf = ({ em }: Subject): Promise<Pool> => {
  const connection = em().getConnection() as unknown as { getNativeClient(): Promise<Pool> };
  return connection.getNativeClient();
};

/** Waits until somebody has waited for a connection for a while. */
const untilWaited = async (subject: Subject): Promise<void> => {
  const pool = await poolOf(subject);
  while (pool.waitingCount === 0) await turn();
  await elapsed(waited);
};

/** How long a write would have waited for a lock that has waited for a connection before, in milliseconds. */
const patienceOf = async (subject: Subject, path: string): Promise<number> => {
  let answer: Promise<{ readonly body: unknown }> | undefined;
  await whileTaken(subject, async () => {
    // The first write asks the catalogue about its table. That is where it waits.
    answer = Promise.resolve(subject.request().post(path).send({ name: 'Sweep' }).expect(201));
    await untilWaited(subject);
  });
  const { body } = (await answer) as { readonly body: { readonly data: { readonly patience: string } } };
  const { patience } = body.data;
  return Number.parseInt(patience) * (patience.endsWith('ms') ? 1 : 1000);
};

contract(
  'What a request has waited for one connection it waits less for locks on the next',
  async (subject) => {
    // What it does between the two has gone by as well.
    expect(await patienceOf(subject, '/jobs')).toBeLessThan(margin);
    const [session] = await sqlOf(subject).execute<[{ limit: string }]>(
      "select current_setting('lock_timeout') as limit",
    );
    expect(session.limit).toBe('4s');
  },
);

contract('A request that has done something since has all its time for locks again', async (subject) => {
  expect(await patienceOf(subject, '/tasks')).toBeGreaterThan(margin);
});

contract('A write that joins the question of another one has its own time to wait', async (subject) => {
  const pool = await poolOf(subject);
  const ask = () => Promise.resolve(subject.request().post('/jobs').send({ name: 'Sweep' }));
  let second: ReturnType<typeof ask> | undefined;
  await whileTaken(subject, async () => {
    const first = ask();
    while (pool.waitingCount === 0) await turn();
    // The first write is refused soon, the second one waits for the same answer.
    await elapsed(poolWait - waited);
    second = ask();
    expectAnswer(await first, 503, failure('Service Unavailable'));
  });
  expect((await second)?.status).toBe(201);
});

const hasty = service(
  {
    entities: [Job],
    endpoints: [
      new Create({
        url: 'jobs',
        modelClass: Job,
        readableColumnNames: ['name'],
        writeableColumnNames: ['name'],
      }),
    ],
    orm: { ...recommendedOptions({ poolWait: waited }), pool: { max: 2 } },
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
).contract;

hasty('A write that got no connection in time does not wait for another one', async (subject) => {
  const ask = () => subject.request().post('/jobs').send({ name: 'Sweep' });
  const pool = await poolOf(subject);
  const connect = pool.connect.bind(pool);
  await whileTaken(subject, async () => {
    let waits = 0;
    pool.connect = (...taker) => {
      waits += 1;
      return connect(...taker);
    };
    expectAnswer(await ask(), 503, failure('Service Unavailable'));
    pool.connect = connect;
    expect(waits).toBe(1);
  });
  expectAnswer(await ask(), 201, success({ name: 'Sweep' }));
});
