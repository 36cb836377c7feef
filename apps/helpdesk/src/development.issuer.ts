import type { TokenIssuer } from '@nest-endpoints/testing';

/** Who tokens are for: this service. */
export const audience = process.env.AUDIENCE ?? 'helpdesk';

/** Signs tokens with keys of this machine, for development and tests. */
export async function developmentIssuer(): Promise<TokenIssuer> {
  const { TokenIssuer } = await import('@nest-endpoints/testing');
  return TokenIssuer.create({ audience, file: '.keys.json' });
}
