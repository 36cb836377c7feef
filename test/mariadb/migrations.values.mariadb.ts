import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MigrationFailure, type MigratorOptions } from '@nest-endpoints/migrations';
import { connectionOf } from '../support/catalogue.js';
import { migratedMariaDb, type MigratedMariaDb } from './migrated.database.js';

let database: MigratedMariaDb;

beforeAll(async () => {
  database = await migratedMariaDb();
});

afterAll(async () => {
  await database.close();
});

beforeEach(async () => {
  await database.empty();
});

const failureOf = async (sql: string, options: Partial<MigratorOptions> = {}): Promise<unknown> => {
  const failure: unknown = await database
    .to(sql, options)
    .run('apply')
    .catch((error: unknown) => error);
  return failure instanceof MigrationFailure ? failure.lines : failure;
};

const valuesOf = async (): Promise<readonly unknown[]> =>
  (await database.rows('select a from t order by id')).map(({ a }) => a);

const lossOf = (what: string) => [
  'without allowDestructive this is not applied, because it would lose:',
  `  ${what}`,
];

test('A stored column that is computed no more keeps its values on MariaDB', async () => {
  for (const type of ['int', 'int not null', 'bigint']) {
    await database.empty();
    await database.run(
      'create table t (id int primary key, a int as (id + 1) stored); insert into t (id) values (1), (2)',
    );
    await database.to(`create table t (id int primary key, a ${type});`).run('apply');
    expect((await valuesOf()).map(Number)).toEqual([2, 3]);
  }
});

test('A column that is computed when it is read has no values to keep, and MariaDB says so', async () => {
  await database.run(
    'create table t (id int primary key, a int as (id + 1) virtual); insert into t (id) values (1)',
  );
  expect(await failureOf('create table t (id int primary key, a int);')).toEqual(lossOf('column t.a'));
  expect(
    await failureOf('create table t (id int primary key, a int not null);', { allowDestructive: true }),
  ).toEqual([
    'this is not applied, because rows that are there have no value for these columns, which are required:',
    '  column t.a',
    expect.any(String),
    "  't.a': '…'",
  ]);
  const fills = { 't.a': 'id * 10' };
  await database
    .to('create table t (id int primary key, a int not null);', { allowDestructive: true, fills })
    .run('apply');
  expect(await valuesOf()).toEqual([10]);
});

test('Values that cannot be looked at, because somebody holds their rows, are not taken for unchanged', async () => {
  await database.run(
    'create table t (id int primary key, a decimal(10,4)); insert into t values (1, 1.2345)',
  );
  const blocker = connectionOf(database.orm);
  await blocker.transactional(async (transaction) => {
    await blocker.execute('update t set a = 1.2346', [], 'run', transaction);
    expect(
      await failureOf('create table t (id int primary key, a decimal(10,2));', { lockTimeout: 1000 }),
    ).toEqual(['nothing was changed: Lock wait timeout exceeded; try restarting transaction']);
  });
  expect((await valuesOf()).map(String)).toEqual(['1.2346']);
});

test('Values that are too long to be looked at are a loss', async () => {
  await database.run(
    `create table t (id int primary key, a varchar(10000)) character set utf8mb4; insert into t values (1, '1.239')`,
  );
  expect(
    await failureOf('create table t (id int primary key, a decimal(10,2)) character set utf8mb4;'),
  ).toEqual(lossOf('whatever of column t.a (varchar(10000) → decimal(10,2)) the new type cannot hold'));
  expect(await valuesOf()).toEqual(['1.239']);
});
