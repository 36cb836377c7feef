import { expect } from '@jest/globals';
import {
  Cors,
  Create,
  Delete,
  EndpointGroup,
  Get,
  Hsts,
  List,
  NotAuthenticated,
  XFrameOptions,
  type Authentication,
} from '@nest-endpoints/core';
import { expectAnswer, notFound } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { RefusingGuard } from '../support/enhancers.js';

/** Believes nobody. */
class Suspicious implements Authentication {
  readonly allowedHeaders = ['Authorization'];

  authenticate(): never {
    throw new NotAuthenticated();
  }
}

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;
const created = { ...titles, writeableColumnNames: ['title'] } as const;
const cors = (origin = 'https://app.example') => ({ securityHeaders: [new Cors(origin), new Hsts()] });

const endpoints = [
  new List({ ...listed, url: 'one', ...cors(), responseHeaders: ['X-Extra: yes'] }),
  new List({ ...listed, url: 'several', ...cors(), requestMethods: ['GET', 'POST'] }),
  new List({ ...listed, url: 'bare' }),
  new List({ ...listed, url: 'hsts', securityHeaders: [new Hsts()] }),
  new List({ ...listed, url: 'private', ...cors(), authentication: new Suspicious() }),
  new Create({ ...created, url: 'private/books', ...cors(), authentication: new Suspicious() }),
  new List({ ...listed, url: 'guarded', ...cors(), guards: [RefusingGuard] }),
  new List({ ...listed, url: 'shared' }),
  new Create({
    ...created,
    url: 'shared',
    securityHeaders: [new Cors('https://second'), new XFrameOptions()],
  }),
  new List({ ...listed, url: 'shared', ...cors('https://third'), requestMethods: ['PUT', 'GET'] }),
  new Delete({ url: 'removed/:id', modelClass: Book, ...cors() }),
  new Get({ ...titles, url: 'encoded/:isbn', recordLookupColumnName: 'isbn', ...cors() }),
  new Get({
    ...titles,
    url: 'parameter/:isbn',
    recordLookupColumnName: 'isbn',
    ...cors(),
    responseHeaders: ({ routingData: { isbn = 'none' } }) => [`X-Isbn: ${isbn.toUpperCase()}`],
  }),
  new List({ ...listed, url: 'api/special', ...cors('https://special') }),
  books({ url: 'api', ...cors() }),
  new EndpointGroup({ url: 'group', ...cors(), endpoints: [new List({ ...listed, url: 'books' })] }),
  new List({
    ...listed,
    url: 'computed',
    ...cors(),
    responseHeaders: ({ queryParameters }) => [`X-Word: ${queryParameters['word'] ?? 'none'}`],
  }),
];

const { contract } = service(libraryWith(endpoints));

const json = 'application/json; charset=UTF-8';
const empty = { status: 200, text: '' };

contract('An OPTIONS request on a path with security headers is 200 with an empty body', async ({ raw }) => {
  expect(await raw('OPTIONS', '/one')).toMatchObject(empty);
});

contract(
  'An OPTIONS request to an endpoint with security headers has an empty body, Content-Length 0 and the content type application/json; charset=UTF-8',
  async ({ raw }) => {
    const headers = { 'content-length': '0', 'content-type': json };
    expect(await raw('OPTIONS', '/one')).toMatchObject({ ...empty, headers });
  },
);

contract(
  'ACCESS-CONTROL-ALLOW-METHODS is the comma-separated request_methods of the endpoint',
  async ({ request }) => {
    const one = await request().options('/one');
    const several = await request().options('/several');
    expect(one.headers['access-control-allow-methods']).toBe('GET');
    expect(several.headers['access-control-allow-methods']).toBe('GET, POST');
  },
);

contract(
  'ACCESS-CONTROL-ALLOW-METHODS joins the methods of every endpoint that shares the path',
  async ({ request }) => {
    const collection = await request().options('/api');
    const single = await request().options('/api/42');
    expect(collection.headers['access-control-allow-methods']).toBe('GET, POST');
    expect(single.headers['access-control-allow-methods']).toBe('GET, PATCH, DELETE');
  },
);

contract(
  'ACCESS-CONTROL-ALLOW-METHODS names every method that the path answers, once, and no other',
  async ({ request }) => {
    const methods = async (path: string) =>
      (await request().options(path)).headers['access-control-allow-methods']?.split(', ').toSorted();
    expect(await methods('/shared')).toEqual(['GET', 'POST', 'PUT']);
    expect(await methods('/api/special')).toEqual(['DELETE', 'GET', 'PATCH']);
  },
);

contract('ACCESS-CONTROL-ALLOW-HEADERS is absent on public endpoints', async ({ request }) => {
  const { status, headers } = await request().options('/one');
  expect([status, headers['access-control-allow-methods']]).toEqual([200, expect.any(String)]);
  expect(headers).not.toHaveProperty('access-control-allow-headers');
});

contract(
  'ACCESS-CONTROL-ALLOW-HEADERS names Content-Type when the preflight asks for it and the endpoint reads it',
  async ({ request }) => {
    const { headers } = await request()
      .options('/api')
      .set('Access-Control-Request-Headers', 'x-odd,content-type');
    expect(headers['access-control-allow-headers']).toBe('Content-Type');
  },
);

contract(
  'ACCESS-CONTROL-ALLOW-HEADERS does not name a header that the endpoint does not read',
  async ({ request }) => {
    const asked = 'authorization, content-type, x-odd';
    const { status, headers } = await request()
      .options('/removed/42')
      .set('Access-Control-Request-Headers', asked);
    expect([status, headers['access-control-allow-methods']]).toEqual([200, 'DELETE']);
    expect(headers).not.toHaveProperty('access-control-allow-headers');
  },
);

contract(
  'ACCESS-CONTROL-ALLOW-HEADERS is what authentication adds, followed by what the endpoint reads',
  async ({ request }) => {
    const plain = await request().options('/private');
    const asking = await request()
      .options('/private/books')
      .set('Access-Control-Request-Headers', 'CONTENT-TYPE, authorization');
    expect(plain.headers['access-control-allow-headers']).toBe('Authorization');
    expect(asking.headers['access-control-allow-headers']).toBe('Authorization, Content-Type');
  },
);

contract('ACCESS-CONTROL-MAX-AGE is 5', async ({ request }) => {
  const { headers } = await request().options('/one');
  expect(headers['access-control-max-age']).toBe('5');
});

contract('ACCESS-CONTROL-ALLOW-ORIGIN is the configured Cors origin', async ({ request }) => {
  const { headers } = await request().options('/one').set('Origin', 'https://elsewhere.example');
  expect(headers['access-control-allow-origin']).toBe('https://app.example');
});

contract('STRICT-TRANSPORT-SECURITY is max-age=31536000 from Hsts', async ({ request }) => {
  const { status, headers } = await request().options('/hsts');
  expect([status, headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
});

contract('OPTIONS where no endpoint of the path has security headers is Not Found', async ({ request }) => {
  expectAnswer(await request().options('/bare'), 404, notFound);
});

contract('OPTIONS where no endpoint answers is Not Found', async ({ request }) => {
  expectAnswer(await request().options('/nowhere'), 404, notFound);
  expectAnswer(await request().options('/group/nowhere'), 404, notFound);
});

contract(
  'OPTIONS where several endpoints have security headers is answered with those of the first one',
  async ({ request }) => {
    const { headers } = await request().options('/shared');
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://second',
      'x-frame-options': 'DENY',
    });
    expect(headers).not.toHaveProperty('strict-transport-security');
  },
);

contract('OPTIONS is answered with the security headers of a group', async ({ request }) => {
  const { status, headers } = await request().options('/group/books');
  expect([status, headers['access-control-allow-origin']]).toEqual([200, 'https://app.example']);
});

contract('Of the endpoints on a special url the upper one answers OPTIONS', async ({ request }) => {
  const { headers } = await request().options('/api/special');
  expect(headers['access-control-allow-origin']).toBe('https://special');
});

contract('A preflight is never authenticated', async ({ raw }) => {
  expect(await raw('OPTIONS', '/private')).toMatchObject(empty);
  expect(await raw('OPTIONS', '/guarded')).toMatchObject(empty);
});

contract('Slashes and percent-encoding in a path mean the same to OPTIONS', async ({ raw }) => {
  const paths = ['/one/', '//one', '/group//books', '/%6Fne', '/encoded/4%2F2', '//encoded/42//'];
  for (const path of paths)
    expect({ path, ...(await raw('OPTIONS', path)) }).toMatchObject({ path, ...empty });
});

contract('OPTIONS of a path in another letter case is Not Found', async ({ raw }) => {
  expectAnswer(await raw('OPTIONS', '/One'), 404, notFound);
});

contract(
  'The callable of response_headers sees the path parameters of an OPTIONS request',
  async ({ request }) => {
    const { status, headers } = await request().options('/parameter/emma');
    expect([status, headers['x-isbn']]).toEqual([200, 'EMMA']);
  },
);

contract('response_headers are on OPTIONS answers too', async ({ request }) => {
  const fixed = await request().options('/one');
  const computed = await request().options('/computed?word=hello');
  expect([fixed.headers['x-extra'], computed.headers['x-word']]).toEqual(['yes', 'hello']);
});

contract('A body of an OPTIONS request is not judged', async ({ raw }) => {
  const headers = { 'content-type': 'text/plain' };
  expect(await raw('OPTIONS', '/api', { headers, body: '{' })).toMatchObject(empty);
});

contract('ALLOW-METHODS, ALLOW-HEADERS and MAX-AGE are on OPTIONS answers only', async ({ request }) => {
  const answers = [
    await request().get('/one').set('Access-Control-Request-Headers', 'content-type'),
    await request().post('/api').send({}),
    await request().get('/group/nowhere'),
  ];
  for (const { headers } of answers) {
    expect(headers['access-control-allow-origin']).toBe('https://app.example');
    expect(Object.keys(headers).join()).not.toMatch(/allow-methods|allow-headers|max-age/);
  }
});
