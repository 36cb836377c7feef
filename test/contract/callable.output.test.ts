import { expect } from '@jest/globals';
import { QueryOrder } from '@mikro-orm/core';
import { Callable } from '@nest-endpoints/core';
import { BadRequestException, ConflictException } from '@nestjs/common';
import { clientError, expectAnswer, failure, success } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Author, Book, library } from '../support/entities/library.js';

const readable = { modelClass: Book, readableColumnNames: ['title', 'pages', 'author.name'] } as const;

const { contract } = service({
  entities: library,
  endpoints: [
    new Callable({ ...readable, url: 'one', toCall: ({ em }) => em.findOneOrFail(Book, { title: 'Emma' }) }),
    new Callable({
      ...readable,
      url: 'changed',
      toCall: async ({ em }) => Object.assign(await em.findOneOrFail(Book, { title: 'Emma' }), { pages: 7 }),
    }),
    new Callable({
      ...readable,
      url: 'many',
      returnRecords: true,
      toCall: ({ em }) => em.find(Book, {}, { orderBy: { title: QueryOrder.ASC } }),
    }),
    new Callable({
      ...readable,
      url: 'query',
      returnRecords: true,
      defaultLimit: 2,
      maximumLimit: 3,
      toCall: ({ em }) =>
        em.createQueryBuilder(Book, 'b').where({ inPrint: true }).orderBy({ title: 'desc' }),
    }),
    new Callable({
      ...readable,
      url: 'wrapped-query',
      returnRecords: true,
      toCall: ({ em }) => ({ query: em.createQueryBuilder(Book).orderBy({ title: 'asc' }) }),
    }),
    new Callable({
      ...readable,
      url: 'mapped',
      outputMap: ({ record, entity }) => [record.title, entity.pages],
      toCall: ({ em }) => em.find(Book, {}, { orderBy: { title: QueryOrder.ASC } }),
    }),
    new Callable({
      ...readable,
      url: 'mixed',
      returnStandardResponse: false,
      toCall: async ({ em }) => [await em.findOneOrFail(Book, { title: 'Emma' }), null, { plain: true }],
    }),
    ...[{}, { returnStandardResponse: false }].flatMap((form, index) => [
      new Callable({
        ...form,
        url: `unnamed/one/${index}`,
        modelClass: Book,
        toCall: ({ em }) => em.findOneOrFail(Book, { title: 'Emma' }),
      }),
      new Callable({
        ...form,
        url: `unnamed/many/${index}`,
        modelClass: Book,
        toCall: async ({ em }) => [null, ...(await em.find(Book, {}))],
      }),
      new Callable({
        ...form,
        url: `unnamed/query/${index}`,
        modelClass: Book,
        toCall: ({ em }) => em.createQueryBuilder(Book),
      }),
      new Callable({
        ...form,
        ...readable,
        url: `unnamed/other/${index}`,
        toCall: ({ em }) => em.findOneOrFail(Author, { name: 'Jane Austen' }),
      }),
    ]),
    new Callable({
      url: 'unnamed/stream',
      modelClass: Book,
      returnStandardResponse: false,
      toCall: async function* ({ em }) {
        yield* await em.find(Book, {});
      },
    }),
    new Callable({
      modelClass: Book,
      url: 'unnamed/mapped',
      outputMap: ({ entity }) => ({ name: entity.title }),
      toCall: ({ em }) => em.findOneOrFail(Book, { title: 'Emma' }),
    }),
    new Callable({ modelClass: Book, url: 'unnamed/plain', toCall: () => ({ pages: 3 }) }),
    new Callable({ url: 'nothing', toCall: () => null }),
    new Callable({ url: 'void', toCall: () => undefined }),
    new Callable({ url: 'conflict', toCall: () => Promise.reject(new ConflictException('taken')) }),
    new Callable({
      url: 'bad',
      toCall: () => {
        throw new BadRequestException('not so');
      },
    }),
    new Callable({
      url: 'broken',
      toCall: () => {
        throw new Error('secret reason');
      },
    }),
    new Callable({ url: 'bigint', toCall: () => ({ n: 1n }) }),
    new Callable({
      url: 'cycle',
      toCall: () => {
        const cycle: Record<string, unknown> = {};
        cycle['self'] = cycle;
        return cycle;
      },
    }),
    new Callable({ url: 'symbol', toCall: () => Symbol('x') }),
    new Callable({ url: 'raw/text', returnStandardResponse: false, toCall: () => 'plain words' }),
    new Callable({ url: 'raw/json', returnStandardResponse: false, toCall: () => ({ a: [1, null] }) }),
    new Callable({
      url: 'raw/csv',
      returnStandardResponse: false,
      responseHeaders: ['Content-Type: text/csv', 'X-Kind: raw'],
      toCall: () => 'a,b\n',
    }),
    new Callable({
      url: 'raw/response',
      returnStandardResponse: false,
      toCall: () => new Response('teapot', { status: 418, headers: { 'X-Tea': 'green' } }),
    }),
    new Callable({
      ...readable,
      url: 'raw/one',
      returnStandardResponse: false,
      toCall: ({ em }) => em.findOne(Book, { title: 'Emma' }),
    }),
    new Callable({
      url: 'raw/broken',
      returnStandardResponse: false,
      toCall: () => Promise.reject(new Error('x')),
    }),
  ],
});

const data = (body: unknown): unknown => (body as { data: unknown }).data;

const threeBooks = async ({ save }: Subject): Promise<void> => {
  for (const [title, pages] of [
    ['Emma', 474],
    ['Persuasion', 249],
    ['Sanditon', 80],
  ] as const)
    await save(Book, { title, pages });
};

contract('A returned model instance shows its readable columns, its unsaved changes too', async (subject) => {
  const { id } = await subject.save(Author, { name: 'Jane Austen' });
  await subject.save(Book, { title: 'Emma', pages: 474, author: id });
  const { request } = subject;
  expect((await request().get('/one')).body).toEqual(
    success({ title: 'Emma', pages: 474, author: { name: 'Jane Austen' } }),
  );
  expect(data((await request().get('/changed')).body)).toMatchObject({ pages: 7 });
  expect((await request().get('/raw/one')).body).toEqual({
    title: 'Emma',
    pages: 474,
    author: { name: 'Jane Austen' },
  });
});

contract('A returned list of instances shows the readable columns of each', async (subject) => {
  await threeBooks(subject);
  const { request } = subject;
  expect((await request().get('/many')).body).toEqual(
    success([
      { title: 'Emma', pages: 474, author: null },
      { title: 'Persuasion', pages: 249, author: null },
      { title: 'Sanditon', pages: 80, author: null },
    ]),
  );
});

contract('A list shows the readable columns of instances, whatever stands beside them', async (subject) => {
  await threeBooks(subject);
  expect((await subject.request().get('/mixed')).body).toEqual([
    { title: 'Emma', pages: 474, author: null },
    null,
    { plain: true },
  ]);
});

contract('An instance without named columns is a failure, and shows nothing', async (subject) => {
  const { id } = await subject.save(Author, { name: 'Jane Austen' });
  await subject.save(Book, { title: 'Emma', author: id });
  const { request, log } = subject;
  const paths = ['one', 'many', 'query', 'other'].flatMap((kind) => [0, 1].map((form) => `${kind}/${form}`));
  for (const path of [...paths, 'stream'])
    expectAnswer(await request().get(`/unnamed/${path}`), 500, failure('Internal Server Error'));
  expect(log.text('error')).toContain('toCall gives a Book, of which readableColumnNames must say');
  expect((await request().get('/unnamed/mapped')).body).toEqual(success({ name: 'Emma' }));
  expect((await request().get('/unnamed/plain')).body).toEqual(success({ pages: 3 }));
});

contract('A returned query is paged with the list defaults, in its own order', async (subject) => {
  await threeBooks(subject);
  const { request } = subject;
  const first = await request().get('/query');
  expect(first.body).toMatchObject({
    data: [{ title: 'Sanditon' }, { title: 'Persuasion' }],
    pagination: { number_results: 3, limit: 2, next_page: { start: 2 } },
  });
  expect((await request().get('/query?start=2')).body).toMatchObject({
    data: [{ title: 'Emma' }],
    pagination: { number_results: 3, limit: 2, next_page: {} },
  });
  expectAnswer(await request().get('/query?limit=4'), 400, clientError("'limit' must be between 1 and 3"));
  expect((await request().get('/wrapped-query?limit=1')).body).toMatchObject({
    data: [{ title: 'Emma' }],
    pagination: { number_results: 3 },
  });
});

contract('outputMap replaces the conversion of returned instances', async (subject) => {
  await threeBooks(subject);
  const { request } = subject;
  expect(data((await request().get('/mapped')).body)).toEqual([
    ['Emma', 474],
    ['Persuasion', 249],
    ['Sanditon', 80],
  ]);
});

contract('Returned null or nothing gives data null', async ({ request }) => {
  expectAnswer(await request().get('/nothing'), 200, success(null));
  expectAnswer(await request().get('/void'), 200, success(null));
});

contract('A thrown HttpException keeps its status inside the envelope', async ({ request }) => {
  expectAnswer(await request().get('/conflict'), 409, clientError('taken'));
  expectAnswer(await request().get('/bad'), 400, clientError('not so'));
});

contract('Any other exception is a failure that is logged, not shown', async ({ request, log }) => {
  for (const path of ['/broken', '/raw/broken'])
    expectAnswer(await request().get(path), 500, failure('Internal Server Error'));
  expect(log.text('error')).toContain('secret reason');
});

contract('What JSON cannot say is a failure', async ({ request }) => {
  for (const path of ['/bigint', '/cycle', '/symbol'])
    expectAnswer(await request().get(path), 500, failure('Internal Server Error'));
});

contract('With return_standard_response false the value is the whole body', async ({ request }) => {
  const text = await request().get('/raw/text');
  expect([text.text, text.headers['content-type']]).toEqual(['plain words', 'text/plain; charset=UTF-8']);
  const json = await request().get('/raw/json');
  expect([json.text, json.headers['content-type']]).toEqual([
    '{"a":[1,null]}',
    'application/json; charset=UTF-8',
  ]);
});

contract('Response headers stand on raw answers too, the content type among them', async ({ request }) => {
  const { text, headers } = await request().get('/raw/csv').buffer(true);
  expect([text, headers['content-type'], headers['x-kind']]).toEqual(['a,b\n', 'text/csv', 'raw']);
});

contract('A returned Response is sent as it is', async ({ request }) => {
  const { status, text, headers } = await request().get('/raw/response');
  expect([status, text, headers['x-tea']]).toEqual([418, 'teapot', 'green']);
});
