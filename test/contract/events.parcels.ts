import { defineEntity, p } from '@mikro-orm/core';
import { OwnRecords } from '@nest-endpoints/auth';
import { ChangeRecord, EndpointsModule, HealthCheck, recordChanges, RestfulApi } from '@nest-endpoints/core';
import {
  eventEndpoints,
  EventPosition,
  EventsHealth,
  EventsModule,
  WebhookDelivery,
  webhookEndpoints,
  Webhooks,
  WebhookSubscription,
  type EventsOptions,
  type WebhookOptions,
} from '@nest-endpoints/events';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import { Claims } from './claims.js';

/** A record of a tenant, with a column that nobody sees. */
export const Parcel = defineEntity({
  name: 'Parcel',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    weight: p.decimal().precision(10).scale(2).nullable(),
    count: p.bigint('string').nullable(),
    tenantId: p.integer(),
    secret: p.string().nullable().hidden(),
  },
});

recordChanges(Parcel, { keepFor: 'forever' });

/** Receivers of tests are on this machine. */
export const inner = { allowHosts: ['127.0.0.1'], allowHttp: true } as const;

/** Lets those in that say so. */
export class Operators extends OwnRecords {
  constructor() {
    super('tenantId', 'operator');
  }

  override misfit(): undefined {
    return undefined;
  }
}

/** A service whose parcels tenants hear of. */
export const depot = (
  webhooks: WebhookOptions = {},
  events: () => Partial<EventsOptions> = () => ({}),
): ApplicationOptions => ({
  entities: [Parcel, ChangeRecord, EventPosition, WebhookSubscription, WebhookDelivery],
  root: { authentication: new Claims() },
  imports: [
    EventsModule.forRootAsync({
      // Several applications are made of one description.
      useFactory: () => ({
        interval: 250,
        events: {
          parcel: {
            model: Parcel,
            show: ['id', 'name', 'weight', 'count'],
            authorization: new OwnRecords('tenantId', 'tenant'),
          },
          audit: { model: Parcel, on: ['deleted'], audience: 'application' },
        },
        deliver: new Webhooks({ ...inner, ...webhooks }),
        ...events(),
      }),
    }),
    EndpointsModule.forFeature([
      eventEndpoints({ authorization: new Operators() }),
      webhookEndpoints(),
      new HealthCheck({ url: 'health/events', dependencyInjectionNames: [EventsHealth] }),
      new RestfulApi({
        url: 'parcels',
        modelClass: Parcel,
        bulk: true,
        readableColumnNames: ['id', 'name', 'weight', 'tenantId'],
        writeableColumnNames: ['name', 'weight', 'count', 'tenantId'],
        searchableColumnNames: ['name'],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ]),
  ],
});

/** The header of somebody of a tenant. */
export const of = (tenant: number, sub = `user ${tenant}`, more: object = {}) => ({
  'X-Claims': JSON.stringify({ iss: 'here', sub, tenant, ...more }),
});

/** The header of whoever runs the service. */
export const operator = of(0, 'root', { operator: 1 });

/** Subscribes to events. @returns the id and the secret */
export const subscribe = async (
  { request }: Pick<Subject, 'request'>,
  who: Readonly<Record<string, string>>,
  url: string,
  events: readonly string[] = ['parcel'],
): Promise<{ readonly id: number; readonly secret: string }> => {
  const { status, body } = await request().post('/webhooks').set(who).send({ url, events });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data as { id: number; secret: string };
};
