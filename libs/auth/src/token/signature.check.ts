import { compactVerify, errors, type CryptoKey } from 'jose';
import type { Algorithm } from './algorithm.table.js';
import { InvalidToken } from './invalid.token.js';

/** @throws InvalidToken when the token was not signed with this key and algorithm */
export async function checkSignature(token: string, key: CryptoKey, algorithm: Algorithm): Promise<void> {
  checkLength(token, key);
  try {
    await compactVerify(token, key, { algorithms: [algorithm] });
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw new InvalidToken(`jose says ${error.code}`);
  }
}

/**
 * Checks the length of an RSA signature. OpenSSL takes one that lost its leading zeros, which makes two tokens of one
 * (RFC 8017, 8.1.2, step 1). Signatures of curves have their length by themselves.
 */
function checkLength(token: string, key: CryptoKey): void {
  const { modulusLength } = key.algorithm as { readonly modulusLength?: number };
  const length = Buffer.byteLength(token.slice(token.lastIndexOf('.') + 1), 'base64url');
  if (modulusLength !== undefined && length !== Math.ceil(modulusLength / 8))
    throw new InvalidToken(`the signature has ${length} bytes`);
}
