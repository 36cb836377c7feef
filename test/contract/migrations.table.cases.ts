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

/** Changes of tables, of types and of columns. */
export const tableCases: readonly SchemaCase[] = [...tables, ...types, ...columns];
