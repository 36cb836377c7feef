import { Jwks } from '@nest-endpoints/auth';
import type { KeyServer } from '@nest-endpoints/testing';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { audience, developmentIssuer } from './development.issuer.js';

let keys: KeyServer | undefined;

/** Believes tokens of the identity provider whose keys JWKS_URL names. While developing, those of this machine. */
export const login = new Jwks({
  jwksUrl: process.env.JWKS_URL ?? (await developmentKeys()),
  audience,
  claims: ['sub'],
});

async function developmentKeys(): Promise<string> {
  if (process.env.NODE_ENV === 'production') throw new Error('JWKS_URL is not set');
  const { KeyServer } = await import('@nest-endpoints/testing');
  keys = await KeyServer.start(await developmentIssuer());
  return keys.url;
}

/** Closes the server of these keys with the application: a process that listens somewhere does not end, nor does its test. */
@Injectable()
export class DevelopmentKeys implements OnApplicationShutdown {
  async onApplicationShutdown(): Promise<void> {
    await keys?.close();
  }
}
