import { join } from 'node:path';
import { StartRefusal } from '../start.refusal.js';

/** Who says who asks: an identity provider, keys of this machine while developing, or nobody. */
export type LoginSettings =
  | {
      readonly kind: 'provider';
      readonly jwksUrl: string;
      readonly audience: string;
      readonly issuer: string | undefined;
    }
  | { readonly kind: 'development'; readonly keysFile: string }
  | { readonly kind: 'none' };

/** @throws StartRefusal for half of a configuration: what is missing would let strangers in */
export function readLogin(environment: NodeJS.ProcessEnv, directory: string): LoginSettings {
  const { JWKS_URL: jwksUrl = '', AUDIENCE: audience = '', ISSUER: issuer = '' } = environment;
  if (jwksUrl !== '') {
    if (audience === '')
      throw new StartRefusal('JWKS_URL needs AUDIENCE: tokens for other services would be accepted.');
    return { kind: 'provider', jwksUrl, audience, issuer: issuer || undefined };
  }
  const lonely = audience !== '' ? 'AUDIENCE' : issuer !== '' ? 'ISSUER' : undefined;
  if (lonely !== undefined)
    throw new StartRefusal(`${lonely} needs JWKS_URL, the address of the identity provider's keys.`);
  if (environment['NODE_ENV'] === 'production') return { kind: 'none' };
  return { kind: 'development', keysFile: join(directory, 'keys.json') };
}
