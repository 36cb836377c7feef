import { expect } from '@jest/globals';
import {
  Callable,
  EndpointGroup,
  HealthCheck,
  List,
  PlainAnswers,
  StandardAnswers,
} from '@nest-endpoints/core';
import { HttpException } from '@nestjs/common';
import { clientError, expectAnswer, inputErrors, problem, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';

const titles = { readableColumnNames: ['title', 'pages'] } as const;

const { contract } = service(
  libraryWith(
    [
      new HealthCheck({ url: 'health' }),
      new Callable({ url: 'data', toCall: () => ({ aB: [1, null] }) }),
      new Callable({ url: 'nothing', toCall: () => null }),
      new Callable({ url: 'raw', returnStandardResponse: false, toCall: () => 'é' }),
      new Callable({
        url: 'found',
        modelClass: Author,
        readableColumnNames: ['name'],
        returnRecords: true,
        toCall: ({ em }) => em.createQueryBuilder(Author, 'a').orderBy({ name: 'asc' }),
      }),
      new Callable({
        url: 'thrown/accepted',
        toCall: () => Promise.reject(new HttpException({ id: 7 }, 202)),
      }),
      books({ ...titles, idColumnName: 'isbn' }),
      authors(),
      new EndpointGroup({
        url: 'title',
        externalCasing: 'TitleCase',
        endpoints: [books({ readableColumnNames: ['title', 'inPrint'] })],
      }),
      new EndpointGroup({
        url: 'standard',
        answers: new StandardAnswers(),
        endpoints: [
          books(titles),
          new List({
            url: 'plain',
            modelClass: Book,
            readableColumnNames: ['title'],
            sortableColumnNames: ['title'],
            defaultSortColumnName: 'title',
            answers: new PlainAnswers(),
          }),
        ],
      }),
    ],
    { root: { answers: new PlainAnswers() } },
  ),
);

const json = 'application/json; charset=UTF-8';
const problems = 'application/problem+json; charset=UTF-8';

contract('A record is answered as it is, without an envelope', async ({ request, save }) => {
  await save(Book, { isbn: '1', title: 'Emma', pages: 474 });
  const answer = await request().get('/books/1');
  expectAnswer(answer, 200, { title: 'Emma', pages: 474 });
  expect(answer.headers['content-type']).toBe(json);
  expectAnswer(await request().patch('/books/1').send({ pages: 5 }), 200, { title: 'Emma', pages: 5 });
  expectAnswer(await request().post('/books').send({ title: 'Persuasion' }), 201, {
    title: 'Persuasion',
    pages: null,
  });
});

contract(
  'Delete and HealthCheck answer an empty object, a Callable what its function gives',
  async (subject) => {
    const { request, save, raw } = subject;
    await save(Book, { isbn: '1', title: 'Emma' });
    expectAnswer(await request().delete('/books/1'), 200, {});
    expectAnswer(await request().get('/health'), 200, {});
    expectAnswer(await request().get('/data'), 200, { aB: [1, null] });
    expect((await request().get('/nothing')).text).toBe('null');
    expectAnswer(await request().get('/thrown/accepted'), 202, { id: 7 });
    const { text, headers } = await raw('GET', '/raw');
    expect([text, headers['content-type']]).toEqual(['é', 'text/plain; charset=UTF-8']);
  },
);

contract('A list is answered as a list, with the total in X-Total-Count', async ({ request, save }) => {
  for (const title of ['Emma', 'Persuasion', 'Sanditon']) await save(Book, { title });
  const answer = await request().get('/books?limit=2');
  expectAnswer(answer, 200, [
    { title: 'Emma', pages: null },
    { title: 'Persuasion', pages: null },
  ] as object);
  expect(answer.headers['x-total-count']).toBe('3');
  expectAnswer(await request().get('/books?title=nothing'), 200, [] as object);
});

contract('What a query of a Callable finds is paged likewise', async ({ request, save }) => {
  for (const name of ['Austen', 'Brontë', 'Eliot']) await save(Author, { name });
  const { body, headers } = await request().get('/found?limit=2');
  expect(body).toEqual([{ name: 'Austen' }, { name: 'Brontë' }]);
  expect([headers['x-total-count'], headers['link']]).toEqual([
    '3',
    '</found?limit=2>; rel="first", </found?limit=2&start=2>; rel="next"',
  ]);
});

contract('A path that nobody answers is refused as the group does that it is below', async ({ request }) => {
  expectAnswer(await request().get('/standard/nowhere'), 404, clientError('Not Found'));
  expectAnswer(await request().put('/books'), 404, problem(404, 'Not Found'));
});

contract(
  'Members of a group answer as it says, unless they say something else',
  async ({ request, save }) => {
    await save(Book, { title: 'Emma', pages: 1 });
    const { body } = await request().get('/standard/books');
    expect(body).toEqual(
      success([{ title: 'Emma', pages: 1 }], { number_results: 1, limit: 50, next_page: {} }),
    );
    expectAnswer(
      await request().post('/standard/books').send({}),
      400,
      inputErrors({ title: "'title' is required." }),
    );
    expectAnswer(await request().get('/standard/plain'), 200, [{ title: 'Emma' }] as object);
  },
);

contract('HEAD has the headers of GET, and no body', async ({ request, save }) => {
  for (const title of ['Emma', 'Persuasion']) await save(Book, { title });
  const get = await request().get('/books?limit=1');
  const head = await request().head('/books?limit=1');
  expect(head.text).toBeFalsy();
  for (const name of ['link', 'x-total-count', 'content-type'])
    expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  const missing = await request().head('/books/7');
  expect([missing.status, missing.headers['content-type']]).toEqual([404, problems]);
});

contract(
  'Casing is that of the data; members of problem details are called as the RFC has them',
  async (subject) => {
    const { request, save } = subject;
    await save(Book, { title: 'Emma' });
    expectAnswer(await request().get('/title/books'), 200, [{ Title: 'Emma', InPrint: true }] as object);
    expectAnswer(await request().post('/title/books').send({ Pages: 'x' }), 400, {
      ...problem(400, 'Bad Request'),
      errors: { '/Title': "'Title' is required.", '/Pages': 'value should be an integer' },
    });
  },
);
