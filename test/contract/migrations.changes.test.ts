import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalogueOf } from '../support/catalogue.js';
import { dumpOf } from '../support/dump.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';
import { objectCases } from './migrations.object.cases.js';
import { tableCases } from './migrations.table.cases.js';

const schemaCases = [...tableCases, ...objectCases];

let database: MigratedDatabase;
let wanted: MigratedDatabase;

beforeAll(async () => {
  [database, wanted] = [await migratedDatabase('postgresql'), await migratedDatabase('postgresql')];
});

afterAll(async () => {
  await database.close();
  await wanted.close();
});

describe.each(schemaCases.map((schemaCase) => [schemaCase.change, schemaCase] as const))(
  '%s',
  (_change, { before, records = '', after, kept, then, options = {} }) => {
    test('A populated database becomes the target and keeps its records', async () => {
      await Promise.all([database.empty(), wanted.empty()]);
      await Promise.all([database.run(before + records), wanted.run(after)]);
      const sooner = kept === undefined ? [] : await database.rows(kept).then((rows) => rows.map(valuesOf));

      const migrator = database.to(after, options);
      await migrator.run('apply');
      expect(await migrator.run('plan')).toEqual([]);

      const [actual, expected] = await Promise.all([catalogueOf(database.orm), catalogueOf(wanted.orm)]);
      expect(actual).toEqual(expected);
      expect(await dumpOf(database.name)).toEqual(await dumpOf(wanted.name));
      if (kept !== undefined) expect((await database.rows(kept)).map(valuesOf)).toEqual(sooner);
      if (then !== undefined) expect(await database.rows(then[0])).toEqual(then[1]);
    });
  },
);

/** A renamed column has the same values. */
const valuesOf = (row: object): unknown[] => Object.values(row);
