import type { MigratorOptions } from '@nest-endpoints/migrations';

/** A change of a schema that has records in it. */
export interface SchemaCase {
  readonly change: string;
  readonly before: string;
  /** Records, put in between. */
  readonly records?: string;
  readonly after: string;
  /** A query that answers the same before and after. */
  readonly kept?: string;
  /** A query about the records afterwards, and what it answers. */
  readonly then?: readonly [query: string, rows: readonly unknown[]];
  readonly options?: Partial<MigratorOptions>;
}

const person = 'create table person (id int primary key, name text);';
const people = `insert into person (id, name) select i, 'person ' || i from generate_series(1, 50) i`;
const names = 'select id, name from person order by id';

/** A change of the table `person`, whose records stay. */
const ofPerson = (change: string, after: string, rest: Partial<SchemaCase> = {}): SchemaCase => ({
  change,
  before: person,
  records: people,
  after,
  kept: names,
  ...rest,
});

/** Something beside the table, whose definition changes from one text to another. */
const beside = (change: string, before: string, after: string): SchemaCase =>
  ofPerson(change, person + after, { before: person + before });

const withType = (type: string, rest = ''): string =>
  `create table t (id int primary key, a ${type}${rest});`;

/** The type of a column with values in it. */
const retyped = (from: string, to: string, values: string, kept: string): SchemaCase => ({
  change: `a column from ${from} to ${to}`,
  before: withType(from),
  records: `insert into t values ${values}`,
  after: withType(to),
  kept,
});

const destructive = { allowDestructive: true };

const tables: readonly SchemaCase[] = [
  beside(
    'a new table',
    '',
    'create table pet (id int primary key, name varchar(20) not null default $$x$$);',
  ),
  ofPerson('a table less', person, {
    before: person + 'create table pet (id int primary key);',
    options: destructive,
  }),
  ofPerson('a new column', 'create table person (id int primary key, name text, age int);'),
  ofPerson(
    'a new column that must have a value',
    `create table person (id int primary key, name text, born date not null default '2000-01-01');`,
    { then: ['select count(*)::int as n from person where born is not null', [{ n: 50 }]] },
  ),
  ofPerson('a column less', 'create table person (id int primary key);', {
    kept: 'select id from person order by id',
    options: destructive,
  }),
  ofPerson('a column in the middle', 'create table person (id int primary key, age int, name text);'),
  ofPerson('columns in another order', 'create table person (name text, id int primary key);'),
  ofPerson('a column with a new name', 'create table person (id int primary key, full_name text);', {
    kept: 'select * from person order by 1',
    then: ['select full_name from person where id = 7', [{ full_name: 'person 7' }]],
    options: { renames: [{ table: 'person', column: 'name', to: 'full_name' }] },
  } as Partial<SchemaCase>),
  {
    change: 'a table with a new name',
    before: person,
    records: people,
    after: 'create table human (id int primary key, name text);',
    then: ['select name from human where id = 50', [{ name: 'person 50' }]],
    options: { renames: [{ table: 'person', to: 'human' }] },
  },
  ofPerson(
    'an unlogged table with storage parameters',
    'create unlogged table person (id int primary key, name text) with (fillfactor = 70);',
  ),
  beside(
    'names with capitals, quotes and reserved words',
    '',
    `create table "Order" ("select" int primary key, "a""b" text, "Ünïcode 😀" int); create index "Weird Index" on "Order" ("a""b");`,
  ),
  beside(
    'tables that refer to each other',
    '',
    `create table a (id int primary key, b_id int); create table b (id int primary key, a_id int references a);
     alter table a add foreign key (b_id) references b;`,
  ),
  ofPerson('a table less that a view and a key were on', person, {
    before: `${person} create table pet (id int primary key); create view pets as select id from pet;
             create table toy (id int primary key, pet_id int references pet);`,
    options: destructive,
    after: `${person} create table toy (id int primary key, pet_id int);`,
  }),
];

const types: readonly SchemaCase[] = [
  retyped('integer', 'bigint', '(1, 5), (2, null), (3, -7)', 'select id, a::int as a from t order by id'),
  retyped('varchar(10)', 'varchar(50)', `(1, 'abc'), (2, null)`, 'select * from t order by id'),
  retyped('text', 'integer', `(1, '5'), (2, '-12')`, 'select id, a::text as a from t order by id'),
  retyped(
    'text',
    'jsonb',
    `(1, '{"b": 1,"a":[]}'), (2, null)`,
    'select id, a::jsonb as a from t order by id',
  ),
  retyped('text', 'varchar(50)', `(1, 'abc')`, 'select id, a::text as a from t order by id'),
  retyped('integer', 'text', '(1, 5), (2, 70)', 'select id, a::text as a from t order by id'),
  retyped('numeric(8,2)', 'numeric(12,4)', '(1, 5.25)', 'select id, a::float as a from t order by id'),
  {
    change: 'the type and the default of a column',
    before: withType('text', ` default '1'`),
    records: `insert into t values (1, '7')`,
    after: withType('integer', ' default 2'),
    kept: 'select id, a::text as a from t',
  },
  {
    change: 'the type of a column that a view shows',
    before: `${withType('int')} create view v as select a from t; create view w as select a from v;`,
    records: 'insert into t values (1, 7)',
    after: `${withType('bigint')} create view v as select a from t; create view w as select a from v;`,
    kept: 'select a::int as a from w',
  },
  ofPerson(
    'a new column with a collation',
    'create table person (id int primary key, name text, a text collate "C");',
  ),
];

const columns: readonly SchemaCase[] = [
  ofPerson(
    'a default that comes, changes and goes',
    `create table person (id int primary key, name text default 'b', x int, y int default 1);`,
    {
      before: `create table person (id int primary key, name text default 'a', x int default 5, y int);`,
    },
  ),
  ofPerson(
    'a column that must have a value',
    'create table person (id int primary key, name text not null);',
  ),
  ofPerson('a column that need not have a value', person, {
    before: 'create table person (id int primary key, name text not null);',
  }),
  {
    change: 'a serial that becomes an identity',
    before: 'create table t (id serial primary key, a text);',
    records: `insert into t (a) select 'x' from generate_series(1, 20); delete from t where id = 3`,
    after: 'create table t (id int generated always as identity primary key, a text);',
    kept: 'select * from t order by id',
    then: [`with made as (insert into t (a) values ('next') returning id) select id from made`, [{ id: 21 }]],
  },
  {
    change: 'a plain key that becomes an identity',
    before: 'create table t (id int primary key, a text);',
    records: `insert into t values (4, 'x'), (9, 'y')`,
    after: 'create table t (id int generated by default as identity primary key, a text);',
    kept: 'select * from t order by id',
    then: [`with made as (insert into t (a) values ('next') returning id) select id from made`, [{ id: 10 }]],
  },
  {
    change: 'a plain key that becomes a serial',
    before: 'create table t (id int primary key, a text);',
    records: `insert into t values (4, 'x'), (9, 'y')`,
    after: 'create table t (id serial primary key, a text);',
    kept: 'select * from t order by id',
    then: [`with made as (insert into t (a) values ('next') returning id) select id from made`, [{ id: 10 }]],
  },
  beside(
    'a table with an identity',
    '',
    'create table t (id bigint generated always as identity (start with 100 increment by 5) primary key);',
  ),
  ofPerson(
    'a new generated column',
    'create table person (id int primary key, name text, twice int generated always as (id * 2) stored);',
    {
      then: ['select twice from person where id = 4', [{ twice: 8 }]],
    },
  ),
  ofPerson(
    'the expression of a generated column',
    'create table person (id int primary key, name text, n int generated always as (id * 3) stored);',
    {
      before:
        'create table person (id int primary key, name text, n int generated always as (id * 2) stored);',
      then: ['select n from person where id = 4', [{ n: 12 }]],
    },
  ),
  ofPerson(
    'comments',
    `${person} comment on table person is 'it''s; $$new$$'; comment on column person.name is 'b';`,
    {
      before: `${person} comment on table person is 'old'; comment on column person.id is 'gone';`,
    },
  ),
];

const constraints: readonly SchemaCase[] = [
  {
    change: 'another primary key',
    before: 'create table t (id int primary key, code int not null);',
    records: 'insert into t values (1, 10), (2, 20)',
    after: 'create table t (id int not null, code int primary key);',
    kept: 'select * from t order by id',
  },
  ofPerson('a new unique constraint', 'create table person (id int primary key, name text unique);'),
  ofPerson('a unique constraint less', person, {
    before: 'create table person (id int primary key, name text unique);',
  }),
  ofPerson(
    'a unique constraint over nulls',
    'create table person (id int primary key, name text, unique nulls not distinct (name));',
  ),
  beside(
    'a new foreign key',
    'create table pet (id int primary key, owner_id int);',
    'create table pet (id int primary key, owner_id int references person on delete cascade);',
  ),
  beside(
    'what a foreign key does on delete',
    'create table pet (id int primary key, owner_id int references person);',
    'create table pet (id int primary key, owner_id int references person on delete set null deferrable);',
  ),
  ofPerson(
    'check constraints that come and change',
    'create table person (id int primary key check (id > 0), name text, constraint named check (name <> $$b$$));',
    {
      before: 'create table person (id int primary key, name text, constraint named check (name <> $$a$$));',
    },
  ),
  beside(
    'an exclusion constraint',
    'create table room (id int primary key, span int4range);',
    'create table room (id int primary key, span int4range, exclude using gist (span with &&));',
  ),
];

const indexes: readonly SchemaCase[] = [
  beside(
    'new indexes',
    '',
    'create index on person (name desc nulls last) include (id); create unique index u on person (id, name);',
  ),
  beside('a partial index', '', 'create index part on person (name) where id > 3;'),
  beside('an index over an expression', '', 'create index lower_name on person (lower(name), (id + 1));'),
  {
    change: 'a gin index over jsonb',
    before: withType('jsonb'),
    records: `insert into t values (1, '{"a": 1}')`,
    after: `${withType('jsonb')} create index on t using gin (a jsonb_path_ops);`,
    kept: 'select * from t',
  },
  beside(
    'another condition of an index',
    'create index part on person (name) where id > 3;',
    'create index part on person (name) where id > 4;',
  ),
  beside('an index less', 'create index part on person (name);', ''),
];

const moods = (labels: string, rest = ''): string =>
  `create type mood as enum (${labels}); create table t (id int primary key, mood mood${rest});`;
const moody = {
  records: `insert into t values (1, 'a'), (2, 'b')`,
  kept: 'select id, mood::text as mood from t order by id',
};

const enums: readonly SchemaCase[] = [
  beside('a new enum and a column of it', '', moods(`'a', 'b'`)),
  {
    change: 'a label in the middle of an enum',
    before: moods(`'a', 'b'`),
    after: moods(`'a', 'x', 'b', 'z'`),
    ...moody,
  },
  {
    change: 'a new label that is used at once',
    before: moods(`'a', 'b'`),
    after: moods(`'a', 'b', 'c'`, ` default 'c'`),
    ...moody,
    then: [
      `with made as (insert into t (id) values (3) returning mood::text) select mood from made`,
      [{ mood: 'c' }],
    ],
  },
  {
    change: 'a label less that no record has',
    before: moods(`'a', 'b', 'c'`),
    after: moods(`'a', 'b'`),
    ...moody,
    options: destructive,
  },
  { change: 'labels in another order', before: moods(`'a', 'b'`), after: moods(`'b', 'a'`), ...moody },
  beside('an enum less', `create type mood as enum ('a');`, ''),
  {
    change: 'a text column that becomes an enum',
    before: 'create table t (id int primary key, mood text);',
    after: moods(`'a', 'b'`),
    ...moody,
  },
];

const programs: readonly SchemaCase[] = [
  beside(
    'a view that comes and one that changes',
    'create view v as select id from person;',
    'create view v as select name, id from person where id > 1; create view w as select * from v;',
  ),
  beside(
    'a materialized view with an index',
    '',
    'create materialized view m as select id, name from person; create unique index on m (id);',
  ),
  beside(
    'another query of a materialized view',
    'create materialized view m as select id from person;',
    'create materialized view m as select id, name from person;',
  ),
  beside(
    'functions that come and change',
    `create function f(a int) returns int language sql as 'select a';`,
    `create function f(a int) returns int language sql as 'select a + 1';
     create function g() returns int language plpgsql as $$ begin return f(2); end $$;`,
  ),
  beside(
    'another type that a function returns',
    `create function f() returns int language sql as 'select 1';`,
    `create function f() returns text language sql as $f$ select 'a;b' $f$;`,
  ),
  beside(
    'a procedure',
    '',
    `create procedure p(inout a int) language plpgsql as $$ begin a := a + 1; end $$;`,
  ),
  beside(
    'an aggregate',
    '',
    `create function add(a int, b int) returns int language sql as 'select a + b'; create aggregate total(int) (sfunc = add, stype = int);`,
  ),
  beside(
    'triggers that come and change',
    `create function f() returns trigger language plpgsql as $$ begin return new; end $$;
     create trigger one before insert on person for each row execute function f();`,
    `create function f() returns trigger language plpgsql as $$ begin return new; end $$;
     create trigger one after update on person for each row when (new.id > 1) execute function f();
     create trigger two before insert on person execute function f();`,
  ),
  beside(
    'a rewrite rule',
    '',
    'create table log (id int); create rule noted as on insert to person do also insert into log values (new.id);',
  ),
  beside(
    'sequences',
    'create sequence s;',
    'create sequence s increment by 5 cache 3; create sequence r as int cycle;',
  ),
];

const rest: readonly SchemaCase[] = [
  ofPerson(
    'row level security with policies',
    `${person} alter table person enable row level security; create policy mine on person for select using (id > 1);`,
  ),
  ofPerson(
    'another condition of a policy',
    `${person} alter table person enable row level security; create policy mine on person using (id > 2) with check (id > 3);`,
    {
      before: `${person} alter table person enable row level security; create policy mine on person using (id > 1);`,
    },
  ),
  beside(
    'a new schema with a table',
    '',
    'create schema extra; create table extra.t (id int primary key); create view v as select * from extra.t;',
  ),
  beside(
    'a table with partitions',
    '',
    `create table event (id int, day date not null) partition by range (day); create index on event (day);
     create table event_2026 partition of event for values from ('2026-01-01') to ('2027-01-01');`,
  ),
  {
    change: 'a new partition',
    before: `create table event (id int, kind text) partition by list (kind); create table event_a partition of event for values in ('a');`,
    records: `insert into event values (1, 'a')`,
    after: `create table event (id int, kind text) partition by list (kind); create table event_a partition of event for values in ('a');
            create table event_b partition of event for values in ('b', 'c'); create table event_rest partition of event default;`,
    kept: 'select * from event',
  },
  {
    change: 'an index of a table with partitions',
    before: `create table event (id int, kind text) partition by list (kind); create table event_a partition of event for values in ('a');`,
    records: `insert into event values (1, 'a')`,
    after: `create table event (id int, kind text) partition by list (kind); create table event_a partition of event for values in ('a');
            create index by_id on event (id); create unique index by_both on event (id, kind);`,
    kept: 'select * from event',
  },
  beside(
    'domains',
    `create domain short as text check (length(value) < 9);`,
    `create domain short as text not null check (length(value) < 7); create domain age as int default 1;`,
  ),
  beside(
    'a composite type',
    'create type pair as (a int, b text);',
    'create type pair as (a int, b text, c date);',
  ),
  beside('a range type', '', 'create type span as range (subtype = float8);'),
  beside('a collation', '', `create collation plain from "C"; create table t (a text collate plain);`),
  ofPerson('inheritance', `${person} create table worker (job text) inherits (person);`),
  ofPerson(
    'privileges',
    `${person} grant select on person to public; grant update (name) on person to public;`,
  ),
  ofPerson('privileges that change', `${person} grant insert on person to public;`, {
    before: `${person} grant select, update on person to public;`,
  }),
];

/** Every kind of change that is tried on PostgreSQL. */
export const schemaCases: readonly SchemaCase[] = [
  ...tables,
  ...types,
  ...columns,
  ...constraints,
  ...indexes,
  ...enums,
  ...programs,
  ...rest,
];
