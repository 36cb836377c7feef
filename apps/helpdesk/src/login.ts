import { Jwks } from '@nest-endpoints/auth';
import { audience, developmentIssuer } from './development.issuer.js';

/** Believes tokens of the identity provider whose keys JWKS_URL names. While developing, those of this machine. */
export const login = new Jwks({
  jwksUrl: process.env.JWKS_URL ?? (await developmentKeys()),
  audience,
  claims: ['sub'],
});

async function developmentKeys(): Promise<string> {
  if (process.env.NODE_ENV === 'production') throw new Error('JWKS_URL is not set');
  const { KeyServer } = await import('@nest-endpoints/testing');
  const server = await KeyServer.start(await developmentIssuer());
  return server.url;
}
