import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { catalogueOf } from '../support/catalogue.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';

let database: MigratedDatabase;

beforeAll(async () => {
  database = await migratedDatabase('postgresql');
});

beforeEach(() => database.empty());

afterAll(() => database.close());

test('What the database has and a schema does not define stays', async () => {
  await database.run(`
    create table mikro_orm_migrations (id serial primary key, name varchar(255), executed_at timestamptz default now());
    create schema extra; create table extra.t (id int); create table mine (id int); create table theirs (id serial primary key, a int);
    create view v as select id from mine; grant select on mine, v to public; alter default privileges grant select on tables to public;
    create publication p for table mine; comment on schema public is 'ours'; create extension if not exists plpgsql`);
  const migrator = database.to('create table mine (id bigint); create view v as select id from mine;', {
    unmanaged: ['extra', 'public.theirs'],
  });
  const before = await catalogueOf(database.orm);
  await migrator.run('apply');
  const after = await catalogueOf(database.orm);
  const changed = before.filter((line) => !after.includes(line));
  expect(changed).toEqual([
    expect.stringMatching(/^column: public\.mine\.id integer/),
    expect.stringMatching(/^column: public\.v\.id integer/),
  ]);
  expect(await database.rows('select count(*)::int as n from pg_publication_rel')).toEqual([{ n: 1 }]);
  await database.run('drop publication p; alter default privileges revoke select on tables from public');
});

describe.each(['public.legacy', 'public'])('unmanaged: %s', (unmanaged) => {
  test('What is unmanaged stays as it is, whatever the target says of it', async () => {
    await database.run(`create table legacy (id int, a text); create unique index legacy_id on legacy (id);
      create table "order" (id int primary key)`);
    const migrator = database.to(
      `create table legacy (id serial primary key, a varchar(5) not null default 'x', extra int);
       create index legacy_a on legacy (a);
       comment on table legacy is 'ours'; alter table legacy enable row level security;
       create table "order" (id int primary key, added int); create schema extra; create table extra.t (id int);`,
      { unmanaged: [unmanaged] },
    );
    const before = await catalogueOf(database.orm);
    await migrator.run('apply');
    expect(await migrator.run('plan')).toEqual([]);
    const made = (await catalogueOf(database.orm)).filter((line) => !before.includes(line));
    expect(made.filter((line) => line.includes('legacy'))).toEqual([]);
    expect(made.some((line) => line.includes('extra.t'))).toBe(true);
    expect(made.some((line) => line.includes('order.added'))).toBe(unmanaged === 'public.legacy');
  });
});

test('A table may refer to one that is unmanaged', async () => {
  await database.run('create table legacy (code int, id int constraint their_key primary key, a int)');
  const target = (rest: string): string =>
    `create table legacy (id serial primary key, extra int); create table mine (id int primary key, legacy_id int references legacy${rest});`;
  const options = { unmanaged: ['public.legacy'] };
  await database.to(target(''), options).run('apply');
  expect(await database.to(target(''), options).run('plan')).toEqual([]);
  expect(await database.to(target(' on delete cascade'), options).run('apply')).toHaveLength(2);
  expect(await database.to(target(' on delete cascade'), options).run('plan')).toEqual([]);
  const [{ rule } = { rule: '' }] = await database.rows<{ rule: string }>(
    `select pg_get_constraintdef(oid) as rule from pg_constraint where contype = 'f'`,
  );
  expect(rule).toBe('FOREIGN KEY (legacy_id) REFERENCES legacy(id) ON DELETE CASCADE');
});

test('An object that is made anew has the privileges that it had, whatever new objects get', async () => {
  await database.run(`
    drop role if exists nest_endpoints_reader; create role nest_endpoints_reader;
    alter default privileges grant all on tables to public; alter default privileges in schema public grant select on tables to nest_endpoints_reader;
    alter default privileges grant execute on functions to nest_endpoints_reader;
    create table t (id int); create view v as select id from t; create function f() returns int language sql as 'select 1';
    revoke all on v from public, nest_endpoints_reader; grant select on v to nest_endpoints_reader with grant option;
    revoke all on function f() from public, nest_endpoints_reader`);
  const privileges = () =>
    database.rows(`select relname as name, relacl::text as acl from pg_class where relname in ('t', 'v')
      union all select proname, proacl::text from pg_proc where proname = 'f' order by 1`);
  const before = await privileges();
  const migrator = database.to(`create table t (id bigint); create view v as select id from t;
    create function f() returns bigint language sql as 'select 1::bigint'; create table u (id int)`);
  try {
    await migrator.run('apply');
    expect(await privileges()).toEqual(before);
    expect(await migrator.run('plan')).toEqual([]);
    // What is new has what the database's owner wants new objects to have.
    expect(
      await database.rows(`select has_table_privilege('nest_endpoints_reader', 'u', 'select') as yes`),
    ).toEqual([{ yes: true }]);
  } finally {
    await database.run(`drop owned by nest_endpoints_reader; drop role nest_endpoints_reader;
      alter default privileges revoke all on tables from public`);
  }
});

test('A setting that a function of the target makes does not outlive apply', async () => {
  const target = `create function spoil() returns boolean immutable language plpgsql
      as $$ begin perform set_config('search_path', 'nowhere', false); return true; end $$;
    create table t (a int, check (spoil()));`;
  await database.to(target).run('apply');
  const settings = Array.from({ length: 20 }, () =>
    database.rows<{ search_path: string }>('show search_path'),
  );
  expect(new Set((await Promise.all(settings)).flat().map((row) => row.search_path))).toEqual(
    new Set(['"$user", public']),
  );
});
