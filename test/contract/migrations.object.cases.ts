import { beside, destructive, ofPerson, person, withType, type SchemaCase } from './migrations.case.js';

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

/** What reads columns of an enum, and what is computed as a label of it. */
const readersOf = (labels: string): string => `
  create type mood as enum (${labels});
  create table m (mood mood primary key);
  create table t (id int primary key, mood mood references m,
    is_a boolean generated always as (mood = 'a') stored,
    best mood generated always as (case when id > 1 then 'a'::mood else 'b' end) stored);
  create function same() returns trigger language plpgsql as $$ begin return new; end $$;
  create trigger watch before update of mood on t for each row when (new.mood = 'a') execute function same();
  create function counted() returns bigint begin atomic select count(*) from t where mood = 'a'; end;
  create view v as select is_a, best, counted() as n from t;
  create index on t (mood) where mood = 'a';`;

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
  ...[`'a', 'b'`, `'c', 'b', 'a'`].map((labels): SchemaCase => ({
    change: `the labels ${labels} of an enum that keys, computed columns and triggers read`,
    before: readersOf(`'a', 'b', 'c'`),
    records: `insert into m values ('a'), ('b'); insert into t (id, mood) values (1, 'a'), (2, 'b')`,
    after: readersOf(labels),
    kept: 'select id, mood::text, is_a, best::text from t order by id',
    options: destructive,
  })),
  { change: 'labels in another order', before: moods(`'a', 'b'`), after: moods(`'b', 'a'`), ...moody },
  beside('an enum less', `create type mood as enum ('a');`, ''),
  ...[
    ['an enum', 'another one', 'letter', 'sign', `'a'`],
    ['a list of an enum', 'one of another', 'letter[]', 'sign[]', `'{a,b}'`],
    ['an enum', 'a domain over another', 'letter', 'signed', `'a'`],
    ['a domain over an enum', 'another enum', 'signed', 'letter', `'a'`],
    ['a text', 'a domain that is new', 'text', 'short', `'a'`],
    ['a domain', 'another domain', 'old', 'short', `'a'`],
    ['a list of texts', 'one of a domain that is new', 'text[]', 'short[]', `'{a,b}'`],
    ['a domain', 'a text', 'old', 'text', `'a'`],
  ].map(([from = '', to = '', old = '', next = '', value = '']): SchemaCase => {
    const types = `create type letter as enum ('a', 'b'); create type sign as enum ('+', 'b', 'a');
      create domain signed as sign; create domain old as text check (value <> ''); `;
    const short = `create domain shorter as varchar(5); create domain short as shorter check (value <> ''); `;
    const rest = 'create index of_t on t (a); create view them as select id, a from t;';
    return {
      change: `a column from ${from} to ${to}`,
      before: `${types} create table t (id int primary key, a ${old}); ${rest}`,
      records: `insert into t values (1, ${value}), (2, null)`,
      after: `${types} ${short} create table t (id int primary key, a ${next}); ${rest}`,
      kept: 'select id, a::text as a from t order by id',
    };
  }),
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

/** Changes of what stands on tables and beside them. */
export const objectCases: readonly SchemaCase[] = [
  ...constraints,
  ...indexes,
  ...enums,
  ...programs,
  ...rest,
];
