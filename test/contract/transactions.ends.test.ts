import { expect } from '@jest/globals';
import { defineEntity, p, type EventSubscriber } from '@mikro-orm/core';
import { Callable, Create, Update, type LifeCycleContext } from '@nest-endpoints/core';
import { ConflictException } from '@nestjs/common';
import { expectAnswer, failure, success } from '../support/answers.js';
import type { ApplicationOptions } from '../support/application.js';
import { everyDatabase, postgresqlOnly, service, type Subject } from '../support/contract.js';

const Draft = defineEntity({
  name: 'Draft',
  properties: { id: p.integer().primary(), text: p.json<{ lines: string[] }>().nullable() },
});

/** The event in which the subscriber fails. */
let failing = '';

class FailingSubscriber implements EventSubscriber {
  beforeTransactionCommit(): void {
    this.#fail('beforeTransactionCommit');
  }

  afterTransactionCommit(): void {
    this.#fail('afterTransactionCommit');
  }

  beforeTransactionRollback(): void {
    this.#fail('beforeTransactionRollback');
  }

  afterTransactionRollback(): void {
    this.#fail('afterTransactionRollback');
  }

  #fail(event: string): void {
    if (failing === event) throw new Error(`of the test, in ${event}`);
  }
}

let failures = 0;
let resume = Promise.withResolvers<undefined>();
let escaped: unknown[] = [];
let tried = Promise.withResolvers<undefined>();

interface Tables {
  readonly draft: { readonly id: number };
}
const kyselyOf = (em: LifeCycleContext['em']) => em.getKysely<Tables>();
const inserting = (kysely: ReturnType<typeof kyselyOf>) => kysely.insertInto('draft').values({ id: 77 });

const drafts = {
  modelClass: Draft,
  readableColumnNames: ['id', 'text'],
  writeableColumnNames: ['id', 'text'],
} as const;

const sign = ({ record }: LifeCycleContext<{ text?: { lines: string[] } | null | undefined }>): void => {
  record.text?.lines.push('signed');
};

const fail = async ({ em }: LifeCycleContext): Promise<void> => {
  if (failures <= 0) return;
  failures -= 1;
  await em.execute("do $$ begin raise exception 'of the test' using errcode = '40001'; end $$");
};

/** Every way to the database that a function may try once nobody waits for it. */
const escape = async ({ em }: LifeCycleContext): Promise<void> => {
  const kept = em.fork();
  const [connection, kysely] = [kept.getConnection(), kyselyOf(kept)];
  const compiled = inserting(kysely).compile();
  await resume.promise;
  const ways: (() => unknown)[] = [
    () => inserting(kyselyOf(em)).execute(),
    () => inserting(kysely).execute(),
    () => kysely.executeQuery(compiled),
    () => em.getConnection().execute('insert into draft (id) values (78)'),
    () => connection.execute('insert into draft (id) values (79)'),
    () => em.getDriver().execute('insert into draft (id) values (80)'),
    () => em.fork().getConnection().getClient(),
    () => em.execute('insert into draft (id) values (81)'),
    () => em.transactional((inner) => inner.execute('insert into draft (id) values (82)')),
    () => em.begin(),
  ];
  escaped = [];
  for (const way of ways)
    escaped.push(
      await Promise.resolve()
        .then(way)
        .then(
          () => 'done',
          (error: unknown) => (error instanceof Error ? error.message : error),
        ),
    );
  tried.resolve(undefined);
};

const options: ApplicationOptions = {
  entities: [Draft],
  orm: { subscribers: [new FailingSubscriber()] },
  endpoints: [
    new Create({ ...drafts, url: 'drafts' }),
    new Create({ ...drafts, url: 'signed', beforeSave: sign, afterSave: fail }),
    new Update({ ...drafts, url: 'signed/:id', beforeSave: sign, afterSave: fail }),
    new Create({
      ...drafts,
      url: 'undone',
      afterSave: () => {
        throw new ConflictException('of the test');
      },
    }),
    new Create({ ...drafts, url: 'hanging', timeout: 200, afterSave: escape }),
    new Callable({
      url: 'mistaken',
      toCall: ({ em }) => em.find(Draft, {}, { populate: ['nothing'] as never }),
    }),
    new Callable({
      url: 'refused',
      toCall: ({ em }) => em.findOneOrFail(Draft, { id: 987654321 }),
    }),
    new Callable({
      url: 'wrong',
      toCall: ({ em }) => em.find(Draft, { id: { $nothing: 'a secret' } } as never),
    }),
    new Callable({
      url: 'thrown',
      toCall: ({ em }) =>
        em.transactional(() => {
          throw new Error('of the test');
        }),
    }),
  ],
};

const { contract } = service(options, everyDatabase);
/** SQLite never undoes a transaction because of others. */
const retried = service(options, postgresqlOnly).contract;

const begin = (event = ''): void => {
  failing = event;
};

contract(
  'What a subscriber throws after the commit is logged, and the answer is the success',
  async (subject) => {
    begin('afterTransactionCommit');
    const draft = { id: 1, text: null };
    expectAnswer(await subject.request().post('/drafts').send(draft), 201, success(draft));
    expect(await subject.count(Draft)).toBe(1);
  },
);

contract('What a subscriber throws before the commit undoes the write', async (subject) => {
  begin('beforeTransactionCommit');
  expectAnswer(
    await subject.request().post('/drafts').send({ id: 1 }),
    500,
    failure('Internal Server Error'),
  );
  begin();
  expect(await subject.count(Draft)).toBe(0);
});

contract(
  'A subscriber that fails while a write is undone hides no reason and keeps no transaction open',
  async (subject) => {
    for (const event of ['beforeTransactionRollback', 'afterTransactionRollback']) {
      begin();
      await subject.em().nativeDelete(Draft, {});
      await subject.save(Draft, { id: 1 });
      begin(event);
      const { status, body } = await subject.request().post('/drafts').send({ id: 1 });
      expect({ event, status, word: body.status }).toEqual({ event, status: 400, word: 'input_errors' });
      // The database has written this one, and is told to undo it.
      const undone = await subject.request().post('/undone').send({ id: 3 });
      expect({ event, status: undone.status, error: undone.body.error }).toEqual({
        event,
        status: 409,
        error: 'of the test',
      });
      expect((await subject.request().post('/drafts').send({ id: 2 })).status).toBe(201);
      begin();
      expect(await subject.count(Draft)).toBe(2);
    }
  },
);

retried('Each trial of a write begins with the JSON that was sent', async (subject) => {
  begin();
  const { request } = subject;
  const text = { lines: ['first'] };
  const signed = { lines: ['first', 'signed'] };
  failures = 2;
  expectAnswer(await request().post('/signed').send({ id: 1, text }), 201, success({ id: 1, text: signed }));
  failures = 2;
  const changed = await request()
    .patch('/signed/1')
    .send({ text: { lines: ['other'] } });
  expectAnswer(changed, 200, success({ id: 1, text: { lines: ['other', 'signed'] } }));
});

contract('Nothing that a function asks is kept once its request was given up', async (subject) => {
  begin();
  resume = Promise.withResolvers();
  tried = Promise.withResolvers();
  expectAnswer(await subject.request().post('/hanging').send({ id: 1 }), 503, failure('Service Unavailable'));
  await untilEmpty(subject);
  resume.resolve(undefined);
  await tried.promise;
  expect(escaped.map(String)).toEqual(
    escaped.map(() => expect.stringContaining('the time limit of 200 ms') as unknown),
  );
  expect(await subject.count(Draft)).toBe(0);
});

/** The transaction of a request that was given up is undone in the background. */
const untilEmpty = async (subject: Subject): Promise<void> => {
  while ((await subject.count(Draft)) > 0) await new Promise(setImmediate);
};

contract(
  'A mistake in what MikroORM is asked is a 500, whose values stay out of the log',
  async (subject) => {
    begin();
    for (const path of ['mistaken', 'refused', 'wrong', 'thrown']) {
      const { status, headers } = await subject.request().get(`/${path}`);
      expect({ path, status, retry: headers['retry-after'] }).toEqual({
        path,
        status: 500,
        retry: undefined,
      });
    }
    expect(subject.log.text()).not.toMatch(/987654321|a secret/);
    expect(subject.log.text('error')).toContain('of the test');
  },
);
