import { expect, test } from '@jest/globals';
import { Jwks, JwksStrategy, JwksStrategyModule, type JwksOptions } from '@nest-endpoints/auth';
import { ConfigurationError, List } from '@nest-endpoints/core';
import { KeyServer, TokenIssuer } from '@nest-endpoints/testing';
import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { startApplication, startUpError, type ApplicationOptions } from '../support/application.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const issuer = await TokenIssuer.create();
const keyServer = await KeyServer.start(issuer);
const { port } = keyServer;

const listed = {
  url: 'books',
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

/** The message of a mistake, as JavaScript makes it. */
const mistake = (options: Readonly<Record<string, unknown>>): string => {
  try {
    new Jwks({ jwksUrl: 'https://login.test/jwks', ...options } as JwksOptions);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return 'no mistake';
};

test('A symmetric algorithm or none in algorithms stops the start', () => {
  for (const alg of ['HS256', 'HS384', 'HS512', 'none', 'es256', 'RSA-OAEP', '', null, 'constructor'])
    expect(mistake({ algorithms: ['ES256', alg] })).toMatch(
      /^Jwks: algorithms: .* is not allowed; allowed: RS256, .*EdDSA/,
    );
  expect(mistake({ algorithms: 'ES256' })).toContain('is not a list');
  expect(mistake({ algorithms: [] })).toBe('no mistake');
});

test('A key server must be HTTPS outside of this machine', () => {
  const plain = [
    'http://login.test/',
    'http://10.0.0.1/',
    'http://127.0.0.1.test/',
    'http://localhost.test/',
  ];
  for (const jwksUrl of [...plain, 'http://[::2]/', 'http://0.0.0.0/']) {
    expect(mistake({ jwksUrl })).toMatch(/^Jwks: jwksUrl: .*HTTPS.*allowHttp: true/);
    expect(mistake({ jwksUrl, allowHttp: true })).toBe('no mistake');
  }
  const near = ['http://localhost:8080/a', 'http://127.0.0.1/', 'http://127.9.9.9:1/', 'http://[::1]/'];
  for (const jwksUrl of ['https://login.test/jwks?tenant=a', ...near])
    expect(mistake({ jwksUrl })).toBe('no mistake');
});

test('An address that is none stops the start', () => {
  for (const jwksUrl of [
    undefined,
    null,
    '',
    'login.test',
    '/jwks',
    5,
    'file:///etc/passwd',
    'data:,{}',
    'ftp://a/',
  ])
    expect(mistake({ jwksUrl, allowHttp: true })).toMatch(/^Jwks: jwksUrl: /);
  const message = mistake({ jwksUrl: 'https://user:secret@login.test/' });
  expect(message).toMatch(/^Jwks: jwksUrl: a user and a password/);
  expect(message).not.toContain('secret');
});

test('Values of Jwks that are not allowed stop the start', () => {
  const wrong: readonly [option: keyof JwksOptions, values: readonly unknown[]][] = [
    ['audience', ['', 5, ['a'], null]],
    ['issuer', ['', 5, ['a']]],
    ['claims', ['sub', [''], [1], 5, {}]],
    ['jwksCacheTime', [-1, 0.5, NaN, Infinity, '60', 1e9]],
    ['jwksGracePeriod', [-1, 0.5, '60']],
    ['jwksCooldown', [-1, 0.5, '30']],
    ['leeway', [-1, 301, 0.5, '5']],
    ['requireExpiration', ['yes', 1]],
    ['allowHttp', ['yes', 1]],
    ['maximumTokenLength', [-1, 1e6, '8192']],
    ['verifiedTokens', [-1, 0.5, 1e9]],
    ['documentationSecurityName', ['', 'a b', 5]],
    ['authorizationUrl', ['', 5]],
    ['inject', [5, null, { jwtClaims: 'token' }]],
    ['clock', [5, null, {}, { now: Date.now }]],
    ['fetch', ['fetch', {}]],
  ];
  for (const [option, values] of wrong)
    for (const value of values)
      expect(mistake({ [option]: value })).toMatch(new RegExp(`^Jwks: ${option}: `));
  expect(mistake({ audiance: 'atlas' })).toMatch(
    /^Jwks: audiance: is no option here \(did you mean 'audience'\?\); allowed: .*issuer/,
  );
});

test('A provider that no module has stops the start, and names the endpoint', async () => {
  class Absent {
    readonly isHere = false;
  }
  const authentication = new Jwks({ jwksUrl: keyServer.url, inject: { absent: Absent }, claims: () => true });
  await expect(
    startApplication('express', 'sqlite', libraryWith([new List({ ...listed, authentication })])),
  ).rejects.toThrow(/books.*inject.*Absent/);
});

test('Jwks names its scheme for the documentation', () => {
  const jwksUrl = 'https://login.test/jwks';
  expect(new Jwks({ jwksUrl }).securityScheme).toEqual({
    name: 'jwt',
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  });
  const authorizationUrl = 'https://login.test/authorize';
  const documented = new Jwks({ jwksUrl, authorizationUrl, documentationSecurityName: 'login' });
  expect(documented.securityScheme).toEqual({
    name: 'login',
    scheme: { type: 'oauth2', flows: { implicit: { authorizationUrl, scopes: {} } } },
  });
  expect([documented.documentationSecurityName, documented.authorizationUrl]).toEqual([
    'login',
    authorizationUrl,
  ]);
});

test('The application starts while the key server is down, and heals when it comes', async () => {
  await keyServer.close();
  const jwks = new Jwks({ jwksUrl: `http://127.0.0.1:${port}/jwks`, jwksCooldown: 0 });
  const { request, close } = await startApplication('express', 'sqlite', {
    ...libraryWith([new List({ ...listed, authentication: jwks })]),
    imports: [JwksStrategyModule.register(jwks)],
  });
  const ask = async () => {
    const token = await issuer.token();
    return (await request().get('/books').set('Authorization', `Bearer ${token}`)).status;
  };
  expect(await ask()).toBe(503);
  const late = await KeyServer.start(issuer, { port });
  expect(await ask()).toBe(200);
  await Promise.all([late.close(), close()]);
});

const asked = (register: readonly DynamicModule[], more: Partial<ApplicationOptions> = {}) =>
  libraryWith([new List(listed)], { imports: [...register], ...more });
const own = () => new Jwks({ jwksUrl: 'https://login.test/jwks', audience: 'own' });
const others = () => new Jwks({ jwksUrl: 'https://login.test/jwks', audience: 'others' });

test('Two strategies of Jwks under one name stop the start', async () => {
  const shared = own();
  for (const [register, name] of [
    [[JwksStrategyModule.register(own()), JwksStrategyModule.register(others())], 'jwks'],
    [[JwksStrategyModule.register(own()), JwksStrategyModule.register(others(), 'jwks')], 'jwks'],
    [[JwksStrategyModule.register(own(), 'a'), JwksStrategyModule.register(others(), 'a')], 'a'],
    [[JwksStrategyModule.register(shared), JwksStrategyModule.register(shared)], 'jwks'],
  ] as const)
    expect(await startUpError(asked(register))).toContain(
      `JwksStrategyModule: name: '${name}' is registered twice: give each register a name of its own`,
    );
});

test('A strategy of the user under the name of one of Jwks stops the start', async () => {
  @Injectable()
  class OwnStrategy extends PassportStrategy(JwksStrategy, 'mine') {
    constructor() {
      super({ jwks: others() });
    }
    validate(claims: unknown): unknown {
      return claims;
    }
  }
  const register = [JwksStrategyModule.register(own(), 'mine')];
  await expect(
    startApplication('express', 'sqlite', asked(register, { providers: [OwnStrategy] })),
  ).rejects.toThrow("JwksStrategyModule: name: 'mine' is the name of another strategy of this process");
});

test('Applications of one process cannot have two strategies under one name at the same time', async () => {
  const [jwks, module] = [own(), JwksStrategyModule.register(own(), 'shared')];
  const start = (...register: readonly DynamicModule[]) =>
    startApplication('express', 'sqlite', asked(register));
  const first = await start(module, JwksStrategyModule.register(jwks, 'alike'));
  const second = await start(JwksStrategyModule.register(jwks, 'alike'));
  expect(await startUpError(asked([JwksStrategyModule.register(others(), 'shared')]))).toContain(
    "'shared' is the name of another strategy of this process",
  );
  await first.close();
  await second.close();
  await (await start(JwksStrategyModule.register(others(), 'shared'))).close();
});

test('One module of a strategy may be imported in several places', async () => {
  const module = JwksStrategyModule.register(own(), 'once');
  @Module({ imports: [module] })
  class Feature {}
  await (
    await startApplication(
      'express',
      'sqlite',
      libraryWith([new List(listed)], { imports: [module, Feature] }),
    )
  ).close();
});
