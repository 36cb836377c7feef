import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Create,
  Delete,
  Get,
  SimpleSearch,
  TimestampColumn,
  Update,
  defineColumns,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book, library } from '../support/entities/library.js';

/** Found by a column of each type that is forced. */
const Locker = defineEntity({
  name: 'Locker',
  properties: {
    id: p.integer().primary(),
    height: p.double().unique(),
    broken: p.boolean().unique(),
    openedAt: p.integer().unique(),
  },
});
defineColumns(Locker, { openedAt: { type: new TimestampColumn() } });

const transformInputTypes = true;
const named = { modelClass: Author, readableColumnNames: ['name'], transformInputTypes } as const;
const lockers = { modelClass: Locker, readableColumnNames: ['id'], transformInputTypes } as const;
const search = {
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  searchableColumnNames: ['pages', 'inPrint', 'price', 'isbn'],
  defaultSortColumnName: 'title',
} as const;

const { contract } = service({
  ...libraryWith([
    new Get({ ...named, url: 'authors/:id' }),
    new Update({ ...named, url: 'authors/:id', writeableColumnNames: ['name'] }),
    new Delete({ ...named, url: 'authors/:id' }),
    new Get({ ...lockers, url: 'heights/:height', recordLookupColumnName: 'height' }),
    new Get({ ...lockers, url: 'broken/:broken', recordLookupColumnName: 'broken' }),
    new Get({ ...lockers, url: 'opened/:openedAt', recordLookupColumnName: 'openedAt' }),
    new Create({
      url: 'pages/:pages/books',
      modelClass: Book,
      readableColumnNames: ['title', 'pages'],
      writeableColumnNames: ['title', 'pages'],
      includeRoutingDataInRequestData: true,
      transformInputTypes,
    }),
    new SimpleSearch({ ...search, url: 'forced/search', transformInputTypes }),
    new SimpleSearch({ ...search, url: 'search' }),
  ]),
  entities: [...library, Locker],
});

contract("transform_input_types forces a path parameter to the column's type", async ({ request, save }) => {
  const { id } = await save(Author, { name: 'Jane Austen' });
  await save(Locker, { id: 7, height: 1.5, broken: true, openedAt: 1234567890 });
  const jane = success({ name: 'Jane Austen' });
  expectAnswer(await request().get(`/authors/${id}`), 200, jane);
  expectAnswer(await request().patch(`/authors/${id}`).send({}), 200, jane);
  for (const path of ['heights/1.5', 'heights/15e-1', 'broken/true', 'opened/1234567890'])
    expectAnswer(await request().get(`/${path}`), 200, success({ id: 7 }));
  expectAnswer(await request().delete(`/authors/${id}`), 200, success({}));
});

contract(
  'transform_input_types forces a path parameter that is merged into the body',
  async ({ request }) => {
    const answer = await request().post('/pages/25/books').send({ title: 'Emma' });
    expectAnswer(answer, 201, success({ title: 'Emma', pages: 25 }));
    const refused = await request().post('/pages/many/books').send({ title: 'Emma' });
    expectAnswer(refused, 400, inputErrors({ pages: 'value should be an integer' }));
  },
);

contract(
  "transform_input_types answers input_errors for a path parameter that is not of the column's type",
  async ({ request }) => {
    const refused = inputErrors({ id: 'value should be an integer' });
    for (const id of ['one', '1.0', '+1', '%201', 'true']) {
      expectAnswer(await request().get(`/authors/${id}`), 400, refused);
      expectAnswer(await request().patch(`/authors/${id}`).send({}), 400, refused);
      expectAnswer(await request().delete(`/authors/${id}`), 400, refused);
    }
    const height = inputErrors({ height: 'value should be a number' });
    expectAnswer(await request().get('/heights/tall'), 400, height);
    expectAnswer(
      await request().get('/broken/True'),
      400,
      inputErrors({ broken: 'value should be a boolean' }),
    );
    expectAnswer(
      await request().get('/opened/now'),
      400,
      inputErrors({ opened_at: 'value should be an integer' }),
    );
  },
);

contract(
  'transform_input_types answers input_errors for a path parameter out of range',
  async ({ request }) => {
    const message = 'value should be between -2147483648 and 2147483647';
    expectAnswer(await request().get('/authors/2147483648'), 400, inputErrors({ id: message }));
  },
);

contract('transform_input_types forces search terms of a body', async ({ request, save }) => {
  await save(Book, { title: 'Emma', pages: 474, price: 9.5, isbn: '42', inPrint: false });
  const terms = { pages: '474', price: '9.5', in_print: 'false', isbn: '42' };
  const { body } = await request().post('/forced/search').send(terms);
  expect(body.data).toEqual([{ title: 'Emma' }]);
  const refused = inputErrors({
    pages: 'value should be an integer',
    price: 'value should be a number',
    in_print: 'value should be a boolean',
  });
  expectAnswer(await request().post('/search').send(terms), 400, refused);
});
