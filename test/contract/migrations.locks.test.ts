import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/core';
import { Migrator } from '@nest-endpoints/migrations';
import { connectionOf } from '../support/catalogue.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';

let database: MigratedDatabase;
/** Another process of the service. */
let other: MikroORM;

beforeAll(async () => {
  database = await migratedDatabase('postgresql');
  other = await database.another();
});

beforeEach(() => database.empty());

afterAll(async () => {
  await other.close();
  await database.close();
});

test('How transactions of requests are isolated makes no difference', async () => {
  const options = '-c default_transaction_isolation=serializable -c default_transaction_read_only=on';
  const strict = await Promise.all([1, 2, 3].map(() => database.another({ driverOptions: { options } })));
  try {
    const answers = await Promise.all(
      strict.map((cursor) =>
        new Migrator({ cursor, sql: ['create table a (id int primary key); create table c (id int)'] }).run(
          'apply',
        ),
      ),
    );
    expect(answers.map((lines) => lines.length).toSorted()).toEqual([0, 0, 2]);
  } finally {
    for (const orm of strict) await orm.close();
  }
});

const view = 'create view v as select 1 as one;';
const there = `create table a (id int primary key, b text); ${view}`;

test.each([
  ['a column of another type', 'a', `create table a (id bigint primary key, b text); ${view}`],
  ['a required column', 'a', `create table a (id int primary key, b text not null); ${view}`],
  ['a view', 'v', `${there} create table c (id int)`],
])('Neither plan nor apply looks longer than lockTimeout at %s', async (_what, held, sql) => {
  await database.run(`${there} insert into a values (1, null)`);
  const blocker = connectionOf(other);
  for (const renames of [[], [{ table: 'gone', to: 'a' }]]) {
    const migrator = database.to(sql, { renames, lockTimeout: 200 });
    await blocker.transactional(async (transaction) => {
      await blocker.execute(`lock table ${held} in access exclusive mode`, [], 'all', transaction);
      for (const command of ['plan', 'apply'] as const)
        await expect(migrator.run(command)).rejects.toMatchObject({
          lines: ['nothing was changed: canceling statement due to lock timeout'],
        });
    });
    expect(await migrator.run('plan')).not.toEqual([]);
  }
});
