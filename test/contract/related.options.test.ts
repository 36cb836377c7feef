import { expect } from '@jest/globals';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Create, defineColumns, Get, List } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';

/** What a shelf says of its books holds everywhere, unless an endpoint says otherwise. */
const Shelf = defineEntity({
  name: 'Shelf',
  properties: {
    id: p.integer().primary(),
    books: () => p.oneToMany(Volume).mappedBy('shelf'),
    plain: () => p.oneToMany(Volume).mappedBy('store'),
    topics: () => p.manyToMany(Topic),
    lamp: () => p.oneToOne(Lamp).mappedBy('shelf').nullable(),
  },
});
type Shelf = InferEntity<typeof Shelf>;

const Volume = defineEntity({
  name: 'Volume',
  properties: {
    id: p.integer().primary(),
    title: p.string().nullable(),
    shelf: () => p.manyToOne(Shelf).nullable(),
    store: () => p.manyToOne(Shelf).nullable(),
    topic: () => p.manyToOne(Topic).nullable(),
  },
});

const Topic = defineEntity({
  name: 'Topic',
  properties: { id: p.integer().primary(), word: p.string() },
});

const Lamp = defineEntity({
  name: 'Lamp',
  properties: { id: p.integer().primary(), watts: p.integer(), shelf: () => p.oneToOne(Shelf) },
});

defineColumns(Shelf, {
  books: {
    readableParentColumnNames: ['title', 'topic.word'],
    limit: 2,
    sortColumnName: 'title',
    sortDirection: 'DESC',
  },
  topics: { readableParentColumnNames: ['word'], sortColumnName: 'word' },
  lamp: { readableParentColumnNames: ['watts'] },
});

const shelves = { modelClass: Shelf, sortableColumnNames: ['id'], defaultSortColumnName: 'id' } as const;
const listOf = (url: string, options: Partial<ConstructorParameters<typeof List<Shelf>>[0]>) =>
  new List<Shelf>({ ...shelves, url, readableColumnNames: ['id'], ...options });

const { contract } = service(
  {
    entities: [Shelf, Volume, Topic, Lamp],
    endpoints: [
      listOf('bare', { readableColumnNames: ['id', 'books', 'topics', 'lamp'] }),
      new Get<Shelf>({
        url: 'bare/:id',
        modelClass: Shelf,
        readableColumnNames: ['id', 'books', 'topics', 'lamp'],
      }),
      new Create<Shelf>({
        url: 'bare',
        modelClass: Shelf,
        readableColumnNames: ['id', 'books', 'lamp'],
        writeableColumnNames: ['id'],
      }),
      listOf('both', { readableColumnNames: ['books', 'books.id'] }),
      listOf('path', { readableColumnNames: ['books.id'] }),
      listOf('plain', { readableColumnNames: ['plain.id'] }),
      listOf('plain/named', {
        readableColumnNames: ['plain'],
        columnOverrides: { plain: { readableParentColumnNames: ['id', 'title'], limit: 0 } },
      }),
      listOf('overridden', {
        readableColumnNames: ['books'],
        columnOverrides: {
          books: { readableParentColumnNames: ['id'], limit: 3, sortDirection: 'ASC', sortColumnName: 'id' },
        },
      }),
      listOf('more', { readableColumnNames: ['books'], columnOverrides: { books: { limit: 3 } } }),
      listOf('by-topic', {
        readableColumnNames: ['books.id'],
        columnOverrides: { books: { sortColumnName: 'topic.word', sortDirection: 'ASC', limit: 0 } },
      }),
      listOf('one', { readableColumnNames: ['topics'], columnOverrides: { topics: { limit: 1 } } }),
    ],
  },
  everyDatabase,
);

/** Two shelves with books, one with nothing. */
const fill = async ({ save }: Subject) => {
  const [art, bees] = [await save(Topic, { id: 1, word: 'bees' }), await save(Topic, { id: 2, word: 'art' })];
  const first = await save(Shelf, { id: 1, topics: [art, bees] });
  const second = await save(Shelf, { id: 2, topics: [art] });
  await save(Shelf, { id: 3 });
  await save(Lamp, { id: 1, watts: 40, shelf: first });
  const titles = ['A', 'C', 'B', 'C', null];
  for (const [index, title] of titles.entries())
    await save(Volume, { id: index + 1, title, shelf: first, topic: [art, bees][index] ?? null });
  await save(Volume, { id: 6, title: 'Z', shelf: second });
};

const dataOf = async ({ request }: Subject, path: string): Promise<unknown> => {
  const { status, body } = await request().get(path);
  expect(status).toBe(200);
  return body.data;
};

/** The ids of each shelf's books. */
const idsOf = async (subject: Subject, path: string, list = 'books'): Promise<string[]> => {
  const data = (await dataOf(subject, path)) as Record<string, { id: number }[]>[];
  return data.map((shelf) => (shelf[list] ?? []).map(({ id }) => id).join(' '));
};

const full = {
  id: 1,
  books: [
    { title: null, topic: null },
    { title: 'C', topic: { word: 'art' } },
  ],
  topics: [{ word: 'art' }, { word: 'bees' }],
  lamp: { watts: 40 },
};

contract('The bare name of a relation shows the columns that were named for it', async (subject) => {
  await fill(subject);
  expect(await dataOf(subject, '/bare')).toEqual([
    full,
    { id: 2, books: [{ title: 'Z', topic: null }], topics: [{ word: 'bees' }], lamp: null },
    { id: 3, books: [], topics: [], lamp: null },
  ]);
  expectAnswer(await subject.request().get('/bare/1'), 200, success(full));
  const created = await subject.request().post('/bare').send({ id: 9 });
  expectAnswer(created, 201, success({ id: 9, books: [], lamp: null }));
});

contract('The bare name and paths of a relation show their columns together', async (subject) => {
  await fill(subject);
  const [first] = (await dataOf(subject, '/both')) as { books: unknown[] }[];
  expect(first?.books).toEqual([
    { title: null, topic: null, id: 5 },
    { title: 'C', topic: { word: 'art' }, id: 2 },
  ]);
});

contract(
  "A relation's limit, sort column and direction hold for each parent, by path as by name",
  async (subject) => {
    await fill(subject);
    expect(await idsOf(subject, '/path')).toEqual(['5 2', '6', '']);
  },
);

contract('column_overrides say for one endpoint which columns a relation shows', async (subject) => {
  await fill(subject);
  const { em } = subject;
  await em().nativeUpdate(Volume, { id: [1, 6] }, { store: 2 });
  expect(await dataOf(subject, '/plain/named')).toEqual([
    { plain: [] },
    {
      plain: [
        { id: 1, title: 'A' },
        { id: 6, title: 'Z' },
      ],
    },
    { plain: [] },
  ]);
});

contract(
  'column_overrides say for one endpoint how many related records come in which order',
  async (subject) => {
    await fill(subject);
    expect(await dataOf(subject, '/overridden')).toEqual([
      { books: [{ id: 1 }, { id: 2 }, { id: 3 }] },
      { books: [{ id: 6 }] },
      { books: [] },
    ]);
  },
);

contract('What column_overrides leave out stays as the entity says', async (subject) => {
  await fill(subject);
  const [first] = (await dataOf(subject, '/more')) as { books: unknown[] }[];
  expect(first?.books).toEqual([
    { title: null, topic: null },
    { title: 'C', topic: { word: 'art' } },
    { title: 'C', topic: null },
  ]);
  expect(await dataOf(subject, '/one')).toEqual([
    { topics: [{ word: 'art' }] },
    { topics: [{ word: 'bees' }] },
    { topics: [] },
  ]);
});

contract('Related records may be sorted by a column of their parent', async (subject) => {
  await fill(subject);
  expect(await idsOf(subject, '/by-topic')).toEqual(['2 1 3 4 5', '6', '']);
});

contract('Related records come by id when nothing says otherwise', async (subject) => {
  await fill(subject);
  for (const id of [4, 2, 6]) await subject.em().nativeUpdate(Volume, id, { store: 1 });
  expect(await idsOf(subject, '/plain', 'plain')).toEqual(['2 4 6', '', '']);
});

contract('A record shows 50 related records by default, and all of them with limit 0', async (subject) => {
  await fill(subject);
  const books = Array.from({ length: 120 }, (_, index) => ({ id: index + 10, store: (index % 2) + 1 }));
  await subject.em().insertMany(Volume, books);
  const first = (await idsOf(subject, '/plain', 'plain')).map((ids) => ids.split(' ').length);
  const all = (await idsOf(subject, '/plain/named', 'plain')).map((ids) => ids.split(' ').length);
  expect([first, all]).toEqual([
    [50, 50, 1],
    [60, 60, 1],
  ]);
  expect((await idsOf(subject, '/plain', 'plain'))[0]).toBe(
    Array.from({ length: 50 }, (_, index) => 10 + 2 * index).join(' '),
  );
});
