import type { IncomingMessage, Server } from 'node:http';
import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { OwnRecords, TenantRecords } from '@nest-endpoints/auth';
import {
  anyOf,
  Authorization,
  Callable,
  Create,
  CreatedByIpColumn,
  defineColumns,
  PlainAnswers,
  StandardAnswers,
  type AuthorizationRequest,
  type RecordScope,
  type RequestFacts,
} from '@nest-endpoints/core';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { RouteConstraints, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Claims } from './claims.js';
import { get, platforms, roadOf, started, straight } from './roads.js';

const whoAsks = new Callable({
  url: 'asked',
  toCall: ({ request }) => {
    const { ip, params, originalUrl, query, protocol } = request as Readonly<Record<string, unknown>>;
    return { ip: typeof ip, params, originalUrl, query, protocol };
  },
});

test('A function gets the request of Express on the straight road', async () => {
  await started('express', { endpoints: [whoAsks] }, async ({ startLog, request }) => {
    expect(startLog).toContain("Callable 'asked': the straight road");
    const { body } = await request().get('/asked?a=1');
    const asked = {
      ip: 'string',
      params: {},
      originalUrl: '/asked?a=1',
      query: { a: '1' },
      protocol: 'http',
    };
    expect(body.data).toEqual(asked);
  });
});

test('An endpoint with a function that may look at the request of Fastify is on its road', async () => {
  await started('fastify', { endpoints: [whoAsks] }, async ({ startLog, request }) => {
    expect(startLog).toContain(
      "Callable 'asked': the platform's road, because 'toCall' may look at Fastify's request",
    );
    expect((await request().get('/asked?a=1')).body.data).toMatchObject({ ip: 'string', query: { a: '1' } });
  });
});

test.each(platforms)(
  'A request whose path somebody changes is answered at the new one: %s',
  async (platform) => {
    const configure = (app: INestApplication): void => {
      const server = app.getHttpServer() as Server;
      server.prependListener('request', (request: IncomingMessage) => {
        if (request.url === '/asked?a=denied') request.url = '/nowhere';
      });
    };
    const plain = new Callable({ url: 'asked', toCall: () => 'mine' });
    await started(platform, { endpoints: [plain], configure }, async ({ request }) => {
      expect((await request().get('/asked?a=1')).status).toBe(200);
      expect((await request().get('/asked?a=denied')).status).toBe(404);
    });
  },
);

class OwnAnswers extends PlainAnswers {}

test.each(platforms)(
  'An endpoint is on the straight road whatever its answers are written with: %s',
  async (platform) => {
    for (const answers of [new StandardAnswers(), new PlainAnswers(), new OwnAnswers()])
      await started(platform, { endpoints: [get({ answers })] }, ({ startLog }) => {
        expect(roadOf(startLog)).toBe(straight);
      });
  },
);

test('Requests that are injected into Fastify take its road', async () => {
  await started('fastify', {}, async ({ app }) => {
    const { statusCode } = await (app as NestFastifyApplication).inject('/books/1');
    expect(statusCode).toBe(404);
  });
});

const Visit = defineEntity({
  name: 'Visit',
  properties: { id: p.integer().primary(), ip: p.string().nullable(), tenant: p.integer().nullable() },
});
defineColumns(Visit, { ip: { type: new CreatedByIpColumn() } });

/** Takes something of the platform's own request. */
class CreatedByHost extends CreatedByIpColumn {
  override valueIn({ request }: RequestFacts): string {
    return String((request as { readonly hostname?: string }).hostname);
  }
}

const Call = defineEntity({
  name: 'Call',
  properties: { id: p.integer().primary(), host: p.string() },
});
defineColumns(Call, { host: { type: new CreatedByHost() } });

/** Records of the host that was asked. */
class OfHost extends Authorization {
  scopeOf(): RecordScope {
    return {
      conditions: [
        { propertyName: 'ip', value: ({ request }) => (request as { hostname: string }).hostname },
      ],
    };
  }
}

const visits = {
  url: 'visits',
  modelClass: Visit,
  readableColumnNames: ['id', 'ip'],
  writeableColumnNames: ['id'],
} as const;
const authentication = new Claims();

test('A column and a rule that look at the request of Fastify have it, and others do without', async () => {
  const calls = new Create({
    url: 'calls',
    modelClass: Call,
    readableColumnNames: ['host'],
    writeableColumnNames: ['id'],
  });
  const endpoints = [
    new Create({ ...visits }),
    new Create({
      ...visits,
      url: 'tenants',
      authentication,
      authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
    }),
    new Create({ ...visits, url: 'hosts', authorization: new OfHost() }),
    calls,
  ];
  const entities = [Visit, Call];
  await started('fastify', { endpoints, entities }, async ({ startLog, request }) => {
    expect(startLog).toContain("Create 'visits': the straight road");
    expect(startLog).toContain(
      "Create 'hosts': the platform's road, because 'authorization' may look at Fastify's request",
    );
    expect(startLog).toContain(
      "Create 'calls': the platform's road, because 'CreatedByHost' may look at Fastify's request",
    );
    const made = async (url: string) => (await request().post(url).send({ id: 1 })).body.data;
    expect(await made('/visits')).toEqual({ id: 1, ip: '127.0.0.1' });
    expect(await made('/calls')).toEqual({ host: '127.0.0.1' });
  });
});

const looks = {
  members: ({ record }: { record: object }) => [record],
  renamed: ({ record: request, em }: { record: object; em: object }) => [request, em],
  nothing: () => undefined,
  whole: (context: object) => context,
  request: ({ record, request }: { record: object; request: unknown }) => [record, request],
  rest: ({ record, ...rest }: { record: object }) => [record, rest],
  otherwise: ({ record }: { record?: object } = {}) => [record],
};

test('A hook that takes other members of its context by name leaves the road of Fastify straight', async () => {
  const endpoints = Object.entries(looks).map(
    ([url, beforeSave]) => new Create({ ...visits, url, beforeSave }),
  );
  await started('fastify', { endpoints, entities: [Visit, Call] }, async ({ startLog, request }) => {
    const isStraight = (url: string): boolean => startLog.includes(`Create '${url}': the straight road`);
    expect(Object.keys(looks).filter(isStraight)).toEqual(['members', 'renamed', 'nothing']);
    for (const [id, url] of Object.keys(looks).entries())
      expect((await request().post(`/${url}`).send({ id })).body.data).toEqual({ id, ip: '127.0.0.1' });
  });
});

/** Looks at more than the identity. */
class OfNight extends TenantRecords {
  override gate(identity: unknown, request?: AuthorizationRequest): boolean {
    return super.gate(identity) && request?.requestHeaders['x-night'] === undefined;
  }
}

test('Rules that look at the identity alone leave the road of Fastify straight, and those that look at more do not', async () => {
  const tenant = { columnName: 'tenant', claim: 'tenant' };
  const rules = {
    tenants: new TenantRecords(tenant),
    owners: new OwnRecords('tenant', 'sub'),
    both: anyOf(new TenantRecords(tenant), new OwnRecords('tenant', 'sub')),
    nights: new OfNight(tenant),
  };
  const endpoints = Object.entries(rules).map(
    ([url, authorization]) => new Create({ ...visits, url, readableColumnNames: ['id'], authorization }),
  );
  await started('fastify', { endpoints, entities: [Visit] }, ({ startLog }) => {
    const told = Object.keys(rules).map((url) => [
      url,
      startLog.includes(`Create '${url}': the straight road`),
    ]);
    expect(Object.fromEntries(told)).toEqual({ tenants: true, owners: true, both: true, nights: false });
  });
});

@Controller('books')
class BetaController {
  @RouteConstraints({ host: 'beta.example' })
  @Get(':id')
  answer(): string {
    return 'beta';
  }
}

test("A route of the user's own for some hosts closes the road", async () => {
  await started('fastify', { controllers: [BetaController] }, ({ startLog }) => {
    expect(roadOf(startLog)).toContain("because the route '/books/:id' may take its requests");
  });
});
