import {
  beside,
  destructive,
  ofPerson,
  people,
  person,
  retyped,
  withType,
  type SchemaCase,
} from './migrations.case.js';

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
  }),
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
  {
    change: 'a generated column that becomes a plain one',
    before: `create function next(int) returns int immutable language sql as 'select $1 + 1';
      create table t (id int primary key, a int, b int generated always as (a + 1) stored, c int generated always as (next(a)) stored);`,
    records: 'insert into t (id, a) values (1, 1), (2, null)',
    after: `create function next(int) returns bigint immutable language sql as 'select $1 + 1::bigint';
      create table t (id int primary key, a int, b int, c bigint default 0);`,
    kept: 'select id, a, b, c::int from t order by id',
  },
  {
    change: 'a generated column that becomes a plain one with values for all rows',
    before: 'create table t (id int primary key, a int, b int generated always as (nullif(a, 2)) stored);',
    records: 'insert into t (id, a) values (1, 1), (2, 2)',
    after: 'create table t (id int primary key, b int not null default 0);',
    then: ['select b from t order by id', [{ b: 1 }, { b: 7 }]],
    options: { ...destructive, fills: { 't.b': 'a + 5' } },
  },
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

/** What reads the column whose type changes: what is computed, and what depends on that in turn. */
const readers = (type: string): string => `
  create table t (id int primary key, a ${type}, g int generated always as (a + 1) stored unique);
  create table r (g int references t (g));
  create function highest() returns bigint begin atomic select max(a)::bigint from t; end;
  create view v as select g, highest() as h from t;
  create materialized view m as select g from t;
  create index on m (g);
  comment on column t.g is 'computed';
  create function same() returns trigger language plpgsql as $$ begin return new; end $$;
  create trigger watch before update of a on t for each row execute function same();
  create trigger judge before insert on t for each row when (new.a > 1) execute function same();
  alter table t disable trigger watch;`;

/** What has to go before a column changes, or can only come after it. */
const orders: readonly SchemaCase[] = [
  {
    change: 'the type of a column that others are computed from and watch',
    before: readers('int'),
    records: 'insert into t (id, a) values (1, 1), (2, 4); insert into r values (5)',
    after: readers('bigint'),
    kept: 'select t.id, t.a::int, t.g, r.g, v.h::int from t join v using (g) left join r using (g) order by 1',
    then: ['select g from m order by g', [{ g: 2 }, { g: 5 }]],
  },
  {
    change: 'a column that becomes an enum which is new, as its default',
    before: withType('text', ` default 'a'`),
    records: `insert into t values (1, 'b')`,
    after: `create type letter as enum ('a', 'b'); ${withType('letter', ` default 'a'`)}`,
    kept: 'select id, a::text from t',
  },
  {
    change: 'a nullable column that becomes an identity',
    before: 'create table t (id int, a text);',
    records: `insert into t values (41, 'x')`,
    after: 'create table t (id int generated always as identity primary key, a text);',
    kept: 'select id, a from t',
    then: [`with made as (insert into t (a) values ('y') returning id) select id from made`, [{ id: 42 }]],
  },
  {
    change: 'a column with nulls that becomes an identity',
    before: 'create table t (id int, a text);',
    records: `insert into t values (41, 'x'), (null, 'y')`,
    after: 'create table t (id int generated always as identity, a text);',
    options: { fills: { 't.id': '7' } },
    then: ['select id from t order by id', [{ id: 7 }, { id: 41 }]],
  },
  {
    change: 'an identity that becomes a serial',
    before: 'create table t (id int generated always as identity primary key, a text);',
    records: `insert into t (a) values ('x'), ('y')`,
    after: 'create table t (id serial primary key, a text);',
    kept: 'select id, a from t',
    then: [`with made as (insert into t (a) values ('z') returning id) select id from made`, [{ id: 3 }]],
  },
];

const keys = (type: string): string => `
  create table a (id ${type} primary key, up ${type} references a);
  create table b (id int primary key, a_id ${type} references a on delete cascade deferrable);
  create table c (id int, k text, a_id ${type} references a) partition by list (k);
  create table c_1 partition of c for values in ('1');
  comment on constraint b_a_id_fkey on b is 'whose';
  alter table b add constraint later foreign key (a_id) references a not valid;`;

/** Keys that change their type together with what they refer to. */
const references: readonly SchemaCase[] = [
  ['text', 'uuid'],
  ['integer', 'text'],
  ['integer', 'bigint'],
  ['varchar(50)', 'text'],
].map(([from = '', to = '']) => {
  const value = from === 'integer' ? '7' : `'01a2b3c4-0000-4000-8000-000000000007'`;
  return {
    change: `a key from ${from} to ${to} that others refer to`,
    before: keys(from),
    records: `insert into a values (${value}, ${value}); insert into b values (1, ${value}); insert into c values (1, '1', ${value})`,
    after: keys(to),
    kept: 'select a.up::text, b.a_id::text as b, c.a_id::text as c from a, b, c',
  };
});

/** Changes of tables, of types and of columns. */
export const tableCases: readonly SchemaCase[] = [...tables, ...types, ...columns, ...orders, ...references];
