import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Jwks, type JwksOptions } from '@nest-endpoints/auth';
import { Logger } from '@nestjs/common';
import { KeyServer, TokenIssuer } from '@nest-endpoints/testing';
import { bearer, outcomeOf, statusOf } from '../support/credentials.js';
import { quickFaults } from '../support/key.server.faults.js';
import { log } from '../support/log.js';
import { ManualClock } from '../support/manual.clock.js';

Logger.overrideLogger(log);

const day = 86_400;
let issuer: TokenIssuer;
let server: KeyServer;
let clock: ManualClock;

beforeEach(async () => {
  issuer = await TokenIssuer.create();
  server = await KeyServer.start(issuer);
  clock = new ManualClock();
});
afterEach(() => server.close());

const jwks = (options: Partial<JwksOptions> = {}) => new Jwks({ jwksUrl: server.url, clock, ...options });
const token = () => issuer.token({}, { expiresIn: null });
const down = quickFaults['a closed connection'];

test('Keys are read once and serve for jwks_cache_time', async () => {
  const [authentication, sent] = [jwks(), await token()];
  for (const seconds of [0, 1, day / 2, day / 2 - 2]) {
    clock.pass(seconds);
    expect(await statusOf(authentication, bearer(sent))).toBe(200);
  }
  expect(server.requests).toBe(1);
  clock.pass(1);
  expect(await statusOf(authentication, bearer(sent))).toBe(200);
  expect(server.requests).toBe(2);
});

test('With jwks_cache_time 0 keys are read for every request', async () => {
  const [authentication, sent] = [jwks({ jwksCacheTime: 0 }), await token()];
  for (const count of [1, 2, 3]) {
    expect(await statusOf(authentication, bearer(sent))).toBe(200);
    expect(server.requests).toBe(count);
  }
  const [old] = issuer.keySet().keys;
  await issuer.rotate();
  await issuer.retire(String(old?.kid));
  expect(await statusOf(authentication, bearer(sent))).toBe(401);
  expect(await statusOf(authentication, bearer(await token()))).toBe(200);
  server.answer = down;
  expect(await statusOf(authentication, bearer(await token()))).toBe(503);
  server.answer = undefined;
  expect(await statusOf(authentication, bearer(await token()))).toBe(200);
});

test('Keys are read once for requests that come together', async () => {
  for (const options of [{}, { jwksCacheTime: 0 }]) {
    const authentication = jwks(options);
    const before = server.requests;
    const sent = await Promise.all(Array.from({ length: 50 }, token));
    const statuses = await Promise.all(sent.map((text) => statusOf(authentication, bearer(text))));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(server.requests - before).toBe(1);
  }
});

test('A token of a new key is accepted at once', async () => {
  const authentication = jwks();
  expect(await statusOf(authentication, bearer(await token()))).toBe(200);
  await issuer.rotate();
  const sent = await Promise.all(Array.from({ length: 20 }, token));
  const statuses = await Promise.all(sent.map((text) => statusOf(authentication, bearer(text))));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(server.requests).toBe(2);
});

test('Unknown kids have the keys read once per cool-down, which begins with such a reading', async () => {
  const authentication = jwks();
  expect(await statusOf(authentication, bearer(await token()))).toBe(200);
  const stranger = await TokenIssuer.create();
  const unknown = () => stranger.token({}, { expiresIn: null });
  for (const [seconds, requests] of [
    [0, 2],
    [1, 2],
    [28.9, 2],
    [0.1, 3],
    [29.9, 3],
    [1000, 4],
  ] as const) {
    clock.pass(seconds);
    expect(await statusOf(authentication, bearer(await unknown()))).toBe(401);
    expect(server.requests).toBe(requests);
  }
});

test('A key that came in the cool-down is accepted after it', async () => {
  const authentication = jwks({ jwksCooldown: 10 });
  await statusOf(authentication, bearer(await token()));
  await statusOf(authentication, bearer(await (await TokenIssuer.create()).token({}, { expiresIn: null })));
  await issuer.rotate();
  const sent = await token();
  clock.pass(9.9);
  expect(await statusOf(authentication, bearer(sent))).toBe(401);
  clock.pass(0.1);
  expect(await statusOf(authentication, bearer(sent))).toBe(200);
});

test('After the cache time keys are read before a token is judged, so that a retired key ends', async () => {
  const [authentication, sent] = [jwks({ jwksCacheTime: 60 }), await token()];
  expect(await statusOf(authentication, bearer(sent))).toBe(200);
  const retired = issuer.kid;
  await issuer.rotate();
  await issuer.retire(retired);
  clock.pass(59);
  expect(await statusOf(authentication, bearer(sent))).toBe(200);
  clock.pass(1);
  expect(await statusOf(authentication, bearer(sent))).toBe(401);
  expect(await statusOf(authentication, bearer(await token()))).toBe(200);
});

test('A token that was seen before is refused when its key retires, or its kid comes to name another key', async () => {
  for (const hasKid of [false, true]) {
    const next = await TokenIssuer.create();
    const kid = hasKid ? issuer.kid : next.kid;
    const header = { kid };
    const [authentication, sent] = [jwks({ jwksCacheTime: 60 }), await token()];
    for (const _ of [1, 2]) expect(await statusOf(authentication, bearer(sent))).toBe(200);
    expect(authentication.authenticate(bearer(sent))).not.toBeInstanceOf(Promise);
    const keys = next.keySet().keys.map((key) => ({ ...key, kid }));
    server.answer = (_request, response) => void response.end(JSON.stringify({ keys }));
    clock.pass(60);
    // Another token has the keys read, so that what is remembered meets them as they are at hand.
    const other = await next.token({}, { expiresIn: null, header });
    expect(await statusOf(authentication, bearer(other))).toBe(200);
    const before = server.requests;
    for (const _ of [1, 2]) expect(await statusOf(authentication, bearer(sent))).toBe(401);
    expect(await statusOf(authentication, bearer(other))).toBe(200);
    expect(server.requests - before).toBeLessThanOrEqual(hasKid ? 0 : 1);
    server.answer = undefined;
  }
});

test('A token that was seen before is refused once it has expired', async () => {
  const [authentication, sent] = [jwks({ leeway: 0 }), await issuer.token({ exp: clock.seconds + 30 })];
  for (const _ of [1, 2]) expect(await statusOf(authentication, bearer(sent))).toBe(200);
  expect(authentication.authenticate(bearer(sent))).not.toBeInstanceOf(Promise);
  clock.pass(29);
  expect(await statusOf(authentication, bearer(sent))).toBe(200);
  clock.pass(1);
  expect(await statusOf(authentication, bearer(sent))).toBe(401);
});

test('A kid of two key servers belongs to each alone', async () => {
  const twin = await TokenIssuer.create();
  const kid = issuer.kid;
  const other = await KeyServer.start({
    keySet: () => ({ keys: twin.keySet().keys.map((key) => ({ ...key, kid })) }),
  });
  const [first, second] = [jwks(), jwks({ jwksUrl: other.url })];
  const [ours, theirs] = [await token(), await twin.token({}, { expiresIn: null, header: { kid } })];
  const statuses = [];
  for (const authentication of [first, second])
    for (const sent of [ours, theirs, ours, theirs])
      statuses.push(await statusOf(authentication, bearer(sent)));
  expect(statuses).toEqual([200, 401, 200, 401, 401, 200, 401, 200]);
  await other.close();
});

test('Tokens are judged by the time of day, keys grow old by time that passes', async () => {
  const authentication = jwks();
  const now = clock.seconds;
  const sent = await issuer.token({ iat: now, nbf: now, exp: now + 60 });
  expect(await statusOf(authentication, bearer(sent))).toBe(200);
  for (const [time, status] of [
    [now - 6, 401],
    [now, 200],
    [now + 64, 200],
    [now + 65, 401],
    [now + 10 * 365 * day, 401],
    [now, 200],
  ] as const) {
    clock.set(time);
    expect(await statusOf(authentication, bearer(sent))).toBe(status);
  }
  expect(server.requests).toBe(1);
});

test('What a token lacks is seen before any key is read', async () => {
  const authentication = jwks({ audience: 'atlas', claims: ['sub'] });
  const good = { aud: 'atlas', sub: 'alice', exp: clock.seconds + 60 };
  for (const claims of [{ aud: 'other' }, { sub: null }, { exp: 1 }, { nbf: 9e9 }])
    expect(await statusOf(authentication, bearer(await issuer.token({ ...good, ...claims })))).toBe(401);
  for (const text of ['', 'a.b.c', 'x'.repeat(9000)])
    expect(await statusOf(authentication, bearer(text))).toBe(401);
  expect(server.requests).toBe(0);
});

test('The reason of a refusal never holds the token', async () => {
  const claims = ({ jwtClaims }: { jwtClaims: object }): boolean => {
    throw new Error(`no: ${JSON.stringify(jwtClaims)}; ${sent}; ${sent.split('.')[2] ?? ''}`);
  };
  const sent = await token();
  const { status, reason } = await outcomeOf(jwks({ claims }), bearer(sent));
  expect(status).toBe(401);
  expect(reason).toContain('the claims function threw');
  for (const part of sent.split('.')) expect(reason).not.toContain(part);
});

test('Remembered tokens are bounded', async () => {
  let verified = 0;
  const authentication = jwks({ verifiedTokens: 4 });
  const tokens = await Promise.all(
    Array.from({ length: 5 }, (_, index) => issuer.token({ sub: String(index) }, { expiresIn: null })),
  );
  for (const sent of [...tokens, ...tokens])
    if (authentication.authenticate(bearer(sent)) instanceof Promise) {
      await authentication.authenticate(bearer(sent));
      verified += 1;
    }
  expect(verified).toBe(10);
  const [last = ''] = tokens.slice(-1);
  expect(authentication.authenticate(bearer(last))).not.toBeInstanceOf(Promise);
});

test('The claims of a token are frozen with all that is in them: who sends it again sees the same', async () => {
  const claims = await jwks().authenticate(
    bearer(await issuer.token({ realm: { roles: [{ name: 'a' }] } }, { expiresIn: null })),
  );
  const { realm } = claims as { realm: { roles: readonly [object] } };
  for (const value of [claims, realm, realm.roles, realm.roles[0]]) expect(Object.isFrozen(value)).toBe(true);
});

test('The reason of a refusal says what stands where a time should, and copes with times beyond the calendar', async () => {
  const reasonFor = async (claims: Readonly<Record<string, unknown>>) =>
    (await outcomeOf(jwks({ leeway: 0 }), bearer(await issuer.token(claims, { expiresIn: null })))).reason;
  expect(await reasonFor({ nbf: [1] })).toBe('nbf as a list is not a date');
  expect(await reasonFor({ nbf: {} })).toBe('nbf as an object is not a date');
  // The last millisecond that a date can be, and the one behind it.
  expect(await reasonFor({ nbf: 8.64e12 })).toContain('+275760-09-13T00:00:00.000Z');
  expect(await reasonFor({ nbf: 8_640_000_000_000.001 })).toContain('the end of time');
});
