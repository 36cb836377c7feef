import { expect } from '@jest/globals';
import {
  CacheControl,
  Cors,
  Create,
  Csp,
  EndpointGroup,
  Get,
  Hsts,
  List,
  XContentTypeOptions,
  XFrameOptions,
  type ResponseHeaders,
  type SecurityHeader,
} from '@nest-endpoints/core';
import { expectAnswer, failure } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';
import { RefusingGuard } from '../support/enhancers.js';

/** A security header that we do not ship. */
class ReferrerPolicy implements SecurityHeader {
  readonly headers = [['Referrer-Policy', 'no-referrer']] as const;
}

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;
const created = { ...titles, writeableColumnNames: ['title'] } as const;
const list = (url: string, responseHeaders: ResponseHeaders) => new List({ ...listed, url, responseHeaders });

const secured = [
  new Hsts(),
  new Cors('https://app.example'),
  new CacheControl('private, max-age=60'),
  new Csp("default-src 'self'"),
  new XFrameOptions('SAMEORIGIN'),
  new XContentTypeOptions(),
  new ReferrerPolicy(),
];
const both = { securityHeaders: [new Hsts()], responseHeaders: ['X-Extra: yes'] };

const endpoints = [
  new List({ ...listed, url: 'secured', securityHeaders: secured }),
  new List({
    ...listed,
    url: 'usual',
    securityHeaders: [new CacheControl(), new Csp(), new XFrameOptions(), new XContentTypeOptions()],
  }),
  new EndpointGroup({
    url: 'both',
    endpoints: [
      new Create({ ...created, url: 'books', ...both }),
      new Get({ ...titles, url: 'books/:id', ...both }),
      new Create({ ...created, url: 'guarded', ...both, guards: [RefusingGuard] }),
      new List({
        ...listed,
        url: 'broken',
        ...both,
        outputMap: () => {
          throw new Error('a secret');
        },
      }),
    ],
  }),
  list('odd', ['X-Colon: http://a.example:80/', 'x-bare:none', 'X-Empty:', 'X-Wide :  spaces  ']),
  list('cookies', ['Set-Cookie: a=1', 'Set-Cookie: b=2']),
  list('context', ({ queryParameters, routingData, requestHeaders, authorizationData }) => [
    `X-Query: ${queryParameters['limit'] ?? ''}`,
    `X-Agent: ${requestHeaders['user-agent'] ?? ''}`,
    `X-Rest: ${JSON.stringify([routingData, authorizationData ?? null])}`,
  ]),
  new Get({
    ...titles,
    url: 'path/:id',
    responseHeaders: ({ routingData }) => [`X-Id: ${routingData['id'] ?? ''}`],
  }),
  list('later', async ({ em }) => [`X-Authors: ${await em.count(Author)}`]),
  list('none', () => []),
  list('throwing', () => {
    throw new Error('a secret');
  }),
  list('forged', ({ queryParameters }) => [`X-Name: ${queryParameters['limit'] ?? ''}\r\nX-Forged: yes`]),
  list('shapeless', () => ['no colon here']),
];

const { contract } = service(libraryWith(endpoints));

contract('The other security headers are on every answer of the endpoint', async ({ request }) => {
  const { headers } = await request().get('/secured');
  expect(headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000',
    'access-control-allow-origin': 'https://app.example',
  });
});

contract('CacheControl, Csp, XFrameOptions and XContentTypeOptions set their header', async ({ request }) => {
  const { headers } = await request().get('/secured');
  expect(headers).toMatchObject({
    'cache-control': 'private, max-age=60',
    'content-security-policy': "default-src 'self'",
    'x-frame-options': 'SAMEORIGIN',
    'x-content-type-options': 'nosniff',
  });
});

contract('CacheControl, Csp and XFrameOptions have a default that suits an API', async ({ request }) => {
  const { headers } = await request().get('/usual');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-frame-options': 'DENY',
  });
});

contract("A user's own security header is set", async ({ request }) => {
  const { headers } = await request().get('/secured');
  expect(headers['referrer-policy']).toBe('no-referrer');
});

contract('An endpoint without headers of its own has no security headers', async ({ request }) => {
  const { status, headers } = await request().get('/none');
  expect(status).toBe(200);
  expect(Object.keys(headers).join()).not.toMatch(/strict|access-control|frame|security/);
});

const hsts = 'max-age=31536000';

contract('The other security headers are on refusals too', async ({ request }) => {
  const refusals = [
    await request().post('/both/books').send({ title: 5 }),
    await request().get('/both/books/unknown'),
    await request().post('/both/guarded'),
    await request().get('/both/broken?limit=x'),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 404, 403, 400]);
  for (const { headers } of refusals) expect(headers['strict-transport-security']).toBe(hsts);
});

contract('response_headers are on refusals too', async ({ raw, request, save }) => {
  await save(Book, { title: 'Emma' });
  const headers = { 'content-type': 'text/plain' };
  const refusals = [
    await raw('POST', '/both/books', { body: '{' }),
    await raw('POST', '/both/books', { body: '{}', headers }),
    await raw('POST', '/both/books', { body: Buffer.alloc(1_048_577, ' ') }),
    await request().get('/both/broken'),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 415, 413, 500]);
  for (const { headers } of refusals) expect(headers['x-extra']).toBe('yes');
});

contract('Security and response headers are on HEAD answers too', async ({ raw, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const { status, headers } = await raw('HEAD', `/both/books/${id}`);
  expect([status, headers['strict-transport-security'], headers['x-extra']]).toEqual([200, hsts, 'yes']);
});

contract('response_headers given as strings are on every answer of the endpoint', async ({ request }) => {
  const { headers } = await request().get('/odd');
  expect(headers).toMatchObject({
    'x-colon': 'http://a.example:80/',
    'x-bare': 'none',
    'x-empty': '',
    'x-wide': 'spaces',
  });
});

contract('Several Set-Cookie lines are all sent', async ({ request }) => {
  const { headers } = await request().get('/cookies');
  expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
});

contract('response_headers may be a callable that returns strings', async ({ request }) => {
  const { headers } = await request().get('/context?limit=7').set('User-Agent', 'tester');
  expect(headers).toMatchObject({ 'x-query': '7', 'x-agent': 'tester', 'x-rest': '[{},null]' });
});

contract('The callable of response_headers runs for refusals too', async ({ request }) => {
  const { status, headers } = await request().get('/path/nobody');
  expect([status, headers['x-id']]).toEqual([404, 'nobody']);
});

contract('response_headers may be an async callable', async ({ request, save }) => {
  await save(Author, { name: 'Jane Austen' });
  const { headers } = await request().get('/later');
  expect(headers['x-authors']).toBe('1');
});

contract(
  'A callable of response_headers that throws is a failure without details',
  async ({ request, log }) => {
    expectAnswer(await request().get('/throwing'), 500, failure('Internal Server Error'));
    expect(log.text('error')).toContain('a secret');
  },
);

contract('A callable of response_headers cannot forge a header', async ({ request }) => {
  const answer = await request().get('/forged?limit=5');
  expectAnswer(answer, 500, failure('Internal Server Error'));
  expect(answer.headers).not.toHaveProperty('x-forged');
});

contract("A callable's line that is not 'key: value' is a failure without details", async ({ request }) => {
  expectAnswer(await request().get('/shapeless'), 500, failure('Internal Server Error'));
});
