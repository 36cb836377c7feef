import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Jwks } from '@nest-endpoints/auth';
import { Provider } from 'oidc-provider';
import { privateJwk } from '../support/identity.provider.js';

/** The audience of the tokens. */
const audience = 'https://desk.example';

let listener: RequestListener = (_request, response) => response.writeHead(503).end();

/** The requests that reached the provider, and their forms. */
export const asked: { readonly url: string; readonly form: URLSearchParams }[] = [];

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    asked.push({ url: String(request.url), form: new URLSearchParams(Buffer.concat(parts).toString()) });
  });
  listener(request, response);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

/** The address of the provider. */
export const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Believes its tokens. */
export const desk = new Jwks({ jwksUrl: `${issuer}/jwks`, audience, issuer, claims: ['sub'] });

const key = await privateJwk('desk', 'ES256');

/** Lets the page at an address log in with a real provider, `oidc-provider`, and its own forms. */
export const provideFor = (page: string): void => {
  const resource = {
    audience,
    scope: 'trips',
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  } as const;
  const provider = new Provider(issuer, {
    jwks: { keys: [key] as never },
    clients: [
      {
        client_id: 'travel-desk',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [page],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    clientBasedCORS: () => true,
    issueRefreshToken: () => Promise.resolve(true),
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    features: {
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resource,
      },
    },
  });
  const callback = provider.callback();
  listener = (request, response) => void callback(request, response);
};

export const stopProvider = async (): Promise<void> => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
};
