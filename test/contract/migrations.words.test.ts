import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DatabaseName } from '../support/database.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';

/** Conditions that PostgreSQL shows in words which it reads in another way, and some that it reads as they are. */
const conditions = [
  'abs(lat) between 1 and 2 and lng between -3.5 and 4',
  'n not between 1 and 5 or lat not between 1 and 2',
  "kind in ('a', 'it''s \"b\"') and kind not in ('c')",
  "kind collate \"C\" = any (array['a', 'b']::varchar[])",
  'case when n between 1 and 2 and lat between 1 and 3 then done else not done end',
  'not (n > 1 and (n < 2 or (lat > 1 and not done)) and (kind is null or note is null))',
  "coalesce(note, '') like 'a%' and note is distinct from kind",
  "(made at time zone 'UTC') between '2020-01-01' and '2021-01-01' and span > interval '1 day -2 hours'",
  "facts ->> 'a' in ('x', 'y') and facts @> '{\"b\": -1}'",
];
const all = conditions.map((condition) => `(${condition})`).join(' or ');
/** A default reads no column. */
const constant = "((1 between 0 and 2) and (-1 between -3 and 4)) or 'a'::varchar in ('a', 'b')";

const columns = `id int primary key, n int, lat float8, lng float8, kind varchar(9), note text, done boolean,
  made timestamptz, span interval, facts jsonb`;
const places = `create table place (${columns}, plain boolean default (${constant}), computed boolean generated always as (${all}) stored,
    ${conditions.map((condition) => `check (${condition})`).join(', ')}, exclude using btree (id with =) where (${all}));
  create domain small as varchar(3) check (value in ('a', 'b'));
  create index of_some on place (id) where ${all};
  create index of_all on place ((${all}));
  create view chosen as select id, computed, ${all} as it from place where ${all};
  create view of_view as select id from chosen where it;
  create materialized view kept as select id from place where ${all};
  alter table place enable row level security;
  create policy seen on place using (${all}) with check (${all});
  create function count_chosen() returns bigint language sql begin atomic select count(*) from place where ${all}; end;
  create function nothing() returns trigger language plpgsql as $$ begin return new; end $$;
  create trigger seldom before update on place for each row when (new.n between 1 and 2 and old.n between 3 and 4) execute function nothing();
  create rule never as on delete to place where old.kind in ('a', 'b') do instead nothing`;

describe.each<DatabaseName>(['postgresql', 'pglite'])('%s', (name) => {
  let database: MigratedDatabase;

  beforeAll(async () => {
    database = await migratedDatabase(name);
  });
  beforeEach(() => database.empty());
  afterAll(() => database.close());

  test('An expression is planned once, in whatever words PostgreSQL shows it afterwards', async () => {
    const migrator = database.to(places);
    const planned = await migrator.run('plan');
    expect(await migrator.run('apply')).toEqual(planned);
    expect(await migrator.run('plan')).toEqual([]);
    // Another process, which has tried no target before.
    expect(await database.to(places).run('plan')).toEqual([]);
    const other = places.replaceAll('between 1 and 2', 'between 1 and 3');
    expect((await database.to(other).run('apply')).length).toBeGreaterThan(conditions.length);
    expect(await database.to(other).run('plan')).toEqual([]);
  });

  test('A database that was made by the same SQL is the target, in the words that it was made with', async () => {
    await database.run(places);
    expect(await database.to(places).run('plan')).toEqual([]);
  });

  test('The schemas of tenants have the expressions of the target in the same words', async () => {
    const sql = places.replace(
      'create rule',
      'create index of_few on place (n) where n between 1 and 2 and lat between 3 and 4; create rule',
    );
    try {
      const tenants = await database.to(sql, { schemas: ['w_*'] }).tenants();
      await tenants.add(['w_one', 'w_two']);
      expect(await tenants.run('plan')).toEqual([]);
    } finally {
      await database.run('drop schema if exists w_one cascade; drop schema if exists w_two cascade');
    }
  });

  test('An expression is planned once beside objects that PostgreSQL cannot make anew', async () => {
    const sql = `create domain filled as text check (value <> '');
      create domain chosen as varchar(9) check (value in ('a', 'b'));
      create table held (id int primary key, filled filled[], chosen chosen[]);
      create table plant (n int, constraint in_range check (n between 1 and 2 and n + 1 between 2 and 3));
      create table tree (constraint in_range check (n between 1 and 2 and n + 1 between 2 and 3)) inherits (plant);
      create table two (a int, b int, check (a between 1 and 2 and b between 3 and 4))`;
    await database.to(sql).run('apply');
    expect(await database.to(sql).run('plan')).toEqual([]);
    await database.empty();
    await database.run(sql);
    expect(await database.to(sql).run('plan')).toEqual([]);
  });

  test.each([
    [
      'an argument of a function',
      `create function f(a int default 1, b bool default (${constant})) returns int language sql as 'select 1'`,
    ],
    [
      'an argument of a procedure',
      `create procedure p(b bool default (${constant})) language sql as 'select 1'`,
    ],
    ['a domain', `create domain d as bool default (${constant})`],
    [
      'a partition key',
      `create table parted (id int, kind varchar) partition by list ((case when kind in ('a', 'b') then 1 else 2 end));
      create table part partition of parted for values in (1)`,
    ],
  ])('An expression of %s is planned once', async (_of, sql) => {
    await database.to(sql).run('apply');
    expect(await database.to(sql).run('plan')).toEqual([]);
  });

  test('Only an expression is compared in other words, and no privilege', async () => {
    const sql = `create table place (id int primary key, kind varchar);
      create view named as select id from place where kind in ('a', 'b');
      create function f(b bool default (${constant})) returns int language sql as 'select 1';
      revoke all on function f(bool) from public;
      revoke all on named from public;
      grant insert on named to public;
      grant update (id) on named to public`;
    await database.run('alter default privileges grant select on tables to public');
    try {
      await database.to(sql).run('apply');
      expect(await database.to(sql).run('plan')).toEqual([]);
      await database.run('grant select on named to public; grant execute on function f(bool) to public');
      expect((await database.to(sql).run('plan')).join()).toMatch(
        /revoke all on function.*revoke all on table/i,
      );
    } finally {
      await database.run('alter default privileges revoke select on tables from public');
    }
  });

  test('A domain that is NOT NULL is planned once', async () => {
    const sql = 'create domain named as text not null; create domain noted as text';
    await database.to(sql).run('apply');
    expect(await database.to(sql).run('plan')).toEqual([]);
    const other = 'create domain named as text; create domain noted as text not null';
    await database.to(other).run('apply');
    expect(await database.to(other).run('plan')).toEqual([]);
  });
});
