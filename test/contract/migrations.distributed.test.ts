import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';
import { connectionOf } from '../support/catalogue.js';

/** The catalogue of Citus, as far as migrations look at it, and its functions, which only take notes. */
const citus = `
  set allow_system_table_mods = on;
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    values (99999, 'citus', 10, 11, false, '13.2');
  create table pg_catalog.citus_tables (table_name regclass, citus_table_type text, distribution_column text);
  create function pg_catalog.create_distributed_table(t regclass, c text, colocate_with text default 'default')
    returns void language sql as $$ insert into pg_catalog.citus_tables values (t, 'distributed', c) $$;
  create function pg_catalog.create_reference_table(t regclass)
    returns void language sql as $$ insert into pg_catalog.citus_tables values (t, 'reference', '<none>') $$;`;

const tables = `
  create table country (id int primary key);
  create table project (tenant_id int, id int, country_id int references country, primary key (tenant_id, id));
  create table task (tenant_id int, id int, project_id int, primary key (tenant_id, id),
    foreign key (tenant_id, project_id) references project (tenant_id, id));`;

const placed = `
  select create_reference_table('country');
  select create_distributed_table('project', 'tenant_id');
  select create_distributed_table('public.task', 'tenant_id', colocate_with => 'project');`;

let database: MigratedDatabase;
beforeAll(async () => {
  database = await migratedDatabase('postgresql');
  await database.run(citus);
});
beforeEach(async () => {
  await database.empty();
  await database.run('delete from pg_catalog.citus_tables');
});
afterAll(() => database.close());

const kinds = (statements: readonly string[]): readonly string[] =>
  statements.flatMap(
    (sql) => /^create table|^select create_\w+|foreign key/i.exec(sql)?.[0].toLowerCase() ?? [],
  );

test('Tables are distributed in the order of the target, behind all of them and before foreign keys', async () => {
  const migrator = database.to(tables + placed);
  const order = [
    ...Array.from({ length: 3 }, () => 'create table'),
    'select create_reference_table',
    'select create_distributed_table',
    'select create_distributed_table',
    ...Array.from({ length: 2 }, () => 'foreign key'),
  ];
  expect(kinds(await migrator.run('plan'))).toEqual(order);
  expect(kinds(await migrator.run('apply'))).toEqual(order);
  const known = await database.rows(
    'select table_name::text as name, citus_table_type as sort, distribution_column as by from citus_tables',
  );
  expect(known).toEqual([
    { name: 'country', sort: 'reference', by: '<none>' },
    { name: 'project', sort: 'distributed', by: 'tenant_id' },
    { name: 'task', sort: 'distributed', by: 'tenant_id' },
  ]);
  expect(await migrator.run('plan')).toEqual([]);
});

test('A table without rows is distributed when the target says so, one with rows is told of', async () => {
  await database.to(tables).run('apply');
  await database.run('insert into country values (1)');
  const without = placed.replace("select create_reference_table('country');", '');
  expect(kinds(await database.to(tables + without).run('plan'))).toEqual([
    'select create_distributed_table',
    'select create_distributed_table',
  ]);
  for (const command of ['plan', 'apply'] as const)
    await expect(database.to(tables + placed).run(command)).rejects.toThrow(
      /sql\[0\]:\d+:\d+: the table country has rows, which writes would wait for/,
    );
  expect(await database.rows('select 1 from citus_tables')).toEqual([]);
});

test('A table that is distributed in another way is told of', async () => {
  await database.to(tables + placed).run('apply');
  await database.run(
    "update pg_catalog.citus_tables set distribution_column = 'id' where table_name = 'task'::regclass",
  );
  await expect(database.to(tables + placed).run('plan')).rejects.toThrow(
    'the table public.task is distributed by id already',
  );
});

test('Tables and columns that the target has not, and a database without Citus, are told of', async () => {
  const wrong = `select create_reference_table('city'); select create_distributed_table('task', 'tenant');`;
  await expect(database.to(tables + wrong).run('check')).rejects.toThrow(
    /the target has no table city[^]*the table task has no column tenant/,
  );
  const plain = await migratedDatabase('postgresql');
  try {
    await expect(plain.to(tables + placed).run('plan')).rejects.toThrow('has no extension citus');
    expect(await plain.to(tables).run('apply')).not.toEqual([]);
    expect(await connectionOf(plain.orm).execute('select 1 as one')).toEqual([{ one: 1 }]);
  } finally {
    await plain.close();
  }
});

test.each([
  "select create_distributed_table('task')",
  "select create_distributed_table('task', 'tenant_id') from task",
  "select create_distributed_table('task', 'tenant_id'), pg_sleep(1)",
  "select create_distributed_table('task', (select 'tenant_id'))",
  "select create_distributed_table('task', 'tenant_id', 'hash')",
  "select create_distributed_table('task', 'tenant_id', shard_count => 4)",
  "select extra.create_distributed_table('task', 'tenant_id')",
  "select create_reference_table('task', colocate_with => 'project')",
  "select undistribute_table('task')",
  "with a as (select 1) select create_reference_table('country')",
])('A target must not hold another select: %s', async (sql) => {
  await expect(database.to(`${tables} ${sql};`).run('check')).rejects.toThrow('it does not define a schema');
});
