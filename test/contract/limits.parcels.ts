import { defineEntity, p } from '@mikro-orm/core';
import {
  Batch,
  Callable,
  Cors,
  Create,
  EndpointGroup,
  Get,
  HealthCheck,
  NotAuthenticated,
  type Authentication,
  type Credentials,
} from '@nest-endpoints/core';
import {
  MemoryLimits,
  type RateLimit,
  type RateLimitOptions,
  type Take,
  type Taken,
} from '@nest-endpoints/limits';
import type { ApplicationOptions } from '../support/application.js';
import { documented } from '../support/documents.js';

export const Parcel = defineEntity({
  name: 'Parcel',
  properties: {
    id: p.integer().primary().autoincrement(),
    label: p.string(),
    version: p.integer().version(),
  },
});

const parcels = { modelClass: Parcel, readableColumnNames: ['id', 'label'] } as const;

/** Knows whoever says a name, and counts how often it is asked. */
export class Named implements Authentication {
  asked = 0;
  readonly allowedHeaders = ['Authorization'];
  readonly seesRequest = false;

  authenticate({ headers: { authorization = '' } }: Credentials): object {
    this.asked += 1;
    const [, iss, sub] = /^Name (\w+) (\w+)$/.exec(authorization) ?? [];
    if (sub === undefined) throw new NotAuthenticated();
    return { iss, sub };
  }
}

const answer = { toCall: () => 1 } as const;
export const failing = { isInProcess: false, take: () => Promise.reject(new Error('the store is away')) };

/** A store beside the process, as limits see it, which tells how often it was asked. */
export class CountedStore {
  asked = 0;
  readonly isInProcess = false;
  readonly #memory = new MemoryLimits();

  take(take: Take): Promise<Taken> {
    this.asked += 1;
    return Promise.resolve(this.#memory.take(take));
  }
}

const hanging = { isInProcess: false, take: () => new Promise<never>(() => undefined) };

/** Endpoints with limits of all sorts. @param limit makes a limit of two requests a minute, or as the options say */
export const limitedEndpoints = (
  named: Named,
  broken: RateLimit,
  limit: (options?: Partial<RateLimitOptions>) => RateLimit,
): NonNullable<ApplicationOptions['endpoints']> => [
  documented([
    new Callable({ ...answer, url: 'plain', limits: [limit()], requestMethods: ['GET', 'POST'] }),
    new EndpointGroup({
      url: 'added',
      limits: [limit({ name: 'group', quota: 3 })],
      securityHeaders: [new Cors('https://app.example')],
      endpoints: [
        new HealthCheck({ url: 'health' }),
        new Callable({ ...answer, url: 'own', limits: [limit({ name: 'own', window: 'day' })] }),
        new Callable({ ...answer, url: 'none', limits: 'none' }),
        new Callable({ ...answer, url: 'empty', limits: [] }),
      ],
    }),
    new HealthCheck({ url: 'watched', limits: [limit({ quota: 1 })] }),
    new EndpointGroup({
      authentication: named,
      endpoints: [
        new Callable({ ...answer, url: 'named', limits: [limit()], inBatches: false }),
        new Callable({
          ...answer,
          url: 'guarded',
          inBatches: false,
          limits: [limit({ name: 'where', by: 'address', quota: 3 }), limit({ name: 'who', quota: 1 })],
        }),
        new Create({
          ...parcels,
          url: 'parcels',
          inBatches: false,
          writeableColumnNames: ['label'],
          idempotency: true,
          limits: [limit()],
        }),
      ],
    }),
    new Get({ ...parcels, url: 'parcels/:id', limits: [limit()] }),
    ...(['draft', 'x', 'none'] as const).map(
      (headers) =>
        new Callable({
          ...answer,
          url: `told/${headers}`,
          limits: [limit({ name: headers, headers, quota: 1 })],
        }),
    ),
    new Create({ ...parcels, url: 'told/parcels', writeableColumnNames: ['label'], limits: [limit()] }),
    new Callable({ ...answer, url: 'x', limits: [limit({ headers: 'x' })] }),
    new Callable({
      ...answer,
      url: 'x-month',
      limits: [limit({ headers: 'x', window: 'month', quota: 1 })],
    }),
    new Callable({
      ...answer,
      url: 'costly',
      limits: [
        limit({
          quota: 10,
          cost: ({ queryParameters: { cost = '1' } }) => Number(cost),
          by: ({ requestHeaders: { 'x-tenant': tenant } }) => (typeof tenant === 'string' ? tenant : null),
        }),
      ],
    }),
    new Callable({
      ...answer,
      url: 'posted',
      requestMethods: ['GET', 'POST'],
      limits: [limit({ methods: ['POST'], quota: 1 })],
    }),
    new Callable({ ...answer, url: 'allowing', limits: [broken] }),
    new Callable({
      ...answer,
      url: 'refusing',
      limits: [limit({ store: failing, onStoreFailure: 'refuse' })],
    }),
    new Callable({ ...answer, url: 'waiting', limits: [limit({ store: hanging, storeTimeout: 20 })] }),
    new EndpointGroup({
      url: 'parts',
      endpoints: [
        new Callable({ ...answer, url: 'one', limits: [limit({ name: 'part' })] }),
        new Batch({ url: 'batch', limits: [limit({ name: 'whole', quota: 9 })] }),
      ],
    }),
  ]),
];
