import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { MigratorOptions } from '@nest-endpoints/migrations';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';
import { refusal } from './migrations.refusal.js';

let database: MigratedDatabase;

beforeAll(async () => {
  database = await migratedDatabase('postgresql');
});

beforeEach(() => database.empty());

afterAll(() => database.close());

const refused = (sql: string, options: Partial<MigratorOptions>) => refusal(database, sql, options);

test('A rename to a misspelt name is refused where the name that was meant would begin empty', async () => {
  await database.run(
    `create table course (id int primary key, title text); insert into course values (1, 'Cats')`,
  );
  const options = { allowDestructive: true, renames: [{ table: 'course', column: 'title', to: 'nmae' }] };
  expect(await refused('create table course (id int primary key, name text)', options)).toEqual([
    'an entry of the option renames gives a name that the target has not:',
    '  the target has no column public.course.nmae (did you mean column public.course.name?)',
  ]);
});

test('A misspelt entry of unmanaged is refused where what it was to keep would be lost', async () => {
  await database.run(
    `create schema extra; create table extra.kept (id int); create table audit_log (id int); create table old (id int)`,
  );
  const told = (unmanaged: readonly string[]) =>
    refused('create table t (id int)', { allowDestructive: true, unmanaged });
  expect(await told(['extar', 'audit_log', 'public.olb', 'elsewhere.of_another_database'])).toEqual([
    'an entry of the option unmanaged is about a name that is not there:',
    `  nothing is extar (did you mean 'extra'?)`,
    `  nothing is audit_log (did you mean 'public.audit_log'?)`,
    `  nothing is public.olb (did you mean 'public.old'?)`,
  ]);
});

test('A value that is no label of the other enum, or that a new domain does not allow, stops the migration', async () => {
  const types = `create type a as enum ('x', 'y'); create type b as enum ('x');`;
  await database.run(
    `${types} create table t (label a, word text); insert into t values ('y', 'no'), ('x', 'longer')`,
  );
  expect((await refused(`${types} create table t (label b, word text)`, {}))[0]).toBe(
    'nothing was changed: invalid input value for enum b: "y"',
  );
  const domain = `create domain d as text check (value <> 'no')`;
  expect((await refused(`${types} ${domain}; create table t (label a, word d)`, {}))[0]).toBe(
    'nothing was changed: value for domain d violates check constraint "d_check"',
  );
  const short = 'create domain short as varchar(3)';
  expect(await refused(`${types} ${short}; create table t (label a, word short)`, {})).toContain(
    '  1 value of column public.t.word (text → public.short)',
  );
});
