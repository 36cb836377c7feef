import { constants, createHash, privateEncrypt, sign as nodeSign, type KeyObject } from 'node:crypto';
import type { SigningKey } from '../../support/signing.keys.js';

/** A signature and whether it is one. */
export interface SignatureCase {
  readonly label: string;
  readonly alg: string;
  readonly isGood: boolean;
  /** Default: the algorithm, and the kid of its key. */
  readonly header?: object;
  readonly sign: (input: Buffer) => Buffer;
}

type Sign = (input: Buffer) => Buffer;

const hashOf = (alg: string): string => `sha${alg.slice(2)}`;

/** What an algorithm makes of an input (RFC 7518, 3.3 to 3.5; RFC 8037). */
const signing = (alg: string, node: KeyObject): Sign => {
  if (alg.startsWith('Ed')) return (input) => nodeSign(null, input, node);
  const hash = hashOf(alg);
  if (alg.startsWith('ES')) return (input) => nodeSign(hash, input, { key: node, dsaEncoding: 'ieee-p1363' });
  if (alg.startsWith('RS')) return (input) => nodeSign(hash, input, node);
  return (input) => pss(hash, input, node, constants.RSA_PSS_SALTLEN_DIGEST);
};

const pss = (hash: string, input: Buffer, key: KeyObject, saltLength: number): Buffer =>
  nodeSign(hash, input, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });

const flipped = (bytes: Buffer, index: number, bit = 1): Buffer => {
  const changed = Buffer.from(bytes);
  changed[index] = (changed[index] ?? 0) ^ bit;
  return changed;
};

/** What holds for every algorithm. */
export const everyCase = (alg: string, { node }: SigningKey): SignatureCase[] => {
  const right = signing(alg, node);
  const changed = (label: string, change: (signature: Buffer) => Buffer): SignatureCase => ({
    label,
    alg,
    isGood: false,
    sign: (input) => change(right(input)),
  });
  return [
    { label: 'as it is', alg, isGood: true, sign: right },
    changed('its first bit flipped', (signature) => flipped(signature, 0, 0x80)),
    changed('its last bit flipped', (signature) => flipped(signature, signature.length - 1)),
    changed('a bit in the middle flipped', (signature) => flipped(signature, signature.length >> 1, 0x10)),
    changed('a byte short', (signature) => signature.subarray(0, -1)),
    changed('without its first byte', (signature) => signature.subarray(1)),
    changed('a zero behind it', (signature) => Buffer.concat([signature, Buffer.alloc(1)])),
    changed('a zero before it', (signature) => Buffer.concat([Buffer.alloc(1), signature])),
    changed('half of it', (signature) => signature.subarray(0, signature.length >> 1)),
    changed('twice', (signature) => Buffer.concat([signature, signature])),
    changed('all zeros', (signature) => Buffer.alloc(signature.length)),
    changed('all ones', (signature) => Buffer.alloc(signature.length, 0xff)),
    { label: 'of the empty text', alg, isGood: false, sign: () => right(Buffer.alloc(0)) },
    { label: 'of the header alone', alg, isGood: false, sign: (input) => right(firstPart(input)) },
    {
      label: 'of the digest instead of the text',
      alg,
      isGood: false,
      sign: (input) => right(createHash('sha256').update(input).digest()),
    },
  ];
};

const firstPart = (input: Buffer): Buffer => input.subarray(0, input.indexOf('.'));

/** The orders of the curves' groups. */
const orders: Readonly<Record<string, bigint>> = {
  ES256: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  ES384: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  ES512: BigInt(`0x01${'f'.repeat(64)}fa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409`),
};

const numberIn = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
const bytesOf = (value: bigint, length: number): Buffer =>
  Buffer.from(
    value
      .toString(16)
      .padStart(length * 2, '0')
      .slice(-length * 2),
    'hex',
  );

/** A signature is r and s, each as long as the curve's order (RFC 7518, 3.4). */
export const ellipticCases = (alg: string, { node }: SigningKey, stranger: SigningKey): SignatureCase[] => {
  const right = signing(alg, node);
  const order = orders[alg] ?? 0n;
  const pair = (label: string, isGood: boolean, change: (r: bigint, s: bigint) => [bigint, bigint]) => ({
    label,
    alg,
    isGood,
    sign: (input: Buffer) => {
      const signature = right(input);
      const half = signature.length / 2;
      const [r, s] = change(numberIn(signature.subarray(0, half)), numberIn(signature.subarray(half)));
      return Buffer.concat([bytesOf(r, half), bytesOf(s, half)]);
    },
  });
  const other = alg === 'ES256' ? 'sha512' : 'sha256';
  return [
    pair('r is 0', false, (_, s) => [0n, s]),
    pair('s is 0', false, (r) => [r, 0n]),
    pair('r and s are 0', false, () => [0n, 0n]),
    pair('r and s are 1', false, () => [1n, 1n]),
    pair('r is the order', false, (_, s) => [order, s]),
    pair('s is the order', false, (r) => [r, order]),
    pair('r and s changed places', false, (r, s) => [s, r]),
    pair('r negated', false, (r, s) => [order - r, s]),
    // Whoever has one signature can make this other one. Nothing here takes a token for another because of it.
    pair('s negated', true, (r, s) => [r, order - s]),
    { label: 'in DER', alg, isGood: false, sign: (input) => nodeSign(hashOf(alg), input, node) },
    {
      label: 'with another hash',
      alg,
      isGood: false,
      sign: (input) => nodeSign(other, input, { key: node, dsaEncoding: 'ieee-p1363' }),
    },
    { label: 'by another key of its kid', alg, isGood: false, sign: signing('ES256', stranger.node) },
  ];
};

/** Both paddings with either algorithm, other hashes and salts, and signatures that are numbers in other ways. */
export const rsaCases = (alg: string, { node }: SigningKey, stranger: SigningKey): SignatureCase[] => {
  const hash = hashOf(alg);
  const other = hash === 'sha256' ? 'sha512' : 'sha256';
  const otherPadding = `${alg.startsWith('RS') ? 'PS' : 'RS'}${alg.slice(2)}`;
  const modulus = numberIn(Buffer.from(node.export({ format: 'jwk' }).n ?? '', 'base64url'));
  const wrong = (label: string, sign: Sign): SignatureCase => ({ label, alg, isGood: false, sign });
  return [
    wrong('with the other padding', signing(otherPadding, node)),
    wrong('with another hash', signing(`${alg.slice(0, 2)}${other.slice(3)}`, node)),
    wrong('with SHA-1', (input) => nodeSign('sha1', input, node)),
    wrong('with an empty salt', (input) => pss(hash, input, node, 0)),
    wrong('with the longest salt', (input) => pss(hash, input, node, constants.RSA_PSS_SALTLEN_MAX_SIGN)),
    wrong('with a salt a byte too long', (input) => pss(hash, input, node, Number(alg.slice(2)) / 8 + 1)),
    wrong('by another key of its kid', signing(alg, stranger.node)),
    ...(alg === 'PS256'
      ? [wrong('without its first byte, a zero', (input) => beheaded(signing(alg, node), input))]
      : []),
    wrong('plus the modulus', (input) => bytesOf(numberIn(signing(alg, node)(input)) + modulus, 257)),
    wrong('is 0', () => bytesOf(0n, 256)),
    wrong('is 1', () => bytesOf(1n, 256)),
    wrong('is the modulus', () => bytesOf(modulus, 256)),
    wrong('is the modulus less 1', () => bytesOf(modulus - 1n, 256)),
    wrong('the digest without a name of its hash', (input) =>
      privateEncrypt(
        { key: node, padding: constants.RSA_PKCS1_PADDING },
        createHash(hash).update(input).digest(),
      ),
    ),
    wrong('short padding and rubbish behind the digest', (input) =>
      privateEncrypt(unpadded(node), forged(hash, input)),
    ),
  ];
};

/** The same number in fewer bytes than the modulus has (RFC 8017, 8.1.2, step 1). Every signature is another number. */
const beheaded = (sign: Sign, input: Buffer): Buffer => {
  let signature = sign(input);
  while (signature[0] !== 0) signature = sign(input);
  return signature.subarray(1);
};

const unpadded = (key: KeyObject) => ({ key, padding: constants.RSA_NO_PADDING });

/** What Bleichenbacher's forgery of 2006 looks like when it is opened. */
const forged = (hash: string, input: Buffer): Buffer => {
  const digest = createHash(hash).update(input).digest();
  const begin = Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(8, 0xff), Buffer.from([0]), digest]);
  return Buffer.concat([begin, Buffer.alloc(256 - begin.length, 0x5a)]);
};

const edwardsOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

/** A signature is R and S, little-endian, S below the order (RFC 8032, 5.1.7). */
export const edwardsCases = ({ node, jwk }: SigningKey): SignatureCase[] => {
  const alg = String(jwk.kid);
  const right = signing(alg, node);
  const halves = (label: string, change: (r: Buffer, s: Buffer) => [Buffer, Buffer]): SignatureCase => ({
    label,
    alg,
    isGood: false,
    sign: (input) => {
      const signature = right(input);
      return Buffer.concat(change(signature.subarray(0, 32), signature.subarray(32)));
    },
  });
  const publicKey = Buffer.from(jwk.x ?? '', 'base64url');
  const raised = (s: Buffer): Buffer =>
    bytesOf(numberIn(Buffer.from(s).reverse()) + edwardsOrder, 32).reverse();
  return [
    halves('S plus the order', (r, s) => [r, raised(s)]),
    halves('S is 0', (r) => [r, Buffer.alloc(32)]),
    halves('R is 0', (_, s) => [Buffer.alloc(32), s]),
    halves('R and S changed places', (r, s) => [s, r]),
    halves('R is the public key', (_, s) => [publicKey, s]),
    halves('R is the neutral element', (_, s) => [Buffer.from([1, ...Buffer.alloc(31)]), s]),
    halves('S in the other order of bytes', (r, s) => [r, Buffer.from(s).reverse()]),
  ];
};
