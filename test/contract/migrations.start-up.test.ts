import { expect, test } from '@jest/globals';
import { Public } from '@nest-endpoints/core';
import {
  Migrations,
  Migrator,
  type MigrationsOptions,
  type MigratorOptions,
} from '@nest-endpoints/migrations';
import { startApplication } from '../support/application.js';
import { freshDatabase } from '../support/database.js';
import { Claims } from './claims.js';
import { Note } from './migrations.note.js';
import { stopped } from './stopped.js';

const sql = ['create table t (id int)'];

const stoppedBy = (options: MigrationsOptions) =>
  stopped(() => new Migrations({ url: 'schema', ...options }), { entities: [Note] });

/** What types refuse, as it would come from JavaScript. */
const wrong = (options: object) => options as MigrationsOptions;

test('Migrations without sql stops the start', async () => {
  expect(await stoppedBy({})).toMatch(/Migrations 'schema': sql: is required/);
});

test('sql that is no list stops the start', async () => {
  for (const value of ['create table t (id int)', [5], {}])
    expect(await stoppedBy(wrong({ sql: value }))).toMatch(
      /Migrations 'schema': sql: .*allowed: a (list of SQL texts|text)/,
    );
});

test('An unknown command stops the start', async () => {
  expect(await stoppedBy(wrong({ sql, command: 'drop' }))).toMatch(
    /Migrations 'schema': command: 'drop' is unknown; allowed: version, check, plan, plan_export, apply/,
  );
});

test('allow_input without authentication stops the start unless allow_unauthenticated is set', async () => {
  const needed = /Migrations 'schema': allowInput: needs an authentication, or allowUnauthenticated: true/;
  expect(await stoppedBy({ sql, allowInput: true })).toMatch(needed);
  expect(await stoppedBy({ sql, allowInput: true, authentication: new Public() })).toMatch(needed);
  const started = 'Error: the application started';
  expect(await stoppedBy({ sql, allowInput: true, allowUnauthenticated: true })).toBe(started);
  expect(await stoppedBy({ sql, allowInput: true, authentication: new Claims() })).toBe(started);
});

test('Options of Migrations that are out of range stop the start', async () => {
  for (const [option, value] of Object.entries({
    lockTimeout: 0,
    waitTimeout: 1.5,
    renames: [{ table: 't' }],
    unmanaged: 'extra',
    allowDestructive: 'yes',
    allowInput: 1,
    moduleMigrations: 'All',
  }))
    expect(await stoppedBy(wrong({ sql, [option]: value }))).toMatch(
      new RegExp(`Migrations 'schema': ${option}: `),
    );
});

test('Fills that are no expressions by the names of columns stop the start', async () => {
  for (const [fills, problem] of [
    [{ slug: "'x'" }, "'slug' is not allowed; allowed: table.column, schema.table.column"],
    [{ 'a.b.c.d': "'x'" }, "'a.b.c.d' is not allowed; allowed: table.column, schema.table.column"],
    [{ 'course.slug': ' ' }, "'course.slug': "],
    [{ 'course.slug': 5 }, "'course.slug': "],
    [["'x'"], 'allowed: an object of SQL expressions by table.column'],
  ] as const) {
    const message = await stoppedBy(wrong({ sql, fills }));
    expect(message).toMatch("Migrations 'schema': fills: ");
    expect(message).toContain(problem);
  }
});

test('An unknown class in module_migrations stops the start', async () => {
  const endpoints = [
    new Migrations({ url: 'schema', includeModuleMigrations: true, moduleMigrations: ['Lost'] }),
  ];
  await expect(startApplication('express', 'postgresql', { entities: [Note], endpoints })).rejects.toThrow(
    "Migrations 'schema': moduleMigrations: 'Lost' is provided by no module",
  );
});

test('Migrations on another database than PostgreSQL stops the start', async () => {
  const { options: orm } = await freshDatabase('sqlite');
  const message = await stopped(() => new Migrations({ url: 'schema', sql }), { entities: [Note], orm });
  expect(message).toMatch(/Migrations 'schema': cursor: must be MikroORM on PostgreSQL, PGlite or MariaDB/);
});

test('A Migrator without a cursor, or with a misspelt one, says so and not that the database is a wrong one', async () => {
  const made = (options: object) => () => new Migrator(options as MigratorOptions);
  expect(made({ cusor: {}, sql })).toThrow(`Migrator: cusor: is no option here (did you mean 'cursor'?)`);
  expect(made({ sql })).toThrow('Migrator: cursor: is required');
  expect(made({ cursor: Promise.resolve({}), sql })).toThrow(/^Migrator: cursor: .*allowed: MikroORM/);
  await expect(made({ cursor: { em: {} }, sql })().run('plan')).rejects.toThrow(
    'the cursor is neither MikroORM nor an entity manager or a connection of it',
  );
});
