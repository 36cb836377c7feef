import { expect, test } from '@jest/globals';
import { startApplication } from '../support/application.js';
import type { OrmOptions } from '../support/database.js';
import { books, libraryWith } from '../support/endpoints.js';

/** A connection of Kysely's, as MikroORM hands it over. */
interface Connection {
  executeQuery(query: object): Promise<unknown>;
}

/** Options of a MikroORM whose sessions have these modes. */
const having = (modes: string): OrmOptions => ({
  onCreateConnection: async (connection) => {
    const query = { kind: 'RawNode', sqlFragments: [], parameters: [] };
    const sql = `set session sql_mode = '${modes}'`;
    await (connection as Connection).executeQuery({ sql, parameters: [], query, queryId: { queryId: '1' } });
  },
});

/** The message that stops the start; empty where nothing does. */
const startedWith = async (modes: string): Promise<string> => {
  try {
    const application = await startApplication('express', 'mariadb', {
      ...libraryWith([books()]),
      orm: having(modes),
    });
    await application.close();
    return '';
  } catch (error) {
    return String(error);
  }
};

const advice = 'give MikroORM what recommendedMySqlOptions() gives, or run: set global sql_mode';

test('A session that is not strict stops the start with the SQL that makes it so', async () => {
  expect(await startedWith('NO_ENGINE_SUBSTITUTION')).toBe(
    `ConfigurationError: MikroORM: sql_mode: the session is not strict, so that values that do not fit are cut or changed; ${advice} = 'NO_ENGINE_SUBSTITUTION,STRICT_ALL_TABLES'`,
  );
});

test('A session in which a text of a client could end, or is stored as null, stops the start', async () => {
  expect(await startedWith('STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES')).toBe(
    `ConfigurationError: MikroORM: sql_mode: the session has NO_BACKSLASH_ESCAPES, so that texts that the driver writes into SQL end where a client says; ${advice} = 'STRICT_TRANS_TABLES'`,
  );
  expect(await startedWith('STRICT_TRANS_TABLES,EMPTY_STRING_IS_NULL')).toContain(
    'EMPTY_STRING_IS_NULL, so that empty texts are stored as null',
  );
});

test('A strict session starts, also with quotes and pipes as the standard has them', async () => {
  for (const modes of ['STRICT_TRANS_TABLES', 'STRICT_ALL_TABLES,ANSI_QUOTES,PIPES_AS_CONCAT'])
    expect(await startedWith(modes)).toBe('');
});
