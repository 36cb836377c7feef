import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { success } from '../support/answers.js';
import { command, type Ended } from '../support/command-line/command.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';

let database: MigratedDatabase;

beforeAll(async () => {
  database = await migratedDatabase('postgresql');
});
beforeEach(async () => {
  await database.run('drop schema if exists t_1 cascade; drop schema if exists t_2 cascade');
  await database.empty();
});
afterAll(() => database.close());

const first = 'create table start (id int generated always as identity)';
const second = `${first}; create table more (id int)`;

/** Runs a command against an application that applies a target at its start, and adds a record to `start`. */
const run = (words: readonly string[], TARGET: string, environment: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  command(words, {
    application: 'migrated',
    databaseUrl: database.url,
    environment: { TARGET, ...environment },
  });

/** The tables, and how often the work behind a target was done. */
const state = async (): Promise<unknown> => {
  const [row] = await database.rows<object>(
    `select to_regclass('more') is not null as more, (select count(*)::int from start) as starts`,
  );
  return row;
};

test('Words that only read documents leave a database as it is, and a request brings it up to date', async () => {
  // A new database gets its tables: what starts after them may count on them.
  expect(await run(['--help'], first)).toMatchObject({ code: 0, errors: '' });
  expect(await state()).toEqual({ more: false, starts: 1 });

  for (const words of [['--help'], ['tables', '--help'], ['routes'], ['schema'], ['completion', 'bash']])
    expect(await run(words, second)).toMatchObject({ code: 0, errors: '' });
  expect((await run([], second)).code).toBe(2);
  expect(await state()).toEqual({ more: false, starts: 1 });

  const { output } = await run(['tables'], second);
  expect(JSON.parse(output)).toEqual(success([{ name: 'more' }, { name: 'start' }]));
  expect(await state()).toEqual({ more: true, starts: 2 });
});

test('A path of the application with the name of such a word is asked after the start is finished', async () => {
  await run(['--help'], first);
  const { output } = await run(['routes'], second, { URL_OF_TABLES: 'routes' });
  expect(JSON.parse(output)).toEqual(success([{ name: 'more' }, { name: 'start' }]));
  expect(await state()).toEqual({ more: true, starts: 2 });
});

test('Schemas of tenants are added and listed, and one that fails is told by the exit code', async () => {
  const added = await run(['schemas', 'add', 't_1', 't_2'], first);
  expect(added).toMatchObject({ code: 0, errors: expect.stringMatching(/^2\/2 t_[12]: 1 line, \d+ ms$/m) });
  await database.run('create table t_2.more (other int)');
  const failed = await run(['migrations', '--command=apply', '--schemas=t_*'], second);
  expect(failed.code).toBe(1);
  expect(failed.errors).toContain('1 of 2 schemas failed, 1 did not');
  expect(failed.errors).toContain('t_2:   column t_2.more.other');
  const { output } = await run(['schemas', 'list'], second);
  expect(JSON.parse(output)).toEqual(success(['t_1 current', 't_2 behind']));
});
