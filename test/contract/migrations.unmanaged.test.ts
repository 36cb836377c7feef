import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
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
