import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/core';
import { Migrator, type MigratorOptions } from '@nest-endpoints/migrations';
import { catalogueOf, connectionOf } from '../support/catalogue.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';
import { refusal } from './migrations.refusal.js';

const role = 'nest_endpoints_owner';
let database: MigratedDatabase;
/** The role of the application: it owns the tables, and policies hold for it, too. */
let owner: MikroORM;

beforeAll(async () => {
  database = await migratedDatabase('postgresql');
  await database.run(`drop role if exists ${role}; create role ${role} login password 'owner' createdb`);
  owner = await database.another({ user: role, password: 'owner' });
});

beforeEach(async () => {
  await database.empty();
  await database.run(`grant all on schema public to ${role}`);
});

afterAll(async () => {
  await owner.close();
  await database.run(`drop owned by ${role}; drop role ${role}`);
  await database.close();
});

/** Rows that no connection sees that has not said whose request it serves. */
const hidden = (table: string): string => `
  alter table ${table} enable row level security; alter table ${table} force row level security;
  create policy own on ${table} using (current_setting('endpoints.tenant', true) = 'a');`;

const there = async (sql: string): Promise<void> => {
  await connectionOf(owner).executeDump(`set endpoints.tenant = 'a'; ${sql}; reset endpoints.tenant`);
};

const to = (sql: string, options: Partial<MigratorOptions> = {}): Migrator =>
  new Migrator({ cursor: owner, sql: [sql], ...options });

const refused = (sql: string, options: Partial<MigratorOptions> = {}) =>
  refusal({ ...database, orm: owner, to: (_, given) => to(sql, given) }, sql, options);

test('Values that policies hide from the owner of the table are no less lost', async () => {
  await there(`create table t (a text); ${hidden('t')} insert into t values ('abcdefgh'), ('abc')`);
  const target = `create table t (a varchar(3)); ${hidden('t')}`;
  expect(await refused(target)).toEqual([
    'without allowDestructive this is not applied, because it would lose:',
    '  1 value of column public.t.a (text → character varying(3))',
  ]);
  expect(await to(target).run('plan')).toEqual([
    '-- policies hide rows of these tables, so that only apply can look at what it may refuse:',
    '--   table public.t',
    expect.stringContaining('ALTER COLUMN "a" DROP DEFAULT'),
    expect.stringContaining('ALTER COLUMN "a" TYPE'),
  ]);
  expect(await database.rows('select a from t order by a')).toEqual([{ a: 'abc' }, { a: 'abcdefgh' }]);
});

test('Rows that policies hide from the owner of the table are filled, too', async () => {
  await there(
    `create table t (id int primary key, a text); ${hidden('t')} insert into t values (1, null), (2, 'x')`,
  );
  const target = `create table t (id int primary key, a text not null, b text not null); ${hidden('t')}`;
  expect(await refused(target)).toContain('  column public.t.b');
  const migrator = to(target, { fills: { 't.a': `'filled'`, 't.b': 'a' } });
  const planned = await migrator.run('plan');
  expect(planned).toContain('--   table public.t');
  expect(await migrator.run('apply')).toEqual(planned.filter((line) => !line.startsWith('-- ')));
  expect(await database.rows('select a, b from t order by id')).toEqual([
    { a: 'filled', b: 'filled' },
    { a: 'x', b: 'x' },
  ]);
  expect(await migrator.run('plan')).toEqual([]);
});

test('A sequence goes on behind the highest value that policies hide', async () => {
  await there(`create table t (id int primary key); ${hidden('t')} insert into t values (41)`);
  await to(`create table t (id serial primary key); ${hidden('t')}`).run('apply');
  expect(await database.rows(`select nextval('t_id_seq')::int as id`)).toEqual([{ id: 42 }]);
});

test('A foreign key counts rows that policies hide', async () => {
  await there(`create table t (id int primary key); ${hidden('t')} insert into t values (1);
    create table u (t int); ${hidden('u')} insert into u values (1)`);
  const target = `create table t (id int primary key); ${hidden('t')} create table u (t int references t); ${hidden('u')}
    create table v (t int references t);`;
  await there('insert into u values (2)');
  expect((await refused(target))[0]).toContain('violates foreign key constraint');
  await there('delete from u where t = 2');
  await to(target).run('apply');
  expect(await to(target).run('plan')).toEqual([]);
  expect(await catalogueOf(owner)).toContainEqual(expect.stringMatching(/^relation: public\.t .*force=t/));
});

test('A foreign key may lead to a table of another owner that has policies', async () => {
  const theirs = `create table theirs (id int primary key); ${hidden('theirs')}`;
  await database.run(`${theirs} grant select, references on theirs to ${role}`);
  await there('create table t (id int)');
  const target = `${theirs} create table t (id int references theirs);`;
  const migrator = to(target, { unmanaged: ['public.theirs'] });
  expect(await migrator.run('apply')).toHaveLength(1);
  expect(await migrator.run('plan')).toEqual([]);
});

test('A fill that would see a part of the rows alone is refused', async () => {
  await there(`create table clinic (id int primary key); ${hidden('clinic')} insert into clinic values (7);
    create table animal (id int primary key); insert into animal values (1)`);
  const target = `create table clinic (id int primary key); ${hidden('clinic')}
    create table animal (id int primary key, clinic_id int not null)`;
  const lines = await refused(target, { fills: { 'animal.clinic_id': '(select count(*) from clinic)' } });
  expect(lines[0]).toBe(
    'nothing was changed: query would be affected by row-level security policy for table "clinic"',
  );
});
