import { expect } from '@jest/globals';
import { expectAnswer, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Author, Book, Country } from '../support/entities/library.js';
import type { Subject } from '../support/contract.js';

const { contract } = service(
  libraryWith([
    authors(),
    books({ readableColumnNames: ['title', 'authorId', 'author.name', 'author.country.name'] }),
    books({
      url: 'mixed',
      readableColumnNames: ['author.country.code', 'title', 'author.id', 'author.countryCode'],
    }),
  ]),
);

/** Jane Austen of the United Kingdom. */
const jane = async ({ save }: Subject): Promise<number> => {
  const country = await save(Country, { code: 'uk', name: 'United Kingdom', region: 'secret' });
  return (await save(Author, { name: 'Jane Austen', country })).id;
};

const nested = { name: 'Jane Austen', country: { name: 'United Kingdom' } };

contract('A BelongsToId column sets and shows the key of the parent', async (subject) => {
  const authorId = await jane(subject);
  const created = await subject.request().post('/books').send({ title: 'Emma', author_id: authorId });
  expect([created.status, created.body.data.author_id]).toEqual([201, authorId]);
  const [book] = await subject.em().findAll(Book);
  expect(book?.author?.id).toBe(authorId);
});

contract('A BelongsToId column may be the text key of a parent', async ({ request, save }) => {
  await save(Country, { code: 'nl', name: 'Netherlands' });
  const answer = await request().post('/authors').send({ name: 'Multatuli', country_code: 'nl' });
  const author = { id: 1, name: 'Multatuli', country_code: 'nl', country: { name: 'Netherlands' } };
  expectAnswer(answer, 201, success(author));
});

contract('An Update moves a record to another parent, or to none', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma', author: await jane(subject) });
  const other = await subject.save(Author, { name: 'Anonymous' });
  const move = async (author_id: number | null) =>
    (await subject.request().patch(`/books/${id}`).send({ author_id })).body.data;
  const anonymous = { name: 'Anonymous', country: null };
  expect(await move(other.id)).toEqual({ title: 'Emma', author_id: other.id, author: anonymous });
  expect(await move(null)).toEqual({ title: 'Emma', author_id: null, author: null });
});

contract(
  "A BelongsToModel column shows the parent's readable columns as a nested object",
  async (subject) => {
    const authorId = await jane(subject);
    const { id } = await subject.save(Book, { title: 'Emma', author: authorId });
    const emma = { title: 'Emma', author_id: authorId, author: nested };
    expectAnswer(await subject.request().get(`/books/${id}`), 200, success(emma));
    expect((await subject.request().get('/books')).body.data).toEqual([emma]);
  },
);

contract('A BelongsToModel column shows nothing of the parent that was not named', async (subject) => {
  await subject.save(Book, { title: 'Emma', author: await jane(subject) });
  const { status, text } = await subject.request().get('/books');
  expect([status, text]).toEqual([200, expect.stringContaining('Emma')]);
  expect(text).not.toMatch(/secret|"uk"/);
});

contract('The paths of one parent make one nested object', async (subject) => {
  const id = await jane(subject);
  await subject.save(Book, { title: 'Emma', author: id });
  const [book] = (await subject.request().get('/mixed')).body.data;
  expect(book).toEqual({ author: { country: { code: 'uk' }, id, country_code: 'uk' }, title: 'Emma' });
});

contract('A nested parent without a record is null', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const emma = { title: 'Emma', author_id: null, author: null };
  expectAnswer(await request().get(`/books/${id}`), 200, success(emma));
});

contract("Columns of a parent's parent are nested further", async (subject) => {
  await subject.save(Book, { title: 'Emma', author: await jane(subject) });
  const [book] = (await subject.request().get('/books')).body.data;
  expect(book.author.country).toEqual({ name: 'United Kingdom' });
});

contract("A parent's parent without a record is null", async ({ request, save }) => {
  const author = await save(Author, { name: 'Anonymous' });
  await save(Book, { title: 'Emma', author });
  const [book] = (await request().get('/books')).body.data;
  expect(book.author).toEqual({ name: 'Anonymous', country: null });
});

contract('The nested object itself is no input column', async (subject) => {
  const id = await jane(subject);
  const answer = await subject.request().post('/books').send({ title: 'Emma', author: { id } });
  expect(answer.body.input_errors).toEqual({ author: 'Input column author is not an allowed input column.' });
});
