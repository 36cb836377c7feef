import { afterAll, expect } from '@jest/globals';
import { Jwks, SecretBearer } from '@nest-endpoints/auth';
import { Cors, Create, EndpointGroup, Get, List, Public } from '@nest-endpoints/core';
import { KeyServer, TokenIssuer } from '@nest-endpoints/testing';
import { Injectable } from '@nestjs/common';
import { clientError, expectAnswer, failure, success } from '../support/answers.js';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';

const issuer = await TokenIssuer.create({ audience: 'atlas' });
const keyServer = await KeyServer.start(issuer);
const deaf = await KeyServer.start(issuer);
deaf.answer = (_request, response) => void response.writeHead(500).end();
afterAll(() => Promise.all([keyServer.close(), deaf.close()]));

/** Who may come in, as another part of the application knows it. */
@Injectable()
class Guests {
  readonly names = new Set(['alice']);
}

const jwksUrl = keyServer.url;
const strict = new Jwks({ jwksUrl, audience: 'atlas', issuer: 'https://issuer.test/', claims: ['sub'] });
const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;

const { contract } = service(
  libraryWith(
    [
      new List({ ...listed, url: 'open' }),
      new List({
        ...listed,
        url: 'strict',
        authentication: strict,
        securityHeaders: [new Cors('https://app.test')],
      }),
      new Create({ ...titles, url: 'created', writeableColumnNames: ['title'], authentication: strict }),
      new Get({ ...titles, url: 'strict/:id', authentication: strict }),
      new List({ ...listed, url: 'deaf', authentication: new Jwks({ jwksUrl: deaf.url }) }),
      new List({
        ...listed,
        url: 'seen',
        authentication: strict,
        responseHeaders: ({ authorizationData }) => [`X-Claims: ${JSON.stringify(authorizationData)}`],
      }),
      new List({
        ...listed,
        url: 'guests/:name',
        authentication: new Jwks({
          jwksUrl,
          inject: { guests: Guests },
          claims: ({ jwtClaims, guests, routingData, queryParameters }) =>
            guests.names.has(String(jwtClaims['sub'])) &&
            routingData['name'] === jwtClaims['sub'] &&
            queryParameters['limit'] !== '7',
        }),
      }),
      new List({
        ...listed,
        url: 'authors',
        authentication: new Jwks({
          jwksUrl,
          claims: async ({ jwtClaims, em }) =>
            (await em.count(Author, { name: String(jwtClaims['sub']) })) > 0 ? ['sub'] : false,
        }),
      }),
      new EndpointGroup({
        url: 'group',
        authentication: strict,
        endpoints: [
          new List({ ...listed, url: 'books' }),
          new List({ ...listed, url: 'public', authentication: new Public() }),
          new List({
            ...listed,
            url: 'secret',
            authentication: new SecretBearer({ environmentKey: 'S', environment: { S: 's3cret' } }),
          }),
        ],
      }),
    ],
    { providers: [Guests] },
  ),
  everyPlatform,
);

const notAuthenticated = clientError('Not Authenticated');
const get = ({ request }: Subject, path: string, token?: string) => {
  const asked = request().get(path);
  return token === undefined ? asked : asked.set('Authorization', `Bearer ${token}`);
};
const alice = (claims: object = {}) => issuer.token({ sub: 'alice', ...claims });

contract('A request without a valid token is 401, client_error, Not Authenticated', async (subject) => {
  const { request } = subject;
  expectAnswer(await get(subject, '/strict'), 401, notAuthenticated);
  expectAnswer(await get(subject, '/strict', 'abc'), 401, notAuthenticated);
  for (const header of ['', 'Bearer', 'Bearer ', `Basic ${await alice()}`, await alice(), 'Bearer a b'])
    expectAnswer(await request().get('/strict').set('Authorization', header), 401, notAuthenticated);
  expectAnswer(await get(subject, '/strict', await alice()), 200, success([], expect.anything()));
});

contract('The word Bearer may be in any letter case, with several spaces behind it', async ({ request }) => {
  const token = await alice();
  for (const header of [`bearer ${token}`, `BEARER ${token}`, `bEaReR   ${token}`])
    expect((await request().get('/strict').set('Authorization', header)).status).toBe(200);
});

contract('After verification the payload of a token is authorization_data', async (subject) => {
  const claims = { sub: 'alice', scope: 'read', list: [1, { a: null }] };
  for (const _ of ['first', 'seen before']) {
    const { headers } = await get(subject, '/seen', await alice(claims));
    expect(JSON.parse(String(headers['x-claims']))).toMatchObject({ ...claims, aud: 'atlas' });
  }
});

contract('A token that lacks a claim of the list is 401', async (subject) => {
  expectAnswer(await get(subject, '/strict', await issuer.token()), 401, notAuthenticated);
  expectAnswer(await get(subject, '/strict', await issuer.token({ sub: null })), 401, notAuthenticated);
});

contract(
  'A callable of claims gets jwt_claims, what other callables get, and injected providers',
  async (subject) => {
    const token = await alice();
    for (const _ of ['first', 'seen before']) {
      expect((await get(subject, '/guests/alice', token)).status).toBe(200);
      expectAnswer(await get(subject, '/guests/bob', token), 401, notAuthenticated);
      expectAnswer(await get(subject, '/guests/alice?limit=7', token), 401, notAuthenticated);
    }
    expectAnswer(
      await get(subject, '/guests/bob', await issuer.token({ sub: 'bob' })),
      401,
      notAuthenticated,
    );
  },
);

contract(
  'A callable of claims may ask the database, for a token that was seen before too',
  async (subject) => {
    const token = await issuer.token({ sub: 'Jane Austen' });
    expectAnswer(await get(subject, '/authors', token), 401, notAuthenticated);
    const author = await subject.save(Author, { name: 'Jane Austen' });
    expect((await get(subject, '/authors', token)).status).toBe(200);
    expect((await get(subject, '/authors', token)).status).toBe(200);
    await subject.em().nativeDelete(Author, { id: author.id });
    expectAnswer(await get(subject, '/authors', token), 401, notAuthenticated);
  },
);

contract('A 401 is the same to the byte whatever the reason', async ({ raw }) => {
  const stranger = await TokenIssuer.create({ audience: 'atlas' });
  const tokens = [
    await issuer.token(),
    await alice({ exp: 1 }),
    await alice({ aud: 'other' }),
    await alice({ iss: 'other' }),
    await stranger.token({ sub: 'alice' }),
    `${await alice()}A`,
    'abc',
  ];
  const answers = new Set<string>();
  for (const authorization of [undefined, 'Basic abc', ...tokens.map((token) => `Bearer ${token}`)]) {
    const headers = { 'x-request-id': 'one', ...(authorization && { authorization }) };
    const { status, text, headers: sent } = await raw('GET', '/strict', { headers });
    const { date: _, 'keep-alive': __, ...same } = sent;
    answers.add(JSON.stringify([status, text, same]));
  }
  expect([...answers]).toHaveLength(1);
  expect([...answers][0]).toContain('"www-authenticate":"Bearer"');
});

contract('The reason of a 401 is in the log at debug level, without the token', async (subject) => {
  const token = await alice({ aud: 'other' });
  await get(subject, '/strict', token);
  await get(subject, '/strict', 'abc');
  await get(subject, '/strict');
  const text = subject.log.text();
  expect(subject.log.text('debug')).toContain('aud "other" does not contain "atlas"');
  expect(subject.log.text('debug')).toContain('there is no bearer token');
  for (const part of token.split('.')) expect(text).not.toContain(part);
  for (const level of ['log', 'warn', 'error'] as const) expect(subject.log.text(level)).toBe('');
});

contract('A bad body without a valid token is Not Authenticated', async ({ raw, count }) => {
  const headers = { 'content-type': 'application/json' };
  for (const body of ['{', '[]', '{"colour":1}', Buffer.alloc(2_000_000)])
    expectAnswer(await raw('POST', '/created', { body, headers }), 401, notAuthenticated);
  expect(await count(Book)).toBe(0);
  const authorization = `Bearer ${await alice()}`;
  const created = await raw('POST', '/created', {
    body: '{"title":"Emma"}',
    headers: { ...headers, authorization },
  });
  expect(created.status).toBe(201);
});

contract('A record is not looked for without a valid token', async (subject) => {
  expectAnswer(await get(subject, '/strict/0'), 401, notAuthenticated);
  expectAnswer(await get(subject, '/strict/0', await alice()), 404, clientError('Not Found'));
});

contract(
  'Authorization is in ACCESS-CONTROL-ALLOW-HEADERS, and preflight needs no token',
  async ({ request }) => {
    const answer = await request().options('/strict');
    expect([answer.status, answer.headers['access-control-allow-headers']]).toEqual([200, 'Authorization']);
  },
);

contract(
  'While the key server was never reached, tokens are Service Unavailable and public endpoints answer',
  async (subject) => {
    const answer = await get(subject, '/deaf', await alice());
    expectAnswer(answer, 503, failure('Service Unavailable'));
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expectAnswer(await get(subject, '/deaf'), 401, notAuthenticated);
    expect((await get(subject, '/open')).status).toBe(200);
  },
);

contract(
  'Members of a group inherit its Jwks unless they have an authentication of their own',
  async (subject) => {
    const token = await alice();
    const statuses = [];
    for (const path of ['/group/books', '/group/public', '/group/secret'])
      for (const sent of [undefined, token, 's3cret']) statuses.push((await get(subject, path, sent)).status);
    expect(statuses).toEqual([401, 200, 401, 200, 200, 200, 401, 401, 200]);
  },
);
