import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Jwks, type JwksOptions } from '@nest-endpoints/auth';
import { Logger } from '@nestjs/common';
import { KeyServer, TokenIssuer } from '@nest-endpoints/testing';
import { bearer, outcomeOf, statusOf } from '../support/credentials.js';
import { quickFaults, redirectTo, slowFaults } from '../support/key.server.faults.js';
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

test('A cool-down counts attempts, failed ones too', async () => {
  const authentication = jwks();
  await statusOf(authentication, bearer(await token()));
  const stranger = await TokenIssuer.create();
  server.answer = down;
  for (let attempt = 0; attempt < 20; attempt += 1)
    expect(await statusOf(authentication, bearer(await stranger.token({}, { expiresIn: null })))).toBe(401);
  expect(server.requests).toBe(2);
});

test('A storm of unknown kids causes one reading per cool-down, and good tokens pass beside it', async () => {
  const authentication = jwks();
  const stranger = await TokenIssuer.create();
  const good = await token();
  expect(await statusOf(authentication, bearer(good))).toBe(200);
  const unknown = await Promise.all(
    Array.from({ length: 2000 }, (_, index) =>
      stranger.token({ sub: String(index) }, { expiresIn: null, header: { kid: `unknown-${index}` } }),
    ),
  );
  let cooldowns = 1;
  for (let from = 0; from < unknown.length; from += 50) {
    const waiting = unknown.slice(from, from + 50).map((text) => statusOf(authentication, bearer(text)));
    const passing = Array.from({ length: 5 }, async () => statusOf(authentication, bearer(await token())));
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([401]));
    expect(new Set(await Promise.all([...passing, statusOf(authentication, bearer(good))]))).toEqual(
      new Set([200]),
    );
    if (from % 500 === 0) {
      clock.pass(30);
      cooldowns += 1;
    }
  }
  expect(server.requests - 1).toBeLessThanOrEqual(cooldowns);
});

test('Good keys are never replaced by an error, an empty set or nonsense', async () => {
  for (const [name, answer] of [
    ...Object.entries(quickFaults),
    ...[301, 302, 303, 307, 308].map(
      (status) => [`a redirect, ${status}`, redirectTo(server.url, status)] as const,
    ),
  ]) {
    server.answer = undefined;
    const [authentication, sent] = [jwks(), await token()];
    expect(await statusOf(authentication, bearer(sent))).toBe(200);
    server.answer = answer;
    const before = server.requests;
    for (const seconds of [day, 1, 30, day / 2]) {
      clock.pass(seconds);
      expect([name, await statusOf(authentication, bearer(sent))]).toEqual([name, 200]);
      expect([name, await statusOf(authentication, bearer(await token()))]).toEqual([name, 200]);
    }
    expect([name, server.requests > before]).toEqual([name, true]);
  }
});

test('The last good keys serve no longer than jwks_cache_time and the grace period', async () => {
  const [authentication, sent] = [jwks({ jwksGracePeriod: 100 }), await token()];
  expect(await statusOf(authentication, bearer(sent))).toBe(200);
  server.answer = down;
  clock.pass(day + 99);
  expect(await statusOf(authentication, bearer(sent))).toBe(200);
  clock.pass(1);
  expect(await statusOf(authentication, bearer(sent))).toBe(503);
  server.answer = undefined;
  clock.pass(30);
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
  for (const other of [{}, { kid: issuer.kid }]) {
    const [authentication, sent] = [jwks({ jwksCacheTime: 60 }), await token()];
    for (const _ of [1, 2]) expect(await statusOf(authentication, bearer(sent))).toBe(200);
    const { keys } = await TokenIssuer.create().then((next) => next.keySet());
    server.answer = (_request, response) =>
      void response.end(JSON.stringify({ keys: keys.map((key) => ({ ...key, ...other })) }));
    clock.pass(60);
    expect(await statusOf(authentication, bearer(sent))).toBe(401);
    server.answer = undefined;
  }
});

test('While there are no keys yet the answer is Service Unavailable, and one reading heals it', async () => {
  const [authentication, sent] = [jwks(), await token()];
  for (const answer of [...Object.values(quickFaults), redirectTo(server.url)]) {
    server.answer = answer;
    expect(await statusOf(authentication, bearer(sent))).toBe(503);
    clock.pass(30);
  }
  server.answer = undefined;
  expect(await statusOf(authentication, bearer(sent))).toBe(200);
});

test('While there are no keys yet they are asked for at growing pauses, up to the cool-down', async () => {
  const [authentication, sent] = [jwks(), await token()];
  server.answer = down;
  const times: number[] = [];
  for (let second = 0; second < 120; second += 1) {
    const before = server.requests;
    expect(await statusOf(authentication, bearer(sent))).toBe(503);
    if (server.requests > before) times.push(second);
    clock.pass(1);
  }
  expect(times).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
});

test('A key server that never ends its answer costs four seconds, once', async () => {
  const answers = Object.entries(slowFaults).map(async ([name, answer]) => {
    const own = await KeyServer.start(issuer);
    const known = new Jwks({ jwksUrl: own.url, clock: new ManualClock() });
    const fresh = new Jwks({ jwksUrl: own.url, clock: new ManualClock() });
    const sent = await token();
    const stranger = await (await TokenIssuer.create()).token({}, { expiresIn: null });
    expect(await statusOf(known, bearer(sent))).toBe(200);
    own.answer = answer;
    const begun = performance.now();
    const statuses = await Promise.all([
      statusOf(known, bearer(stranger)),
      statusOf(known, bearer(await token())),
      statusOf(fresh, bearer(sent)),
      statusOf(fresh, bearer(sent)),
    ]);
    const [milliseconds, requests] = [performance.now() - begun, own.requests];
    const again = [await statusOf(known, bearer(stranger)), await statusOf(fresh, bearer(sent))];
    await own.close();
    return { name, statuses, again, requests, isInTime: milliseconds > 3500 && milliseconds < 4500 };
  });
  for (const { name, ...answer } of await Promise.all(answers))
    expect({ name, ...answer }).toEqual({
      name,
      statuses: [401, 200, 503, 503],
      again: [401, 503],
      requests: 3,
      isInTime: true,
    });
});

test('No request follows a redirect of the key server', async () => {
  const elsewhere = await KeyServer.start(issuer);
  server.answer = redirectTo(elsewhere.url);
  expect(await statusOf(jwks(), bearer(await token()))).toBe(503);
  expect(elsewhere.requests).toBe(0);
  await elsewhere.close();
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
