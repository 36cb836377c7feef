import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, Update, ValueValidator } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Author, Book, library } from '../support/entities/library.js';

/** No two things stand in the same place. */
const Place = defineEntity({
  name: 'Place',
  properties: {
    id: p.integer().primary().autoincrement(),
    thing: p.string(),
    shelf: p.string().length(20),
    position: p.integer(),
  },
  uniques: [{ properties: ['shelf', 'position'] }],
});

const places = {
  modelClass: Place,
  readableColumnNames: ['thing', 'shelf', 'position'],
  writeableColumnNames: ['thing', 'shelf', 'position'],
} as const;

/** Refuses everything. */
class Never extends ValueValidator {
  readonly name = 'Never';
  complaint(): string {
    return 'never';
  }
}

const { contract } = service({
  ...libraryWith([
    books(),
    authors(),
    new Create({
      url: 'never',
      modelClass: Book,
      readableColumnNames: ['title'],
      writeableColumnNames: ['title', 'isbn'],
      columnOverrides: { isbn: { validators: [new Never()] } },
    }),
    new Create({
      url: 'uneven',
      modelClass: Book,
      readableColumnNames: ['title'],
      writeableColumnNames: ['title', 'isbn', 'pages'],
      columnOverrides: { pages: { validators: [new Never()] } },
    }),
    new Create({ ...places, url: 'places' }),
    new Update({ ...places, url: 'places/:id' }),
  ]),
  entities: [...library, Place],
});

const taken = (name: string) =>
  inputErrors({ [name]: `Invalid value for '${name}': the given value already exists, and must be unique.` });

contract('Unique is checked only for a column that passed', async ({ request, save }) => {
  await save(Book, { title: 'Emma', isbn: '42' });
  const answer = await request().post('/never').send({ title: 'Persuasion', isbn: '42' });
  expectAnswer(answer, 400, inputErrors({ isbn: 'never' }));
});

contract('Unique is checked though another column failed', async ({ request, save }) => {
  await save(Book, { title: 'Emma', isbn: '42' });
  const answer = await request().post('/books').send({ isbn: '42', pages: 'x' });
  const { isbn } = taken('isbn').input_errors;
  const complaints = { title: "'title' is required.", isbn, pages: 'value should be an integer' };
  expectAnswer(answer, 400, inputErrors(complaints as Record<string, string>));
});

contract('A record with a complaint is not created, though its Unique value is free', async (subject) => {
  const { request, save, count } = subject;
  await save(Book, { title: 'Emma', isbn: '42' });
  const unknown = await request().post('/books').send({ title: 'Persuasion', isbn: '43', shelf: 1 });
  expectAnswer(unknown, 400, inputErrors({ shelf: 'Input column shelf is not an allowed input column.' }));
  const never = await request().post('/uneven').send({ title: 'Persuasion', isbn: '43', pages: 7 });
  expectAnswer(never, 400, inputErrors({ pages: 'never' }));
  expect(await count(Book)).toBe(1);
});

contract('BelongsToId and Unique complaints are answered together', async ({ request, save }) => {
  await save(Book, { title: 'Emma', isbn: '42' });
  const answer = await request().post('/books').send({ title: 'Persuasion', isbn: '42', author_id: 99 });
  const complaints = { ...taken('isbn').input_errors, author_id: 'the given record does not exist' };
  expectAnswer(answer, 400, inputErrors(complaints));
});

contract('null is never taken in a Unique column', async ({ request, save }) => {
  await save(Book, { title: 'Emma', isbn: null });
  const { status } = await request().post('/books').send({ title: 'Persuasion', isbn: null });
  expect(status).toBe(201);
});

contract('Unique compares texts exactly', async ({ request, save }) => {
  await save(Book, { title: 'Emma', isbn: 'a' });
  for (const isbn of ['A', 'a ', 'á', '', '%', '_']) {
    const { status } = await request().post('/books').send({ title: 'Persuasion', isbn });
    expect([isbn, status]).toEqual([isbn, 201]);
  }
  expectAnswer(await request().post('/books').send({ title: 'Emma', isbn: '' }), 400, taken('isbn'));
});

contract('An Update may keep its own Unique value', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma', isbn: '42' });
  const { status, body } = await request().patch(`/books/${id}`).send({ isbn: '42', title: 'Persuasion' });
  expect([status, body.data.title]).toEqual([200, 'Persuasion']);
});

contract('An Update checks BelongsToId like a Create', async ({ request, save }) => {
  const { id } = await save(Author, { name: 'Jane Austen' });
  const answer = await request().patch(`/authors/${id}`).send({ country_code: 'xx' });
  expectAnswer(answer, 400, inputErrors({ country_code: 'the given record does not exist' }));
});

contract(
  'Two creates at the same time with the same Unique value end in one record and the documented message',
  async ({ request, count }) => {
    const book = { title: 'Emma', isbn: '42' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => request().post('/books').send(book)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect([refused.length, await count(Book)]).toEqual([7, 1]);
    for (const answer of refused) expectAnswer(answer, 400, taken('isbn'));
  },
);

contract(
  'Two updates at the same time to the same Unique value end in one winner and the documented message',
  async ({ request, save, em }) => {
    const saved = [await save(Book, { title: 'Emma' }), await save(Book, { title: 'Persuasion' })];
    const answers = await Promise.all(
      saved.map(({ id }) => request().patch(`/books/${id}`).send({ isbn: '42' })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect([refused.length, await em().count(Book, { isbn: '42' })]).toEqual([1, 1]);
    for (const answer of refused) expectAnswer(answer, 400, taken('isbn'));
  },
);

contract(
  'A composite unique constraint complains under its first sent column',
  async ({ request, save, count }) => {
    await save(Place, { thing: 'vase', shelf: 'top', position: 1 });
    const other = await save(Place, { thing: 'lamp', shelf: 'top', position: 2 });
    const clock = { thing: 'clock', shelf: 'top', position: 1 };
    expectAnswer(await request().post('/places').send(clock), 400, taken('shelf'));
    expectAnswer(await request().patch(`/places/${other.id}`).send({ position: 1 }), 400, taken('position'));
    expect(await count(Place)).toBe(2);
  },
);

contract('A composite unique constraint lets one of its values repeat', async ({ request, save }) => {
  await save(Place, { thing: 'vase', shelf: 'top', position: 1 });
  const clock = { thing: 'clock', shelf: 'top', position: 2 };
  expectAnswer(await request().post('/places').send(clock), 201, success(clock));
});

contract('An Update may keep its own values of a composite unique constraint', async ({ request, save }) => {
  const { id } = await save(Place, { thing: 'vase', shelf: 'top', position: 1 });
  const clock = { thing: 'clock', shelf: 'top', position: 1 };
  expectAnswer(await request().patch(`/places/${id}`).send(clock), 200, success(clock));
});
