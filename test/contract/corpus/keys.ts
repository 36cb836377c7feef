import { signingKey, weakKey } from '../../support/signing.keys.js';

const pairs = async () => ({
  rsa: await signingKey('rsa', 'RS256'),
  rs256: await signingKey('rs256', 'RS256', { alg: 'RS256', use: 'sig' }),
  ps256: await signingKey('ps256', 'PS256', { alg: 'PS256' }),
  es256: await signingKey('es256', 'ES256', { alg: 'ES256', use: 'sig', key_ops: ['verify'] }),
  es384: await signingKey('es384', 'ES384'),
  es512: await signingKey('es512', 'ES512'),
  eddsa: await signingKey('eddsa', 'EdDSA'),
  ed25519: await signingKey('ed25519', 'Ed25519', { alg: 'Ed25519' }),
  encryption: await signingKey('encryption', 'ES256', { use: 'enc' }),
  oddUse: await signingKey('odd-use', 'ES256', { use: ['sig'] }),
  signing: await signingKey('signing', 'ES256', { key_ops: ['sign'] }),
  oddOperations: await signingKey('odd-operations', 'ES256', { key_ops: 'verify' }),
  contradicting: await signingKey('contradicting', 'ES256', { alg: 'ES384' }),
  nameless: await signingKey('nameless', 'ES256', { kid: undefined }),
  twinA: await signingKey('twin', 'ES256'),
  twinB: await signingKey('twin', 'ES256'),
  halfTwin: await signingKey('half-twin', 'ES256', { use: 'sig' }),
  otherHalf: await signingKey('half-twin', 'ES256', { use: 'enc' }),
  unpublished: await signingKey('unpublished', 'ES256'),
});

/** The keys of the corpus, those that must not be used among them. */
export interface CorpusKeys {
  readonly keys: Awaited<ReturnType<typeof pairs>>;
  /** The key whose private half is in the set. */
  readonly leaked: Awaited<ReturnType<typeof signingKey>>;
  /** A key of 1024 bits. */
  readonly weak: ReturnType<typeof weakKey>;
  /** A secret in the set. */
  readonly shared: Buffer;
  /** The key set, with members that are no keys at all. */
  readonly members: readonly unknown[];
}

export const corpusKeys = async (): Promise<CorpusKeys> => {
  const keys = await pairs();
  const { unpublished: _, ...published } = keys;
  const leaked = await signingKey('leaked', 'ES256');
  const weak = weakKey('weak');
  const shared = Buffer.alloc(32, 7);
  const members = [
    null,
    'key',
    {},
    { kty: 'EC', kid: 'broken', crv: 'P-256', x: 'AA', y: 'AA' },
    { kty: 'oct', kid: 'shared', k: shared.toString('base64url') },
    { kty: 'toString', kid: 'inherited' },
    ...Object.values(published).map(({ jwk }) => jwk),
    weak.jwk,
    { ...leaked.jwk, d: leaked.node.export({ format: 'jwk' }).d },
  ];
  return { keys, leaked, weak, shared, members };
};
