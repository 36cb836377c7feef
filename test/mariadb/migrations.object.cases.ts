import { beside, destructive, ofPerson, person, type MariaDbCase } from './migrations.case.js';

const g = (a: string): string => `create table t (id int primary key, a ${a});`;
const generated = (change: string, from: string, to: string, says: RegExp, options = {}): MariaDbCase => ({
  ...{ change, before: g(from), after: g(to), says, options },
  records: 'insert into t (id) values (1), (2);',
});

/** A key of two columns, with what refers to it: another table, and itself. */
const keys = (type: string, rest = ''): string => `
  create table a (t int, id ${type}, up ${type}, primary key (t, id), constraint up foreign key (t, up) references a (t, id));
  create table b (id int primary key, t int, \`x(y\` ${type}${rest},
    constraint \`f,(\` foreign key (t, \`x(y\`) references a (t, id) on update cascade);`;

const constraints: readonly MariaDbCase[] = [
  ofPerson('an index', `${person} create index by_name on person (name);`, /ADD KEY `by_name`/),
  ofPerson('an index less', person, /DROP INDEX `by_name`/, {
    before: `${person} create index by_name on person (name);`,
  }),
  ofPerson(
    'other columns of an index',
    `${person} create index i on person (name, id);`,
    /DROP INDEX `i`, ADD KEY `i`/,
    { before: `${person} create index i on person (name);` },
  ),
  ofPerson('an index of beginnings', `${person} create index i on person (name(5));`, /\(`name`\(5\)\)/),
  ofPerson('an index downwards', `${person} create index i on person (name desc);`, /DESC/),
  ofPerson('a unique index', `${person} create unique index i on person (name);`, /ADD UNIQUE KEY/),
  ofPerson('an index that is unique no more', `${person} create index i on person (name);`, /ADD KEY `i`/, {
    before: `${person} create unique index i on person (name);`,
  }),
  ofPerson('an index of words', `${person} create fulltext index i on person (name);`, /ADD FULLTEXT KEY/),
  ofPerson(
    'a check',
    `create table person (id int primary key, name varchar(20), constraint c check (id > 0));`,
    /ADD CONSTRAINT `c` CHECK/,
  ),
  ofPerson(
    'another check',
    `create table person (id int primary key, name varchar(20), constraint c check (id > -5));`,
    /DROP CONSTRAINT `c`/,
    { before: `create table person (id int primary key, name varchar(20), constraint c check (id > 0));` },
  ),
  beside(
    'a foreign key',
    'create table pet (id int primary key, person_id int);',
    'create table pet (id int primary key, person_id int, constraint f foreign key (person_id) references person (id) on delete cascade);',
    /ADD CONSTRAINT `f` FOREIGN KEY/,
  ),
  beside(
    'another rule of a foreign key',
    'create table pet (id int primary key, p int, constraint f foreign key (p) references person (id) on delete cascade);',
    'create table pet (id int primary key, p int, constraint f foreign key (p) references person (id) on delete set null on update cascade);',
    /DROP FOREIGN KEY `f`/,
  ),
  beside(
    'a foreign key less',
    'create table pet (id int primary key, p int, constraint f foreign key (p) references person (id));',
    'create table pet (id int primary key, p int);',
    /DROP FOREIGN KEY `f`/,
  ),
  beside(
    'a table less that others refer to',
    'create table c (id int primary key); create table pet (id int primary key, c_id int, constraint f foreign key (c_id) references c (id));',
    'create table pet (id int primary key, c_id int);',
    /DROP FOREIGN KEY `f`/,
    destructive,
  ),
  ...[
    ['int', 'bigint'],
    ['varchar(10)', 'varchar(20)'],
    ['varchar(10)', 'varchar(10) collate utf8mb4_bin'],
    ['varchar(10)', 'int'],
  ].map(([from = '', to = '']): MariaDbCase => ({
    change: `a key from ${from} to ${to} that others refer to`,
    before: keys(from),
    records: `insert into a values (1, 7, 7); insert into b values (1, 1, 7)`,
    after: keys(to),
    says: /ADD CONSTRAINT `f,\(` FOREIGN KEY/,
  })),
  {
    change: 'a key of another type that rows get a value in',
    before: keys('int'),
    records: `insert into a values (1, 7, 7); insert into b values (1, 1, 7), (2, 1, null)`,
    after: keys('bigint', ' not null'),
    says: /^UPDATE `b` SET /,
    options: { fills: { 'b.x(y': '(select min(id) from a)' } },
  },
  generated('a computed column', 'int', 'int, b int as (id + 1) stored', /ADD COLUMN `b`/),
  generated(
    'another expression of a computed column',
    'int as (id + 1) stored',
    'int as (id + 2) stored',
    /DROP COLUMN `a`, ADD COLUMN `a`/,
  ),
  generated(
    'a column that is computed when read',
    'int as (id + 1) stored',
    'int as (id + 1) virtual',
    /VIRTUAL/,
  ),
  generated('a column that is computed no more', 'int as (id + 1) stored', 'int', /`a`/),
];

const log = 'create table log (id int auto_increment primary key, text varchar(50));';
const trigger = (body: string): string =>
  `${log} create trigger logged after insert on person for each row ${body};`;

const objects: readonly MariaDbCase[] = [
  beside('a view', '', 'create view v as select id from person;', /VIEW `v`/),
  beside(
    'another view',
    'create view v as select id from person;',
    'create view v as select id, name from person;',
    /DROP VIEW `v`/,
  ),
  beside('a view less', 'create view v as select id from person;', '', /^DROP VIEW `v`/),
  beside(
    'views of views',
    '',
    'create view b as select id from person; create view a as select id from b;',
    /VIEW `b`/,
  ),
  ofPerson(
    'a view of a column with another type',
    'create table person (id bigint primary key, name varchar(20)); create view v as select id + 1 as n from person;',
    /MODIFY COLUMN `id` bigint/,
    { before: `${person} create view v as select id + 1 as n from person;` },
  ),
  beside('a trigger', log, trigger('insert into log (text) values (new.name)'), /trigger logged/i),
  beside(
    'another trigger',
    trigger('insert into log (text) values (new.name)'),
    trigger(
      `begin if new.id > 5 then insert into log (text) values ('a;b'); else insert into log (text) values (case when new.id = 1 then 'one' end); end if; end`,
    ),
    /^DROP TRIGGER `logged`/,
  ),
  beside('a trigger less', trigger('set @a = 1'), log, /^DROP TRIGGER `logged`/),
  beside(
    'a function',
    '',
    'create function twice(a int) returns int deterministic return a * 2;',
    /FUNCTION `twice`/,
  ),
  beside(
    'another function',
    'create function twice(a int) returns int deterministic return a * 2;',
    'create function twice(a bigint) returns bigint deterministic begin declare b bigint; set b = a; while b < a * 2 do set b = b + 1; end while; return b; end;',
    /^DROP FUNCTION `twice`/,
  ),
  beside(
    'a procedure',
    '',
    'create procedure p() begin select 1; repeat set @x = 1; until true end repeat; end; create view after_it as select 1 as one;',
    /PROCEDURE `p`/,
  ),
  beside('a procedure less', 'create procedure p() select 1;', '', /^DROP PROCEDURE `p`/),
];

export const objectCases = [...constraints, ...objects];
