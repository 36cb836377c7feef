import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { success } from '../support/answers.js';
import { connectionOf } from '../support/catalogue.js';
import { command, startCommand, type Ended, type RunningCommand } from '../support/command-line/command.js';
import { migratedMariaDb, type MigratedMariaDb } from './migrated.database.js';

let database: MigratedMariaDb;

beforeAll(async () => {
  database = await migratedMariaDb();
});
beforeEach(() => database.empty());
afterAll(() => database.close());

const first = 'create table a (id int primary key); create table b (id int primary key);';
const second =
  'create table a (id int primary key, x int); create table b (id int primary key, slug varchar(9) not null); create table c (id int primary key);';
const environmentOf = (TARGET: string) => ({
  application: 'mariadb' as const,
  databaseUrl: String(database.orm.config.get('dbName')),
  environment: { TARGET, FILL: "concat('b-', id)" },
});
const run = (name: string, TARGET: string): Promise<Ended> =>
  command(['migrations', `--command=${name}`], environmentOf(TARGET));
const start = (name: string, TARGET: string): RunningCommand =>
  startCommand(['migrations', `--command=${name}`], environmentOf(TARGET));

/** The lines that a command answers, which ends well. */
const linesOf = async (name: string, target: string): Promise<unknown> => {
  const { code, output, errors } = await run(name, target);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const body: unknown = JSON.parse(output);
  const { data } = body as { readonly data: readonly unknown[] };
  expect(body).toEqual(success(data));
  return data;
};

const statements = [
  expect.stringMatching(/^CREATE TABLE `c`/),
  'ALTER TABLE `b` ADD COLUMN `slug` varchar(9) NULL AFTER `id`',
  "UPDATE `b` SET `slug` = (concat('b-', id)) WHERE `slug` IS NULL",
  expect.stringMatching(/^ALTER TABLE `a` ADD COLUMN `x`/),
  'ALTER TABLE `b` MODIFY COLUMN `slug` varchar(9) NOT NULL',
];

test('Each command of migrations works on the command line of an application on MariaDB', async () => {
  await database.run(`${first} insert into b values (1), (2);`);
  expect(await linesOf('version', second)).toEqual([
    expect.stringMatching(/^@nest-endpoints\/migrations/),
    'comparison of SHOW CREATE',
    expect.stringMatching(/^MariaDB/),
  ]);
  expect(await linesOf('check', second)).toEqual([]);
  expect(await linesOf('plan', second)).toEqual(statements);
  expect(await linesOf('apply', second)).toEqual(statements);
  expect(await linesOf('plan', second)).toEqual([]);
  expect(await linesOf('plan_export', first)).toEqual([
    expect.stringMatching(/^CREATE TABLE `c`/),
    expect.stringMatching(/^CREATE TABLE `a`/),
    expect.stringMatching(/^CREATE TABLE `b`/),
  ]);
});

test('What is refused on MariaDB is told by the command line and its exit code', async () => {
  await database.run(`${first} insert into b values (1);`);
  const lost = await run('apply', 'create table a (id int primary key);');
  expect(lost.code).toBe(1);
  expect(lost.errors).toContain('table b');
  const wrong = await run('check', 'drop table a');
  expect(wrong.code).toBe(1);
  expect(wrong.errors).toContain('sql[0]:1:1: DROP TABLE');
  const unused = await command(['schemas', 'list'], environmentOf(first));
  expect([unused.code, unused.errors]).toEqual([1, expect.any(String)]);
  const { environment, ...rest } = environmentOf(first);
  for (const words of [
    ['migrations', '--command=plan'],
    ['schemas', 'list'],
    ['schemas', 'add', 't_1'],
  ]) {
    const { code, errors } = await command(words, {
      ...rest,
      environment: { ...environment, SCHEMAS: 't_*' },
    });
    expect([code, errors]).toEqual([1, expect.stringContaining('the option schemas needs PostgreSQL')]);
  }
});

/** Waits until `apply` waits for a table. @returns its connection */
const waiting = async (): Promise<unknown> => {
  for (;;) {
    const [row] = await database.rows(
      `select id from information_schema.processlist where state like 'Waiting for table metadata lock' and info like 'ALTER TABLE \`a\`%'`,
    );
    if (row !== undefined) return row['id'];
  }
};

test('An apply of MariaDB whose process is killed is gone on with, and says how far it came', async () => {
  await database.run(`${first} insert into b values (1), (2);`);
  const reader = database.orm.em.fork();
  await reader.begin();
  await connectionOf(database.orm).execute('select * from a', [], 'all', reader.getTransactionContext());
  const { child, ended } = start('apply', second);
  const connection = await waiting();
  child.kill('SIGKILL');
  expect((await ended).code).toBeNull();
  // The server notices that nobody listens when the statement ends.
  await database.rows(`kill connection ${String(connection)}`);
  await reader.rollback();
  expect(await linesOf('apply', second)).toEqual([
    '-- goes on: an apply before was cut after 3 of 5 statements',
    ...statements.slice(3),
  ]);
  expect(await linesOf('apply', second)).toEqual([]);
  expect(await database.rows('select slug from b order by id')).toEqual([{ slug: 'b-1' }, { slug: 'b-2' }]);
});
