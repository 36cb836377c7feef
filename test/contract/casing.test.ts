import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, EndpointGroup, Get, List, SimpleSearch, type Casing } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books } from '../support/endpoints.js';
import { Author, Book, library } from '../support/entities/library.js';

/** Named in snake_case, with names that cannot be computed back. */
const Parcel = defineEntity({
  name: 'Parcel',
  properties: {
    id: p.integer().primary().autoincrement(),
    street_name: p.string().length(10).nullable(),
    line_1: p.string().nullable(),
    iso_code: p.enum(['in_transit', 'AtHome']).nullable(),
    extra_data: p.json<unknown>().nullable(),
  },
});

/** Named in camelCase, with names that cannot be computed back. */
const Label = defineEntity({
  name: 'Label',
  properties: {
    id: p.integer().primary().autoincrement(),
    firstLine: p.string(),
    rawURL: p.string().nullable(),
    line2: p.string().nullable(),
    xY: p.string().nullable(),
  },
});

/** Named in TitleCase. */
const Crate = defineEntity({
  name: 'Crate',
  properties: {
    id: p.integer().primary().autoincrement(),
    FirstLine: p.string().fieldName('first_line'),
  },
});

const casings = ['snake_case', 'camelCase', 'TitleCase'] as const satisfies readonly Casing[];

const parcel = ['street_name', 'line_1', 'iso_code', 'extra_data'] as const;
const parcels = {
  modelClass: Parcel,
  readableColumnNames: parcel,
  writeableColumnNames: parcel,
  sortableColumnNames: parcel.slice(0, 3),
  defaultSortColumnName: 'street_name',
} as const;
const label = ['firstLine', 'rawURL', 'line2', 'xY'] as const;

const { contract } = service({
  entities: [...library, Parcel, Label, Crate],
  root: {},
  endpoints: [
    new Create({ url: 'parcels', ...parcels }),
    new SimpleSearch({ url: 'parcels', ...parcels, searchableColumnNames: ['street_name', 'iso_code'] }),
    ...casings.map(
      (externalCasing) =>
        new EndpointGroup({
          url: externalCasing,
          externalCasing,
          endpoints: [
            new Create({ url: 'parcels', ...parcels }),
            new Create({
              url: 'labels',
              modelClass: Label,
              readableColumnNames: label,
              writeableColumnNames: label,
            }),
            new Create({
              url: 'crates',
              modelClass: Crate,
              readableColumnNames: ['FirstLine'],
              writeableColumnNames: ['FirstLine'],
            }),
          ],
        }),
    ),
    new EndpointGroup({
      url: 'library',
      endpoints: [
        new Create({
          url: 'validated',
          modelClass: Book,
          readableColumnNames: ['title'],
          writeableColumnNames: ['title', 'inPrint', 'isbn'],
          inputValidationCallable: () => ({ inPrint: 'no', notAColumn: 'odd' }),
        }),
        new List({
          url: 'mapped',
          modelClass: Book,
          readableColumnNames: ['title', 'inPrint', 'author.name'],
          sortableColumnNames: ['title'],
          defaultSortColumnName: 'title',
          outputMap: ({ record, entity }) => ({ ...record, anyName: entity.title, Any_Other: 1 }),
        }),
        new Get({
          url: 'forced/:id',
          modelClass: Author,
          readableColumnNames: ['name'],
          transformInputTypes: true,
        }),
        books(),
      ],
    }),
  ],
});

contract('The default casing is snake_case inside and outside', async ({ request }) => {
  const answer = await request().post('/parcels').send({ street_name: 'High', line_1: 'a' });
  expectAnswer(answer, 201, success({ street_name: 'High', line_1: 'a', iso_code: null, extra_data: null }));
});

contract('Internal names are converted to external names on output', async ({ request, save }) => {
  await save(Book, { title: 'Emma', author: await save(Author, { name: 'Jane Austen' }) });
  const { body } = await request().get('/library/books');
  expect(body.data[0]).toMatchObject({ in_print: true, published_on: null, author: { country: null } });
});

contract('External names are converted to internal names on input', async ({ request, em }) => {
  await request().post('/library/books').send({ title: 'Emma', in_print: false, published_on: '1815-12-23' });
  expect(await em().findAll(Book)).toMatchObject([{ inPrint: false, publishedOn: '1815-12-23' }]);
});

contract('Only external names are accepted in a body', async ({ request }) => {
  const refused = (name: string) => ({ [name]: `Input column ${name} is not an allowed input column.` });
  const answer = await request().post('/library/books').send({ title: 'Emma', inPrint: true, InPrint: true });
  expectAnswer(answer, 400, inputErrors({ ...refused('inPrint'), ...refused('InPrint') }));
});

contract('Every casing is converted to every other', async ({ request }) => {
  const outer = { snake_case: 'first_line', camelCase: 'firstLine', TitleCase: 'FirstLine' };
  for (const [casing, name] of Object.entries(outer))
    for (const path of ['labels', 'crates']) {
      const { body } = await request()
        .post(`/${casing}/${path}`)
        .send({ [name]: 'a' });
      expect(body.data ?? body.Data).toMatchObject({ [name]: 'a' });
    }
});

contract('A name that cannot be computed back is found again on input', async ({ request }) => {
  const firstLine = { snake_case: 'first_line', camelCase: 'firstLine', TitleCase: 'FirstLine' };
  for (const casing of casings) {
    const { body } = await request()
      .post(`/${casing}/labels`)
      .send({ [firstLine[casing]]: 'a' });
    const names = Object.keys(body.data ?? body.Data);
    const all = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
    const answer = await request().post(`/${casing}/labels`).send(all);
    expect([answer.status, answer.body.data ?? answer.body.Data]).toEqual([201, all]);
  }
});

contract('A digit after an underscore is a word of its own', async ({ request }) => {
  const camel = await request().post('/camelCase/parcels').send({ line1: 'a' });
  const title = await request().post('/TitleCase/parcels').send({ Line1: 'a' });
  expect([camel.body.data.line1, title.body.Data.Line1]).toEqual(['a', 'a']);
});

contract('Values are not cased', async ({ request }) => {
  const sent = { street_name: 'a_bC', line_1: 'AtHome', iso_code: 'in_transit', extra_data: null };
  const { body } = await request()
    .post('/TitleCase/parcels')
    .send({ StreetName: 'a_bC', Line1: 'AtHome', IsoCode: 'in_transit' });
  expect(Object.values(body.Data)).toEqual(Object.values(sent));
});

contract('The keys inside a Json column are not cased', async ({ request, em }) => {
  const json = { snake_key: [{ camelKey: { TitleKey: 1, street_name: null } }] };
  const { body } = await request().post('/TitleCase/parcels').send({ ExtraData: json });
  expect(body.Data.ExtraData).toEqual(json);
  expect(await em().findAll(Parcel)).toMatchObject([{ extra_data: json }]);
});

contract('The result of output_map is not cased', async ({ request, save }) => {
  await save(Book, { title: 'Emma', author: await save(Author, { name: 'Jane Austen' }) });
  const { body } = await request().get('/library/mapped');
  const record = { title: 'Emma', inPrint: true, author: { name: 'Jane Austen' } };
  expect(body.data).toEqual([{ ...record, anyName: 'Emma', Any_Other: 1 }]);
});

contract(
  'Keys returned by input_validation_callable are internal names and are cased on output',
  async ({ request }) => {
    const answer = await request().post('/library/validated').send({ title: 'Emma' });
    expectAnswer(answer, 400, inputErrors({ in_print: 'no', not_a_column: 'odd' }));
  },
);

contract('Column names inside messages are the names the client sent', async ({ request, save }) => {
  await save(Book, { title: 'Emma', isbn: '42' });
  const required = await request().post('/TitleCase/labels').send({ FirstLine: null, rawURL: 'a' });
  expect(required.body.InputErrors).toEqual({
    FirstLine: "'FirstLine' is required.",
    rawURL: 'Input column rawURL is not an allowed input column.',
  });
  const { body } = await request().post('/library/books').send({ title: 'Emma', isbn: '42' });
  expect(body.input_errors).toEqual({
    isbn: "Invalid value for 'isbn': the given value already exists, and must be unique.",
  });
});

contract('Search terms are given under external names', async ({ request, save }) => {
  await save(Book, { title: 'Emma', inPrint: false });
  await save(Book, { title: 'Persuasion' });
  const { body } = await request().get('/library/books?in_print=false');
  expect(body.data).toMatchObject([{ title: 'Emma' }]);
  const refused = await request().get('/library/books?inPrint=false');
  expect([refused.status, refused.body.error]).toEqual([
    400,
    "Unknown parameter 'inPrint' in the query string",
  ]);
});

contract('A sort column given under its internal name is refused', async ({ request }) => {
  expect((await request().get('/library/books?sort=published_on')).status).toBe(200);
  const { status, body } = await request().get('/library/books?sort=publishedOn');
  expect([status, body.error]).toEqual([
    400,
    "'sort' must be one of: title, pages, price, published_on, author.name",
  ]);
});
