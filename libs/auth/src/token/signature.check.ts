import { compactVerify, errors, type CryptoKey } from 'jose';
import type { Algorithm } from './algorithm.table.js';
import { InvalidToken } from './invalid.token.js';

/** @throws InvalidToken when the token was not signed with this key and algorithm */
export async function checkSignature(token: string, key: CryptoKey, algorithm: Algorithm): Promise<void> {
  try {
    await compactVerify(token, key, { algorithms: [algorithm] });
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw new InvalidToken(`jose says ${error.code}`);
  }
}
