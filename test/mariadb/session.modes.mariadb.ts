import { expect, test } from '@jest/globals';
import { startApplication } from '../support/application.js';
import { books, libraryWith } from '../support/endpoints.js';

/** Starts a service whose sessions begin with these modes; gives what it is refused for, or undefined. */
const refusalOf = async (modes: string): Promise<string | undefined> => {
  const onCreateConnection = async (connection: unknown): Promise<void> => {
    const { executeQuery } = connection as { executeQuery(query: object): Promise<unknown> };
    const sql = `set session sql_mode = '${modes}'`;
    await executeQuery.call(connection, { sql, parameters: [], query: { kind: 'RawNode' } });
  };
  try {
    const application = await startApplication(
      'express',
      'mariadb',
      libraryWith([books()], { orm: { onCreateConnection } }),
    );
    await application.close();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const remedy =
  'spread recommendedMySqlOptions() into the options of MikroORM, or set sql_mode in onCreateConnection';

test('A start is refused where sessions change values that do not fit', async () => {
  for (const modes of ['', 'NO_ZERO_DATE', 'NO_ENGINE_SUBSTITUTION'])
    expect(await refusalOf(modes)).toBe(
      `MikroORM: onCreateConnection: values that do not fit would be changed: sessions begin with sql_mode '${modes}', ` +
        `without STRICT_ALL_TABLES and STRICT_TRANS_TABLES; ${remedy}`,
    );
  for (const modes of ['STRICT_ALL_TABLES', 'NO_ZERO_DATE,STRICT_TRANS_TABLES'])
    expect(await refusalOf(modes)).toBeUndefined();
});

test('A start is refused where sessions read quotes and backslashes in another way', async () => {
  expect(await refusalOf('STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES')).toBe(
    'MikroORM: onCreateConnection: mysql2 escapes text with backslashes, which would end it early: sessions begin with ' +
      `NO_BACKSLASH_ESCAPES in their sql_mode; ${remedy}`,
  );
  expect(await refusalOf('STRICT_ALL_TABLES,ANSI_QUOTES')).toBe(
    'MikroORM: onCreateConnection: text in double quotes would be a name: sessions begin with ANSI_QUOTES in their ' +
      `sql_mode; ${remedy}`,
  );
});
