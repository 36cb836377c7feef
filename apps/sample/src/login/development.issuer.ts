import type { TokenIssuer } from '@nest-endpoints/testing';

/** Who the tokens of the development keys are for. */
export const developmentAudience = 'atlas';

/** Signs with the keys of a file, so that tokens made by another process, or before the last start, are good. */
export async function developmentIssuer(file: string): Promise<TokenIssuer> {
  const { TokenIssuer } = await import('@nest-endpoints/testing');
  return TokenIssuer.create({ audience: developmentAudience, file });
}
