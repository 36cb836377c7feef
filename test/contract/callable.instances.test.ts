import { expect, test } from '@jest/globals';
import { ref, wrap, type EntityManager } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Callable } from '@nest-endpoints/core';
import { expectAnswer, failure } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Author, Book, library } from '../support/entities/library.js';
import { stopped } from './stopped.js';

const readable = { modelClass: Book, readableColumnNames: ['title', 'pages', 'author.name'] } as const;

/** An object of the user's own that has entities. */
class Shelf {
  constructor(readonly books: readonly object[]) {}
}

/** One that says itself what JSON is to write. */
class TellingShelf {
  readonly #books: readonly object[];

  constructor(books: readonly object[]) {
    this.#books = books;
  }

  toJSON(): object {
    return { books: this.#books };
  }
}

const { contract } = service({
  entities: library,
  root: { internalCasing: 'camelCase' },
  endpoints: [
    new Callable({
      ...readable,
      url: 'nested',
      outputSchema: {},
      toCall: async ({ em }) => {
        const author = await em.findOneOrFail(Author, { name: 'Jane Austen' });
        const books = await em.find(Book, {}, { orderBy: { title: 'asc' } });
        const [first] = books;
        return {
          'a "name"': author.name,
          books,
          none: undefined,
          at: new Date(0),
          deep: [{ first }, [first, 5]],
        };
      },
    }),
    ...Object.entries<(em: EntityManager) => Promise<unknown>>({
      some: (em) => em.find(Book, {}, { fields: ['pages'], orderBy: { title: 'asc' } }),
      set: async (em) => {
        const book = await em.findOneOrFail(Book, { title: 'Emma' }, { fields: ['inPrint'] });
        return [Object.assign(book, { title: 'Emma, again' })];
      },
      parents: (em) =>
        em.find(
          Book,
          {},
          { populate: ['author'], fields: ['title', 'author.id'], orderBy: { title: 'asc' } },
        ),
      reference: async (em) => {
        const { id } = await em.fork().findOneOrFail(Book, { title: 'Emma' });
        return [em.getReference(Book, id)];
      },
    }).map(
      ([name, find]) =>
        new Callable({
          ...readable,
          url: `parts/${name}`,
          returnRecords: true,
          toCall: ({ em }) => find(em),
        }),
    ),
    new Callable({
      url: 'parts/hidden',
      modelClass: Book,
      readableColumnNames: ['pages'],
      returnRecords: true,
      toCall: async ({ em }) => {
        const books = await em.fork().find(Book, {}, { orderBy: { title: 'asc' } });
        em.addFilter({ name: 'thick', cond: { pages: { $gt: 100 } }, entity: Book });
        return books.map(({ id }) => em.getReference(Book, id));
      },
    }),
    new Callable({
      modelClass: Book,
      url: 'nested/mapped',
      outputMap: ({ entity }) => entity.title,
      toCall: async ({ em }) => ({ books: await em.find(Book, {}, { orderBy: { title: 'asc' } }) }),
    }),
    ...Object.entries<(em: EntityManager) => unknown>({
      one: (em) => em.findOneOrFail(Book, { title: 'Emma' }),
      many: (em) => em.find(Book, {}),
      query: (em) => (em as SqlEntityManager).createQueryBuilder(Book),
      member: async (em) => ({ book: await em.findOneOrFail(Book, { title: 'Emma' }) }),
      items: async (em) => [{ books: await em.find(Book, {}) }],
      wrapped: async (em) => ({ book: ref(await em.findOneOrFail(Book, { title: 'Emma' })) }),
      parent: async (em) => {
        const book = await em.findOneOrFail(Book, { title: 'Emma' }, { populate: ['author'] });
        return { title: book.title, author: book.author };
      },
      instance: async (em) => new Shelf(await em.find(Book, {})),
      telling: async (em) => ({ shelf: new TellingShelf(await em.find(Book, {})) }),
    }).flatMap(([name, find]) => [
      new Callable({ url: `bare/${name}`, toCall: ({ em }) => find(em) }),
      new Callable({ url: `bare/${name}/raw`, returnStandardResponse: false, toCall: ({ em }) => find(em) }),
    ]),
    new Callable({
      url: 'bare/stream',
      returnStandardResponse: false,
      toCall: async function* ({ em }) {
        yield { book: await em.findOneOrFail(Book, { title: 'Emma' }) };
      },
    }),
    new Callable({
      url: 'copied',
      toCall: async ({ em }) => wrap(await em.findOneOrFail(Book, { title: 'Emma' })).toPOJO(),
    }),
  ],
});

const data = (body: unknown): unknown => (body as { data: unknown }).data;

const threeBooks = async ({ save }: Subject): Promise<void> => {
  for (const [title, pages] of [
    ['Emma', 474],
    ['Persuasion', 249],
    ['Sanditon', 80],
  ] as const)
    await save(Book, { title, pages });
};

contract('Instances within other data show their readable columns', async (subject) => {
  await threeBooks(subject);
  await subject.save(Author, { name: 'Jane Austen' });
  const { request } = subject;
  const emma = { title: 'Emma', pages: 474, author: null };
  expect(data((await request().get('/nested')).body)).toEqual({
    'a "name"': 'Jane Austen',
    books: [
      emma,
      { title: 'Persuasion', pages: 249, author: null },
      { title: 'Sanditon', pages: 80, author: null },
    ],
    at: '1970-01-01T00:00:00.000Z',
    deep: [{ first: emma }, [emma, 5]],
  });
  expect(data((await request().get('/nested/mapped')).body)).toEqual({
    books: ['Emma', 'Persuasion', 'Sanditon'],
  });
});

contract('Instances that were loaded in part show all of their readable columns', async (subject) => {
  const { id } = await subject.save(Author, { name: 'Jane Austen' });
  await subject.save(Book, { title: 'Emma', pages: 474, author: id });
  await subject.save(Book, { title: 'Sanditon', pages: 80 });
  const emma = { title: 'Emma', pages: 474, author: { name: 'Jane Austen' } };
  const shown = async (name: string): Promise<unknown> =>
    data((await subject.request().get(`/parts/${name}`)).body);
  expect(await shown('some')).toEqual([emma, { title: 'Sanditon', pages: 80, author: null }]);
  expect(await shown('set')).toEqual([{ ...emma, title: 'Emma, again' }]);
  expect(await shown('parents')).toEqual([emma, { title: 'Sanditon', pages: 80, author: null }]);
  expect(await shown('reference')).toEqual([emma]);
});

contract('A reference to a record that a filter hides shows nothing of it', async (subject) => {
  await threeBooks(subject);
  const { body } = await subject.request().get('/parts/hidden');
  expect(data(body)).toEqual([474, 249, null].map((pages) => ({ pages })));
});

contract(
  'Without a modelClass an instance is a failure, wherever it is, and shows nothing',
  async (subject) => {
    const { id } = await subject.save(Author, { name: 'Jane Austen' });
    await subject.save(Book, { title: 'Emma', pages: 474, author: id });
    const { request, log } = subject;
    for (const name of [
      ...['one', 'many', 'query', 'member', 'items', 'wrapped', 'parent', 'instance', 'telling'].flatMap(
        (of) => [of, `${of}/raw`],
      ),
      'stream',
    ])
      expectAnswer(await request().get(`/bare/${name}`), 500, failure('Internal Server Error'));
    expect(log.text('error')).toContain(
      'readableColumnNames must say what clients see, beside its modelClass',
    );
    expect(log.text('error')).toContain('toJSON of an object gives an entity');
    const { body } = await request().get('/copied');
    expect(data(body)).toMatchObject({ title: 'Emma', pages: 474 });
  },
);

test('A Callable that says it returns records says what they show', async () => {
  const make = (more: object) => () =>
    new Callable({ url: 'x', modelClass: Book, returnRecords: true, toCall: () => [], ...more });
  expect(await stopped(make({}))).toMatch(
    /Callable '.*x': readableColumnNames: is required with returnRecords/,
  );
  const shown: readonly object[] = [
    { readableColumnNames: [] },
    { outputMap: () => 1 },
    { outputSchema: {} },
  ];
  for (const more of shown) expect(await stopped(make(more))).not.toMatch(/readableColumnNames/);
});
