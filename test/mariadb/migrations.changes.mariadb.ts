import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { objectCases } from './migrations.object.cases.js';
import { tableCases } from './migrations.table.cases.js';
import { migratedMariaDb, type MigratedMariaDb } from './migrated.database.js';

let database: MigratedMariaDb;
let wanted: MigratedMariaDb;

beforeAll(async () => {
  [database, wanted] = [await migratedMariaDb(), await migratedMariaDb()];
});

afterAll(async () => {
  await database.close();
  await wanted.close();
});

/** The target is made beside by the server alone. */
describe.each([...tableCases, ...objectCases].map((one) => [one.change, one] as const))(
  '%s',
  (_change, { before, records = '', after, says, options = {} }) => {
    test('A populated database of MariaDB becomes the target, as the plan says', async () => {
      await Promise.all([database.empty(), wanted.empty()]);
      await database.to(before).run('apply');
      if (records !== '') await database.run(records);
      await wanted.run(after);

      const migrator = database.to(after, options);
      const plan = await migrator.run('plan');
      expect(plan.filter((line) => says.test(line))).not.toEqual([]);
      expect(await migrator.run('apply')).toEqual(plan);
      expect(await migrator.run('plan')).toEqual([]);
      expect((await database.written()).map(sorted)).toEqual((await wanted.written()).map(sorted));
    });
  },
);

/** Columns keep their order, so that lines are compared as a set. */
const sorted = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/,$/, ''))
    .sort();
