import { Jwks, type Fetch, type JwksOptions } from '@nest-endpoints/auth';
import { ConfigurationError } from '@nest-endpoints/core';
import { StartRefusal } from '../start.refusal.js';
import { developmentAudience, developmentIssuer } from './development.issuer.js';
import type { Login } from './login.js';
import type { LoginSettings } from './login.settings.js';

type SettingsOf<K extends LoginSettings['kind']> = Extract<LoginSettings, { readonly kind: K }>;

/**
 * @param fetch gets the keys
 * @throws StartRefusal for an identity provider that cannot be believed, such as one over HTTP
 */
export async function openLogin(settings: LoginSettings, fetch: Fetch): Promise<Login> {
  if (settings.kind === 'provider') return providerLogin(settings, fetch);
  if (settings.kind === 'development') return developmentLogin(settings, fetch);
  return {
    authentication: undefined,
    warning: 'There is no /my/trips: JWKS_URL is not set.',
    close: () => Promise.resolve(),
  };
}

function providerLogin({ jwksUrl, audience, issuer }: SettingsOf<'provider'>, fetch: Fetch): Login {
  return {
    authentication: jwks({ jwksUrl, audience, issuer, fetch, claims: ['sub'] }),
    warning: undefined,
    close: () => Promise.resolve(),
  };
}

function jwks(options: JwksOptions): Jwks {
  try {
    return new Jwks(options);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new StartRefusal(`JWKS_URL, AUDIENCE or ISSUER cannot be used: ${error.message}`, { cause: error });
  }
}

/** Publishes this machine's own keys, on the loopback address alone. Loaded when asked for: production has no need of it. */
async function developmentLogin({ keysFile }: SettingsOf<'development'>, fetch: Fetch): Promise<Login> {
  const { KeyServer } = await import('@nest-endpoints/testing');
  const issuer = await developmentIssuer(keysFile);
  const server = await KeyServer.start(issuer);
  return {
    authentication: jwks({ jwksUrl: server.url, audience: developmentAudience, fetch, claims: ['sub'] }),
    warning:
      `JWKS_URL is not set, so /my/trips believes the development keys in ${keysFile}, served at ${server.url}. ` +
      'For a token: npm run token -- --sub alice',
    close: () => server.close(),
  };
}
