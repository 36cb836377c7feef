import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import {
  ChangeRecord,
  Get,
  List,
  recordChanges,
  RestfulApi,
  softDelete,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { LiveLists, type LiveListsOptions } from '@nest-endpoints/live';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import { Listener } from '../support/listener.js';
import { Claims } from './claims.js';

/** A card on the board of a tenant; one that is deleted is marked. */
export const Card = defineEntity({
  name: 'Card',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.text(),
    state: p.string().default('open'),
    tenant: p.string(),
    deletedAt: p.datetime().nullable(),
  },
});

/** A slip that is deleted for good, which everybody sees. */
export const Slip = defineEntity({
  name: 'Slip',
  properties: { id: p.uuid().primary(), text: p.text(), rank: p.integer().default(0) },
});

softDelete(Card, { columnName: 'deletedAt' });
recordChanges(Card, { keepFor: 'forever' });
recordChanges(Slip, { keepFor: 1000 });

export const cards = {
  modelClass: Card,
  writeableColumnNames: ['title', 'state', 'tenant'],
  readableColumnNames: ['id', 'title', 'state'],
  searchableColumnNames: ['state', 'title'],
  sortableColumnNames: ['id', 'title'],
  defaultSortColumnName: 'id',
} as const;

export const slips = {
  modelClass: Slip,
  readableColumnNames: ['id', 'text', 'rank'],
  sortableColumnNames: ['rank'],
  defaultSortColumnName: 'rank',
} as const;

const ofTenant = {
  authentication: new Claims(),
  authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
};

/** The service of a board, whose lists are live. */
export const board = (
  options: LiveListsOptions = {},
  more: readonly EndpointOrGroup[] = [],
  others: Partial<ApplicationOptions> = {},
): ApplicationOptions => ({
  entities: [Card, Slip, ChangeRecord],
  endpoints: [
    new RestfulApi({ ...cards, ...ofTenant, url: 'cards', live: true }),
    new RestfulApi({
      ...cards,
      readableColumnNames: ['id', 'title', 'state', 'tenant'],
      url: 'all-cards',
      readOnly: false,
    }),
    new List({ ...slips, url: 'slips', live: { maximumKeys: 60 } }),
    new Get({ ...slips, url: 'slips/:id', live: true }),
    ...more,
  ],
  ...others,
  root: {
    cursorSecret: 'the same secret of all processes',
    ...others.root,
    live: new LiveLists({ interval: 100, ...options }),
  },
});

/** The header of somebody of a tenant. */
export const of = (tenant: string, more: object = {}) => ({
  'X-Claims': JSON.stringify({ sub: `one of ${tenant}`, tenant, ...more }),
});

/** Does something with streams that are closed in the end. */
export const listening = async (
  { url }: Pick<Subject, 'url'>,
  asked: readonly (readonly [path: string, headers?: Readonly<Record<string, string>>])[],
  work: (...listeners: readonly Listener[]) => Promise<void>,
): Promise<void> => {
  const listeners: Listener[] = [];
  try {
    for (const [path, headers] of asked) listeners.push(await Listener.open(`${url}${path}`, headers));
    await work(...listeners);
  } finally {
    for (const listener of listeners) listener.close();
  }
};

/** Waits for the change of a record that is made last: what was to come before is there. */
export const settled = async (
  { request }: Pick<Subject, 'request'>,
  listener: Listener,
  tenant: string,
): Promise<number> => {
  const title = `last ${Math.random()}`;
  const { body } = await request().post('/all-cards').send({ title, tenant });
  await listener.until(({ events }) => events.some(({ data }) => JSON.stringify(data).includes(title)));
  return Number(body.data.id);
};

/** True if it is known where the client goes on: the first page is there. */
export const told = ({ lastId }: Listener): boolean => lastId !== '';

/** True if there was such an event. */
export const has =
  (event: string) =>
  ({ events }: Listener): boolean =>
    events.some((one) => one.event === event);
