import { expect } from '@jest/globals';
import { SimpleSearch, DatetimeColumn } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const searched = {
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  searchableColumnNames: [
    'id',
    'isbn',
    'title',
    'authorId',
    'pages',
    'price',
    'inPrint',
    'publishedOn',
    'launchAt',
    'remindAt',
    'contact',
    'created',
  ],
  defaultSortColumnName: 'title',
} as const;

const { contract } = service(
  libraryWith([
    new SimpleSearch({ ...searched, url: 'books' }),
    new SimpleSearch({ ...searched, url: 'forced', transformInputTypes: true }),
    new SimpleSearch({
      ...searched,
      url: 'precise',
      columnOverrides: { launchAt: { type: new DatetimeColumn({ precision: 'milliseconds' }) } },
    }),
  ]),
);

const titlesOf = (answer: { body: { data: { title: string }[] } }): string =>
  answer.body.data.map(({ title }) => title).join(' ');

const emma = {
  title: 'Emma',
  isbn: '0042',
  pages: 42,
  price: 1.5,
  publishedOn: '1815-12-23',
  launchAt: new Date('2026-11-21T09:30:15.250Z'),
  remindAt: 1234567890,
  contact: 'jane@austen.uk',
};

contract("A query-string value is always read with the column's type", async ({ request, save }) => {
  const { id } = await save(Book, emma);
  await save(Book, { title: 'Persuasion' });
  const texts = ['isbn=0042', 'pages=42', 'price=1.5', 'price=15e-1', 'published_on=1815-12-23'];
  const others = ['remind_at=1234567890', 'contact=jane@austen.uk', `id=${id}`, `id=${id.toUpperCase()}`];
  for (const term of [...texts, ...others])
    expect(titlesOf(await request().get(`/books?${term}`))).toBe('Emma');
});

contract('A value of the body is not read from text', async ({ request }) => {
  const answer = await request()
    .post('/books')
    .send({ pages: '42', in_print: 'true', price: '1.5', isbn: 42 });
  const messages = {
    pages: 'value should be an integer',
    in_print: 'value should be a boolean',
    price: 'value should be a number',
    isbn: 'value should be a string',
  };
  expectAnswer(answer, 400, inputErrors(messages));
});

contract('transform_input_types reads the search terms of a body from text', async ({ request, save }) => {
  await save(Book, emma);
  const terms = { pages: '42', in_print: 'true', price: '1.5', remind_at: '1234567890' };
  expect(titlesOf(await request().post('/forced').send(terms))).toBe('Emma');
});

contract(
  'In a Datetime search term of the query string a space before the offset is read as +',
  async ({ request, save }) => {
    await save(Book, emma);
    for (const text of [
      '2026-11-21T10:30:15+01:00',
      '2026-11-21T10:30:15%2B01:00',
      '2026-11-21T10:30:15%2001:00',
    ])
      expect(titlesOf(await request().get(`/books?launch_at=${text}`))).toBe('Emma');
    expect(titlesOf(await request().get('/books?launch_at=2026-11-21T10:30:15-01:00'))).toBe('');
  },
);

contract('Equality on a Datetime compares at the precision it is written with', async ({ request, save }) => {
  await save(Book, emma);
  for (const text of ['09:30:15Z', '09:30:15.000Z', '09:30:15.999Z', '10:30:15%2B01:00'])
    expect(titlesOf(await request().get(`/books?launch_at=2026-11-21T${text}`))).toBe('Emma');
  for (const text of ['09:30:14.999Z', '09:30:16Z', '09:30Z'])
    expect(titlesOf(await request().get(`/books?launch_at=2026-11-21T${text}`))).toBe('');
});

contract('Equality before 1970 compares at the precision it is written with', async ({ request, save }) => {
  await save(Book, { title: 'Emma', launchAt: new Date('1815-12-23T09:30:15.250Z') });
  expect(titlesOf(await request().get('/books?launch_at=1815-12-23T09:30:15Z'))).toBe('Emma');
  expect(titlesOf(await request().get('/books?launch_at=1815-12-23T09:30:16Z'))).toBe('');
});

contract('Equality with precision milliseconds compares milliseconds', async ({ request, save }) => {
  await save(Book, emma);
  expect(titlesOf(await request().get('/precise?launch_at=2026-11-21T09:30:15.250Z'))).toBe('Emma');
  expect(titlesOf(await request().get('/precise?launch_at=2026-11-21T09:30:15Z'))).toBe('');
});

contract('A record is found by the Created value it shows', async ({ request, save }) => {
  const { created } = await save(Book, emma);
  const text = created.toISOString().slice(0, 19);
  expect(titlesOf(await request().get(`/books?created=${text}%2B00:00`))).toBe('Emma');
});

const wrongTexts = {
  id: ['1', 'value should be a UUID'],
  author_id: ['one', 'value should be an integer'],
  pages: ['4.5', 'value should be an integer'],
  price: ['cheap', 'value should be a number'],
  in_print: ['TRUE', 'value should be a boolean'],
  published_on: ['2026-02-30', 'given value did not appear to be a valid date'],
  launch_at: ['2026-11-21T09:30:15', 'date is missing timezone information'],
  remind_at: ['', 'value should be an integer'],
  contact: ['nobody', 'value should be an email address'],
} as const;

contract(
  "A search term of the query string that is not of the column's type is input_errors under that column",
  async ({ request }) => {
    for (const [name, [text, message]] of Object.entries(wrongTexts))
      expectAnswer(
        await request()
          .get('/books')
          .query({ [name]: text }),
        400,
        inputErrors({ [name]: message }),
      );
  },
);

contract(
  "A search term of a body that is not of the column's type is input_errors under that column",
  async ({ request }) => {
    const messages = Object.fromEntries(
      Object.entries(wrongTexts).map(([name, [, message]]) => [name, message] as const),
    );
    const body = Object.fromEntries(
      Object.entries(wrongTexts).map(([name, [text]]) => [name, text] as const),
    );
    expectAnswer(await request().post('/books').send(body), 400, inputErrors(messages));
  },
);

contract("A search term out of the column's range is input_errors under that column", async ({ request }) => {
  const message = 'value should be between -2147483648 and 2147483647';
  expectAnswer(await request().get('/books?pages=2147483648'), 400, inputErrors({ pages: message }));
  expectAnswer(
    await request().post('/books').send({ pages: -2147483649 }),
    400,
    inputErrors({ pages: message }),
  );
});

contract('A search term that cannot be stored is input_errors under its column', async ({ request }) => {
  const refusal = inputErrors({ title: 'value contains characters that cannot be stored' });
  expectAnswer(await request().get('/books?title=%00'), 400, refusal);
  expectAnswer(await request().post('/books').send({ title: 'a\0' }), 400, refusal);
  const json = request().post('/books').set('Content-Type', 'application/json');
  expectAnswer(await json.send(String.raw`{"title":"\ud800"}`), 400, refusal);
});

contract(
  "A search term on a column that is not searchable is refused: Unknown parameter 'x' in the query string",
  async ({ request }) => {
    for (const name of ['notes', 'inPrint', 'Title', 'author', 'author.name', 'updated', '__proto__'])
      expectAnswer(
        await request().get(`/books?${name}=Emma`),
        400,
        clientError(`Unknown parameter '${name}' in the query string`),
      );
  },
);

contract('A search term given in both the body and the query string is refused', async ({ request }) => {
  const answer = await request().post('/books?pages=1').send({ pages: 1 });
  expectAnswer(answer, 400, clientError("'pages' is given in both the body and the query string"));
});

contract('A search term with % or _ is matched literally', async ({ request, save }) => {
  await save(Book, { title: '100% _\\' });
  await save(Book, { title: '1000 x' });
  for (const [text, found] of [
    ['100%25 _\\', '100% _\\'],
    ['100%25', ''],
    ['______', ''],
    ['%25', ''],
  ])
    expect(titlesOf(await request().get(`/books?title=${text}`))).toBe(found);
});

contract('A search term is never read as SQL', async ({ request, save }) => {
  const titles = ["O'Neill", "'; drop table book; --", '$1', '?', ':title', '\\', '"', 'a\nb'];
  for (const title of titles) await save(Book, { title });
  for (const title of titles) expect(titlesOf(await request().get('/books').query({ title }))).toBe(title);
});
