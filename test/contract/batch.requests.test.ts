import { expect, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/core';
import {
  Batch,
  Callable,
  EndpointGroup,
  NotAuthenticated,
  Public,
  type Authentication,
  type Credentials,
  type ObservedRequest,
} from '@nest-endpoints/core';
import {
  Injectable,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { startApplication } from '../support/application.js';
import { clientError, expectAnswer, failure } from '../support/answers.js';
import { everyDatabase, everyPlatform, service, type Subject } from '../support/contract.js';
import { Port, Voyage } from './batch.voyages.js';

/** What guards, interceptors and authentication saw, in order. */
let seen: string[] = [];
let ended: ObservedRequest[] = [];
let held = Promise.withResolvers<undefined>();

const pathOf = (context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<{ readonly url: string; readonly method: string }>();
  return `${request.method} ${request.url}`;
};

@Injectable()
class Watching implements CanActivate, NestInterceptor {
  canActivate(context: ExecutionContext): boolean {
    seen.push(`guard ${pathOf(context)}`);
    return !pathOf(context).includes('forbidden=1');
  }

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    seen.push(`interceptor ${pathOf(context)}`);
    return next.handle();
  }
}

/** Believes a name, asks the database for it, and looks at the method. */
class Named implements Authentication {
  readonly allowedHeaders = ['Authorization'];

  async authenticate({ headers, method, context }: Credentials): Promise<unknown> {
    const { em } = await context();
    const harbours = await em.count(Port, {});
    seen.push(`authenticate ${method} ${harbours}`);
    if (headers.authorization === undefined || (method === 'DELETE' && headers.authorization !== 'captain'))
      throw new NotAuthenticated();
    return { sub: headers.authorization };
  }
}

const named = new Named();

const endpoints = [
  new EndpointGroup({
    authentication: named,
    endpoints: [
      new Batch({ url: 'batch' }),
      new Callable({
        url: 'watched/:id',
        requestMethods: ['GET', 'POST'],
        guards: [Watching],
        interceptors: [Watching],
        toCall: ({ id }) => ({ id }),
      }),
      new Callable({
        url: 'me',
        requestMethods: ['GET', 'DELETE'],
        toCall: ({ authorizationData, ip, requestId, requestHeaders }) => ({
          who: authorizationData,
          ip,
          requestId,
          shared: requestHeaders['x-shared'],
          body: [
            requestHeaders['content-type'],
            requestHeaders['if-match'],
            requestHeaders['transfer-encoding'],
          ],
        }),
      }),
      new Callable({
        url: 'open',
        authentication: new Public(),
        toCall: ({ authorizationData }) => ({ who: authorizationData ?? null }),
      }),
      new Callable({
        url: 'injected',
        requestMethods: ['POST'],
        inject: { orm: MikroORM },
        toCall: async ({ orm, requestData }) => {
          const { em } = orm;
          await em.persist(em.create(Port, { code: String(requestData?.['code']), name: 'n' })).flush();
          return { ports: await em.count(Port, {}) };
        },
      }),
      new Callable({ url: 'long', toCall: () => ({ text: 'é"'.repeat(20_000), number: 7 }) }),
      new Callable({
        url: 'lengths',
        requestMethods: ['POST'],
        toCall: ({ requestData }) =>
          Object.entries(requestData ?? {}).map(([name, value]) => [name, String(value).length]),
      }),
      new Callable({
        url: 'held',
        toCall: async () => {
          await held.promise;
          return 'done';
        },
      }),
    ],
  }),
];

const observers = [{ requestEnded: (request: ObservedRequest) => void ended.push(request) }];

const { contract } = service(
  { entities: [Voyage, Port], endpoints, root: { observers, maximumInFlight: 1, requestLog: true } },
  everyPlatform,
);

const every = service({ entities: [Voyage, Port], endpoints }, everyDatabase).contract;

const send = ({ request }: Subject, ...operations: readonly unknown[]) =>
  request().post('/batch').set('Authorization', 'sailor').set('X-Shared', 'all').send({ operations });

const get = (path: string) => ({ method: 'GET', path });

every('Guards and interceptors of an operation see its own path', async (subject) => {
  seen = [];
  const answer = await send(subject, get('/me'), { method: 'POST', path: '/watched/7?a=1', body: {} });
  expect(answer.status).toBe(200);
  expect(seen.filter((text) => !text.startsWith('authenticate'))).toEqual(
    ['guard', 'interceptor'].map((who) => `${who} POST /watched/7?a=1`),
  );
  expectAnswer(
    await send(subject, get('/watched/7?forbidden=1')),
    403,
    clientError('operations.0: Forbidden resource'),
  );
});

every(
  'Each operation is authenticated by the headers of the batch, as the request that it is',
  async (subject) => {
    seen = [];
    const { body, headers } = await send(subject, get('/me'), get('/open'))
      .set('X-Request-Id', 'mine')
      .set('If-Match', '"1"');
    const shared = {
      requestId: 'mine',
      shared: 'all',
      body: [null, null, null],
      ip: expect.stringContaining('127.0.0.1'),
    };
    expect(body.data.map((one: { readonly data: unknown }) => one.data)).toEqual([
      { who: { sub: 'sailor' }, ...shared },
      { who: null },
    ]);
    expect(headers['x-request-id']).toBe('mine');
    expect(seen).toEqual(['authenticate POST 0', 'authenticate GET 0']);
    expectAnswer(
      await send(subject, { method: 'DELETE', path: '/me' }),
      401,
      clientError('operations.0: Not Authenticated'),
    );
    expectAnswer(
      await subject
        .request()
        .post('/batch')
        .send({ operations: [get('/open')] }),
      401,
      clientError('Not Authenticated'),
    );
  },
);

every('Services write through the transaction of the batch, with whatever they inject', async (subject) => {
  const create = (code: string) => ({ method: 'POST', path: '/injected', body: { code } });
  const { body } = await send(subject, create('A'), create('B'));
  expect(body.data).toMatchObject([{ data: { ports: 1 } }, { data: { ports: 2 } }]);
  expect((await send(subject, create('C'), get('/nowhere'))).status).toBe(404);
  expect(await subject.count(Port)).toBe(2);
});

every('Values of earlier answers make no body and no path larger than their limits', async (subject) => {
  const long = { ...get('/long'), as: 'long' };
  const repeated = (number: number) => ({
    method: 'POST',
    path: '/lengths',
    body: { a0: 'is replaced', own: 'é' },
    with: Object.fromEntries(Array.from({ length: number }, (_, index) => [`a${index}`, 'long.text'])),
  });
  const { body } = await send(subject, long, repeated(13));
  expect(body.data[1].data.slice(0, 2)).toEqual([
    ['a0', 40_000],
    ['own', 1],
  ]);
  const tooLarge = 'operations.1: The request body must not be larger than 1048576 bytes';
  for (const number of [14, 14_000])
    expectAnswer(await send(subject, long, repeated(number)), 413, clientError(tooLarge));
  const numbers = '{long.number}'.repeat(100);
  expect((await send(subject, long, get(`/open?a=${numbers}`))).status).toBe(200);
  const tooLong = 'operations.1.path: values of earlier answers must not be longer than 16384 characters';
  for (const values of ['{long.text}', '{long.text}'.repeat(14_000), '{long.number}'.repeat(17_000)])
    expectAnswer(await send(subject, long, get(`/open?a=${values}`)), 400, clientError(tooLong));
});

contract(
  'A batch has one place among the requests in flight, in which its operations work',
  async (subject) => {
    expect((await send(subject, get('/me'), { method: 'POST', path: '/watched/1', body: {} })).status).toBe(
      200,
    );
    held = Promise.withResolvers();
    const first = send(subject, get('/held'), get('/me')).then(({ status }) => status);
    while ((await subject.request().get('/open')).status !== 503) await turn();
    expectAnswer(await subject.request().get('/open'), 503, failure('Service Unavailable'));
    held.resolve(undefined);
    expect(await first).toBe(200);
  },
);

contract('A batch is told of in one line, with the number of its operations', async (subject) => {
  while (ended.length > 0 && !ended.some(({ route }) => route === '/batch')) await turn();
  ended = [];
  await send(subject, get('/me'), get('/me'), get('/open'));
  while (ended.length === 0) await turn();
  await turn();
  expect(ended).toMatchObject([{ route: '/batch', kind: 'Batch', method: 'POST', operations: 3 }]);
  expect(ended[0]?.statements).toBeGreaterThan(1);
  const text = subject.log.text('log');
  expect(text.match(/POST \/batch success/g)).toHaveLength(1);
  expect(text).toContain('operations: 3');
  expect(text).not.toContain('/me');
});

test.each(everyPlatform)(
  'A batch that was let in is answered while the service stops: $platform',
  async ({ platform }) => {
    held = Promise.withResolvers();
    seen = [];
    const application = await startApplication(platform, 'sqlite', {
      entities: [Voyage, Port],
      endpoints,
      road: 'straight',
    });
    const quick = { method: 'POST', path: '/injected', body: { code: 'A' } };
    const answer = application
      .request()
      .post('/batch')
      .set('Authorization', 'sailor')
      .send({ operations: [get('/held'), quick] })
      .then(({ status, body }) => [status, body.data?.length]);
    while (!seen.includes('authenticate GET 0')) await turn();
    const closed = application.close();
    await turn();
    held.resolve(undefined);
    expect(await answer).toEqual([200, 2]);
    await closed;
  },
);
