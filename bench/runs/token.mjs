import { generateKeyPairSync, sign } from 'node:crypto';

const text = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A key of this run, as the key set that a provider publishes, and a token that is good for two hours. */
export function makeToken(claims) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' };
  const exp = Math.floor(Date.now() / 1000) + 7200;
  const all = { sub: 'ada', aud: 'bench', iss: 'https://issuer.example', exp, ...claims };
  const signed = `${text({ alg: 'RS256', kid: 'bench' })}.${text(all)}`;
  return {
    keys: JSON.stringify({ keys: [key] }),
    token: `${signed}.${sign('sha256', signed, privateKey).toString('base64url')}`,
  };
}
