import { expect, jest } from '@jest/globals';
import {
  Create,
  MaximumLength,
  Update,
  type ValidationContext,
  type ValidationMessages,
} from '@nest-endpoints/core';
import { clientError, expectAnswer, failure, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';

type Judge = (context: ValidationContext<Book>) => ValidationMessages | Promise<ValidationMessages>;

/** What each request is to be told; a test sets it. */
const judge = jest.fn<Judge>();

const titles = {
  modelClass: Book,
  readableColumnNames: ['title', 'pages'],
  writeableColumnNames: ['isbn', 'title', 'pages', 'inPrint', 'authorId', 'launchAt', 'notes'],
  columnOverrides: { notes: { validators: [new MaximumLength(3)] } },
  inputValidationCallable: judge,
} as const;

const { contract } = service(
  libraryWith([
    new Create({ ...titles, url: 'books' }),
    new Update({ ...titles, url: 'books/:id' }),
    new Create({ ...titles, url: 'forced', transformInputTypes: true }),
    new Create({ ...titles, url: 'authors/:authorId/books', includeRoutingDataInRequestData: true }),
  ]),
);

/** Makes the callable answer this, and forgets earlier calls. */
const answering = (answer: Judge) => judge.mockReset().mockImplementation(answer);

/** The input that the callable saw when it was last called. */
const seen = () => judge.mock.lastCall?.[0].requestData;

contract(
  'A message from input_validation_callable refuses the request, and no record is saved',
  async ({ request, count }) => {
    answering(() => ({ title: 'too famous', pages: 'too long' }));
    const answer = await request().post('/books').send({ title: 'Emma' });
    expectAnswer(answer, 400, inputErrors({ title: 'too famous', pages: 'too long' }));
    expect(await count(Book)).toBe(0);
  },
);

contract('An empty map from input_validation_callable means valid', async ({ request }) => {
  answering(() => ({}));
  const answer = await request().post('/books').send({ title: 'Emma' });
  expectAnswer(answer, 201, success({ title: 'Emma', pages: null }));
});

contract('A message of input_validation_callable that is undefined is none', async ({ request }) => {
  answering(() => ({ title: undefined }));
  expectAnswer(
    await request().post('/books').send({ title: 'Emma' }),
    201,
    success({ title: 'Emma', pages: null }),
  );
  answering(() => ({ title: undefined, pages: 'too many' }));
  expectAnswer(
    await request().post('/books').send({ title: 'Emma' }),
    400,
    inputErrors({ pages: 'too many' }),
  );
});

contract('input_validation_callable may be async', async ({ request }) => {
  answering(async ({ em }) => ((await em.count(Book)) === 0 ? { title: 'not the first' } : {}));
  const answer = await request().post('/books').send({ title: 'Emma' });
  expectAnswer(answer, 400, inputErrors({ title: 'not the first' }));
});

contract('input_validation_callable runs only when every type passed', async ({ request }) => {
  answering(() => ({ title: 'too famous' }));
  const answer = await request().post('/books').send({ title: 'Emma', pages: 'many' });
  expectAnswer(answer, 400, inputErrors({ pages: 'value should be an integer' }));
  // The database is asked all the same.
  const stray = await request().post('/books').send({ title: 'Emma', pages: 'many', author_id: 7 });
  const missing = 'the given record does not exist';
  expectAnswer(stray, 400, inputErrors({ pages: 'value should be an integer', author_id: missing }));
  expect(judge).not.toHaveBeenCalled();
});

contract('input_validation_callable does not run when the body is missing', async ({ request, raw }) => {
  answering(() => ({}));
  expectAnswer(await request().post('/books'), 400, clientError('A JSON body is required'));
  expectAnswer(
    await raw('POST', '/books', { body: '[' }),
    400,
    clientError('The request body is not valid JSON'),
  );
  expect(judge).not.toHaveBeenCalled();
});

contract(
  'input_validation_callable sees a dictionary of the input under internal names',
  async ({ request }) => {
    answering(() => ({}));
    await request().post('/books').send({ title: 'Emma', in_print: false, author_id: null });
    expect(seen()).toEqual({ title: 'Emma', inPrint: false, authorId: null });
    await request().post('/forced').send({ title: 'Emma', pages: '25' });
    expect(seen()).toEqual({ title: 'Emma', pages: 25 });
  },
);

contract('input_validation_callable sees path parameters that were merged into the body', async (subject) => {
  const { id } = await subject.save(Author, { name: 'Jane Austen' });
  answering(() => ({}));
  await subject.request().post(`/authors/${id}/books`).send({ title: 'Emma' });
  expect(judge.mock.lastCall?.[0]).toMatchObject({
    requestData: { title: 'Emma', authorId: id },
    routingData: { authorId: String(id) },
  });
});

contract(
  "Messages of input_validation_callable add to those of the columns: a column's own message stays",
  async ({ request, save }) => {
    await save(Book, { title: 'Emma', isbn: '42' });
    answering(() => ({
      isbn: 'mine',
      authorId: 'mine',
      notes: 'mine',
      nope: 'mine',
      pages: 'mine',
      inPrint: 'mine',
    }));
    const wrong = { title: 'Persuasion', isbn: '42', author_id: 99, notes: 'long', nope: 1 };
    const complaints = {
      isbn: "Invalid value for 'isbn': the given value already exists, and must be unique.",
      author_id: 'the given record does not exist',
      notes: 'value should be at most 3 characters long',
      nope: 'Input column nope is not an allowed input column.',
      pages: 'mine',
      in_print: 'mine',
    };
    expectAnswer(await request().post('/books').send(wrong), 400, inputErrors(complaints));
  },
);

contract('input_validation_callable runs though a Required column is empty', async ({ request }) => {
  answering(() => ({ pages: 'mine', title: 'mine' }));
  const complaints = { title: "'title' is required.", pages: 'mine' };
  expectAnswer(await request().post('/books').send({ title: ' ' }), 400, inputErrors(complaints));
  expectAnswer(await request().post('/books').send({}), 400, inputErrors(complaints));
});

contract('input_validation_callable may complain about a name that is no column', async ({ request }) => {
  answering(() => ({ wholeRecord: 'contradicts itself' }));
  const answer = await request().post('/books').send({ title: 'Emma' });
  expectAnswer(answer, 400, inputErrors({ whole_record: 'contradicts itself' }));
});

contract('input_validation_callable runs on Update too', async ({ request, save, em }) => {
  const { id } = await save(Book, { title: 'Emma', pages: 474 });
  answering(({ requestData, record }) => ({
    pages: `${record?.title}, not ${String(requestData['pages'])}`,
  }));
  const answer = await request().patch(`/books/${id}`).send({ title: 'Lady Susan', pages: 5 });
  expectAnswer(answer, 400, inputErrors({ pages: 'Emma, not 5' }));
  expect(seen()).toEqual({ title: 'Lady Susan', pages: 5 });
  expect(await em().findAll(Book)).toMatchObject([{ title: 'Emma', pages: 474 }]);
});

contract('input_validation_callable does not run on an Update that finds no record', async ({ request }) => {
  answering(() => ({ title: 'mine' }));
  const { status } = await request().patch('/books/7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11').send({ pages: 1 });
  expect([status, judge.mock.calls.length]).toEqual([404, 0]);
});

contract(
  'An input_validation_callable that throws ends in a 500, and no record is saved',
  async ({ request, count }) => {
    answering(() => Promise.reject(new Error('secret')));
    const answer = await request().post('/books').send({ title: 'Emma' });
    expectAnswer(answer, 500, failure('Internal Server Error'));
    expect(await count(Book)).toBe(0);
  },
);

contract('An input_validation_callable that gives a list ends in a 500', async ({ request, count }) => {
  for (const given of [[], ['too famous']]) {
    answering(() => given as never);
    const answer = await request().post('/books').send({ title: 'Emma' });
    expectAnswer(answer, 500, failure('Internal Server Error'));
  }
  expect(await count(Book)).toBe(0);
});
