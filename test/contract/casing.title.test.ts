import { expect } from '@jest/globals';
import { Create, Delete, EndpointGroup, Get, List, Update } from '@nest-endpoints/core';
import { expectAnswer } from '../support/answers.js';
import { service, type Contract } from '../support/contract.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Author, Book, Country } from '../support/entities/library.js';

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;

const titleCase = new EndpointGroup({
  url: 'title',
  externalCasing: 'TitleCase',
  endpoints: [
    books(),
    authors(),
    new List({
      ...titles,
      url: 'broken',
      sortableColumnNames: ['title'],
      defaultSortColumnName: 'title',
      outputMap: () => {
        throw new Error('a secret');
      },
    }),
    new Create({
      ...titles,
      url: 'by/:authorId',
      readableColumnNames: ['authorId'],
      writeableColumnNames: ['title', 'authorId'],
      includeRoutingDataInRequestData: true,
      inputValidationCallable: ({ requestData }) =>
        requestData['title'] === 'Emma' ? {} : { inPrint: 'no' },
    }),
    new Update({
      url: 'forced/:id',
      modelClass: Author,
      readableColumnNames: ['name'],
      writeableColumnNames: ['name', 'countryCode'],
      transformInputTypes: true,
    }),
    new Get({
      ...titles,
      url: 'mapped/:id',
      outputMap: ({ record }) => ({ ...record, snake_key: 1, camelKey: { deep_key: 2 } }),
    }),
    new Delete({ url: 'removed/:id', modelClass: Book }),
  ],
});

const { contract } = service(libraryWith([titleCase]));

type Save = Parameters<Parameters<Contract>[1]>[0]['save'];

const saveEmma = async (save: Save) => {
  const country = await save(Country, { code: 'GB', name: 'Great Britain' });
  const author = await save(Author, { name: 'Jane Austen', country });
  return save(Book, { title: 'Emma', author, publishedOn: '1815-12-23' });
};

const titled = (status: string, error = '', errors: object = {}) => ({
  Status: status,
  Error: error,
  Data: [],
  Pagination: {},
  InputErrors: errors,
});

contract(
  'With external casing TitleCase the envelope keys are Status, Error, Data, Pagination and InputErrors',
  async ({ request }) => {
    const keys = ['Status', 'Error', 'Data', 'Pagination', 'InputErrors'];
    const answers = [await request().get('/title/books'), await request().get('/title/books/unknown')];
    expect(answers.map(({ body }) => Object.keys(body))).toEqual([keys, keys]);
  },
);

contract('With external casing TitleCase the keys of a record are converted', async ({ request, save }) => {
  const { id } = await saveEmma(save);
  const { body } = await request().get(`/title/books/${id}`);
  expect(body.Data).toMatchObject({ Id: id, InPrint: true, PublishedOn: '1815-12-23', RemindAt: null });
});

contract(
  'With external casing TitleCase the keys of a nested record are converted',
  async ({ request, save }) => {
    const { id } = await saveEmma(save);
    const { body } = await request().get(`/title/books/${id}`);
    expect(body.Data.Author).toEqual({ Name: 'Jane Austen', Country: { Name: 'Great Britain' } });
  },
);

contract('With external casing TitleCase the status word is capitalised', async ({ request, save }) => {
  const { id } = await saveEmma(save);
  const body = { Status: 'Success', Error: '', Data: {}, Pagination: {}, InputErrors: {} };
  expectAnswer(await request().delete(`/title/removed/${id}`), 200, body);
});

contract(
  'With external casing TitleCase the status word of failed validation is InputErrors',
  async ({ request }) => {
    const messages = { Title: "'Title' is required.", InPrint: 'value should be a boolean' };
    const answer = await request().post('/title/books').send({ InPrint: 1 });
    expectAnswer(answer, 400, titled('InputErrors', '', messages));
  },
);

contract(
  'With external casing TitleCase the status word of a refusal is ClientError',
  async ({ request }) => {
    const missing = await request().post('/title/books');
    expectAnswer(await request().get('/title/nowhere'), 404, titled('ClientError', 'Not Found'));
    expectAnswer(missing, 400, titled('ClientError', 'A JSON body is required'));
  },
);

contract(
  'With external casing TitleCase the status word of a failure is Failure',
  async ({ request, save }) => {
    await saveEmma(save);
    const answer = await request().get('/title/broken');
    expectAnswer(answer, 500, { ...titled('Failure', 'Internal Server Error'), Data: {} });
  },
);

const savePair = async (save: Save) => {
  await save(Book, { title: 'Emma', pages: 474, publishedOn: '1815-12-23' });
  await save(Book, { title: 'Persuasion', pages: 249, publishedOn: '1817-12-20' });
};
const titlesOf = (list: { Title: string }[]) => list.map(({ Title }) => Title).join();

contract(
  'With external casing TitleCase the keys of pagination and next_page are converted',
  async ({ request, save }) => {
    await savePair(save);
    const { body } = await request().get('/title/books?Limit=1');
    expect(body.Pagination).toEqual({ NumberResults: 2, Limit: 1, NextPage: { Start: 1 } });
  },
);

contract(
  'With external casing TitleCase Sort, Direction, Limit and Start control a list',
  async ({ request, save }) => {
    await savePair(save);
    const sorted = await request().get('/title/books?Sort=Pages&Direction=desc');
    const paged = await request().get('/title/books?Limit=1&Start=1');
    expect([titlesOf(sorted.body.Data), titlesOf(paged.body.Data)]).toEqual([
      'Emma,Persuasion',
      'Persuasion',
    ]);
  },
);

contract(
  'With external casing TitleCase the lower-case control words stay accepted',
  async ({ request, save }) => {
    await savePair(save);
    const sorted = await request().get('/title/books?sort=Pages&direction=desc');
    const paged = await request().get('/title/books?limit=1&start=1');
    expect([titlesOf(sorted.body.Data), titlesOf(paged.body.Data)]).toEqual([
      'Emma,Persuasion',
      'Persuasion',
    ]);
  },
);

contract('A control word given in both spellings is refused', async ({ request }) => {
  const { status, body } = await request().get('/title/books?Limit=1&limit=2');
  expect([status, body.Status, body.Error]).toEqual([400, 'ClientError', expect.stringMatching(/limit/i)]);
});

contract(
  'With external casing TitleCase other spellings of a control word are unknown',
  async ({ request }) => {
    const { status, body } = await request().get('/title/books?LIMIT=1');
    expect([status, body.Error]).toEqual([400, "Unknown parameter 'LIMIT' in the query string"]);
  },
);

contract(
  'With external casing TitleCase the column names in sort are external names',
  async ({ request, save }) => {
    await savePair(save);
    const { body } = await request().get('/title/books?Sort=PublishedOn&Direction=DESC');
    expect(titlesOf(body.Data)).toBe('Persuasion,Emma');
    expect((await request().get('/title/books?Sort=Author.Name')).status).toBe(200);
    const refused = await request().get('/title/books?Sort=publishedOn');
    expect([refused.status, refused.body.Error]).toEqual([
      400,
      expect.stringContaining('Title, Pages, Price, PublishedOn, Author.Name'),
    ]);
  },
);

contract(
  'With external casing TitleCase the keys of input_errors are external names',
  async ({ request, save }) => {
    const { id } = await save(Author, { name: 'Jane Austen' });
    const created = await request().post('/title/by/x').send({ Title: 'Emma' });
    const custom = await request().post(`/title/by/${id}`).send({ Title: 'x' });
    const term = await request().get('/title/books?InPrint=maybe&Author.Name=x');
    const path = await request().patch('/title/forced/x').send({ Name: 'y' });
    expect(created.body.InputErrors).toEqual({ AuthorId: 'value should be an integer' });
    expect(custom.body.InputErrors).toEqual({ InPrint: 'no' });
    expect(term.body.InputErrors).toEqual({ InPrint: 'value should be a boolean' });
    expect(path.body.InputErrors).toEqual({ Id: 'value should be an integer' });
  },
);

contract(
  'With external casing TitleCase a Unique message names the column as the client does',
  async ({ request, save }) => {
    await save(Book, { title: 'Emma', isbn: '42' });
    const answer = await request().post('/title/books').send({ Title: 'Emma', Isbn: '42' });
    const message = "Invalid value for 'Isbn': the given value already exists, and must be unique.";
    expectAnswer(answer, 400, titled('InputErrors', '', { Isbn: message }));
  },
);

contract(
  'With external casing TitleCase a path of a related model is searched by its external names',
  async ({ request, save }) => {
    const { author } = await saveEmma(save);
    await savePair(save);
    const byName = await request().get('/title/books?Author.Name=Jane%20Austen&InPrint=true');
    const byKey = await request().get('/title/books').query({ AuthorId: author?.id });
    expect([titlesOf(byName.body.Data), titlesOf(byKey.body.Data)]).toEqual(['Emma', 'Emma']);
    expect((await request().get('/title/books?author.name=x')).status).toBe(400);
  },
);

contract(
  'With external casing TitleCase a body is written under external names',
  async ({ request, em, save }) => {
    const { id } = await saveEmma(save);
    const { status, body } = await request()
      .patch(`/title/books/${id}`)
      .send({ PublishedOn: null, InPrint: false });
    expect([status, body.Data.PublishedOn, body.Data.InPrint]).toEqual([200, null, false]);
    expect(await em().findAll(Book)).toMatchObject([{ publishedOn: null, inPrint: false }]);
  },
);

contract(
  'With external casing TitleCase the result of output_map is not cased',
  async ({ request, save }) => {
    const { id } = await saveEmma(save);
    const { body } = await request().get(`/title/mapped/${id}`);
    expect(body).toMatchObject({
      Status: 'Success',
      Data: { title: 'Emma', snake_key: 1, camelKey: { deep_key: 2 } },
    });
  },
);
