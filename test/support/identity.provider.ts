import { Provider, type Adapter } from 'oidc-provider';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { RequestListener } from 'node:http';

/** The only client of the provider. */
export const client = { client_id: 'robot', client_secret: 'secret' };

export const privateJwk = async (kid: string, alg: string): Promise<JWK> => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
};

/** It signs access tokens and forgets them. */
const forgets = () => Promise.resolve(undefined);
const adapter = (): Adapter => ({
  upsert: forgets,
  find: forgets,
  findByUserCode: forgets,
  findByUid: forgets,
  consume: forgets,
  destroy: forgets,
  revokeByGrantId: forgets,
});

/**
 * A real identity provider, `oidc-provider`, with the client credentials flow (RFC 6749, 4.4).
 *
 * @param keys all of them are published; the first signs
 */
export const identityProvider = (
  issuer: string,
  audience: string,
  ...keys: readonly JWK[]
): RequestListener => {
  const resourceServer = {
    audience,
    scope: 'books:read',
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: keys[0]?.alg as 'ES256' } },
  } as const;
  const provider = new Provider(issuer, {
    adapter,
    clients: [{ ...client, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    jwks: { keys: [...keys] as never },
    ttl: { ClientCredentials: 600 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: { enabled: true, getResourceServerInfo: () => resourceServer },
    },
  });
  const callback = provider.callback();
  return (request, response) => void callback(request, response);
};
