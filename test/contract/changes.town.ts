import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import {
  ChangeRecord,
  CreateMany,
  defineColumns,
  readChanges,
  recordChanges,
  RestfulApi,
  Upsert,
} from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import { Claims } from './claims.js';

export const Country = defineEntity({
  name: 'Country',
  properties: { id: p.integer().primary().autoincrement(), name: p.string() },
});

/** A record whose changes are recorded, with a column that nobody sees and one that is sensitive. */
export const City = defineEntity({
  name: 'City',
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p
      .string()
      .length(40)
      .unique()
      .onCreate(() => randomUUID()),
    name: p.string(),
    population: p.integer().nullable(),
    country: () => p.manyToOne(Country).nullable(),
    secret: p.string().nullable().hidden(),
    phone: p.string().nullable(),
    updated: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
    version: p.integer().version(),
  },
});

defineColumns(City, { phone: { sensitive: true } });
recordChanges(City, { keepFor: 90 * 24 * 60 * 60 * 1000 });

export const readable = ['id', 'code', 'name', 'population', 'countryId', 'phone', 'version'] as const;
const writeable = ['code', 'name', 'population', 'countryId', 'phone'] as const;

export const cities = {
  modelClass: City,
  readableColumnNames: readable,
  writeableColumnNames: writeable,
} as const;

/** The service of cities, whose changes are recorded. */
export const town = (more: Partial<ApplicationOptions> = {}): ApplicationOptions => ({
  entities: [City, Country, ChangeRecord],
  ...more,
  root: {
    changeLog: { context: ({ requestHeaders: { 'x-from': from } }) => (from === undefined ? {} : { from }) },
    ...more.root,
  },
  endpoints: [
    new RestfulApi({
      ...cities,
      url: 'cities',
      bulk: true,
      searchableColumnNames: ['name'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
      authentication: new Claims(),
    }),
    new Upsert({
      ...cities,
      url: 'coded/:code',
      recordLookupColumnName: 'code',
      authentication: new Claims(),
    }),
    new CreateMany({ ...cities, url: 'many', conflictColumnNames: ['code'], onConflict: 'update' }),
    ...(more.endpoints ?? []),
  ],
});

/** A row of the log, as tests look at it. */
export interface Logged {
  readonly model: string;
  readonly operation: string;
  readonly recordId: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly withheld: readonly string[] | null;
  readonly actor: string | null;
  readonly requestId: string | null;
  readonly endpoint: string | null;
  readonly context: unknown;
}

/** The log in the order in which it was written. */
export const logOf = (subject: Subject): Promise<readonly Logged[]> =>
  subject.em().find(ChangeRecord, {}, { orderBy: { id: 'asc' } }) as unknown as Promise<readonly Logged[]>;

/** The operations, ids and changes of the log alone. */
export const toldBy = async (subject: Subject) =>
  (await logOf(subject)).map(({ operation, recordId, before, after, withheld }) => ({
    operation,
    recordId,
    before,
    after,
    withheld: withheld?.toSorted() ?? null,
  }));

/** Waits until so many changes can be read: a transaction of another test on the same server may hold them back. */
export const untilRead = async ({ em }: Pick<Subject, 'em'>, count: number): Promise<void> => {
  while ((await readChanges(em())).length < count);
};

/** Who writes. */
export const ann = { 'X-Claims': JSON.stringify({ iss: 'here', sub: 'ann' }) };

/** Creates a city. @returns its id */
export const create = async ({ request }: Subject, body: object): Promise<number> => {
  const { status, body: answer } = await request().post('/cities').set(ann).send(body);
  expect([status, answer.input_errors]).toEqual([201, {}]);
  return Number(answer.data.id);
};

export const patch = async ({ request }: Subject, id: number, body: object) =>
  expect((await request().patch(`/cities/${id}`).set(ann).send(body)).status).toBe(200);
