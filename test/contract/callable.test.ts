import { expect } from '@jest/globals';
import { Callable, tokenOf, type EndpointOrGroup } from '@nest-endpoints/core';
import { BadRequestException, ConflictException, Injectable, Scope } from '@nestjs/common';
import { IsInt, IsString, Length, Max } from 'class-validator';
import { z } from 'zod';
import { clientError, expectAnswer, failure, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Author, Book, library } from '../support/entities/library.js';
import { Claims } from './claims.js';

@Injectable()
class Greetings {
  of(name: string): string {
    return `Hello ${name}`;
  }
}

@Injectable({ scope: Scope.REQUEST })
class Counter {
  static made = 0;
  readonly number = ++Counter.made;
}

const UNIT = 'unit of length';

class Place {
  @IsString()
  @Length(1, 10)
  name!: string;

  @IsInt()
  @Max(90)
  latitude!: number;

  shout(): string {
    return this.name.toUpperCase();
  }
}

const shape = z.object({
  name: z.string().max(5, 'at most 5'),
  tags: z.array(z.string()).default([]),
});

const near = z.object({ latitude: z.coerce.number().min(-90).max(90) });

let calls = 0;
const counted = <T>(value: T): T => {
  calls += 1;
  return value;
};

const readable = { modelClass: Book, readableColumnNames: ['title', 'pages', 'author.name'] } as const;

const endpoints: EndpointOrGroup[] = [
  new Callable({
    url: '/hello/:name',
    inject: { greetings: Greetings, counter: Counter, unit: tokenOf<string>(UNIT) },
    toCall: ({ name, greetings, counter, unit }) => ({
      text: greetings.of(name),
      isNumber: counter.number > 0,
      unit,
    }),
  }),
  new Callable({
    url: 'context/:id',
    requestMethods: ['GET', 'POST'],
    authentication: new Claims(),
    toCall: ({ requestData, routingData, queryParameters, authorizationData, requestHeaders, signal }) => ({
      requestData,
      routingData,
      queryParameters,
      authorizationData,
      agent: requestHeaders['user-agent'],
      aborted: signal.aborted,
    }),
  }),
  new Callable({
    url: 'dto',
    requestMethods: ['POST'],
    inputSchema: Place,
    toCall: ({ requestData }) =>
      counted({ shout: requestData.shout(), isPlace: requestData instanceof Place }),
  }),
  new Callable({
    url: 'zod',
    requestMethods: ['POST'],
    inputSchema: shape,
    toCall: ({ requestData: { name, tags } }) => counted({ name, tags }),
  }),
  new Callable({
    url: 'near/:latitude',
    pathSchema: near,
    querySchema: z.object({ limit: z.coerce.number().int().max(10).default(3) }),
    toCall: ({ latitude, queryParameters: { limit } }) => counted({ latitude, limit }),
  }),
  new Callable({
    url: 'columns',
    requestMethods: ['POST'],
    modelClass: Book,
    writeableColumnNames: ['title', 'pages'],
    inputValidationCallable: ({ requestData }): Record<string, string> =>
      requestData['title'] === 'forbidden' ? { title: 'not this one' } : {},
    toCall: ({ requestData }) => counted(requestData),
  }),
  new Callable({
    url: 'judged',
    requestMethods: ['GET', 'POST'],
    inputValidationCallable: ({ requestData }): Record<string, string> =>
      requestData['no'] === undefined ? {} : { no: 'no' },
    toCall: () => 'fine',
  }),
  new Callable({
    ...readable,
    url: 'pages/:pages',
    outputSchema: { type: 'object', properties: { pages: { type: 'integer' } } },
    transformInputTypes: true,
    toCall: ({ routingData, ...context }) => ({
      routingData,
      pages: (context as unknown as { pages: unknown }).pages,
    }),
  }),
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
    toCall: ({ em }) => em.find(Book, {}, { orderBy: { title: 1 } }),
  }),
  new Callable({
    ...readable,
    url: 'query',
    returnRecords: true,
    defaultLimit: 2,
    maximumLimit: 3,
    toCall: ({ em }) => em.createQueryBuilder(Book, 'b').where({ inPrint: true }).orderBy({ title: 'desc' }),
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
    outputMap: ({ record, entity }) => [record['title'], entity.pages],
    toCall: ({ em }) => em.find(Book, {}, { orderBy: { title: 1 } }),
  }),
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
];

const { contract } = service({
  entities: library,
  endpoints,
  root: { internalCasing: 'camelCase' },
  providers: [Greetings, Counter, { provide: UNIT, useValue: 'metre' }],
});

const data = (body: unknown): unknown => (body as { data: unknown }).data;

const threeBooks = async (save: (entity: typeof Book, values: never) => Promise<unknown>): Promise<void> => {
  for (const [title, pages] of [
    ['Emma', 474],
    ['Persuasion', 249],
    ['Sanditon', 80],
  ] as const)
    await save(Book, { title, pages, inPrint: true } as never);
};

contract('The function gets path parameters and injected providers by name', async ({ request }) => {
  const { body } = await request().get('/hello/Ada%20L');
  expect(body).toEqual(success({ text: 'Hello Ada L', isNumber: true, unit: 'metre' }));
});

contract('The function gets every named dependency that it asks for', async ({ request }) => {
  const claims = JSON.stringify({ sub: 'ada' });
  const asked = request().post('/context/7?a=1').set('X-Claims', claims).set('User-Agent', 'test');
  const { body } = await asked.send({ any: { thing: true } });
  expect(body).toEqual(
    success({
      requestData: { any: { thing: true } },
      routingData: { id: '7' },
      queryParameters: { a: '1' },
      authorizationData: { sub: 'ada' },
      agent: 'test',
      aborted: false,
    }),
  );
});

contract('Without input rules and without a body, request_data is null', async ({ request }) => {
  const { body } = await request().get('/context/7').set('X-Claims', '{}');
  expect(data(body)).toMatchObject({ requestData: null });
});

contract('Without input rules a bad body is refused all the same', async ({ request }) => {
  const asked = request().post('/context/7').set('X-Claims', '{}').set('Content-Type', 'application/json');
  expectAnswer(await asked.send('{"a":'), 400, clientError('The request body is not valid JSON'));
});

contract('A class-validator class as inputSchema: the function gets an instance', async ({ request }) => {
  const { body } = await request().post('/dto').send({ name: 'Rome', latitude: 41 });
  expect(body).toEqual(success({ shout: 'ROME', isPlace: true }));
});

contract('A class-validator class as inputSchema: its issues are input errors', async ({ request }) => {
  calls = 0;
  const { status, body } = await request()
    .post('/dto')
    .send({ name: '', latitude: 91, extra: 1, ['constructor']: 2 });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    status: 'input_errors',
    input_errors: {
      name: expect.stringContaining('name') as unknown,
      latitude: expect.stringContaining('90') as unknown,
      extra: 'Input column extra is not an allowed input column.',
      constructor: 'Input column constructor is not an allowed input column.',
    },
  });
  expect(calls).toBe(0);
});

contract(
  'A Standard Schema as inputSchema: the function gets what it was parsed into',
  async ({ request }) => {
    expect((await request().post('/zod').send({ name: 'abc', odd: 1 })).body).toEqual(
      success({ name: 'abc', tags: [] }),
    );
  },
);

contract('A Standard Schema as inputSchema: its issues are input errors', async ({ request }) => {
  calls = 0;
  const answer = await request()
    .post('/zod')
    .send({ name: 'abcdef', tags: ['a', 1] });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    status: 'input_errors',
    input_errors: { name: 'at most 5', 'tags.1': expect.any(String) as unknown },
  });
  expect(calls).toBe(0);
});

contract('With inputSchema a body is required', async ({ request }) => {
  expectAnswer(await request().post('/zod'), 400, clientError('A JSON body is required'));
  expectAnswer(await request().post('/dto'), 400, clientError('A JSON body is required'));
});

contract('Path and query schemas give typed values, and refuse with input errors', async ({ request }) => {
  expect((await request().get('/near/41.9?limit=5')).body).toEqual(success({ latitude: 41.9, limit: 5 }));
  expect((await request().get('/near/41.9')).body).toEqual(success({ latitude: 41.9, limit: 3 }));
  calls = 0;
  const { status, body } = await request().get('/near/91?limit=x');
  expect(status).toBe(400);
  expect(Object.keys((body as { input_errors: object }).input_errors)).toEqual(['latitude', 'limit']);
  expect(calls).toBe(0);
});

contract('With writeable columns the body is required and judged by the model', async ({ request }) => {
  expectAnswer(await request().post('/columns'), 400, clientError('A JSON body is required'));
  calls = 0;
  const answer = await request().post('/columns').send({ pages: 'x', other: 1 });
  expect(answer.body).toMatchObject({
    input_errors: {
      title: "'title' is required.",
      pages: 'value should be an integer',
      other: 'Input column other is not an allowed input column.',
    },
  });
  expect(calls).toBe(0);
  expect((await request().post('/columns').send({ title: 'Emma', pages: 4 })).body).toEqual(
    success({ title: 'Emma', pages: 4 }),
  );
});

contract(
  'A non-empty map from the validation callable is the answer; an empty one continues',
  async ({ request }) => {
    expectAnswer(
      await request().post('/columns').send({ title: 'forbidden' }),
      400,
      inputErrors({ title: 'not this one' }),
    );
    expectAnswer(await request().post('/judged').send({ no: 1 }), 400, inputErrors({ no: 'no' }));
    expectAnswer(await request().get('/judged'), 200, success('fine'));
  },
);

contract('With transform_input_types a path value of a column is forced, or refused', async ({ request }) => {
  expect(data((await request().get('/pages/12')).body)).toEqual({ routingData: { pages: '12' }, pages: 12 });
  expectAnswer(await request().get('/pages/many'), 400, inputErrors({ pages: 'value should be an integer' }));
});

contract('A returned model instance shows its readable columns, its unsaved changes too', async (subject) => {
  const { id } = await subject.save(Author, { name: 'Jane Austen' } as never);
  await subject.save(Book, { title: 'Emma', pages: 474, author: id } as never);
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

contract('A returned list of instances shows the readable columns of each', async ({ request, save }) => {
  await threeBooks(save as never);
  expect((await request().get('/many')).body).toEqual(
    success([
      { title: 'Emma', pages: 474, author: null },
      { title: 'Persuasion', pages: 249, author: null },
      { title: 'Sanditon', pages: 80, author: null },
    ]),
  );
});

contract('A returned query is paged with the list defaults, in its own order', async ({ request, save }) => {
  await threeBooks(save as never);
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

contract('outputMap replaces the conversion of returned instances', async ({ request, save }) => {
  await threeBooks(save as never);
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
