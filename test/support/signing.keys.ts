import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A key pair under a name, which is its kid. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  /** The public half as it stands in a key set. */
  readonly jwk: JWK;
  /** The private half as Node has it, for what `jose` refuses to sign. */
  readonly node: KeyObject;
}

/** @param members what the key set says of it beside the key itself */
export const signingKey = async (kid: string, alg: string, members: object = {}): Promise<SigningKey> => {
  const { KeyObject } = await import('node:crypto');
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    kid,
    privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid, ...members },
    node: KeyObject.from(privateKey),
  };
};

/** RSA keys shorter than `jose` makes them. */
export const weakKey = (
  kid: string,
): { readonly kid: string; readonly jwk: JWK; readonly node: KeyObject } => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  return { kid, jwk: { ...publicKey.export({ format: 'jwk' }), kid }, node: privateKey };
};
