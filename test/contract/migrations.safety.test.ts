import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { MigratorOptions, SchemaDiffTool } from '@nest-endpoints/migrations';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';
import { refusal } from './migrations.refusal.js';

let database: MigratedDatabase;

beforeAll(async () => {
  database = await migratedDatabase('postgresql');
});

beforeEach(() => database.empty());

afterAll(() => database.close());

const refused = (sql: MigratorOptions['sql'] | string, options: Partial<MigratorOptions> = {}) =>
  refusal(database, sql, options);

const lossy = 'without allowDestructive this is not applied, because it would lose:';

test('A target without a statement is refused', async () => {
  await database.run('create table t (a int)');
  const empty = 'the target schema is empty: no entry of sql holds a statement';
  expect(await refused([])).toEqual([empty]);
  expect(await refused(['-- nothing', '/* here */ ;;'])).toEqual([empty]);
});

test('A path that is not there is refused, a missing path of a module is skipped', async () => {
  expect(await refused(['database/missing.sql'])).toEqual([
    "sql[0]: there is no file or directory 'database/missing.sql'",
  ]);
  const modulePaths = ['/nowhere/at/all.sql'];
  expect(await database.to('create table t (a int)', { modulePaths }).run('check')).toEqual([]);
});

test('A target that would lose data is refused with a list of what would be lost', async () => {
  await database.run(`
    create table gone (id int); create table t (id int primary key, a int, b text);
    create sequence s; create type mood as enum ('x', 'y', 'z'); create table m (mood mood);
    create type pair as (a int, b int); create table p (pair pair);`);
  const target = `create table t (id int primary key, b text); create type mood as enum ('y'); create table m (mood mood);
    create type pair as (a int); create table p (pair pair);`;
  expect((await refused(target)).toSorted()).toEqual(
    [
      lossy,
      "  label 'x' of type public.mood",
      "  label 'z' of type public.mood",
      '  table public.gone',
      '  column public.t.a',
      '  attribute public.pair.b',
      '  sequence public.s',
    ].toSorted(),
  );
});

test('What can be computed again is no loss', async () => {
  await database.run(`create table t (a int, b int generated always as (a + 1) stored);
    create materialized view m as select a from t; create view v as select b from t;
    create function f() returns int language sql as 'select 1'; create index on t (a);`);
  await database.to('create table t (a int)').run('apply');
  expect(
    await database.rows(
      `select attname from pg_attribute where attrelid = 't'::regclass and attnum > 0 and not attisdropped`,
    ),
  ).toEqual([{ attname: 'a' }]);
});

test('What nothing computes any more is a loss', async () => {
  await database.run('create table t (a int); create materialized view m as select a from t');
  expect(await refused('create table t (a int); create table m (a int)')).toEqual([
    lossy,
    '  materialized view public.m',
  ]);
});

test('A type that cannot hold the values that are there is refused with their number', async () => {
  await database.run(`create table t (a varchar(10), b float8, c timestamptz, d point, e text, f numeric(8, 3), g text);
    insert into t select repeat('x', i), i / 4.0, '2026-01-01 12:00+00', point(i, 1), '0' || i, i + 0.125, i from generate_series(1, 8) i`);
  const target = 'create table t (a varchar(5), b int, c date, d point, e int, f numeric(8, 1), g int)';
  expect(await refused(target)).toEqual([
    lossy,
    '  3 values of column public.t.a (character varying(10) → character varying(5))',
    '  6 values of column public.t.b (double precision → integer)',
    '  8 values of column public.t.c (timestamp with time zone → date)',
    '  8 values of column public.t.e (text → integer)',
    '  8 values of column public.t.f (numeric(8,3) → numeric(8,1))',
  ]);
  await database.to(target, { allowDestructive: true }).run('apply');
  expect(await database.rows('select a, b from t order by b limit 1')).toEqual([{ a: 'x', b: 0 }]);
});

test('A value that its type calls equal to what comes back is lost all the same', async () => {
  await database.run(`
    create table t (a json, b text, c oid, d integer, e box, f interval, g oid[], h json[]);
    insert into t values ('{"a":1,"a":2}', '{"b":[{"c":1,"c":1}]}', 4000000000, -1, '(0,0),(2,0)', '30 days', '{4000000000}', '{}'),
      ('{"b" : 1,  "a":{"c:":"x\\"{:"}}', '{"b":1, "a":2}', 5, 5, '(1,1),(1,1)', '1 mon', '{5,null}', null)`);
  const target =
    'create table t (a jsonb, b jsonb, c int, d oid, e point, f interval month, g int[], h jsonb[])';
  expect(await refused(target)).toEqual([
    lossy,
    '  1 value of column public.t.a (json → jsonb)',
    '  1 value of column public.t.b (text → jsonb)',
    '  1 value of column public.t.c (oid → integer)',
    '  1 value of column public.t.d (integer → oid)',
    '  1 value of column public.t.e (box → point)',
    '  1 value of column public.t.f (interval → interval month)',
    '  1 value of column public.t.g (oid[] → integer[])',
  ]);
});

test('A number with other digits behind the point, and JSON in another order, are no loss', async () => {
  await database.run(`create table t (a numeric, b numeric[], c json, d real, e smallint[]);
    insert into t values (1.5, '{1.50,2}', '{"b":1,  "a":[{"c":"{\\"c\\":1}"}]}', 0.1, '{-5}')`);
  const target = 'create table t (a numeric(9, 4), b numeric(9, 4)[], c jsonb, d float8, e bigint[])';
  await database.to(target).run('apply');
  expect(await database.rows('select a::text as a, c::text as c from t')).toEqual([
    { a: '1.5000', c: String.raw`{"a": [{"c": "{\"c\":1}"}], "b": 1}` },
  ]);
});

test('A value that the new type refuses stops the migration', async () => {
  await database.run(`create table t (a text); insert into t values ('12'), ('secret')`);
  const lines = await refused('create table t (a int); create table other (id int)');
  expect(lines[0]).toBe('nothing was changed: invalid input syntax for type integer: "secret"');
});

test('A rename is asked about and never guessed', async () => {
  await database.run(
    `create table person (id int primary key, name text); insert into person values (1, 'Ada')`,
  );
  expect(await refused('create table person (id int primary key, full_name text, nick text)')).toEqual([
    lossy,
    '  column public.person.name',
    'if it was renamed, say so in the option renames:',
    '  column public.person.name may have become column public.person.full_name',
    '  column public.person.name may have become column public.person.nick',
  ]);
  expect((await refused('create table human (id int, name text)')).at(1)).toBe('  table public.person');
});

test('A rename that was said is done once, and may stay', async () => {
  await database.run(
    `create table person (id int primary key, name text); insert into person values (1, 'Ada')`,
  );
  const target = 'create table human (id int primary key, full_name text)';
  const renames = [
    { table: 'person', to: 'human' },
    { table: 'human', column: 'name', to: 'full_name' },
  ];
  const migrator = database.to(target, { renames });
  const planned = await migrator.run('plan');
  expect(planned.slice(0, 2)).toEqual([
    'ALTER TABLE "public"."person" RENAME TO "human"',
    'ALTER TABLE "public"."human" RENAME COLUMN "name" TO "full_name"',
  ]);
  expect(await database.rows('select name from person')).toEqual([{ name: 'Ada' }]);
  expect(await migrator.run('apply')).toEqual(planned);
  expect(await database.rows('select * from human')).toEqual([{ id: 1, full_name: 'Ada' }]);
  expect(await migrator.run('apply')).toEqual([]);
});

test('A misspelt rename is refused where it would lose what it was to keep, however much may be lost', async () => {
  await database.run(
    `create table course (id int primary key, title text); insert into course values (1, 'Cats'); create table pet (id int)`,
  );
  const target =
    'create table course (id int primary key, name text); create table animal (id int); create table "yetToCome" (a int, b int)';
  const options = {
    allowDestructive: true,
    renames: [
      { table: 'course', column: 'titel', to: 'name' },
      { table: 'pets', to: 'animal' },
      { table: 'yetToCome', column: 'c', to: 'b' },
    ],
  };
  expect(await refused(target, options)).toEqual([
    'an entry of the option renames is about a name that is not there:',
    '  nothing becomes column public.course.name (did you mean column public.course.title?)',
    '  nothing becomes table public.animal (did you mean table public.pet?)',
  ]);
  await database.to(target, { allowDestructive: true }).run('apply');
  expect(await database.rows('select * from course')).toEqual([{ id: 1, name: null }]);
  expect(await database.to(target, options).run('apply')).toEqual([]);
});

test('plan shows in comments why apply would refuse', async () => {
  await database.run('create table t (id int primary key, a int)');
  expect(await database.to('create table t (id int primary key)').run('plan')).toEqual([
    `-- ${lossy}`,
    '--   column public.t.a',
    'ALTER TABLE "public"."t" DROP COLUMN "a"',
  ]);
});

test('A migration that fails half-way leaves the schema as it was', async () => {
  await database.run(`create table t (a int, b int); insert into t values (1, 1), (1, -1);
    create type mood as enum ('x'); create table m (mood mood)`);
  const before = `create table other (id int); create type mood as enum ('x', 'y');`;
  const unique = await refused(`${before} create table m (mood mood); create table t (a int unique, b int);`);
  expect(unique).toEqual([
    'nothing was changed: could not create unique index "t_a_key"',
    'in: ALTER TABLE "public"."t" ADD CONSTRAINT "t_a_key" UNIQUE (a)',
  ]);
  const check = await refused(
    `${before} create table m (mood mood); create table t (a int, b int check (b > 0));`,
  );
  expect(check[0]).toBe(
    'nothing was changed: check constraint "t_b_check" of relation "t" is violated by some row',
  );
});

test('A migration that leaves an index which PostgreSQL does not use is taken back', async () => {
  const parts =
    'create table p (id int, a int) partition by list (id); create table p1 partition of p default;';
  const unused = 'create index unused on only p (a)';
  /** Compares nothing but whether the index is there. */
  const tool: SchemaDiffTool<boolean> = {
    version: 'a tool of the test',
    read: async (session) =>
      (await session.query(`select from pg_class where relname = 'unused'`)).length > 0,
    compare: (current, target) => ({
      steps: current === target ? [] : [{ sql: unused, addsLabel: false }],
      losses: [],
      retyped: [],
      required: [],
      possibleRenames: [],
      divided: () => ({ before: [], after: [] }),
      exported: () => [],
    }),
  };
  const diffTool = () => Promise.resolve(tool);
  await database.run(parts);
  expect(await refused(`${parts} ${unused}`, { diffTool })).toEqual([
    'nothing was changed: these indexes did not become valid: unused',
  ]);
  const told =
    '-- index public.unused of p is not valid, so it is not used: drop it, or attach those of the partitions';
  // What was so before does not keep others from applying.
  await database.run(unused);
  expect(
    await database.to(`${parts} create index unused on p (a); create table other ();`).run('apply'),
  ).toEqual([expect.stringContaining('CREATE TABLE "public"."other"'), told]);
  // Nothing is left to do about it, so that somebody has to.
  const named = database.to(`${parts} create index unused on p (a); create table other ();`);
  expect(await named.run('plan')).toEqual([told]);
  expect(await named.run('apply')).toEqual([told]);
  const without = database.to(`${parts} create table other ();`);
  expect(await without.run('plan')).toEqual(['DROP INDEX "public"."unused"']);
  expect(await without.run('apply')).toHaveLength(1);
  expect(await named.run('apply')).toHaveLength(1);
  expect(await named.run('plan')).toEqual([]);
});

test('Only labels that must be committed first outlive a migration that fails', async () => {
  await database.run(
    `create type mood as enum ('x'); create table m (mood mood, a int); insert into m values ('x', 1), ('x', 1)`,
  );
  const target = `create type mood as enum ('x', 'y'); create table m (mood mood default 'y', a int unique);`;
  const failure = await database
    .to(target)
    .run('apply')
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    lines: [
      'nothing was changed: could not create unique index "m_a_key"',
      'in: ALTER TABLE "public"."m" ADD CONSTRAINT "m_a_key" UNIQUE (a)',
      'but for these, which had to be committed first:',
      `  ALTER TYPE "public"."mood" ADD VALUE 'y' AFTER 'x'`,
    ],
  });
  await database.run('delete from m');
  expect(await database.to(target).run('apply')).toHaveLength(2);
  expect(await database.to(target).run('plan')).toEqual([]);
});

test('A target may be said in any order and over several entries', async () => {
  const entries = [
    'create view late as select a.id, f(b.id) as n from a, b;',
    `create function f(int) returns int language sql as 'select g($1)'; create function g(int) returns int language sql as 'select case when $1 > 0 then f($1 - 1) else 0 end';`,
    'create table a (id int primary key, b_id int references b, mood mood);',
    `create type mood as enum ('x'); create table b (id int primary key);`,
    'alter table a add constraint self foreign key (id) references b;',
  ];
  expect(await database.to(entries).run('check')).toEqual([]);
  await database.to(entries).run('apply');
  await database.to(entries.toReversed()).run('apply');
  expect(await database.to(entries.toReversed()).run('plan')).toEqual([]);
});

test('A function whose body is wrong is refused', async () => {
  expect(
    await refused(`create function f() returns int language sql as 'select x from nowhere';
      create function a() returns int language sql as 'select b()'; create function b() returns text language sql as 'select a()';
      create function p() returns int language plpgsql as $$ begin retrn 1; end $$;`),
  ).toEqual([
    'sql[0]:1:64: relation "nowhere" does not exist',
    expect.stringMatching(/^sql\[0\]:2:\d+: return type mismatch in function/),
    expect.stringMatching(/^sql\[0\]:3:\d+: syntax error at or near "retrn"/),
  ]);
});
