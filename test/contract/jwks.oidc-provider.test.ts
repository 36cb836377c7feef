import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Jwks } from '@nest-endpoints/auth';
import { List } from '@nest-endpoints/core';
import { startApplication } from '../support/application.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { client, identityProvider, privateJwk } from '../support/identity.provider.js';
import { ManualClock } from '../support/manual.clock.js';

const audience = 'https://atlas.test';

let current: RequestListener = () => undefined;
const server = createServer((request, response) => current(request, response));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** The client credentials flow (RFC 6749, 4.4; RFC 8707). */
const accessToken = async (): Promise<string> => {
  const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience, scope: 'books:read' }),
  });
  const { access_token: token } = (await answer.json()) as { readonly access_token?: string };
  if (token === undefined) throw new Error(`no token: ${answer.status}`);
  return token;
};

test('Tokens of a real identity provider are accepted, through the rotation of its keys', async () => {
  const [old, next] = [await privateJwk('old', 'RS256'), await privateJwk('next', 'ES256')];
  const clock = new ManualClock();
  clock.set(Date.now() / 1000);
  const authentication = new Jwks({
    jwksUrl: `${issuer}/jwks`,
    audience,
    issuer,
    algorithms: ['RS256', 'ES256'],
    claims: ['client_id', 'scope'],
    requireExpiration: true,
    clock,
  });
  const books = new List({
    url: 'books',
    modelClass: Book,
    readableColumnNames: ['title'],
    sortableColumnNames: ['title'],
    defaultSortColumnName: 'title',
    authentication,
    responseHeaders: ({ authorizationData }) => [
      `X-Client: ${String((authorizationData as Record<string, unknown> | undefined)?.['client_id'])}`,
    ],
  });
  const { request, close } = await startApplication('fastify', 'sqlite', libraryWith([books]));
  const ask = (token: string) => request().get('/books').set('Authorization', `Bearer ${token}`);

  current = identityProvider(issuer, audience, old);
  const first = await accessToken();
  const answer = await ask(first);
  expect([answer.status, answer.headers['x-client']]).toEqual([200, 'robot']);

  current = identityProvider(issuer, audience, next, old);
  const second = await accessToken();
  expect([(await ask(second)).status, (await ask(first)).status]).toEqual([200, 200]);

  current = identityProvider(issuer, audience, next);
  clock.pass(86_400);
  clock.set(Date.now() / 1000);
  expect([(await ask(second)).status, (await ask(first)).status]).toEqual([200, 401]);
  await close();
});
