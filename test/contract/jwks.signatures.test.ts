import { afterAll, expect, test } from '@jest/globals';
import { Jwks } from '@nest-endpoints/auth';
import { KeyServer } from '@nest-endpoints/testing';
import { bearer, statusOf } from '../support/credentials.js';
import { signingKey } from '../support/signing.keys.js';
import { encoded, signed } from '../support/tokens.js';
import { edwardsCases, ellipticCases, everyCase, rsaCases, type SignatureCase } from './corpus/signatures.js';

// After the pattern of Wycheproof's vectors for JSON Web Signatures: what a signature is not.

const keys = {
  RS256: await signingKey('RS256', 'RS256'),
  RS384: await signingKey('RS384', 'RS384'),
  RS512: await signingKey('RS512', 'RS512'),
  PS256: await signingKey('PS256', 'PS256'),
  PS384: await signingKey('PS384', 'PS384'),
  PS512: await signingKey('PS512', 'PS512'),
  ES256: await signingKey('ES256', 'ES256'),
  ES384: await signingKey('ES384', 'ES384'),
  ES512: await signingKey('ES512', 'ES512'),
  EdDSA: await signingKey('EdDSA', 'EdDSA'),
  Ed25519: await signingKey('Ed25519', 'Ed25519'),
};
const stranger = { ES256: await signingKey('ES256', 'ES256'), RS256: await signingKey('RS256', 'RS256') };
const keyServer = await KeyServer.start({
  keySet: () => ({ keys: Object.values(keys).map(({ jwk }) => jwk) }),
});
const jwks = new Jwks({ jwksUrl: keyServer.url });
afterAll(() => keyServer.close());

const cases: readonly SignatureCase[] = Object.entries(keys).flatMap(([alg, key]) => [
  ...everyCase(alg, key),
  ...(alg.startsWith('ES') ? ellipticCases(alg, key, stranger.ES256) : []),
  ...(/^[RP]S/.test(alg) ? rsaCases(alg, key, stranger.RS256) : []),
  ...(alg.startsWith('Ed') ? edwardsCases(key) : []),
]);

test('There are 60 cases of signatures and more', () => {
  expect(cases.length).toBeGreaterThan(60);
});

test('A token is accepted only with the signature that its key and algorithm make of it', async () => {
  const wrong: unknown[] = [];
  for (const { label, alg, isGood, header = { alg, kid: alg }, sign } of cases) {
    const input = `${encoded(header)}.${encoded({ sub: 'alice' })}`;
    const token = `${input}.${sign(Buffer.from(input)).toString('base64url')}`;
    const status = await statusOf(jwks, bearer(token));
    if (status !== (isGood ? 200 : 401)) wrong.push({ alg, label, status });
  }
  expect(wrong).toEqual([]);
});

test('Every letter of a token counts', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const good = await signed(keys.EdDSA, 'EdDSA', { sub: 'alice', exp: 9e9 });
  expect(await statusOf(jwks, bearer(good))).toBe(200);
  for (let index = 0; index < good.length; index += 1)
    for (const step of [1, 32]) {
      const other = alphabet[(alphabet.indexOf(good[index] ?? '') + step) % 64] ?? '';
      const changed = `${good.slice(0, index)}${other}${good.slice(index + 1)}`;
      expect([changed, await statusOf(jwks, bearer(changed))]).toEqual([changed, 401]);
    }
});

test('A signature is not good for another token of the same key', async () => {
  const [good] = cases.filter(({ alg, isGood }) => alg === 'ES256' && isGood);
  const header = encoded({ alg: 'ES256', kid: 'ES256' });
  const input = `${header}.${encoded({ sub: 'alice' })}`;
  const signature = good?.sign(Buffer.from(input)).toString('base64url') ?? '';
  const others = [
    `${header}.${encoded({ sub: 'mallory' })}.${signature}`,
    `${header}.${encoded({ sub: 'alice', exp: 9e9 })}.${signature}`,
    `${encoded({ alg: 'ES256', kid: 'ES256', typ: 'JWT' })}.${encoded({ sub: 'alice' })}.${signature}`,
    `${encoded({ kid: 'ES256', alg: 'ES256' })}.${encoded({ sub: 'alice' })}.${signature}`,
  ];
  expect(await statusOf(jwks, bearer(`${input}.${signature}`))).toBe(200);
  for (const token of others) expect(await statusOf(jwks, bearer(token))).toBe(401);
});

test('Nothing is believed of a key whose secret members were published', async () => {
  const token = await signed(keys.RS256, 'RS256', { sub: 'alice', exp: 9e9 });
  let published = {};
  const server = await KeyServer.start({
    keySet: () => ({ keys: [{ ...keys.RS256.jwk, ...published }, keys.EdDSA.jwk] }),
  });
  const authentication = new Jwks({ jwksUrl: server.url, jwksCacheTime: 0 });
  expect(await statusOf(authentication, bearer(token))).toBe(200);
  for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']) {
    published = { [name]: 'AQAB' };
    expect([name, await statusOf(authentication, bearer(token))]).toEqual([name, 401]);
  }
  await server.close();
});
