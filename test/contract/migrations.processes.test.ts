import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MikroORM } from '@mikro-orm/core';
import { recommendedOptions } from '@nest-endpoints/core';
import { Migrator } from '@nest-endpoints/migrations';
import { catalogueOf, connectionOf } from '../support/catalogue.js';
import { faultyProxy } from '../support/faulty.proxy.js';
import { heldUp } from '../support/waits.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';

let database: MigratedDatabase;
/** Other processes of the service: a pool of their own to the same database. */
let others: readonly [MikroORM, MikroORM, MikroORM];

beforeAll(async () => {
  database = await migratedDatabase('postgresql');
  others = await Promise.all([database.another(), database.another(), database.another()]);
});

beforeEach(() => database.empty());

afterAll(async () => {
  for (const orm of others) await orm.close();
  await database.close();
});

const target = 'create table a (id int primary key, b text); create index on a (b); create table c (id int);';

/** The temporary databases of this one that are there. */
const shadows = () =>
  database.rows<{ name: string }>(
    `select datname as name from pg_database where starts_with(datname, 'nest_endpoints_shadow_' || (select oid from pg_database where datname = current_database()) || '_')`,
  );

test('Of several processes that apply at once one does it and the others have nothing to do', async () => {
  const answers = await Promise.all(
    [database.orm, ...others].map((cursor) => new Migrator({ cursor, sql: [target] }).run('apply')),
  );
  expect(answers.map((lines) => lines.length).toSorted()).toEqual([0, 0, 0, 3]);
  expect(await shadows()).toEqual([]);
});

test('A process that waits too long for another one says so', async () => {
  const blocker = connectionOf(others[0]);
  await blocker.transactional(async (transaction) => {
    await blocker.execute('select pg_advisory_xact_lock(1315206222, 0)', [], 'all', transaction);
    await expect(database.to(target, { waitTimeout: 200 }).run('apply')).rejects.toMatchObject({
      lines: ['nothing was changed: another process has been applying for more than 200 ms'],
    });
  });
  expect(await database.to(target).run('apply')).toHaveLength(3);
});

test('A table that a request holds for long stops apply, and a later one works', async () => {
  await database.run('create table a (id int primary key)');
  const before = await catalogueOf(database.orm);
  const blocker = connectionOf(others[0]);
  await blocker.transactional(async (transaction) => {
    await blocker.execute('select * from a', [], 'all', transaction);
    await expect(database.to(target, { lockTimeout: 200 }).run('apply')).rejects.toMatchObject({
      lines: [
        'nothing was changed: canceling statement due to lock timeout',
        expect.stringContaining('in: ALTER TABLE'),
      ],
    });
    expect(await catalogueOf(database.orm)).toEqual(before);
  });
  expect(await database.to(target, { lockTimeout: 2_000 }).run('apply')).not.toEqual([]);
});

test('What somebody is writing while apply begins counts among the values that a new type must hold', async () => {
  await database.run(`create table a (id int primary key, b text); insert into a values (1, 'x')`);
  const writer = connectionOf(others[0]);
  let applying: Promise<unknown> = Promise.resolve();
  await writer.transactional(async (transaction) => {
    await writer.execute(`insert into a values (2, 'too long')`, [], 'all', transaction);
    applying = database
      .to('create table a (id int primary key, b varchar(3))', { lockTimeout: 60_000 })
      .run('apply')
      .catch((error: unknown) => error);
    // It cannot end before this transaction: sooner or later it waits for the table.
    let waiting = 0;
    while (waiting === 0) {
      const rows = await database.rows(`select from pg_locks where not granted and relation = 'a'::regclass`);
      waiting = rows.length;
    }
  });
  expect(await applying).toMatchObject({
    lines: [
      'without allowDestructive this is not applied, because it would lose:',
      '  1 value of column public.a.b (text → character varying(3))',
    ],
  });
  expect(await database.rows('select b from a order by id')).toEqual([{ b: 'x' }, { b: 'too long' }]);
});

test('What somebody is writing while apply begins is filled, too', async () => {
  await database.run(`create table a (id int primary key, b text); insert into a values (1, 'x')`);
  const writer = connectionOf(others[0]);
  let applying: Promise<unknown> = Promise.resolve();
  await writer.transactional(async (transaction) => {
    await writer.execute('insert into a values (2, null)', [], 'all', transaction);
    applying = database
      .to('create table a (id int primary key, b text not null)', {
        fills: { 'a.b': "'filled'" },
        lockTimeout: 60_000,
      })
      .run('apply')
      .catch((error: unknown) => error);
    // It cannot end before this transaction: sooner or later it waits for the table.
    let waiting = 0;
    while (waiting === 0) {
      const rows = await database.rows(`select from pg_locks where not granted and relation = 'a'::regclass`);
      waiting = rows.length;
    }
  });
  expect(await applying).toHaveLength(2);
  expect(await database.rows('select b from a order by id')).toEqual([{ b: 'x' }, { b: 'filled' }]);
});

test('A connection that is lost during apply is told, and one that is lost during its commit as well', async () => {
  await database.run('create table a (id int primary key)');
  const blocker = connectionOf(others[0]);
  let applying: Promise<unknown> = Promise.resolve();
  await blocker.transactional(async (transaction) => {
    await blocker.execute('select * from a', [], 'all', transaction);
    applying = database
      .to(target, { lockTimeout: 60_000 })
      .run('apply')
      .catch((error: unknown) => error);
    const [pid] = await heldUp({ em: () => others[0].em.fork() });
    await database.rows(`select pg_terminate_backend(${pid})`);
    expect(await applying).toMatchObject({
      lines: [
        'nothing was changed: terminating connection due to administrator command',
        expect.stringContaining('in: ALTER TABLE'),
      ],
    });
  });
  const proxy = await faultyProxy(database.url);
  const far = await database.another({ clientUrl: proxy.url });
  try {
    const committing = proxy.hold(/\bcommit\b/);
    const cut = new Migrator({ cursor: far, sql: [target] }).run('apply').catch((error: unknown) => error);
    await committing;
    proxy.mend();
    expect(await cut).toMatchObject({
      lines: [
        expect.stringMatching(
          /^the connection was lost while the change was being committed, so it may have been: plan tells \(.+\)$/,
        ),
      ],
    });
  } finally {
    await far.close();
    await proxy.close();
  }
});

test('The temporary database is gone after a success, after an error, and after a lost connection', async () => {
  await database.to(target).run('check');
  await expect(database.to('create table a (id nope)').run('check')).rejects.toThrow('nope');
  expect(await shadows()).toEqual([]);

  const endless = `create function f() returns int immutable language plpgsql as $$ begin perform pg_sleep(60); return 1; end $$;
    create table t (id int); create table p (id int) partition by list (id); create table p1 partition of p for values in (f());`;
  const running = database
    .to(endless)
    .run('check')
    .catch((error: unknown) => error);
  // As if the process were killed: both of its connections end while the statement runs.
  let ended = 0;
  while (ended === 0) {
    const rows = await database.rows(
      `select pg_terminate_backend(a.pid) from pg_stat_activity a where a.query like '%partition of p %' and a.pid <> pg_backend_pid()`,
    );
    ended = rows.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await running).toBeInstanceOf(Error);
  expect(await shadows()).toEqual([]);
});

test('What a killed process has left behind is swept away by the next, what a running one needs is not', async () => {
  const [{ oid } = { oid: 0 }] = await database.rows<{ oid: number }>(
    'select oid::int from pg_database where datname = current_database()',
  );
  const [dead, alive] = [`nest_endpoints_shadow_${oid}_11`, `nest_endpoints_shadow_${oid}_12`];
  await database.run(`create database ${dead} template template0`);
  await database.run(`create database ${alive} template template0`);
  const owner = connectionOf(others[0]);
  await owner.transactional(async (transaction) => {
    await owner.execute('select pg_advisory_xact_lock(1315206221, 12)', [], 'all', transaction);
    await database.to(target).run('check');
    expect(await shadows()).toEqual([{ name: alive }]);
  });
  await database.to(target).run('check');
  expect(await shadows()).toEqual([]);
});

test('A role that may not create databases is told what it needs', async () => {
  await database.run(`drop role if exists plain_role; create role plain_role login password 'plain'`);
  const plain = await database.another({ user: 'plain_role', password: 'plain' });
  try {
    await expect(new Migrator({ cursor: plain, sql: [target] }).run('check')).rejects.toMatchObject({
      lines: [
        "the role 'plain_role' must have CREATEDB: the target schema is tried in a temporary database first",
      ],
    });
    await database.run('alter role plain_role createdb; grant all on schema public to plain_role');
    const migrator = new Migrator({ cursor: plain, sql: [target] });
    expect(await migrator.run('apply')).toHaveLength(3);
    expect(await migrator.run('plan')).toEqual([]);
  } finally {
    await plain.close();
    await database.run(
      'drop table if exists a, c; revoke all on schema public from plain_role; drop role plain_role',
    );
  }
});

test('A plan for 200 tables takes a few times as long as making them', async () => {
  const many = Array.from(
    { length: 200 },
    (_, i) =>
      `create table t${i} (id bigint generated always as identity primary key, name text not null, parent bigint references t${Math.max(0, i - 1)}, amount numeric(10, 2) check (amount > 0));
       create index on t${i} (name); create index on t${i} (parent);`,
  ).join('\n');
  const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  const ratios: number[] = [];
  // A machine that is busy for a while has another round; where a plan is slow, it is so in each.
  for (const change of [
    'alter table t7 add column a int',
    'create view v as select id from t3',
    'create table u ()',
  ]) {
    await database.empty();
    const making = await timeOf(() => database.run(many));
    const planning = await timeOf(async () => {
      expect(await database.to(`${many} ${change};`).run('plan')).toHaveLength(1);
    });
    ratios.push(planning / making);
  }
  expect(Math.min(...ratios)).toBeLessThan(8);
});

test('A change may take longer than a request may', async () => {
  // The client gives a statement up two seconds after the server should have.
  const orm = await database.another(recommendedOptions({ statementTimeout: 100 }));
  const slow = 'create materialized view slow as select pg_sleep(2.3)::text as slept';
  try {
    await new Migrator({ cursor: orm, sql: [slow] }).run('apply');
    expect(await database.rows('select count(*)::int as n from slow')).toEqual([{ n: 1 }]);
    await expect(orm.em.getConnection().execute('select pg_sleep(1)')).rejects.toThrow('statement timeout');
  } finally {
    await orm.close();
  }
});
