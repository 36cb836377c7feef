import type { MigratorOptions } from '@nest-endpoints/migrations';

/** A change of a schema that has records in it. */
export interface MariaDbCase {
  readonly change: string;
  readonly before: string;
  readonly after: string;
  readonly records?: string;
  /** What the plan says of it. */
  readonly says: RegExp;
  readonly options?: Partial<MigratorOptions>;
}

const destructive = { allowDestructive: true };
const person = 'create table person (id int primary key, name varchar(20));';
const people = `insert into person (id, name) values (1, 'Ann'), (2, 'Bob'), (3, null);`;

const ofPerson = (
  change: string,
  after: string,
  says: RegExp,
  rest: Partial<MariaDbCase> = {},
): MariaDbCase => ({
  ...{ change, before: person, records: people, after, says },
  ...rest,
});

const beside = (change: string, before: string, after: string, says: RegExp, options = {}): MariaDbCase =>
  ofPerson(change, person + after, says, { before: person + before, options });

const column = (
  change: string,
  from: string,
  to: string,
  values: string,
  options: Partial<MigratorOptions> = {},
): MariaDbCase => ({
  change,
  before: `create table t (id int primary key, a ${from});`,
  after: `create table t (id int primary key, a ${to});`,
  records: values === '' ? '' : `insert into t (id, a) values ${values};`,
  says: /^ALTER TABLE `t` MODIFY COLUMN `a` /,
  options,
});

const tables: readonly MariaDbCase[] = [
  beside(
    'a new table',
    '',
    `create table pet (id int primary key, name text not null default 'x');`,
    /^CREATE TABLE `pet`/,
  ),
  beside('a table less', 'create table pet (id int primary key);', '', /^DROP TABLE `pet`/, destructive),
  ofPerson(
    'a table with a new name',
    'create table human (id int primary key, name varchar(20));',
    /^RENAME TABLE `person` TO `human`/,
    {
      options: { renames: [{ table: 'person', to: 'human' }] },
    },
  ),
  ofPerson(
    'a new column',
    'create table person (id int primary key, name varchar(20), age int);',
    /ADD COLUMN `age` int\(11\) DEFAULT NULL AFTER `name`/,
  ),
  ofPerson(
    'a new first column',
    'create table person (age int, id int primary key, name varchar(20));',
    /ADD COLUMN `age` .* FIRST/,
  ),
  ofPerson(
    'a column in the middle',
    'create table person (id int primary key, age int, name varchar(20));',
    /AFTER `id`/,
  ),
  ofPerson(
    'a required column with a default',
    `create table person (id int primary key, name varchar(20), born date not null default '2000-01-01');`,
    /NOT NULL DEFAULT '2000-01-01'/,
  ),
  ofPerson('a column less', 'create table person (id int primary key);', /DROP COLUMN `name`/, {
    options: destructive,
  }),
  ofPerson(
    'a column with a new name',
    'create table person (id int primary key, full_name varchar(20));',
    /RENAME COLUMN `name` TO `full_name`/,
    {
      options: { renames: [{ table: 'person', column: 'name', to: 'full_name' }] },
    },
  ),
  ofPerson(
    'the comment of a table',
    person.replace(');', `) comment = 'it''s; a "person" -- #';`),
    /COMMENT=/,
  ),
  ofPerson('no comment of a table any more', person, /COMMENT=''/, {
    before: person.replace(');', `) comment = 'old';`),
  }),
  ofPerson(
    'the comment of a column',
    `create table person (id int primary key comment 'key', name varchar(20));`,
    /COMMENT 'key'/,
  ),
  ofPerson('the engine', person.replace(');', ') engine = Aria;'), /ENGINE=Aria/),
  ofPerson('the format of rows', person.replace(');', ') row_format = compressed;'), /ROW_FORMAT=COMPRESSED/),
  ofPerson('no format of rows any more', person, /ROW_FORMAT=DEFAULT/, {
    before: person.replace(');', ') row_format = compact;'),
  }),
  ofPerson(
    'the character set of a table',
    person.replace(');', ') character set latin1;'),
    /DEFAULT CHARSET=latin1/,
  ),
  ofPerson(
    'the collation of a table',
    person.replace(');', ') collate utf8mb4_unicode_ci;'),
    /COLLATE=utf8mb4_unicode_ci/,
  ),
  ofPerson(
    'a counter for keys',
    'create table person (id int auto_increment primary key, name varchar(20));',
    /AUTO_INCREMENT/,
  ),
  ofPerson('no counter for keys', person, /MODIFY COLUMN `id` int\(11\) NOT NULL/, {
    before: 'create table person (id int auto_increment primary key, name varchar(20));',
  }),
  ofPerson(
    'another primary key',
    'create table person (id int not null, name varchar(20), primary key (id, name));',
    /DROP PRIMARY KEY.*ADD PRIMARY KEY/,
    { records: `insert into person values (1, 'Ann');` },
  ),
  beside(
    'tables that refer to each other',
    '',
    'create table a (id int primary key, b_id int); create table b (id int primary key, a_id int references a (id)); alter table a add constraint a_b foreign key (b_id) references b (id);',
    /^CREATE TABLE `a`/,
  ),
  beside(
    'names with quotes and reserved words',
    '',
    'create table `Order` (`select` int primary key, `a``b` int, `Ünï` int); create index `weird index` on `Order` (`a``b`);',
    /`a``b`/,
  ),
];

const types: readonly MariaDbCase[] = [
  column('int to bigint', 'int', 'bigint', '(1, 5)'),
  column('signed to unsigned', 'int', 'int unsigned', '(1, 5)'),
  column('a longer text', 'varchar(10)', 'varchar(50)', `(1, 'abc')`),
  column('a shorter text that holds all', 'varchar(50)', 'varchar(10)', `(1, 'abc')`),
  column('text of digits to numbers', 'varchar(20)', 'int', `(1, '15')`),
  column('text to JSON', 'text', 'json', `(1, '{"a":1}')`),
  column('fewer decimals where none is lost', 'decimal(10,4)', 'decimal(10,2)', '(1, 1.5)'),
  column('fewer decimals where some are lost', 'decimal(10,4)', 'decimal(10,2)', '(1, 1.2345)', destructive),
  column('no parts of seconds', 'datetime(6)', 'datetime', `(1, '2020-01-01 00:00:00.5')`, destructive),
  column('a new default', 'int', 'int default 5', '(1, 1)'),
  column('another default', `varchar(9) default 'a'`, `varchar(9) default 'b;c'`, `(1, 'x')`),
  column('no default', 'int default 5', 'int', '(1, 1)'),
  column(
    'a default that is computed',
    'datetime',
    'datetime default current_timestamp on update current_timestamp',
    '',
  ),
  column('a required column', 'int', 'int not null', '(1, 1)'),
  column('a column that may be empty', 'int not null', 'int', '(1, 1)'),
  column('another member of an enum', `enum('a','b')`, `enum('a','c','b')`, `(1, 'b')`),
  column('a member less of an enum', `enum('a','b')`, `enum('a')`, `(1, 'a')`),
  column('another member of a set', `set('a')`, `set('a','b')`, `(1, 'a')`),
  column('the collation of a column', 'varchar(9)', 'varchar(9) collate utf8mb4_bin', `(1, 'a')`),
  column('the character set of a column', 'varchar(9)', 'varchar(9) character set latin1', `(1, 'a')`),
  column('a check of a column', 'int', 'int check (a > 0)', '(1, 1)'),
  column('another check of a column', 'int check (a > 0)', 'int check (a > -1)', '(1, 1)'),
  column('an invisible column', 'int', 'int invisible', '(1, 1)'),
  column('a uuid', 'varchar(36)', 'uuid', `(1, '123e4567-e89b-12d3-a456-426655440000')`),
];

const g = (a: string): string => `create table t (id int primary key, a ${a});`;
const generated = (change: string, from: string, to: string, says: RegExp, options = {}): MariaDbCase => ({
  ...{ change, before: g(from), after: g(to), says, options },
  records: 'insert into t (id) values (1), (2);',
});

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

export const mariaDbCases = [...tables, ...types, ...constraints, ...objects];
