import { defineEntity, p } from '@mikro-orm/core';
import {
  Batch,
  Callable,
  EndpointGroup,
  IdempotencyRecord,
  PlainAnswers,
  RestfulApi,
} from '@nest-endpoints/core';
import { EndpointKind, RawReply, type Handler } from '@nest-endpoints/core/kinds';
import { HttpException } from '@nestjs/common';
import type { Subject } from '../support/contract.js';

export const Voyage = defineEntity({
  name: 'Voyage',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string().unique(),
    miles: p.integer().default(0),
    version: p.integer().version(),
  },
});

export const Stop = defineEntity({
  name: 'Stop',
  properties: {
    id: p.integer().primary().autoincrement(),
    place: p.string(),
    voyage: () => p.manyToOne(Voyage).ref(),
  },
});

/** A record whose key may be any text. */
export const Port = defineEntity({
  name: 'Port',
  properties: { code: p.string().primary(), name: p.string() },
});

/** What functions heard of writes, in order. Tests empty it. */
export const heard: string[] = [];

const voyages = {
  modelClass: Voyage,
  readableColumnNames: ['id', 'title', 'miles'],
  writeableColumnNames: ['title', 'miles'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['title', 'miles'],
  defaultSortColumnName: 'id',
} as const;

const stops = {
  modelClass: Stop,
  readableColumnNames: ['id', 'place', 'voyageId', 'voyage.title'],
  writeableColumnNames: ['place', 'voyageId'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['place', 'voyageId'],
  defaultSortColumnName: 'id',
} as const;

const ports = {
  modelClass: Port,
  readableColumnNames: ['code', 'name'],
  writeableColumnNames: ['code', 'name'],
  sortableColumnNames: ['code'],
  searchableColumnNames: ['code'],
  defaultSortColumnName: 'code',
} as const;

/** A kind of the user's that answers outside of the envelope. */
class Rawly extends EndpointKind {
  protected override readonly defaultMethods = ['GET'] as const;
  override readonly readsBody = false;

  override compile(): Handler {
    return () => Promise.resolve(new RawReply('raw', 'text/plain'));
  }
}

/** Everything that a batch of these tests is sent to. */
export const harbour = {
  entities: [Voyage, Stop, Port, IdempotencyRecord],
  endpoints: [
    new Callable({ url: 'outside', requestMethods: ['POST'], toCall: () => 'never' }),
    new EndpointGroup({
      url: 'harbour',
      endpoints: [
        new Batch({ url: 'batch', idempotency: true }),
        new Batch({ url: 'forgetful' }),
        new RestfulApi({ url: 'voyages', ...voyages }),
        new RestfulApi({
          url: 'watched',
          ...voyages,
          afterSave: ({ record }) => void heard.push(`saved ${record.title}`),
          afterCommit: ({ record }) => void heard.push(`committed ${record.title}`),
        }),
        new RestfulApi({ url: 'stops', ...stops }),
        new RestfulApi({ url: 'ports', ...ports }),
        new RestfulApi({ url: 'kept-out', ...ports, inBatches: false }),
        new RestfulApi({ url: 'camel', ...stops, externalCasing: 'camelCase' }),
        new RestfulApi({ url: 'plain', ...voyages, answers: new PlainAnswers() }),
        new RestfulApi({ url: 'keyed', ...voyages, idempotency: 'required' }),
        new Callable({ url: 'text', returnStandardResponse: false, toCall: () => 'text' }),
        new Callable({
          url: 'accepted',
          toCall: () => {
            throw new HttpException('of its own', 202);
          },
        }),
        new Rawly({ url: 'raw', hidden: true }),
        new Callable({
          url: 'flushed',
          requestMethods: ['POST'],
          toCall: async ({ em }) => {
            await em.persist(em.create(Port, { code: 'LOST', name: 'Lost' })).flush();
            throw new Error('after the flush');
          },
        }),
        new Callable({
          url: 'counted',
          toCall: async ({ em }) => ({
            voyages: await em.count(Voyage, {}),
            stops: await em.count(Stop, {}),
          }),
        }),
      ],
    }),
    new EndpointGroup({
      url: 'title',
      externalCasing: 'TitleCase',
      endpoints: [new Batch({ url: 'batch' }), new RestfulApi({ url: 'stops', ...stops })],
    }),
    new EndpointGroup({
      url: 'problems',
      answers: new PlainAnswers(),
      endpoints: [
        new Batch({ url: 'batch', maximumOperations: 2 }),
        new RestfulApi({ url: 'voyages', ...voyages }),
      ],
    }),
  ],
};

/** One operation as a client writes it. */
export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: object;
  readonly body?: unknown;
  readonly as?: unknown;
  readonly with?: unknown;
}

export const batch = ({ request }: Pick<Subject, 'request'>, ...operations: readonly unknown[]) =>
  request().post('/harbour/batch').send({ operations });

export const post = (path: string, body: unknown, more: Sent = {}): Sent => ({
  method: 'POST',
  path: `/harbour/${path}`,
  body,
  ...more,
});

export const get = (path: string): Sent => ({ method: 'GET', path: `/harbour/${path}` });
