import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { postponeStartWork } from '@nest-endpoints/core/internal';
import { sqlFromEntities } from '@nest-endpoints/migrations';
import { Logger } from '@nestjs/common';
import type { DatabaseName } from '../support/database.js';
import { log } from '../support/log.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';

Logger.overrideLogger(log);

const Shelf = defineEntity({
  name: 'Shelf',
  properties: {
    id: p.integer().primary().autoincrement(),
    label: p.string().length(40).unique(),
    kind: p.enum(['oak', 'steel']),
    above: () => p.manyToOne(Shelf).nullable().index(),
    made: p.datetime().defaultRaw('now()'),
  },
});

describe.each<DatabaseName>(['postgresql', 'pglite'])('%s', (name) => {
  let database: MigratedDatabase;

  beforeAll(async () => {
    database = await migratedDatabase(name, [Shelf]);
  });

  afterAll(() => database.close());

  test('A start applies the target only when it changed since the last one', async () => {
    const target = [sqlFromEntities(), 'create view labels as select label from shelf'];
    expect((await database.to(target).applyWhenChanged()).length).toBeGreaterThan(1);
    await database.run('drop view labels');
    // The digest is all that is looked at.
    expect(await database.to(target).applyWhenChanged()).toEqual([]);
    expect(await database.to([...target, 'create table more (id int)']).applyWhenChanged()).toHaveLength(2);
    expect(await database.to(target, { allowDestructive: true }).applyWhenChanged()).toEqual([
      'DROP TABLE "public"."more"',
    ]);
    expect(await database.to(target).run('plan')).toEqual([]);
  });

  test('A start knows what was applied last, whoever applied it', async () => {
    await database.empty();
    const table = 'create table t (id int, name text)';
    const whole = `${table}; create index named on t (name)`;
    expect(await database.to(whole).applyWhenChanged()).toHaveLength(2);
    expect(await database.to(table).run('apply')).toEqual(['DROP INDEX "public"."named"']);
    expect(await database.to(whole).applyWhenChanged()).toHaveLength(1);
    expect(await database.to(whole).run('plan')).toEqual([]);
    // What fails is not what was applied last.
    await database.run(`insert into t values (1, 'a'), (1, 'b')`);
    await expect(database.to(`${table}; create unique index on t (id)`).run('apply')).rejects.toThrow(
      'unique',
    );
    await database.run('drop index named');
    expect(await database.to(whole).applyWhenChanged()).toEqual([]);
  });

  test('Who only applies by command gets no table of ours', async () => {
    await database.empty();
    expect(await database.to('create table t (id int)').run('apply')).toHaveLength(1);
    expect(await database.rows(`select from pg_namespace where nspname = 'nest_endpoints'`)).toEqual([]);
  });

  test('A start logs the statements that it ran and how long it took, and does the work behind them each time', async () => {
    await database.empty();
    log.lines = [];
    const target = 'create table t (\n  id int\n)';
    const found: unknown[] = [];
    const tables = async () => found.push(await database.rows(`select to_regclass('t')::text as t`));
    await database.to(target).applyWhenChanged(tables);
    expect(log.text('log')).toMatch(
      /^log CREATE TABLE "public"\."t" \("id" integer\) Migrator\nlog applied 1 statement in \d+ ms Migrator$/,
    );
    log.lines = [];
    await database.to(target).applyWhenChanged(tables);
    expect(log.text()).toBe('');
    expect(found).toEqual([[{ t: 't' }], [{ t: 't' }]]);
    await database.run(`create view v as select 'one' as text`);
    await database.to(`${target}; create view v as select\n\n'two'\n  as text`).applyWhenChanged();
    expect(log.text('log').split('\n')).toEqual([
      'log DROP VIEW "public"."v" Migrator',
      `log CREATE VIEW "public"."v" AS SELECT 'two'::text AS text; Migrator`,
      expect.stringMatching(/^log applied 2 statements in \d+ ms Migrator$/),
    ]);
  });

  test('Where only documents are read, a target that changed waits for the first request', async () => {
    await database.empty();
    const isThere = async (name: string) =>
      (await database.rows(`select from pg_tables where tablename = '${name}'`)).length > 0;
    const finishStart = postponeStartWork();
    // A new database gets its tables: what starts after them may count on them.
    expect(await database.to('create table a ()').applyWhenChanged()).toHaveLength(1);
    expect(await database.to('create table a (); create table b ()').applyWhenChanged()).toEqual([]);
    expect([await isThere('a'), await isThere('b')]).toEqual([true, false]);
    await finishStart();
    expect(await isThere('b')).toBe(true);
  });

  test('A populated database of either sort becomes another target', async () => {
    await database.empty();
    await database.run(`create table person (id serial primary key, name text, age text); create type mood as enum ('a', 'b');
      create table m (mood mood); insert into m values ('a'); insert into person (name, age) select 'p' || i, i from generate_series(1, 9) i;
      create materialized view v as select name from person`);
    const target = `create type mood as enum ('a', 'x', 'b'); create table m (mood mood default 'x');
      create table person (id int generated always as identity primary key, full_name text not null unique, age int check (age > 0));
      create materialized view v as select full_name from person; create index on v (full_name);`;
    const refused = await database
      .to(target)
      .run('apply')
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ lines: expect.arrayContaining(['  column public.person.name']) });

    const migrator = database.to(target, { renames: [{ table: 'person', column: 'name', to: 'full_name' }] });
    await migrator.run('apply');
    expect(await migrator.run('plan')).toEqual([]);
    expect(await database.rows('select full_name, age from person where id = 7')).toEqual([
      { full_name: 'p7', age: 7 },
    ]);
    expect(
      await database.rows(
        `with made as (insert into person (full_name) values ('n') returning id) select id from made`,
      ),
    ).toEqual([{ id: 10 }]);
    expect(await database.rows('select count(*)::int as n from v')).toEqual([{ n: 9 }]);
  });

  test('A migration that fails on either sort leaves everything as it was', async () => {
    await database.empty();
    await database.run(`create table t (a int); insert into t values (1), (1)`);
    await expect(
      database.to('create table other (id int); create table t (a int unique)').run('apply'),
    ).rejects.toThrow('could not create unique index');
    await expect(database.to('create table t (a nope)').run('plan')).rejects.toThrow(
      'type "nope" does not exist',
    );
    expect(await database.rows('select a from t')).toEqual([{ a: 1 }, { a: 1 }]);
    expect(await database.rows(`select to_regclass('other') as other`)).toEqual([{ other: null }]);
  });
});
