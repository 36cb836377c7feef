import { expect } from '@jest/globals';
import { Callable, tokenOf, type EndpointOrGroup } from '@nest-endpoints/core';
import { Injectable, Scope } from '@nestjs/common';
import { IsInt, IsString, Length, Max } from 'class-validator';
import { z } from 'zod';
import { clientError, expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Book, library } from '../support/entities/library.js';
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
    url: 'strict',
    querySchema: z.strictObject({ limit: z.coerce.number().max(10).default(3) }),
    toCall: ({ queryParameters: { limit } }) => counted({ limit }),
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
    modelClass: Book,
    url: 'pages/:pages',
    outputSchema: { type: 'object', properties: { pages: { type: 'integer' } } },
    transformInputTypes: true,
    toCall: ({ routingData, ...context }) => ({
      routingData,
      pages: (context as unknown as { pages: unknown }).pages,
    }),
  }),
];

const { contract } = service({
  entities: library,
  endpoints,
  providers: [Greetings, Counter, { provide: UNIT, useValue: 'metre' }],
});

const data = (body: unknown): unknown => (body as { data: unknown }).data;

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

contract(
  'What is wrong with a query string as a whole is the sentence of the answer',
  async ({ request }) => {
    calls = 0;
    expectAnswer(await request().get('/strict?radius=5'), 400, clientError('Unrecognized key: "radius"'));
    const both = await request().get('/strict?radius=5&limit=11');
    expect(Object.keys((both.body as { input_errors: object }).input_errors)).toEqual(['limit', '']);
    expect(calls).toBe(0);
  },
);

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
