import { expect } from '@jest/globals';
import {
  Callable,
  Conflict,
  HealthCheck,
  NotAuthorized,
  PlainAnswers,
  SimpleSearch,
  type InputSchemaSource,
} from '@nest-endpoints/core';
import { HttpException } from '@nestjs/common';
import { expectAnswer, problem } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { RefusingGuard } from '../support/enhancers.js';
import { Book } from '../support/entities/library.js';
import { hostileClient } from '../support/hostile.client.js';
import { Claims } from './claims.js';

const titles = { readableColumnNames: ['title', 'pages'] } as const;

const thrown = (url: string, make: () => Error) =>
  new Callable({ url: `thrown/${url}`, toCall: () => Promise.reject(make()) });

/** A Standard Schema that refuses a member of a member, an item of a list, and the whole. */
const refusing: InputSchemaSource = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: () => ({
      issues: [
        { message: 'is no street', path: ['address', 'street'] },
        { message: 'is no tag', path: ['tags', { key: 2 }] },
        { message: 'is not right' },
      ],
    }),
  },
};

const { contract } = service(
  libraryWith(
    [
      new HealthCheck({
        url: 'ill',
        callables: [
          () => {
            throw new Error('a secret');
          },
        ],
      }),
      new Callable({
        url: 'judged',
        requestMethods: ['POST'],
        inputSchema: refusing,
        toCall: ({ requestData }) => requestData,
      }),
      new SimpleSearch({
        url: 'by-author',
        modelClass: Book,
        readableColumnNames: ['title'],
        sortableColumnNames: ['title'],
        searchableColumnNames: ['author.id'],
        defaultSortColumnName: 'title',
      }),
      new Callable({ url: 'closed', authentication: new Claims(), toCall: () => 'open' }),
      new Callable({ url: 'guarded', guards: [RefusingGuard], toCall: () => 'open' }),
      new Callable({ url: 'slow', timeout: 50, toCall: () => new Promise(() => undefined) }),
      thrown('forbidden', () => new NotAuthorized()),
      thrown('conflict', () => new Conflict('Somebody was quicker')),
      thrown('teapot', () => new HttpException('short and stout', 418)),
      thrown('unknown', () => new HttpException('nobody knows', 499)),
      thrown('defect', () => new Error('a secret')),
      books({ ...titles, idColumnName: 'isbn' }),
    ],
    { root: { answers: new PlainAnswers(), bodyLimit: 2000, maximumJsonDepth: 5 } },
  ),
);

const problems = 'application/problem+json; charset=UTF-8';

contract('A refusal is problem details', async ({ request, raw }) => {
  const answer = await request().get('/books/7');
  expectAnswer(answer, 404, problem(404, 'Not Found'));
  expect(answer.headers['content-type']).toBe(problems);
  expect(answer.text).toBe('{"type":"about:blank","title":"Not Found","status":404}');
  expectAnswer(await request().get('/nowhere'), 404, problem(404, 'Not Found'));
  expectAnswer(
    await request().get('/books?limit=0'),
    400,
    problem(400, 'Bad Request', "'limit' must be between 1 and 200"),
  );
  expectAnswer(
    await raw('GET', '/books?%zz'),
    400,
    problem(400, 'Bad Request', 'The query string is not valid percent-encoded UTF-8'),
  );
  expectAnswer(await request().get('/thrown/forbidden'), 403, problem(403, 'Forbidden', 'Not Authorized'));
  expectAnswer(
    await request().get('/thrown/conflict'),
    409,
    problem(409, 'Conflict', 'Somebody was quicker'),
  );
});

contract('An HttpException keeps its status, with its message as the detail', async ({ request }) => {
  expectAnswer(await request().get('/thrown/teapot'), 418, problem(418, "I'm a Teapot", 'short and stout'));
  expectAnswer(await request().get('/thrown/unknown'), 499, problem(499, 'Error', 'nobody knows'));
});

contract('A body that cannot be read is problem details', async ({ raw }) => {
  const send = (body: string, type = 'application/json') =>
    raw('POST', '/books', { body, headers: { 'Content-Type': type } });
  expectAnswer(await send('{'), 400, problem(400, 'Bad Request', 'The request body is not valid JSON'));
  expectAnswer(
    await send('a', 'text/plain'),
    415,
    problem(415, 'Unsupported Media Type', 'The content type of the request body must be application/json'),
  );
  expectAnswer(
    await send(`"${'x'.repeat(3000)}"`),
    413,
    problem(413, 'Payload Too Large', 'The request body must not be larger than 2000 bytes'),
  );
  expectAnswer(
    await send('{"title":[[[[[[]]]]]]}'),
    400,
    problem(400, 'Bad Request', 'The request body must not be nested deeper than 5 levels'),
  );
});

contract('A fault of the service tells nothing but its status', async ({ request }) => {
  expectAnswer(await request().get('/thrown/defect'), 500, problem(500, 'Internal Server Error'));
  expectAnswer(await request().get('/ill'), 500, problem(500, 'Internal Server Error'));
});

contract('Input errors are keyed by JSON pointer in errors', async ({ request }) => {
  const { status, body, headers } = await request().post('/books').send({ pages: 'many', 'a/b~c.d': 1 });
  expect([status, headers['content-type']]).toEqual([400, problems]);
  expect(body).toEqual({
    ...problem(400, 'Bad Request'),
    errors: {
      '/title': "'title' is required.",
      '/pages': 'value should be an integer',
      '/a~1b~0c.d': 'Input column a/b~c.d is not an allowed input column.',
    },
  });
});

contract('A pointer leads into members of members, and is empty for the whole', async ({ request }) => {
  expectAnswer(await request().post('/judged').send({}), 400, {
    ...problem(400, 'Bad Request'),
    errors: { '/address/street': 'is no street', '/tags/2': 'is no tag', '': 'is not right' },
  });
});

contract('A search term that leads to another record is one member all the same', async ({ request }) => {
  for (const answer of [
    await request().get('/by-author?author.id=x'),
    await request().post('/by-author').send({ 'author.id': 'x' }),
  ])
    expectAnswer(answer, 400, {
      ...problem(400, 'Bad Request'),
      errors: { '/author.id': 'value should be an integer' },
    });
});

contract(
  'A client cannot make the service leave plain answers with an Accept header',
  async ({ request }) => {
    const answer = await request().get('/nowhere').set('Accept', 'text/html');
    expectAnswer(answer, 404, problem(404, 'Not Found'));
  },
);

contract('What Node refuses before there is a request is problem details', async (subject) => {
  const head = (line: string, ...lines: string[]) => [line, ...lines, '', ''].join('\r\n');
  for (const [status, title, text] of [
    [400, 'Bad Request', head('GET /books HTTP/1.1', 'Host x')],
    [
      431,
      'Request Header Fields Too Large',
      head('GET /books HTTP/1.1', 'Host: x', `X: ${'x'.repeat(20_000)}`),
    ],
    [417, 'Expectation Failed', head('POST /books HTTP/1.1', 'Host: x', 'Expect: tea', 'Content-Length: 5')],
  ] as const) {
    const client = await hostileClient(subject, text);
    const answer = await client.hears(/\r\n\r\n.*}/s);
    expect(answer).toContain(JSON.stringify(problem(status, title)));
    expect(answer).toMatch(/\r\nContent-Type: application\/problem\+json; charset=UTF-8\r\n/i);
    client.leave();
  }
  const client = await hostileClient(subject, head('GET /books HTTP/1.1'));
  expect(await client.hears(/\r\n\r\n.*}/s)).toContain(
    JSON.stringify(problem(400, 'Bad Request', 'The request has no Host header')),
  );
  client.leave();
});

contract(
  'Who proves no identity is told so in problem details, with WWW-Authenticate',
  async ({ request }) => {
    for (const path of ['/closed', '/guarded']) {
      const answer = await request().get(path);
      const refused =
        path === '/closed'
          ? problem(401, 'Unauthorized', 'Not Authenticated')
          : problem(403, 'Forbidden', 'Forbidden resource');
      expectAnswer(answer, refused.status, refused);
      expect(answer.headers['content-type']).toBe(problems);
      expect(answer.headers['www-authenticate']).toBe(path === '/closed' ? 'Bearer' : undefined);
    }
  },
);

contract('A request that takes too long is answered with problem details', async ({ request }) => {
  const answer = await request().get('/slow');
  expectAnswer(answer, 503, problem(503, 'Service Unavailable'));
  expect(answer.headers['retry-after']).toBe('1');
});
