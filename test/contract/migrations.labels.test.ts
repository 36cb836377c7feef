import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MigrationFailure } from '@nest-endpoints/migrations';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';

let database: MigratedDatabase;

beforeAll(async () => {
  database = await migratedDatabase('postgresql');
});
beforeEach(() => database.empty());
afterAll(() => database.close());

test('Labels that must be committed first are committed by themselves: what is renamed is not', async () => {
  await database.run(
    `create type mood as enum ('x'); create table m (mood mood, a int); insert into m values ('x', 1), ('x', 1)`,
  );
  const target = `create type mood as enum ('x', 'y'); create table m (mood mood default 'y', b int unique);`;
  const renamed = database.to(target, { renames: [{ table: 'm', column: 'a', to: 'b' }] });
  const failure: unknown = await renamed.run('apply').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MigrationFailure);
  expect((failure as MigrationFailure).lines.slice(2)).toEqual([
    'but for these, which had to be committed first:',
    `  ALTER TYPE "public"."mood" ADD VALUE 'y' AFTER 'x'`,
  ]);
  expect(await database.rows('select a from m')).toEqual([{ a: 1 }, { a: 1 }]);
  await database.run('delete from m');
  expect(await renamed.run('apply')).toHaveLength(3);
  expect(await database.rows('select b from m')).toEqual([]);
});
