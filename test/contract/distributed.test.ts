import { expect, test } from '@jest/globals';
import { MikroORM } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { Get, Public, recommendedOptions } from '@nest-endpoints/core';
import { startApplication, type Application } from '../support/application.js';
import { freshDatabase, type Database, type OrmOptions } from '../support/database.js';
import { Claims } from './claims.js';
import { as } from './tenants.js';
import { library, Book } from '../support/entities/library.js';

type Variables = (identity?: { tenant: string }) => Readonly<Record<string, string>>;

const started = (database: Database, variables: Variables, orm: OrmOptions = {}): Promise<Application> =>
  startApplication('express', 'postgresql', {
    entities: library,
    root: { rowLevelSecurity: { variables } },
    endpoints: [
      new Get({
        url: 'books/:id',
        modelClass: Book,
        readableColumnNames: ['title'],
        authentication: new Claims(),
      }),
    ],
    orm: { ...database.options, ...orm },
  });

/** A database whose catalogue has the extension, which is all that a start looks at. */
const withCitus = async (work: (database: Database) => Promise<void>): Promise<void> => {
  const database = await freshDatabase('postgresql');
  const orm = await MikroORM.init({ driver: PostgreSqlDriver, ...database.options, entities: [...library] });
  try {
    await orm.em.getConnection().execute(
      `insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
       values (99999, 'citus', 10, 11, false, '13.2')`,
    );
    await work(database);
  } finally {
    await orm.close();
    await database.drop();
  }
};

test('Variables that the workers of Citus would not know stop the start', async () => {
  for (const variables of [
    (identity) => ({ 'app.tenant': identity?.tenant ?? '' }),
    () => ({ search_path: 'a', 'app.tenant': 'a' }),
  ] satisfies Variables[])
    await withCitus(async (database) => {
      await expect(started(database, variables)).rejects.toThrow(
        /rowLevelSecurity.*the extension citus, whose workers would not know app\.tenant /,
      );
    });
});

test('Variables that only some requests have are refused on Citus, too', async () => {
  await withCitus(async (database) => {
    const { request, close } = await started(database, (identity) =>
      identity?.tenant === 'a' ? { 'app.tenant': 'a' } : { search_path: 'public' },
    );
    try {
      expect((await request().get('/books/1').set(as('b'))).status).toBe(404);
      expect((await request().get('/books/1').set(as('a'))).status).toBe(500);
    } finally {
      await close();
    }
  });
});

test('A search path is let in on Citus', async () => {
  await withCitus(async (database) => {
    const { request, close } = await started(database, () => ({ search_path: 'public' }));
    try {
      expect((await request().get('/books/1').set(as('a'))).status).toBe(404);
    } finally {
      await close();
    }
  });
});

const lockWarnings = (startLog: string): readonly string[] =>
  startLog.split('\n').filter((line) => line.includes('waits without end'));

test('Waits for locks without an end are warned of on Citus, where a limit of the connection is none', async () => {
  const searchPath = () => ({ search_path: 'public' });
  const told = async (orm?: OrmOptions): Promise<readonly string[]> => {
    let warnings: readonly string[] = [];
    await withCitus(async (database) => {
      const { startLog, close } = await started(database, searchPath, orm);
      await close();
      warnings = lockWarnings(startLog);
    });
    return warnings;
  };
  expect(await told()).toEqual([
    expect.stringMatching(/^warn .*: lock_timeout is 0; alter role \w+ set lock_timeout = '2s'/),
  ]);
  expect(await told(recommendedOptions())).toEqual([
    expect.stringContaining(
      'on a worker: lock_timeout of a connection does not reach workers of Citus; alter',
    ),
  ]);
});

test('Waits for locks without an end are warned of where tables are in parts', async () => {
  const partition = { column: 'author', value: () => 1 };
  for (const [root, orm, count] of [
    [{ partition }, {}, 1],
    [{ partition }, recommendedOptions(), 0],
    [{}, {}, 0],
  ] as const) {
    const endpoint = new Get({ url: 'books/:id', modelClass: Book, readableColumnNames: ['title'] });
    const { startLog, close } = await startApplication('express', 'postgresql', {
      entities: library,
      root: { authentication: new Public(), ...root },
      endpoints: [endpoint],
      orm,
    });
    await close();
    expect([root, lockWarnings(startLog).length]).toEqual([root, count]);
  }
});
