import { constants, createHmac, sign } from 'node:crypto';
import { exportSPKI, importJWK, type CryptoKey } from 'jose';
import type { SigningKey } from '../../support/signing.keys.js';
import { assembled, signed } from '../../support/tokens.js';
import { es256, type Workbench } from './workbench.js';

/** The Registered configuration allows RS256 and ES256. */
export const algorithms = async (bench: Workbench): Promise<void> => {
  await goodAlgorithms(bench);
  await contradictions(bench);
  await noAlgorithms(bench);
  await unusableKeys(bench);
};

const goodAlgorithms = async ({ keys, usual, add }: Workbench): Promise<void> => {
  await add('RS256 by a key that names it', 'RLFN', signed(keys.rs256, 'RS256', usual));
  await add('ES256 by a key that names it', 'RLFN', signed(keys.es256, 'ES256', usual));
  await add('ES384, which is not in the list', 'LFN', signed(keys.es384, 'ES384', usual));
  await add('ES512, which is not in the list', 'LFN', signed(keys.es512, 'ES512', usual));
  await add('EdDSA, which is not in the list', 'LFN', signed(keys.eddsa, 'EdDSA', usual));
  await add('Ed25519 by a key that names it', 'LFN', signed(keys.ed25519, 'Ed25519', usual));
  await add('PS256 by a key that names it', 'LFN', signed(keys.ps256, 'PS256', usual));
  for (const alg of ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']) {
    const privateKey = (await importJWK(keys.rsa.node.export({ format: 'jwk' }), alg)) as CryptoKey;
    const token = signed({ kid: 'rsa', privateKey }, alg, usual);
    await add(`${alg} by an RSA key that names none`, alg === 'RS256' ? 'RLFN' : 'LFN', token);
  }
};

const contradictions = async ({ keys, usual, add }: Workbench): Promise<void> => {
  const rs =
    (hash: string, { node }: SigningKey) =>
    (input: Buffer) =>
      sign(hash, input, node);
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const ps =
    (hash: string, { node }: SigningKey) =>
    (input: Buffer) =>
      sign(hash, input, { key: node, ...pss });
  const token = (alg: string, kid: string, by: (input: Buffer) => Buffer) =>
    assembled({ alg, kid }, usual, by);
  await add('RS256 by a key for PS256', '', token('RS256', 'ps256', rs('sha256', keys.ps256)));
  await add('PS256 by a key for RS256', '', token('PS256', 'rs256', ps('sha256', keys.rs256)));
  await add('RS512 by a key for RS256', '', token('RS512', 'rs256', rs('sha512', keys.rs256)));
  const ed25519 = (input: Buffer) => sign(null, input, keys.ed25519.node);
  await add('EdDSA by a key for Ed25519', '', token('EdDSA', 'ed25519', ed25519));
};

const noAlgorithms = async ({ keys, shared, usual, add }: Workbench): Promise<void> => {
  const publicKey = (await importJWK(keys.rs256.jwk, 'RS256', { extractable: true })) as CryptoKey;
  const spki = await exportSPKI(publicKey);
  const token = (alg: unknown, kid: string, by: (input: Buffer) => Buffer | string) =>
    assembled({ alg, kid }, usual, by);
  await add('HS256 with the secret in the set', '', token('HS256', 'shared', hmac(shared)));
  await add('HS256 with a public key as the secret', '', token('HS256', 'rs256', hmac(spki)));
  const unsecured = ['none', 'None', 'NONE', 'nOnE', ''];
  for (const alg of unsecured) {
    await add(
      `alg '${alg}' without a signature`,
      '',
      token(alg, 'es256', () => ''),
    );
    await add(`alg '${alg}' with a signature`, '', token(alg, 'es256', es256(keys.es256)));
  }
  const unknown = ['es256', 'ES256 ', 'ES256K', 'toString', '__proto__', 'constructor'];
  for (const alg of [...unknown, undefined, null, 256, true, ['ES256'], { name: 'ES256' }])
    await add(`alg ${JSON.stringify(alg)}`, '', token(alg, 'es256', es256(keys.es256)));
};

const unusableKeys = async ({ keys, leaked, weak, usual, add }: Workbench): Promise<void> => {
  const weakly = (input: Buffer) => sign('sha256', input, weak.node);
  await add('RS256 by a key of 1024 bits', '', assembled({ alg: 'RS256', kid: 'weak' }, usual, weakly));
  const by = (label: string, key: SigningKey) => add(label, '', signed(key, 'ES256', usual));
  await by('ES256 by a key for encryption', keys.encryption);
  await by('ES256 by a key whose use is a list', keys.oddUse);
  await by('ES256 by a key for signing', keys.signing);
  await by('ES256 by a key whose operations are no list', keys.oddOperations);
  await by('ES256 by a key whose alg contradicts its curve', keys.contradicting);
  await by('ES256 by a key whose private half is public', leaked);
};

const hmac = (secret: string | Buffer) => (input: Buffer) =>
  createHmac('sha256', secret).update(input).digest();
