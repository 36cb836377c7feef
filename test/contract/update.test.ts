import { expect, jest } from '@jest/globals';
import { Update } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book, Country } from '../support/entities/library.js';

const writeableColumnNames = ['isbn', 'title', 'authorId', 'pages', 'price', 'inPrint', 'launchAt'] as const;
const books = { modelClass: Book, readableColumnNames: ['title', 'pages'], writeableColumnNames } as const;
const validate = jest.fn(() => ({}));

const { contract } = service(
  libraryWith([
    new Update({ ...books, url: 'books/:id' }),
    new Update({
      ...books,
      url: 'isbn/:isbn',
      recordLookupColumnName: 'isbn',
      readableColumnNames: ['isbn'],
    }),
    new Update({ ...books, url: 'updated/:id', readableColumnNames: ['updated'] }),
    new Update({ ...books, url: 'validated/:id', inputValidationCallable: validate }),
    new Update({ ...books, url: 'mapped/:id', outputMap: ({ record }) => Object.values(record) }),
    new Update({
      modelClass: Country,
      url: 'countries/:code',
      readableColumnNames: ['code', 'name'],
      writeableColumnNames: ['code', 'name'],
    }),
  ]),
);

const unknownId = '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11';
const long = new Date('2020-01-01T00:00:00Z');
const emma = { title: 'Emma', pages: 474, updated: long };

contract('Update changes the record that the path names', async ({ request, save, em }) => {
  const { id } = await save(Book, emma);
  const other = await save(Book, { title: 'Persuasion' });
  await request().patch(`/books/${id}`).send({ title: 'Lady Susan', pages: 120 });
  expect(await em().findOne(Book, id)).toMatchObject({ title: 'Lady Susan', pages: 120 });
  expect(await em().findOne(Book, other.id)).toMatchObject({ title: 'Persuasion', pages: null });
});

contract('Update answers PATCH by default', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  expectAnswer(await request().patch(`/books/${id}`).send({}), 200, success({ title: 'Emma', pages: 474 }));
  for (const method of ['get', 'post', 'put', 'delete'] as const)
    expectAnswer(await request()[method](`/books/${id}`), 404, notFound);
});

contract(
  'record_lookup_column_name lets Update look up by another unique column',
  async ({ request, save, em }) => {
    await save(Book, { ...emma, isbn: '42' });
    expectAnswer(await request().patch('/isbn/42').send({ pages: 1 }), 200, success({ isbn: '42' }));
    expect(await em().findAll(Book)).toMatchObject([{ pages: 1 }]);
  },
);

contract('Update accepts a subset of the columns', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  const answer = await request().patch(`/books/${id}`).send({ pages: null });
  expectAnswer(answer, 200, success({ title: 'Emma', pages: null }));
});

contract('Update answers the readable columns of the updated record', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  const answer = await request().patch(`/books/${id}`).send({ title: 'Lady Susan', price: 9.5 });
  expectAnswer(answer, 200, success({ title: 'Lady Susan', pages: 474 }));
});

contract('Update sets the Updated column it answers', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  const before = Date.now();
  const { body } = await request().patch(`/updated/${id}`).send({ pages: 1 });
  expect(Date.parse(body.data.updated)).toBeGreaterThanOrEqual(before - 1000);
});

contract('An Update may change the column it looks up by', async ({ request, save }) => {
  await save(Book, { ...emma, isbn: '42' });
  expectAnswer(await request().patch('/isbn/42').send({ isbn: '43' }), 200, success({ isbn: '43' }));
  expectAnswer(await request().patch('/isbn/42').send({}), 404, notFound);
});

contract('An Update may change a writeable id column', async ({ request, save, count }) => {
  await save(Country, { code: 'zr', name: 'Zaire' });
  const answer = await request().patch('/countries/zr').send({ code: 'cd', name: 'DR Congo' });
  expectAnswer(answer, 200, success({ code: 'cd', name: 'DR Congo' }));
  expect(await count(Country)).toBe(1);
});

contract(
  'An Update that fails answers input_errors with messages, and the record stays as it was',
  async ({ request, save, em }) => {
    const { id } = await save(Book, emma);
    const answer = await request().patch(`/books/${id}`).send({ title: 'Lady Susan', pages: 'many' });
    expectAnswer(answer, 400, inputErrors({ pages: 'value should be an integer' }));
    expect(await em().findAll(Book)).toMatchObject([emma]);
  },
);

contract('Update takes only keys of writeable_column_names', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  const answer = await request().patch(`/books/${id}`).send({ pages: 1, notes: 'no', id: unknownId });
  const messages = {
    notes: 'Input column notes is not an allowed input column.',
    id: 'Input column id is not an allowed input column.',
  };
  expectAnswer(answer, 400, inputErrors(messages));
});

contract('Update is fine with an absent Required key', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  const answer = await request().patch(`/books/${id}`).send({ pages: 1 });
  expectAnswer(answer, 200, success({ title: 'Emma', pages: 1 }));
});

contract('Update refuses an emptied Required key', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  for (const title of [null, '', ' \t\n', '\u00a0'])
    expectAnswer(
      await request().patch(`/books/${id}`).send({ title }),
      400,
      inputErrors({ title: "'title' is required." }),
    );
});

contract('Update with {} succeeds, writes nothing and leaves updated alone', async (subject) => {
  const { id } = await subject.save(Book, emma);
  const before = await subject.versions('book');
  const answer = await subject.request().patch(`/updated/${id}`).send({});
  expectAnswer(answer, 200, success({ updated: '2020-01-01T00:00:00+00:00' }));
  expect(await subject.versions('book')).toEqual(before);
});

contract(
  'Update with unchanged values succeeds, writes nothing and leaves updated alone',
  async (subject) => {
    const author = await subject.save(Author, { name: 'Jane Austen' });
    const { id } = await subject.save(Book, { ...emma, isbn: '42', author, price: 7, launchAt: long });
    const before = await subject.versions('book');
    const same = { isbn: '42', author_id: author.id, pages: 474, price: 7.0, in_print: true };
    const answer = await subject
      .request()
      .patch(`/updated/${id}`)
      .send({ ...same, launch_at: '2020-01-01T01:00+01:00' });
    expectAnswer(answer, 200, success({ updated: '2020-01-01T00:00:00+00:00' }));
    expect(await subject.versions('book')).toEqual(before);
  },
);

contract('Update refuses the Unique value of another record', async ({ request, save }) => {
  await save(Book, { title: 'Persuasion', isbn: '42' });
  const { id } = await save(Book, emma);
  const answer = await request().patch(`/books/${id}`).send({ isbn: '42' });
  const isbn = "Invalid value for 'isbn': the given value already exists, and must be unique.";
  expectAnswer(answer, 400, inputErrors({ isbn }));
});

contract(
  'Update answers complaints found without the database before it looks for the record',
  async ({ request }) => {
    const answer = await request().patch(`/books/${unknownId}`).send({ title: '', pages: 1.5, notes: 1 });
    const messages = {
      title: "'title' is required.",
      pages: 'value should be an integer',
      notes: 'Input column notes is not an allowed input column.',
    };
    expectAnswer(answer, 400, inputErrors(messages));
  },
);

contract('Update judges the path value before the body', async ({ request }) => {
  expectAnswer(await request().patch('/books/none').send({ pages: 'many' }), 404, notFound);
});

contract('Update of a missing record is Not Found before Unique is checked', async ({ request, save }) => {
  await save(Book, { title: 'Persuasion', isbn: '42' });
  const answer = await request().patch(`/books/${unknownId}`).send({ isbn: '42', author_id: 99 });
  expectAnswer(answer, 404, notFound);
});

contract(
  'Update of a missing record is Not Found before input_validation_callable runs',
  async ({ request }) => {
    validate.mockClear();
    expectAnswer(await request().patch(`/validated/${unknownId}`).send({ pages: 1 }), 404, notFound);
    expect(validate).not.toHaveBeenCalled();
  },
);

contract('Update rejects a request without a body', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  expectAnswer(await request().patch(`/books/${id}`), 400, clientError('A JSON body is required'));
});

contract('output_map replaces the answer of an Update', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  expectAnswer(await request().patch(`/mapped/${id}`).send({ pages: 1 }), 200, success(['Emma', 1]));
});
