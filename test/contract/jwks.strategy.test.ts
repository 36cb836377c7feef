import { afterAll, expect, test } from '@jest/globals';
import { Jwks, JwksStrategy, JwksStrategyModule } from '@nest-endpoints/auth';
import { List } from '@nest-endpoints/core';
import { KeyServer, TokenIssuer } from '@nest-endpoints/testing';
import { Controller, Get, Injectable, Req, UseGuards } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { startApplication } from '../support/application.js';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';

const issuer = await TokenIssuer.create({ audience: 'atlas' });
const keyServer = await KeyServer.start(issuer);
const deaf = await KeyServer.start(issuer);
deaf.answer = (_request, response) => void response.writeHead(500).end();
afterAll(() => Promise.all([keyServer.close(), deaf.close()]));

@Injectable()
class Guests {
  readonly names = new Set(['alice']);
}

const jwks = new Jwks({ jwksUrl: keyServer.url, audience: 'atlas' });
const judging = new Jwks({
  jwksUrl: keyServer.url,
  inject: { guests: Guests },
  claims: async ({ jwtClaims: { sub }, guests, em, routingData, queryParameters, requestHeaders }) =>
    guests.names.has(String(sub)) &&
    routingData['name'] === sub &&
    queryParameters['a'] === 'b' &&
    typeof requestHeaders.authorization === 'string' &&
    (await em.count(Author)) === 1,
});

/** What a user of Passport writes who makes something else of the claims. */
@Injectable()
class NamedStrategy extends PassportStrategy(JwksStrategy, 'named') {
  constructor() {
    super({ jwks });
  }

  validate({ sub }: { sub?: string }): unknown {
    return sub === 'nobody' ? undefined : { name: sub };
  }
}

interface WithUser {
  readonly user: Record<string, unknown>;
}

@Controller('own')
class OwnController {
  @Get()
  @UseGuards(AuthGuard('jwks'))
  own(@Req() { user }: WithUser): unknown {
    const before = user['seen'];
    user['seen'] = true;
    return { user, before };
  }

  @Get('named')
  @UseGuards(AuthGuard('named'))
  named(@Req() { user }: WithUser): unknown {
    return user;
  }

  @Get('judged/:name')
  @UseGuards(AuthGuard('judging'))
  judged(): string {
    return 'judged';
  }

  @Get('deaf')
  @UseGuards(AuthGuard('deaf'))
  deaf(): string {
    return 'deaf';
  }
}

const { contract } = service(
  libraryWith(
    [
      new List({
        url: 'books',
        modelClass: Book,
        readableColumnNames: ['title'],
        sortableColumnNames: ['title'],
        defaultSortColumnName: 'title',
        authentication: jwks,
      }),
    ],
    {
      imports: [
        JwksStrategyModule.register(jwks),
        JwksStrategyModule.register(judging, 'judging'),
        JwksStrategyModule.register(new Jwks({ jwksUrl: deaf.url }), 'deaf'),
      ],
      controllers: [OwnController],
      providers: [Guests, NamedStrategy],
    },
  ),
  everyPlatform,
);

const get = ({ request }: Subject, path: string, token?: string) => {
  const asked = request().get(path);
  return token === undefined ? asked : asked.set('Authorization', `Bearer ${token}`);
};
const unauthorized = { statusCode: 401, message: 'Unauthorized' };

contract("AuthGuard('jwks') guards controllers of the user's own", async (subject) => {
  const token = await issuer.token({ sub: 'alice' });
  for (const _ of ['first', 'seen before']) {
    const { status, body } = await get(subject, '/own', token);
    expect([status, body.user]).toEqual([200, expect.objectContaining({ sub: 'alice', aud: 'atlas' })]);
    expect(body.before).toBeUndefined();
  }
  const refused = [undefined, 'abc', await issuer.token({ aud: 'other' }), await issuer.token({ exp: 1 })];
  for (const sent of refused) {
    const { status, body } = await get(subject, '/own', sent);
    expect([status, body]).toEqual([401, unauthorized]);
  }
  expect((await get(subject, '/books', token)).status).toBe(200);
});

contract('A strategy made of JwksStrategy makes a user of the claims', async (subject) => {
  const { body } = await get(subject, '/own/named', await issuer.token({ sub: 'alice' }));
  expect(body).toEqual({ name: 'alice' });
  expect((await get(subject, '/own/named', await issuer.token({ sub: 'nobody' }))).status).toBe(401);
});

contract('Behind AuthGuard a callable of claims gets what it gets before an endpoint', async (subject) => {
  const token = await issuer.token({ sub: 'alice' });
  expect((await get(subject, '/own/judged/alice?a=b', token)).status).toBe(401);
  await subject.save(Author, { name: 'Jane Austen' });
  expect((await get(subject, '/own/judged/alice?a=b', token)).status).toBe(200);
  expect((await get(subject, '/own/judged/alice?a=c', token)).status).toBe(401);
  expect((await get(subject, '/own/judged/bob?a=b', token)).status).toBe(401);
});

contract(
  'Behind AuthGuard the reason of a 401 is in the log at debug level, without the token',
  async (subject) => {
    const token = await issuer.token({ aud: 'other' });
    await get(subject, '/own', token);
    expect(subject.log.text('debug')).toContain('aud "other" does not contain "atlas"');
    for (const part of token.split('.')) expect(subject.log.text()).not.toContain(part);
  },
);

contract('Behind AuthGuard a key server that was never reached is a 503', async (subject) => {
  expect((await get(subject, '/own/deaf', await issuer.token())).status).toBe(503);
  expect((await get(subject, '/own/deaf')).status).toBe(401);
});

test('The name of a strategy is free once the applications that had it are closed, whichever was first', async () => {
  const start = (judge: Jwks) =>
    startApplication(
      'express',
      'sqlite',
      libraryWith([], { imports: [JwksStrategyModule.register(judge, 'shared')] }),
    );
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const judge = new Jwks({ jwksUrl: keyServer.url });
    const both = [await start(judge), await start(judge)];
    for (const index of order) await both[index]?.close();
    const other = await start(new Jwks({ jwksUrl: keyServer.url }));
    expect(other.url).toBeDefined();
    await other.close();
  }
});
