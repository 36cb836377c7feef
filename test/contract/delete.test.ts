import { expect } from '@jest/globals';
import { Cascade, defineEntity, p } from '@mikro-orm/core';
import { Delete } from '@nest-endpoints/core';
import { expectAnswer, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book, library } from '../support/entities/library.js';

/** Its book cannot go before it. */
const Chapter = defineEntity({
  name: 'Chapter',
  properties: { id: p.integer().primary().autoincrement(), book: () => p.manyToOne(Book) },
});

const Folder = defineEntity({ name: 'Folder', properties: { id: p.integer().primary() } });

/** Its folder goes with it, as MikroORM does it: no constraint of the database says so. */
const Sheet = defineEntity({
  name: 'Sheet',
  properties: {
    id: p.integer().primary(),
    folder: () => p.manyToOne(Folder).cascade(Cascade.REMOVE).deleteRule('no action'),
  },
});

const { contract } = service({
  ...libraryWith([
    new Delete({ modelClass: Book, url: 'books/:id' }),
    new Delete({ modelClass: Book, url: 'isbn/:isbn', recordLookupColumnName: 'isbn' }),
    new Delete({ modelClass: Author, url: 'authors/:id' }),
    new Delete({ modelClass: Sheet, url: 'sheets/:id' }),
  ]),
  entities: [...library, Chapter, Folder, Sheet],
});

const unknownId = '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11';

contract('Delete removes the record that the path names', async ({ request, save, em }) => {
  const { id } = await save(Book, { title: 'Emma' });
  await save(Book, { title: 'Persuasion' });
  await request().delete(`/books/${id}`);
  expect(await em().findAll(Book)).toMatchObject([{ title: 'Persuasion' }]);
});

contract('Delete answers success with an empty object', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  expectAnswer(await request().delete(`/books/${id}`), 200, success({}));
});

contract('Delete answers DELETE by default', async ({ request, save, count }) => {
  const { id } = await save(Book, { title: 'Emma' });
  for (const method of ['get', 'post', 'put', 'patch'] as const)
    expectAnswer(await request()[method](`/books/${id}`), 404, notFound);
  expect(await count(Book)).toBe(1);
});

contract(
  'record_lookup_column_name lets Delete look up by another unique column',
  async ({ request, save, em }) => {
    await save(Book, { title: 'Emma', isbn: '42' });
    await save(Book, { title: 'Persuasion', isbn: '43' });
    expectAnswer(await request().delete('/isbn/42'), 200, success({}));
    expect(await em().findAll(Book)).toMatchObject([{ title: 'Persuasion' }]);
  },
);

contract('A second Delete of the same record is Not Found', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  await request().delete(`/books/${id}`);
  expectAnswer(await request().delete(`/books/${id}`), 404, notFound);
});

contract('A Delete that finds no record removes nothing', async ({ request, save, count }) => {
  await save(Book, { title: 'Emma' });
  await save(Author, { name: 'Jane Austen' });
  for (const path of [
    `/books/${unknownId}`,
    '/books/1',
    '/isbn/null',
    '/isbn/%25',
    '/authors/one',
    '/authors/2',
  ])
    expectAnswer(await request().delete(path), 404, notFound);
  expect([await count(Book), await count(Author)]).toEqual([1, 1]);
});

contract('A Delete may come with a JSON content type and no body', async ({ raw, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const headers = { 'content-type': 'application/json', 'content-length': '0' };
  expectAnswer(await raw('DELETE', `/books/${id}`, { headers }), 200, success({}));
});

contract('A Delete that the database refuses leaves the record', async ({ request, save, count }) => {
  const book = await save(Book, { title: 'Emma' });
  await save(Chapter, { book });
  expect((await request().delete(`/books/${book.id}`)).status).toBe(409);
  expect([await count(Book), await count(Chapter)]).toEqual([1, 1]);
});

contract('What MikroORM removes along with a record is gone with it', async ({ request, save, count }) => {
  await save(Folder, { id: 1 });
  await save(Sheet, { id: 1, folder: 1 });
  expectAnswer(await request().delete('/sheets/1'), 200, success({}));
  expect([await count(Sheet), await count(Folder)]).toEqual([0, 0]);
});
