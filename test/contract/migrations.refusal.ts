import { expect } from '@jest/globals';
import { MigrationFailure, type MigratorOptions } from '@nest-endpoints/migrations';
import { catalogueOf } from '../support/catalogue.js';
import type { MigratedDatabase } from '../support/migrations.js';

/** The lines with which a target is refused, after a look whether the schema is as it was. */
export const refusal = async (
  database: MigratedDatabase,
  sql: MigratorOptions['sql'] | string,
  options: Partial<MigratorOptions> = {},
): Promise<readonly string[]> => {
  const before = await catalogueOf(database.orm);
  const failure: unknown = await database
    .to(sql, options)
    .run('apply')
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MigrationFailure);
  expect(await catalogueOf(database.orm)).toEqual(before);
  return failure instanceof MigrationFailure ? failure.lines : [];
};
