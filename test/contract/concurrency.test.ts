import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import { inputErrors, notFound, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Author, Book, library } from '../support/entities/library.js';

/** Two columns that are unique together, and a book that cannot go before its chapters. */
const Chapter = defineEntity({
  name: 'Chapter',
  uniques: [{ properties: ['book', 'number'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    book: () => p.manyToOne(Book),
    number: p.integer(),
  },
});

const { contract } = service(
  {
    ...libraryWith([
      books({ readableColumnNames: ['title', 'pages', 'isbn'] }),
      authors(),
      new RestfulApi({
        url: 'chapters',
        modelClass: Chapter,
        readableColumnNames: ['number'],
        writeableColumnNames: ['number', 'bookId'],
        sortableColumnNames: ['number'],
        searchableColumnNames: ['number'],
        defaultSortColumnName: 'number',
      }),
    ]),
    entities: [...library, Chapter],
  },
  everyDatabase,
);

const titles = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** The answers of `count` requests that are under way at once. */
const atOnce = (count: number, ask: (index: number) => PromiseLike<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => Promise.resolve(ask(index))));

/** How often each status was answered. */
const tally = (answers: readonly Answer[]): Record<number, number> =>
  answers.reduce<Record<number, number>>(
    (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );

const taken = (column: string) =>
  inputErrors({
    [column]: `Invalid value for '${column}': the given value already exists, and must be unique.`,
  });

const refusalsOf = (answers: readonly Answer[]) =>
  answers.filter(({ status }) => status >= 400).map(({ body }) => body);

contract(
  'Of many creates at the same time with the same Unique value one succeeds, the others get the documented message',
  async ({ request, count }) => {
    const answers = await atOnce(20, (index) =>
      request()
        .post('/books')
        .send({ title: `Emma ${index}`, isbn: '42' }),
    );
    expect(tally(answers)).toEqual({ 201: 1, 400: 19 });
    expect(refusalsOf(answers)).toEqual(Array.from({ length: 19 }, () => taken('isbn')));
    expect(await count(Book)).toBe(1);
  },
);

contract(
  'Of many creates at the same time that share a composite unique value one succeeds, the others complain under the first sent column',
  async ({ request, save, count }) => {
    const { id } = await save(Book, { title: 'Emma' });
    const answers = await atOnce(10, () => request().post('/chapters').send({ book_id: id, number: 1 }));
    expect(tally(answers)).toEqual({ 201: 1, 400: 9 });
    expect(refusalsOf(answers)).toEqual(Array.from({ length: 9 }, () => taken('book_id')));
    expect(await count(Chapter)).toBe(1);
  },
);

contract(
  'Of many updates at the same time to the same Unique value one succeeds, the others get the documented message',
  async ({ request, save, em }) => {
    const saved = await Promise.all(titles.map((title) => save(Book, { title })));
    const answers = await atOnce(saved.length, (index) =>
      request()
        .patch(`/books/${String(saved[index]?.id)}`)
        .send({ isbn: '42' }),
    );
    expect(tally(answers)).toEqual({ 200: 1, 400: saved.length - 1 });
    expect(refusalsOf(answers)).toEqual(titles.slice(1).map(() => taken('isbn')));
    expect(await em().count(Book, { isbn: '42' })).toBe(1);
  },
);

contract('Updates of different columns at the same time all stay', async ({ request, save, em }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const changes = [{ title: 'Susan' }, { pages: 7 }, { isbn: '42' }, { price: 1.5 }, { in_print: false }];
  const answers = await atOnce(changes.length, (index) =>
    request().patch(`/books/${id}`).send(changes[index]),
  );
  expect(tally(answers)).toEqual({ 200: changes.length });
  expect(await em().findAll(Book)).toMatchObject([
    { title: 'Susan', pages: 7, isbn: '42', price: 1.5, inPrint: false },
  ]);
});

contract(
  'Of many deletes of one record at the same time one succeeds, the others are Not Found',
  async ({ request, save, count }) => {
    const { id } = await save(Book, { title: 'Emma' });
    const answers = await atOnce(20, () => request().delete(`/books/${id}`));
    expect(tally(answers)).toEqual({ 200: 1, 404: 19 });
    expect(answers.find(({ status }) => status === 200)?.body).toEqual(success({}));
    expect(refusalsOf(answers)).toEqual(Array.from({ length: 19 }, () => notFound));
    expect(await count(Book)).toBe(0);
  },
);

contract(
  'Updates and a delete of one record at the same time end with no record and no failure',
  async ({ request, save, count }) => {
    const { id } = await save(Book, { title: 'Emma' });
    const answers = await atOnce(10, (index) =>
      index === 5 ? request().delete(`/books/${id}`) : request().patch(`/books/${id}`).send({ pages: index }),
    );
    expect(answers[5]?.status).toBe(200);
    expect(Object.keys(tally(answers)).filter((status) => status !== '200' && status !== '404')).toEqual([]);
    expect(await count(Book)).toBe(0);
  },
);

contract(
  'A create and the delete of its parent at the same time never end in a failure',
  async ({ request, save, em }) => {
    for (const title of titles) {
      const { id } = await save(Book, { title });
      const [created, deleted] = await atOnce(2, (index) =>
        index === 0
          ? request().post('/chapters').send({ number: 1, book_id: id })
          : request().delete(`/books/${id}`),
      );
      expect([created?.status, deleted?.status]).toEqual(created?.status === 201 ? [201, 409] : [400, 200]);
      const orphan = inputErrors({ book_id: 'the given record does not exist' });
      if (created?.status === 400) expect(created.body).toEqual(orphan);
      expect(await em().count(Book, { title })).toBe(created?.status === 201 ? 1 : 0);
    }
  },
);

contract('Creates of many clients at the same time are all stored', async ({ request, count }) => {
  const answers = await atOnce(40, (index) =>
    request()
      .post('/authors')
      .send({ name: `Author ${index}` }),
  );
  expect(tally(answers)).toEqual({ 201: 40 });
  expect(await count(Author)).toBe(40);
});
