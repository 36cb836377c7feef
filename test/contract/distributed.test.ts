import { expect, test } from '@jest/globals';
import { MikroORM, type EntityManager } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { Callable, Get, Public, recommendedOptions } from '@nest-endpoints/core';
import { startApplication, type Application, type ApplicationOptions } from '../support/application.js';
import { connectionOf } from '../support/catalogue.js';
import { freshDatabase, type Database, type OrmOptions } from '../support/database.js';
import { Statements } from '../support/statements.js';
import { Claims } from './claims.js';
import { as } from './tenants.js';
import { library, Book } from '../support/entities/library.js';

/** The titles that are seen in a transaction of MikroORM's, in a fork, and in a stream. */
const titlesEachWay = async ({ em }: { readonly em: EntityManager }): Promise<unknown> => {
  const own = em.fork();
  const inside = await own.transactional((inner) => inner.findAll(Book));
  const streamed: string[] = [];
  for await (const { title } of em.stream(Book, {})) streamed.push(title);
  return [...inside, ...(await em.fork().findAll(Book))].map(({ title }) => title).concat(streamed);
};

type Variables = (identity?: { tenant: string }) => Readonly<Record<string, string>>;

const id = '00000000-0000-4000-8000-000000000000';

const started = (
  database: Database,
  variables: Variables,
  orm: OrmOptions = {},
  root: ApplicationOptions['root'] = {},
): Promise<Application> =>
  startApplication('express', 'postgresql', {
    entities: library,
    root: {
      rowLevelSecurity: { variables, role: 'nest_endpoints_member' },
      authentication: new Claims(),
      ...root,
    },
    endpoints: [
      new Get({ url: 'books/:id', modelClass: Book, readableColumnNames: ['title'] }),
      new Callable({ url: 'streamed', toCall: titlesEachWay }),
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
    await connectionOf(orm).executeDump(`do $$ begin create role nest_endpoints_member;
      exception when duplicate_object or unique_violation then null; end $$`);
    await work(database);
  } finally {
    await orm.close();
    await database.drop();
  }
};

/** Texts that are more than a value where they are not quoted. */
const hostile = ["x'; drop table book; --", "\\'; select 1; --", '\\', "''", 'ü', ''];

const setTenant = (value: string) =>
  `set local "app"."tenant" = E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

test('Workers of Citus are told of variables, in a transaction and each by a statement of its own', async () => {
  await withCitus(async (database) => {
    const variables: Variables = (identity) => ({
      'app.tenant': identity?.tenant ?? '',
      search_path: 'public',
    });
    const application = await started(database, variables);
    try {
      const em = application.orm.em.fork();
      em.create(Book, { id, title: 'a' });
      await em.flush();
      await connectionOf(application.orm).execute('grant select on book to nest_endpoints_member');
      const statements = await Statements.of(application);
      const sent = await statements.during(() => application.request().get(`/books/${id}`).set(as('a')));
      expect(sent.map((text) => text.slice(0, 60))).toEqual([
        'begin',
        "set local citus.propagate_set_commands = 'local'",
        setTenant('a'),
        'select set_config($1, $2, true), set_config($3, $4, true)',
        expect.stringMatching(/^select /),
        'commit',
      ]);
    } finally {
      await application.close();
    }
  });
});

test('Policies hold on Citus for requests and transactions of MikroORM, whatever a value is', async () => {
  await withCitus(async (database) => {
    const { request, orm, close } = await started(database, (identity) => ({
      'app.tenant': identity?.tenant ?? '',
    }));
    try {
      await connectionOf(orm).executeDump(`
        grant all on book to nest_endpoints_member;
        alter table book enable row level security;
        create policy own on book using (title = current_setting('app.tenant', true));`);
      for (const [index, title] of hostile.entries()) {
        const em = orm.em.fork();
        em.create(Book, { id: id.slice(0, -1) + String(index), title });
        await em.flush();
      }
      for (const [index, title] of hostile.entries()) {
        const path = `/books/${id.slice(0, -1)}${String(index)}`;
        const own = await request().get(path).set(as(title));
        expect([own.status, own.body.data]).toEqual([200, { title }]);
        expect((await request().get(path).set(as('another'))).status).toBe(404);
        expect((await request().get('/streamed').set(as(title))).body.data).toEqual([title, title, title]);
      }
      expect((await request().get(`/books/${id}`).set(as('a\0b'))).status).toBe(500);
    } finally {
      await close();
    }
  });
});

const noShard = (startLog: string): readonly string[] =>
  startLog.split('\n').filter((line) => line.includes('leaves out no shard'));

test('Policies that leave out no shard of Citus are warned of, unless statements name the part', async () => {
  for (const [variables, root, count] of [
    [() => ({ 'app.tenant': 'a' }), {}, 1],
    [() => ({ 'app.tenant': 'a' }), { partition: { column: 'author', value: () => 1 } }, 0],
    [() => ({ search_path: 'public' }), {}, 0],
  ] as const)
    await withCitus(async (database) => {
      const { startLog, close } = await started(database, variables, {}, root);
      await close();
      expect([root, noShard(startLog).length]).toEqual([root, count]);
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
