import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MikroORM } from '@mikro-orm/core';
import { MariaDbDriver } from '@mikro-orm/mariadb';
import { MigrationFailure, Migrator, type MigratorOptions } from '@nest-endpoints/migrations';
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

const person = 'create table person (id int primary key, name varchar(20));';

/** The lines with which apply fails. */
const failureOf = async (sql: string, options: Partial<MigratorOptions> = {}): Promise<readonly string[]> => {
  const failure: unknown = await database
    .to(sql, options)
    .run('apply')
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MigrationFailure);
  return failure instanceof MigrationFailure ? failure.lines : [];
};

/** {@link failureOf}, after a look whether the schema is as it was. */
const refusal = async (sql: string, options: Partial<MigratorOptions> = {}): Promise<readonly string[]> => {
  const before = await database.written();
  const lines = await failureOf(sql, options);
  expect(await database.written()).toEqual(before);
  return lines;
};

test.each([
  ['insert into person values (1)', 'INSERT INTO'],
  ['create table t select 1 as a', 'must not be filled'],
  ['create table t (select 1 as a)', 'must not be filled'],
  ['create table t (a int) values (1)', 'must not be filled'],
  ['drop table person', 'DROP TABLE'],
  ['create database other', 'CREATE DATABASE'],
  ['use mysql', 'USE MYSQL'],
  ['create user u', 'CREATE USER'],
  ['grant all on *.* to u', 'GRANT ALL'],
  ['set global max_connections = 1', 'SET GLOBAL'],
  ['call p()', 'CALL P'],
  [`load data infile '/etc/passwd' into table person`, 'LOAD DATA'],
  ['create table mysql.t (a int)', 'must be of this database'],
  ['create table t (a int) engine = connect', 'engine must be one of'],
  [`create table t (a int) data directory = '/tmp'`, 'must not name places'],
  ['create table t (a int references mysql.user (a))', 'must be of this database'],
  ['create table t (a int references mysql.1t (a))', 'must be of this database'],
  ['create table t (a decimal(3,1) default 1.5) select 1 as b', 'must not be filled'],
  [`create function f returns string soname 'lib.so'`, 'a library of the server'],
  ['create table t (a int) --\u00a0 as select 1', 'must not be filled'],
  ['create table t (a int) --\u0001 as select 1', 'control character'],
  ['create view mysql.v as select 1', 'must be of this database'],
  ['alter table person drop column name', 'only ADD is allowed'],
  ['alter table person add a int, drop column name', 'only ADD is allowed'],
  ['create temporary table t (a int)', 'CREATE TEMPORARY'],
  ['create definer = root view v as select 1', 'CREATE DEFINER'],
  ['create server s foreign data wrapper mysql options (host "x")', 'CREATE SERVER'],
  ['create event e on schedule every 1 day do select 1', 'CREATE EVENT'],
  ['/*! drop table person */', 'that is run'],
  ['create table t (a int) /*M! as select 1 */', 'that is run'],
  [`create table t (a int) comment 'open`, 'does not end'],
  ['create table t (a int) partition by hash (a)', 'partitions'],
])('A statement that is none of a schema is refused on MariaDB before it is run: %s', async (sql, says) => {
  await database.run(person);
  const lines = await refusal(`${person}\n  ${sql};`);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^sql\[0\]:2:\d+: /);
  expect(lines[0]).toContain(says);
});

test('A semicolon in a text, a name, a comment or the body of a routine ends no statement of MariaDB', async () => {
  const sql = `create table \`a;b\` (x varchar(9) default ';''\\';') comment = "a;b"; -- a;b
    # drop table x;
    /* ; */ create function f() returns int deterministic begin if true then return 1; end if; return case when true then 2 end; end;`;
  expect(await database.to(sql).run('apply')).toHaveLength(2);
  expect(await database.to(sql).run('plan')).toEqual([]);
});

test('What MariaDB cannot make a schema of is told with its place', async () => {
  const lines = await refusal(`${person}\ncreate view v as select nothing from person;`);
  expect(lines).toEqual([expect.stringMatching(/^sql\[0\]:2:1: .*nothing/)]);
});

test('An empty target would drop everything, and is refused on MariaDB', async () => {
  await database.run(person);
  expect(await refusal(' -- nothing')).toEqual([
    'the target schema is empty: no entry of sql holds a statement',
  ]);
});

test('What would lose data is refused on MariaDB without allowDestructive, and a rename is asked for', async () => {
  await database.run(`${person} create table pet (id int primary key);`);
  expect(await refusal('create table person (id int primary key, title varchar(20));')).toEqual([
    'without allowDestructive this is not applied, because it would lose:',
    '  table pet',
    '  column person.name',
    'if it was renamed, say so in the option renames:',
    '  column person.name may have become column person.title',
  ]);
});

test('A misspelt rename is refused on MariaDB where it would lose what it was to keep', async () => {
  await database.run(person);
  const target = 'create table person (id int primary key, title varchar(20));';
  const renames = [{ table: 'person', column: 'nam', to: 'title' }];
  expect(await refusal(target, { allowDestructive: true, renames })).toEqual([
    'an entry of the option renames is about a name that is not there:',
    '  nothing becomes column person.title (did you mean column person.name?)',
  ]);
});

test('Values that MariaDB would round or cut are counted, and refuse the change', async () => {
  await database.run(
    'create table t (id int primary key, a decimal(10,4)); insert into t values (1, 1.5), (2, 1.2345), (3, null);',
  );
  expect(await refusal('create table t (id int primary key, a decimal(10,2));')).toEqual([
    'without allowDestructive this is not applied, because it would lose:',
    '  1 value of column t.a (decimal(10,4) → decimal(10,2))',
  ]);
});

test('A required column of a table with rows is refused on MariaDB, which would make up values', async () => {
  await database.run(`${person} insert into person values (1, null);`);
  expect(
    await refusal('create table person (id int primary key, name varchar(20) not null, age int not null);'),
  ).toEqual([
    'this is not applied, because rows that are there have no value for these columns, which are required:',
    '  column person.name',
    '  column person.age',
    'say in the option fills what these rows get, an SQL expression for each column:',
    "  'person.name': '…'",
    "  'person.age': '…'",
  ]);
});

const first = 'create table a (id int primary key); create table b (id int primary key, n int);';
const second =
  'create table a (id int primary key, x int); create table b (id int primary key, n int, unique key u (n)); create table c (id int primary key);';

test('An apply that fails on MariaDB says how far it came, and the next one goes on', async () => {
  await database.run(`${first} insert into b values (1, 5), (2, 5);`);
  const lines = await failureOf(second);
  expect(lines[0]).toBe('2 of 3 statements were applied and stay; the next apply goes on from there:');
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^ {2}CREATE TABLE `c`/),
    '  ALTER TABLE `a` ADD COLUMN `x` int(11) DEFAULT NULL AFTER `id`',
    'then this one failed:',
    expect.stringMatching(/^Duplicate entry/),
    'in: ALTER TABLE `b` ADD UNIQUE KEY `u` (`n`)',
  ]);
  await database.run('delete from b where id = 2');
  expect(await database.to(second).run('apply')).toEqual([
    '-- goes on: an apply before was cut after 2 of 3 statements',
    'ALTER TABLE `b` ADD UNIQUE KEY `u` (`n`)',
  ]);
  expect(await database.to(second).run('apply')).toEqual([]);
});

/** Waits until a statement waits for a table. @returns its connection */
const waiting = async (): Promise<unknown> => {
  for (;;) {
    const [row] = await database.rows(
      `select id from information_schema.processlist where state like 'Waiting for table metadata lock' and info like 'ALTER TABLE %b%'`,
    );
    if (row !== undefined) return row['id'];
  }
};

test('An apply whose connection is killed between statements is gone on with, and its lock and shadows are gone', async () => {
  await database.run(first);
  const reader = database.orm.em.fork();
  await reader.begin();
  await connectionOf(database.orm).execute('select * from b', [], 'all', reader.getTransactionContext());
  const cut = database
    .to(second)
    .run('apply')
    .catch((error: unknown) => error);
  await database.rows(`kill connection ${String(await waiting())}`);
  expect(await cut).toBeInstanceOf(Error);
  await reader.rollback();
  const lines = await database.to(second).run('apply');
  expect(lines).toEqual([
    '-- goes on: an apply before was cut after 2 of 3 statements',
    'ALTER TABLE `b` ADD UNIQUE KEY `u` (`n`)',
  ]);
  expect(await database.to(second).run('plan')).toEqual([]);
  const shadows = await database.rows(
    `select schema_name from information_schema.schemata
     where schema_name like concat('nest_endpoints_shadow_', left(sha2(database(), 256), 12), '%')`,
  );
  expect(shadows).toEqual([]);
});

test('Three that apply at once on MariaDB do it once', async () => {
  await database.run(first);
  const all = await Promise.all([1, 2, 3].map(() => database.to(second).run('apply')));
  expect(all.map(({ length }) => length).sort()).toEqual([0, 0, 3]);
});

test('Tables that are not managed stay on MariaDB, and the digest of a target spares the next start its work', async () => {
  await database.run('create table kept (id int primary key);');
  const options = { unmanaged: ['public.kept'] };
  expect(await database.to(person, options).applyWhenChanged()).toHaveLength(1);
  await database.run('drop table person');
  expect(await database.to(person, options).applyWhenChanged()).toEqual([]);
  expect(await database.to(person, options).run('plan')).toHaveLength(1);
});

test('A start on MariaDB knows what was applied last, whoever applied it and however far that came', async () => {
  await database.run(`${first} insert into b values (1, 5), (2, 5);`);
  expect(await database.to(first).applyWhenChanged()).toEqual([]);
  await failureOf(second);
  expect(await database.to(first, { allowDestructive: true }).applyWhenChanged()).toEqual([
    '-- goes on: an apply before was cut after 2 of 3 statements',
    'DROP TABLE `c`',
    'ALTER TABLE `a` DROP COLUMN `x`',
  ]);
  await database.run('delete from b where id = 2');
  expect(await database.to(second).run('apply')).toHaveLength(3);
  expect(await database.to(first, { allowDestructive: true }).applyWhenChanged()).toHaveLength(3);
});

test('What Migrations do on MariaDB for a request that is given up is stopped, and what was applied stays', async () => {
  await database.run(first);
  const reader = database.orm.em.fork();
  await reader.begin();
  await connectionOf(database.orm).execute('select * from b', [], 'all', reader.getTransactionContext());
  let giveUp: (reason: Error) => void = () => undefined;
  const cancellation: NonNullable<MigratorOptions['cancellation']> = {
    reason: undefined,
    whenCancelled: (work) => {
      giveUp = work;
      return () => undefined;
    },
    holdFor: (commit) => commit(),
  };
  const cut = database
    .to(second, { cancellation, lockTimeout: 60_000 })
    .run('apply')
    .catch((error: unknown) => error);
  await waiting();
  giveUp(new Error('the client has gone'));
  expect(await cut).toMatchObject({
    lines: expect.arrayContaining([
      '2 of 3 statements were applied and stay; the next apply goes on from there:',
      'Query execution was interrupted',
    ]),
  });
  await reader.rollback();
  expect(await database.to(second).run('apply')).toHaveLength(2);
});

test('What a database of MariaDB has beyond the target is exported as statements', async () => {
  await database.run(`${person} create table pet (id int primary key);`);
  expect(await database.to(person).run('plan_export')).toEqual([
    expect.stringMatching(/^CREATE TABLE `pet`/),
  ]);
});

test('A user of MariaDB that may make no database beside is told the right that it needs', async () => {
  const { orm } = database;
  const dbName = String(orm.config.get('dbName'));
  const user = `u_${dbName.slice(-12)}`;
  await database.run(`create user ${user}@localhost; grant all on ${dbName}.* to ${user}@localhost`);
  const own = await MikroORM.init({
    ...{ driver: MariaDbDriver, dbName, user, driverOptions: orm.config.get('driverOptions') },
    ...{ entities: [], discovery: { warnWhenNoEntities: false } },
  });
  const migrator = new Migrator({ cursor: own, sql: [person] });
  const right = 'grant all on `nest\\_endpoints\\_shadow\\_%`.* to';
  await expect(migrator.run('plan')).rejects.toMatchObject({
    lines: [expect.stringContaining('must be allowed to create databases'), `${right} the user`],
  });
  await database.run(`${right} ${user}@localhost`);
  expect(await migrator.run('plan')).toHaveLength(1);
  await own.close();
  await database.run(`drop user ${user}@localhost`);
});

test('Schemas of tenants, which are databases on MariaDB, are refused in words', async () => {
  const lines = ['the option schemas needs PostgreSQL: a schema of MariaDB is a database of its own'];
  expect(await refusal(person, { schemas: ['t_*'] })).toEqual(lines);
  await expect(database.to(person, { schemas: ['t_*'] }).run('plan')).rejects.toMatchObject({ lines });
});
