import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Jwks, type JwksOptions } from '@nest-endpoints/auth';
import { Logger } from '@nestjs/common';
import { KeyServer, TokenIssuer } from '@nest-endpoints/testing';
import { bearer, statusOf } from '../support/credentials.js';
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
const timer = (milliseconds: number, word: string) =>
  new Promise((resolve) => setTimeout(() => resolve(word), milliseconds));

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

test('The log says why there are no keys, and how old the last ones are', async () => {
  const [authentication, sent] = [jwks({ jwksGracePeriod: 100 }), await token()];
  const address = server.url.replace(/\?.*/, '');
  log.lines = [];
  server.answer = down;
  expect(await statusOf(authentication, bearer(sent))).toBe(503);
  const [, why] = log.text().split(`no keys from ${address}: `);
  expect(why).toMatch(/^fetch failed: .+; there are no keys yet/);
  server.answer = undefined;
  clock.pass(30);
  expect(await statusOf(authentication, bearer(sent))).toBe(200);
  server.answer = down;
  clock.pass(day + 7);
  await statusOf(authentication, bearer(sent));
  expect(log.text()).toContain(`; the last keys are ${day + 7} s old`);
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
    const good = await token();
    // Timers of one process end in their order, however late all of them are.
    const [before, after] = [timer(3500, 'not yet'), timer(8000, 'too late')];
    const statuses = Promise.all([
      statusOf(known, bearer(stranger)),
      statusOf(known, bearer(good)),
      statusOf(fresh, bearer(sent)),
      statusOf(fresh, bearer(sent)),
    ]);
    const early = await Promise.race([statuses, before]);
    const inTime = await Promise.race([statuses, after]);
    const requests = own.requests;
    const again = [await statusOf(known, bearer(stranger)), await statusOf(fresh, bearer(sent))];
    await own.close();
    return { name, early, inTime, again, requests };
  });
  for (const { name, ...answer } of await Promise.all(answers))
    expect({ name, ...answer }).toEqual({
      name,
      early: 'not yet',
      inTime: [401, 200, 503, 503],
      again: [401, 503],
      requests: 3,
    });
});

test('No request follows a redirect of the key server', async () => {
  const elsewhere = await KeyServer.start(issuer);
  server.answer = redirectTo(elsewhere.url);
  expect(await statusOf(jwks(), bearer(await token()))).toBe(503);
  expect(elsewhere.requests).toBe(0);
  await elsewhere.close();
});
