import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MigrationFailure } from '@nest-endpoints/migrations';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';
import { refusal } from './migrations.refusal.js';

let database: MigratedDatabase;

beforeAll(async () => {
  database = await migratedDatabase('postgresql');
});

beforeEach(() => database.empty());

afterAll(() => database.close());

const refused = (sql: string) => refusal(database, sql);

test('Statements that do not define a schema are refused with their place', async () => {
  const statements = {
    'insert into t values (1)': 'INSERT INTO',
    'update t set a = 1': 'UPDATE T',
    'delete from t': 'DELETE FROM',
    'select 1': 'SELECT 1',
    'select 1 into t2': 'SELECT 1',
    'truncate t': 'TRUNCATE T',
    begin: 'BEGIN',
    commit: 'COMMIT',
    'savepoint a': 'SAVEPOINT A',
    [`copy t from program 'id'`]: 'COPY T',
    [`copy t to '/tmp/x'`]: 'COPY T',
    'do $$ begin end $$': 'DO',
    'call p()': 'CALL P',
    'set role postgres': 'SET ROLE',
    [`set search_path = 'x'`]: 'SET SEARCH_PATH',
    'reset all': 'RESET ALL',
    'create role r': 'CREATE ROLE',
    'alter role postgres superuser': 'ALTER ROLE',
    'grant pg_read_all_data to public': 'GRANT PG_READ_ALL_DATA',
    'drop table t': 'DROP TABLE',
    'drop database postgres': 'DROP DATABASE',
    'create database d': 'CREATE DATABASE',
    'alter system set fsync = off': 'ALTER SYSTEM',
    'create table t2 as select 1': 'CREATE TABLE',
    'create temp table t2 (a int)': 'CREATE TEMP',
    'create table pg_temp.t2 (a int)': 'CREATE TABLE',
    'create schema s create table pg_temp.t2 (a int)': 'CREATE SCHEMA',
    [`create function pg_catalog.f() returns int language sql as 'select 1'`]: 'CREATE FUNCTION',
    [`create type information_schema.e as enum ('a')`]: 'CREATE TYPE',
    'create type pg_catalog.c as (a int)': 'CREATE TYPE',
    'create type pg_catalog.r as range (subtype = int)': 'CREATE TYPE',
    'create domain pg_catalog.d as int': 'CREATE DOMAIN',
    'create view pg_catalog.v as select 1': 'CREATE VIEW',
    'create materialized view pg_catalog.m as select 1': 'CREATE MATERIALIZED',
    'create materialized view information_schema.m as select 1': 'CREATE MATERIALIZED',
    'create sequence pg_catalog.s': 'CREATE SEQUENCE',
    'create aggregate pg_catalog.g (int) (sfunc = int4pl, stype = int)': 'CREATE AGGREGATE',
    'create collation pg_catalog.k from "C"': 'CREATE COLLATION',
    'create schema pg_own': 'CREATE SCHEMA',
    'create index on pg_catalog.pg_class (oid)': 'CREATE INDEX',
    'create statistics s on a, b from t': 'CREATE STATISTICS',
    'create event trigger e on ddl_command_start execute function f()': 'CREATE EVENT',
    'create publication p': 'CREATE PUBLICATION',
    [`create subscription s connection 'x' publication p`]: 'CREATE SUBSCRIPTION',
    'create server s foreign data wrapper w': 'CREATE SERVER',
    [`create function f() returns int language c as 'libc', 'system'`]: 'CREATE FUNCTION',
    [`create function f() returns int language internal as 'pg_backend_pid'`]: 'CREATE FUNCTION',
    'create table t2 (a int) tablespace x': 'CREATE TABLE',
    'create table t2 (a int generated always as (1))': 'CREATE TABLE',
    'alter table t owner to postgres': 'ALTER TABLE',
    'alter table t drop column a': 'ALTER TABLE',
    'alter table t rename to u': 'ALTER TABLE',
    'alter table t alter column a drop not null': 'ALTER TABLE',
    'alter table t alter column a drop expression': 'ALTER TABLE',
    'alter table t alter column a drop identity': 'ALTER TABLE',
    'alter table t drop constraint c': 'ALTER TABLE',
    'alter table t disable row level security': 'ALTER TABLE',
    'alter table t no force row level security': 'ALTER TABLE',
    'alter table t no inherit u': 'ALTER TABLE',
    'alter table t detach partition u': 'ALTER TABLE',
    'alter table t set (toast.autovacuum_enabled = false)': 'ALTER TABLE',
    'create table t2 (a int) with (toast.autovacuum_enabled = false)': 'CREATE TABLE',
    'create materialized view m with (toast.autovacuum_enabled = false) as select 1': 'CREATE MATERIALIZED',
    'create schema s create table t2 (a int) with (toast.autovacuum_enabled = false)': 'CREATE SCHEMA',
    'alter sequence s restart with 700': 'ALTER SEQUENCE',
    'create sequence s restart 700': 'CREATE SEQUENCE',
    'alter table t alter a set generated always restart with 5': 'ALTER TABLE',
    'alter table t alter a add generated always as identity (restart 5)': 'ALTER TABLE',
    'create table t2 (a int generated always as identity (restart 5))': 'CREATE TABLE',
    [`alter view v alter a set default 'x'`]: 'ALTER VIEW',
    'alter domain d drop not null': 'ALTER DOMAIN',
    'alter domain d drop constraint c': 'ALTER DOMAIN',
    [`alter type e rename value 'a' to 'b'`]: 'ALTER TYPE',
    'create index concurrently on t (a)': 'CREATE INDEX',
    [`comment on role postgres is 'x'`]: 'COMMENT ON',
    'alter default privileges grant select on tables to public': 'ALTER DEFAULT',
    'create schema s authorization postgres': 'CREATE SCHEMA',
    'create schema s create temp view v as select 1': 'CREATE SCHEMA',
    [`load 'x'`]: 'LOAD',
    'lock table t': 'LOCK TABLE',
    'listen x': 'LISTEN X',
    'prepare x as select 1': 'PREPARE X',
    'explain select 1': 'EXPLAIN SELECT',
    'vacuum t': 'VACUUM T',
    'create cast (text as int) without function': 'CREATE CAST',
    'create operator + (function = f)': 'CREATE OPERATOR',
    [`security label on table t is 'x'`]: 'SECURITY LABEL',
  };
  const sql = Object.keys(statements);
  const lines = await refused(`create table t (a int, b int);\n${sql.join(';\n')}`);
  expect(lines.map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual(
    Object.values(statements).map((words, index) =>
      expect.stringMatching(new RegExp(`^sql\\[0\\]:${index + 2}:\\d+: ${words}$`)),
    ),
  );
});

test('A default of a column of a view is refused, whatever the view is called', async () => {
  const lines = await refused('create view v as select 1 as a;\nalter table v alter a set default 1;');
  expect(lines).toEqual(['sql[0]:2:1: ALTER TABLE: defaults of columns of views are not managed']);
});

test('A GRANT within CREATE SCHEMA is one of the target, and is done', async () => {
  const target = 'create schema extra create table t (id int) grant select on t to public';
  await database.to(target).run('apply');
  expect(await database.rows(`select has_table_privilege('public', 'extra.t', 'select') as may`)).toEqual([
    { may: true },
  ]);
  expect(await database.to(target).run('plan')).toEqual([]);
  await database.run('revoke select on extra.t from public');
  expect(await database.to(target).run('plan')).toContain('GRANT SELECT ON TABLE "extra"."t" TO PUBLIC');
});

test('A refusal has the place of what is refused, whatever stands before its statement', async () => {
  const sql = `create table "é" (a int);\ncreate table t (a int, b int generated always as (1) virtual);`;
  const [line] = await refused(sql);
  expect(line).toContain('2:24: CREATE TABLE: generated columns must be STORED');
});

test('A statement cannot hide behind comments, quotes or other characters', async () => {
  const drop = 'DROP TABLE: it does not define a schema';
  const hidden = {
    '/* create table a (id int); */ drop table t': `1:32: ${drop}`,
    '/* /* nested */ */ drop table t': `1:20: ${drop}`,
    '-- create\ndrop table t': `2:1: ${drop}`,
    'create table a (id int)/**/;/**/drop/*;*/table/**/t': `1:33: ${drop}`,
    [`create table a (id int default 1) /* ' */; drop table t --'`]: `1:44: ${drop}`,
    [`create table a (id int default 1) -- ' /*\n; drop table t --' */`]: `2:3: ${drop}`,
    [`create view v as select E'\\'' as a, '\\' as b; drop table t`]: `1:47: ${drop}`,
    [`create view v as select E'a'\n '\\'' as a; drop table t; --'`]: `2:13: ${drop}`,
    [`create function f() returns text language sql as $a$ select $$;$$ $a$; drop table t`]: `1:72: ${drop}`,
    'create table "a;drop" (id int); drop table t': `1:33: ${drop}`,
    'create table "/*" (id int); drop table t; create table "*/" (id int)': `1:29: ${drop}`,
    [`create view v as select 'it''s; \\' as a; drop table t; --'`]: `1:42: ${drop}`,
    'create table t2 (id int);\u00a0drop table t': '1:26: syntax error at or near "\u00a0drop"',
    'CREATE TABLE t2 (id int);\u0000 drop table t': '1:26: the text contains a NUL character',
    '\ufeff drop table t': '1:1: syntax error at or near "\ufeff"',
    'create table ｄrop (id int); drop table t;': `1:29: ${drop}`,
  };
  for (const [text, line] of Object.entries(hidden))
    expect([text, await refused(text)]).toEqual([text, [`sql[0]:${line}`]]);
});

test('What only looks like a comment stays as it is', async () => {
  await database
    .to(
      `/* first */ create table "a/*b*/" (id int primary key, "--c" text default '-- no /* comment */'); -- 'it
       create/**/function f() returns text language sql as $x$ select /* kept */ '$$--' -- here
       $x$; comment on table "a/*b*/" is E'it\\'s /* one'
       '\\' -- two' -- '
       ;create view v as select 1 - -1 as a, 2/*two*/*/**/3 as b, U&"\\0061" as c from (values (1)) as x(a) /* /* '' */ " */;`,
    )
    .run('apply');
  expect(
    await database.rows(
      `select obj_description('public."a/*b*/"'::regclass) as said, prosrc as body, column_default as value,
         (select array[a::int, b, c] from v) as view
       from pg_proc, information_schema.columns where proname = 'f' and column_name = '--c'`,
    ),
  ).toEqual([
    {
      said: `it's /* one' -- two`,
      body: ` select /* kept */ '$$--' -- here\n       `,
      value: `'-- no /* comment */'::text`,
      view: [2, 6, 1],
    },
  ]);
});

test('An operator of more than 63 characters and a comment without an end are refused with their place', async () => {
  expect(await refused(`create view v as select 1 as a,\n  ${'+'.repeat(64)}1 as b`)).toEqual([
    'sql[0]:2:3: operator too long',
  ]);
  expect(await refused('create table a (id int) /* /* */')).toEqual(['sql[0]:1:25: unterminated /* comment']);
  await database.to(`create view v as select ${'+'.repeat(63)}1 as b`).run('apply');
});

test('SQL of nothing but comments, operators or quotes is judged as fast as other SQL of its length', async () => {
  const length = 200_000;
  const timeOf = async (part: string): Promise<number> => {
    const migrator = database.to(`select ${part.repeat(Math.ceil(length / part.length))}`);
    const begun = performance.now();
    await expect(migrator.run('check')).rejects.toBeInstanceOf(MigrationFailure);
    return performance.now() - begun;
  };
  const usual = Math.max(await timeOf('a, '), await timeOf(`'a'; `));
  const parts = [
    '/*',
    '*/',
    '/**/',
    '-- \n',
    '+',
    '-',
    '+-*/',
    `'`,
    `E'\\'`,
    '$$',
    '$a$',
    '"',
    '(',
    '1.',
    '::',
  ];
  for (const part of [...parts, '1; drop table a; select ', `E'a'\n`, `'a' --\n`, '$a', 'é', '/* ', '[1]'])
    // What needs a square of the length takes a hundred times as long, and more.
    expect([part, (await timeOf(part)) < 20 * usual]).toEqual([part, true]);
});
