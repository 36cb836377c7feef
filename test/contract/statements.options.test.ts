import { expect, test } from '@jest/globals';
import { DefaultLogger } from '@mikro-orm/core';
import { Create, Get, List } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { startUpError } from '../support/application.js';

/** The names of the statements that a connection has prepared. */
const prepared = async (subject: Subject): Promise<string[]> => {
  const query = 'select name from pg_prepared_statements';
  const rows: readonly { readonly name: string }[] = await subject.em().getConnection().execute(query);
  return rows.map(({ name }) => name);
};

/** To one server, too. */
const oneConnection = { orm: { pool: { min: 1, max: 1 } }, route: 'direct' } as const;

const readTwice = async (subject: Subject): Promise<void> => {
  const { id } = await subject.save(Book, { title: 'Emma' });
  for (const path of [`/books/${id}`, '/books', '/books?title=Emma'])
    expect([path, (await subject.request().get(path)).status]).toEqual([path, 200]);
};

const standard = service(libraryWith([books()], oneConnection), once);

standard.contract(
  'A statement that looks up one record or lists all is prepared, a search is not',
  async (subject) => {
    await readTwice(subject);
    expect(await prepared(subject)).toHaveLength(2);
  },
);

const unprepared = service(
  libraryWith([books()], { ...oneConnection, root: { statements: 'unprepared' } }),
  once,
);

unprepared.contract('statements: unprepared prepares none', async (subject) => {
  await readTwice(subject);
  expect(await prepared(subject)).toEqual([]);
});

const throughMikroOrm = service(
  libraryWith([books()], { ...oneConnection, root: { statements: 'mikro-orm' } }),
  once,
);

throughMikroOrm.contract('statements: mikro-orm leaves every statement to MikroORM', async (subject) => {
  await readTwice(subject);
  expect(await prepared(subject)).toEqual([]);
  expect(subject.startLog).toContain("MikroORM's way, because the option `statements` says so");
});

const slow: string[] = [];
const logged = service(
  libraryWith([books()], {
    route: 'direct',
    orm: {
      slowQueryThreshold: 0,
      slowQueryLoggerFactory: (options) =>
        new DefaultLogger({ ...options, writer: (line: string) => slow.push(line) }),
    },
  }),
  once,
);

logged.contract('slowQueryThreshold of MikroORM holds for statements past it, too', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma' });
  slow.length = 0;
  expect((await subject.request().get(`/books/${id}`)).status).toBe(200);
  expect(slow).toEqual([expect.stringMatching(/slow-query.*from "book"/)]);
});

test('statements: another word stops the start', async () => {
  const message = await startUpError(libraryWith([books()], { root: { statements: 'fast' as 'prepared' } }));
  expect(message).toContain("statements: 'fast' is unknown; allowed: prepared, unprepared, mikro-orm");
});

const explained = service(
  libraryWith([
    new Get({ url: 'plain/:id', modelClass: Book, readableColumnNames: ['title'] }),
    new Get({ url: 'mapped/:id', modelClass: Book, readableColumnNames: ['title'], outputMap: () => ({}) }),
    new List({
      url: 'asking',
      modelClass: Book,
      readableColumnNames: ['title'],
      sortableColumnNames: ['title'],
      defaultSortColumnName: 'title',
      where: [() => ({})],
    }),
    new Create({
      url: 'judged',
      modelClass: Book,
      readableColumnNames: ['title'],
      writeableColumnNames: ['title'],
      inputValidationCallable: () => ({}),
    }),
  ]),
  once,
);

explained.contract(
  'The start-up log tells at debug level how each endpoint reaches its records, and why',
  ({ startLog }) => {
    const lines = startLog
      .split('\n')
      .filter((line) => line.startsWith('debug') && line.includes('Endpoints') && !line.includes(' road'));
    expect(lines).toEqual([
      expect.stringContaining("Get 'plain/:id': statements of its own"),
      expect.stringContaining("Get 'mapped/:id': MikroORM's way, because outputMap gets entities"),
      expect.stringContaining("List 'asking': MikroORM's way, because `where` or `joins` have callables"),
      expect.stringContaining(
        "Create 'judged': MikroORM's way, because inputValidationCallable gets an entity manager",
      ),
    ]);
  },
);
