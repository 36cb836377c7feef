import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MigrationFailure, type MigratorOptions } from '@nest-endpoints/migrations';
import { migratedMariaDb, type MigratedMariaDb } from './migrated.database.js';

let database: MigratedMariaDb;

beforeAll(async () => {
  database = await migratedMariaDb();
});
beforeEach(() => database.empty());
afterAll(() => database.close());

const course = 'create table course (id int primary key, title varchar(50) not null);';
const slugged =
  'create table course (id int primary key, slug varchar(50) not null unique, title varchar(50) not null);';
const courses = `${course} insert into course values (1, 'First Steps'), (2, 'Second Steps');`;
const slug = { 'course.slug': "lower(replace(title, ' ', '-'))" };
const update = "UPDATE `course` SET `slug` = (lower(replace(title, ' ', '-'))) WHERE `slug` IS NULL";

/** The statements of plan, which apply runs as they stand, and which lead to the target. */
const applied = async (sql: string, options: Partial<MigratorOptions>): Promise<readonly string[]> => {
  const migrator = database.to(sql, options);
  const planned = await migrator.run('plan');
  expect(await migrator.run('apply')).toEqual(planned);
  expect(await migrator.run('plan')).toEqual([]);
  return planned;
};

/** The lines with which apply fails. */
const failure = async (sql: string, fills: MigratorOptions['fills'] = {}): Promise<readonly string[]> => {
  const thrown: unknown = await database
    .to(sql, { fills })
    .run('apply')
    .catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(MigrationFailure);
  return thrown instanceof MigrationFailure ? thrown.lines : [];
};

/** {@link failure}, after a look whether the schema is as it was. */
const refused = async (sql: string, fills: MigratorOptions['fills'] = {}): Promise<readonly string[]> => {
  const before = await database.written();
  const lines = await failure(sql, fills);
  expect(await database.written()).toEqual(before);
  return lines;
};

test('A new required column of MariaDB gets the values of its fill before it becomes required', async () => {
  await database.run(courses);
  expect(await applied(slugged, { fills: slug })).toEqual([
    'ALTER TABLE `course` ADD COLUMN `slug` varchar(50) NULL AFTER `id`',
    update,
    'ALTER TABLE `course` MODIFY COLUMN `slug` varchar(50) NOT NULL, ADD UNIQUE KEY `slug` (`slug`)',
  ]);
  expect(await database.rows('select id, slug from course order by id')).toEqual([
    { id: 1, slug: 'first-steps' },
    { id: 2, slug: 'second-steps' },
  ]);
});

test('A column of MariaDB that becomes required keeps its values, also as another type, and its nulls are filled', async () => {
  await database.run(`create table t (id int primary key, a varchar(9), b int, c timestamp null, d enum('x', 'not null'));
    insert into t values (1, 'kept', 5, '2020-01-01', 'x'), (2, null, null, null, null);`);
  await applied(
    `create table t (id int primary key, a varchar(20) not null default 'z', b bigint not null,
       c timestamp not null default current_timestamp, d enum('x', 'not null') not null);`,
    { fills: { 't.a': "concat('t-', id)", 't.b': '2', 't.c': "'2021-01-01'", 't.d': "'not null'" } },
  );
  expect(await database.rows('select a, b, year(c) as c, d from t order by id')).toEqual([
    { a: 'kept', b: 5, c: 2020, d: 'x' },
    { a: 't-2', b: 2, c: 2021, d: 'not null' },
  ]);
});

test('A required relation of MariaDB gets its records from a table that is there, or from a function of the target', async () => {
  await database.run('create table animal (id int primary key); insert into animal values (1), (2);');
  const target = (name: string): string => `
    create table ${name} (id int auto_increment primary key, name varchar(20) not null);
    create table animal (id int primary key, ${name}_id int not null references ${name} (id));
    create function first_${name}() returns int modifies sql data begin
      insert into ${name} (name) select 'Main' from dual where not exists (select 1 from ${name});
      return (select min(id) from ${name}); end;`;
  await applied(target('clinic'), { fills: { 'animal.clinic_id': 'first_clinic()' } });
  expect(await database.rows('select a.id, c.name from animal a join clinic c on c.id = clinic_id')).toEqual([
    { id: 1, name: 'Main' },
    { id: 2, name: 'Main' },
  ]);
  await database.run('alter table animal drop foreign key animal_ibfk_1, drop column clinic_id');
  await applied(target('clinic'), { fills: { 'animal.clinic_id': '(select max(id) from clinic)' } });
});

test('Fills of MariaDB read columns that go, and what fills before them have written', async () => {
  await database.run(`create table person (id int primary key, first text, last text);
    insert into person values (1, 'Ada', 'Lovelace');`);
  const fills = {
    'person.full_name': "concat(first, ' ', last)",
    'person.initial': 'left(full_name, 1) -- so;',
  };
  const target =
    'create table person (id int primary key, initial char(1) not null, full_name text not null);';
  expect(await refused(target, fills)).toContain('  column person.first');
  await applied(target, { fills, allowDestructive: true });
  expect(await database.rows('select full_name, initial from person')).toEqual([
    { full_name: 'Ada Lovelace', initial: 'A' },
  ]);
});

test('A filled column of MariaDB may be part of a new primary key, and of a check', async () => {
  await database.run(`create table note (id int primary key); insert into note values (1);`);
  await applied(
    `create table note (id int, tenant varchar(9) not null check (tenant <> ''), length int as (char_length(tenant)),
       primary key (tenant, id));`,
    { fills: { 'note.tenant': "'acme'" } },
  );
  expect(await database.rows('select * from note')).toEqual([{ id: 1, tenant: 'acme', length: 4 }]);
});

test('Renames of MariaDB come before fills, which have the new names', async () => {
  await database.run(courses);
  await applied(
    'create table lesson (id int primary key, name varchar(50) not null, slug varchar(50) not null);',
    {
      renames: [
        { table: 'course', to: 'lesson' },
        { table: 'lesson', column: 'title', to: 'name' },
      ],
      fills: { 'lesson.slug': 'lower(name)' },
    },
  );
  expect(await database.rows('select slug from lesson where id = 1')).toEqual([{ slug: 'first steps' }]);
});

test('Required columns without a fill are refused all at once on MariaDB, and told by plan', async () => {
  await database.run(courses);
  const target = slugged.replace('title', 'level int not null, stars int not null, title');
  const lines = [
    'this is not applied, because rows that are there have no value for these columns, which are required:',
    '  column course.level',
    '  column course.stars',
    'say in the option fills what these rows get, an SQL expression for each column:',
    `  'course.level': '…'`,
    `  'course.stars': '…'`,
  ];
  expect(await refused(target, slug)).toEqual(lines);
  const planned = await database.to(target, { fills: slug }).run('plan');
  expect(planned.slice(0, lines.length)).toEqual(lines.map((line) => `-- ${line}`));
});

test('A table of MariaDB without rows needs no fill, and a fill with nothing to do does nothing', async () => {
  await database.run(course);
  const fills = { ...slug, 'course.title': "'none'" };
  expect(await applied(slugged, { fills })).toHaveLength(1);
  await database.run(`insert into course values (1, 'kept', 'One');`);
  expect(await database.to(slugged, { fills }).run('apply')).toEqual([]);
});

test('A fill that does not work on MariaDB is refused by plan, before anything is changed', async () => {
  await database.run(courses);
  const wrong = { 'course.slug': 'titel' };
  expect(await refused(slugged, wrong)).toEqual([
    expect.stringMatching(/^nothing was changed: Unknown column 'titel'/),
    'in: UPDATE `course` SET `slug` = (titel) WHERE `slug` IS NULL',
  ]);
  await expect(database.to(slugged, { fills: wrong }).run('plan')).rejects.toBeInstanceOf(MigrationFailure);
});

test('A fill that gives a row of MariaDB no value ends apply, and the next one goes on with the rows that have none', async () => {
  await database.run(courses);
  expect(await failure(slugged, { 'course.slug': "nullif(title, 'First Steps')" })).toEqual([
    '1 of 3 statements were applied and stay; the next apply goes on from there:',
    '  ALTER TABLE `course` ADD COLUMN `slug` varchar(50) NULL AFTER `id`',
    'then this one failed:',
    `the fill of 'course.slug' gives no value to some row`,
    "in: UPDATE `course` SET `slug` = (nullif(title, 'First Steps')) WHERE `slug` IS NULL",
  ]);
  const lines = await database.to(slugged, { fills: slug }).run('apply');
  expect(lines).toEqual([
    '-- goes on: an apply before was cut after 1 of 3 statements',
    update,
    expect.stringMatching(/^ALTER TABLE `course` MODIFY COLUMN `slug`/),
  ]);
  expect(await database.rows('select slug from course order by id')).toEqual([
    { slug: 'first-steps' },
    { slug: 'Second Steps' },
  ]);
});

test('A fill of MariaDB is one expression, which check, plan and apply look at first', async () => {
  await database.run(courses);
  const fills = {
    'course.slug': "'x'; drop table course",
    'a.b': '1, 2',
    'a.c': `'x') where false; drop table course --`,
    'a.d': `title) where true or (true`,
    'a.e': '-- nothing',
    'a.f': '/*! title */',
    'a.g': `'open`,
    'a.h': '?',
    'a.i': '(title',
  };
  const lines = Object.keys(fills).map(
    (key) => `fills['${key}']: it must be one SQL expression over the row, e.g. lower(title)`,
  );
  expect(await refused(slugged, fills)).toEqual(lines);
  for (const command of ['check', 'plan'] as const)
    await expect(database.to(slugged, { fills }).run(command)).rejects.toMatchObject({ lines });
  expect(await refused(slugged, { 'course.slug': 'course.*' })).toEqual([
    expect.stringMatching(/^nothing was changed: You have an error in your SQL syntax/),
    expect.anything(),
  ]);
});

test('A misspelt fill is refused on MariaDB with what may have been meant', async () => {
  await database.run(course);
  expect(await refused(slugged, { 'course.slgu': 'title', 'cuorse.slug': 'title' })).toEqual([
    `fills['course.slgu']: of the target, the column 'slgu' is unknown (did you mean 'slug'?); allowed: id, slug, title`,
    `fills['cuorse.slug']: of the target, the table 'cuorse' is unknown (did you mean 'course'?); allowed: course`,
  ]);
});
