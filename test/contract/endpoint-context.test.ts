import { expect } from '@jest/globals';
import { EntityManager } from '@mikro-orm/core';
import {
  Callable,
  Create,
  EndpointContext,
  EndpointGroup,
  Get,
  List,
  type Authentication,
  type Credentials,
} from '@nest-endpoints/core';
import {
  Controller,
  Get as GetRoute,
  Injectable,
  Module,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Observable } from 'rxjs';
import { expectAnswer, success } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { Note, shown, Trip, trips } from './life-cycle.trips.js';

/** A provider far from any endpoint, in a module that imports nothing of ours. */
@Injectable()
class Journal {
  readonly lines: unknown[] = [];

  constructor(
    private readonly context: EndpointContext,
    private readonly em: EntityManager,
  ) {}

  async facts(): Promise<object> {
    await new Promise((resolve) => setImmediate(resolve));
    const { requestId, identity, endpoint } = this.context;
    return { requestId, identity, endpoint };
  }

  /** Whether the entity manager that Nest injected is the one that a function was given. */
  knows(em: EntityManager): boolean {
    return this.em.getContext(false) === em;
  }

  isInTransaction(): boolean {
    return this.em.isInTransaction();
  }
}

@Module({ providers: [Journal], exports: [Journal] })
class JournalModule {}

@Injectable()
class EarlyGuard implements CanActivate {
  static seen: unknown[] = [];

  constructor(private readonly context: EndpointContext) {}

  canActivate(): boolean {
    EarlyGuard.seen.push([this.context.endpoint?.kind, this.context.identity, this.context.requestId]);
    return true;
  }
}

@Injectable()
class OwnGuard implements CanActivate {
  static seen: unknown[] = [];

  constructor(private readonly context: EndpointContext) {}

  canActivate(): boolean {
    OwnGuard.seen.push(this.context.identity);
    return true;
  }
}

@Injectable()
class OwnInterceptor implements NestInterceptor {
  static seen: unknown[] = [];

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    OwnInterceptor.seen.push(EndpointContext.current?.requestId);
    return next.handle();
  }
}

@Controller('own')
class OwnController {
  constructor(private readonly context: EndpointContext) {}

  @GetRoute()
  facts(): object {
    const { requestId = null, identity = null, endpoint = null } = this.context;
    return { requestId, identity, endpoint, current: EndpointContext.current ?? null };
  }
}

/** An authentication that looks at the context before there is an identity. */
class Curious implements Authentication {
  readonly allowedHeaders = [];

  authenticate({ headers }: Credentials): unknown {
    return { before: EndpointContext.current?.identity ?? null, key: headers['x-key'] };
  }
}

const told = {
  ...trips,
  inject: { journal: Journal },
} as const;

const { contract } = service({
  entities: [Trip, Note],
  imports: [JournalModule],
  providers: [{ provide: APP_GUARD, useClass: EarlyGuard }],
  controllers: [OwnController],
  endpoints: [
    new EndpointGroup({
      url: 'group',
      authentication: new Claims(),
      endpoints: [
        new Create({
          ...told,
          url: 'trips',
          guards: [OwnGuard],
          interceptors: [OwnInterceptor],
          afterSave: async ({ record, journal }) => {
            record.slug = JSON.stringify(await journal.facts());
          },
        }),
        new Create({
          ...told,
          url: 'same',
          beforeSave: ({ record, journal, em }) => {
            record.slug = `${journal.knows(em)} ${journal.isInTransaction()}`;
          },
        }),
      ],
    }),
    new Get({
      ...trips,
      url: 'curious/:id',
      authentication: new Curious(),
      outputMap: ({ authorizationData }) => authorizationData,
    }),
    new Callable({
      url: 'called',
      inject: { journal: Journal },
      toCall: async ({ journal, em }) => ({ ...(await journal.facts()), isSame: journal.knows(em) }),
    }),
    new List({
      url: 'mapped',
      modelClass: Trip,
      readableColumnNames: ['title'],
      sortableColumnNames: ['title'],
      defaultSortColumnName: 'title',
      outputMap: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return EndpointContext.current?.requestId;
      },
    }),
  ],
});

const as = (user: string, id: string) => ({
  'X-Claims': JSON.stringify({ user }),
  'X-Request-Id': id,
});

const sent = async ({ request }: Subject, user: string, id: string, title: string) => {
  const answer = await request().post('/group/trips').set(as(user, id)).send({ title });
  return JSON.parse((answer.body as { data: { slug: string } }).data.slug) as Record<string, unknown>;
};

contract(
  'EndpointContext tells any provider the request id, the identity and the endpoint',
  async (subject) => {
    const endpoint = { kind: 'Create', path: '/group/trips', modelName: 'Trip' };
    expect(await sent(subject, 'me', 'request-1', 'Nice')).toEqual({
      requestId: 'request-1',
      identity: { user: 'me' },
      endpoint,
    });
  },
);

contract('A well-formed X-Request-Id is the id of the request', async (subject) => {
  for (const id of ['a', 'a.b-c_D9', 'x'.repeat(128)])
    expect(await sent(subject, 'me', id, id)).toMatchObject({ requestId: id });
});

contract('Without a well-formed X-Request-Id the id is a random UUID', async ({ request }) => {
  const seen = new Set<unknown>();
  for (const id of [undefined, '', 'two words', 'x'.repeat(129), '{"forged":1}', 'a\tb', '%0A', 'a,b']) {
    const headers: Record<string, string> = id === undefined ? {} : { 'X-Request-Id': id };
    await request().post('/group/trips').set(headers).set('X-Claims', '{}').send({ title: 'Nice' });
    expect(OwnInterceptor.seen.at(-1)).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    seen.add(OwnInterceptor.seen.at(-1));
  }
  expect(seen.size).toBe(8);
});

contract(
  'The context holds in guards and interceptors, the identity once it is known',
  async ({ request }) => {
    EarlyGuard.seen = [];
    OwnGuard.seen = [];
    await request().post('/group/trips').set(as('me', 'request-2')).send({ title: 'Nice' });
    expect(EarlyGuard.seen).toEqual([['Create', undefined, 'request-2']]);
    expect(OwnGuard.seen).toEqual([{ user: 'me' }]);
    expect(OwnInterceptor.seen.at(-1)).toBe('request-2');
  },
);

contract('There is no identity in the context while it is being found out', async ({ request, save }) => {
  const { id } = await save(Trip, { title: 'Nice' });
  const answer = await request().get(`/curious/${id}`).set('X-Key', 'k');
  expectAnswer(answer, 200, success({ before: null, key: 'k' }));
});

contract('Outside of endpoints the context is undefined', async ({ request, app }) => {
  const answer = await request().get('/own').set('X-Request-Id', 'request-3');
  expect(answer.body).toEqual({ requestId: null, identity: null, endpoint: null, current: null });
  expect(EndpointContext.current).toBeUndefined();
  expect(app.get(EndpointContext, { strict: false }).requestId).toBeUndefined();
});

contract(
  "The entity manager that a service injects is the request's own, in its transaction",
  async ({ request }) => {
    const answer = await request().post('/group/same').set('X-Claims', '{}').send({ title: 'Nice' });
    expectAnswer(answer, 201, success(shown('Nice', { slug: 'true true' })));
  },
);

contract('A Callable has its context, and one entity manager with its services', async ({ request }) => {
  expectAnswer(
    await request().get('/called').set('X-Request-Id', 'request-4'),
    200,
    success({ requestId: 'request-4', endpoint: { kind: 'Callable', path: '/called' }, isSame: true }),
  );
});

contract('Twenty requests at the same time never see the context of another', async (subject) => {
  const { request, save } = subject;
  await save(Trip, { title: 'seen' });
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const own = await Promise.all(numbers.map((n) => sent(subject, `user ${n}`, `id-${n}`, `trip ${n}`)));
  expect(own.map(({ requestId, identity }) => [requestId, identity])).toEqual(
    numbers.map((n) => [`id-${n}`, { user: `user ${n}` }]),
  );
  const lists = await Promise.all(
    numbers.map((n) => request().get('/mapped?limit=1').set('X-Request-Id', `list-${n}`)),
  );
  expect(lists.map(({ body }) => (body as { data: unknown[] }).data)).toEqual(
    numbers.map((n) => [`list-${n}`]),
  );
});
