import { beside, column, destructive, ofPerson, person, type MariaDbCase } from './migrations.case.js';

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

export const tableCases = [...tables, ...types];
