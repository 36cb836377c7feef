import { defineEntity, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  Authorization,
  Callable,
  EndpointGroup,
  IdempotencyRecord,
  PlainAnswers,
  RestfulApi,
  ServiceUnavailable,
  defineColumns,
  MaximumValue,
} from '@nest-endpoints/core';
import { MemoryLimits, RateLimit } from '@nest-endpoints/limits';
import { Schema } from '@nest-endpoints/openapi';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import { licensed } from '../support/documents.js';

/** A parent that is called by a text. */
const Shelf = defineEntity({
  name: 'Shelf',
  properties: { code: p.string().length(10).primary(), floor: p.integer() },
});

/** A record with a number beyond 2^53 as its key, a version, and something that hides it. */
export const Crate = defineEntity({
  name: 'Crate',
  properties: {
    id: p.bigint('string').primary(),
    label: p.string().length(40),
    weight: p.integer().nullable(),
    size: p.enum(['small', 'large']).default('small'),
    inStock: p.boolean().default(true),
    shelf: () => p.manyToOne(Shelf).ref().nullable(),
    isHidden: p.boolean().default(false),
    version: p.integer().version(),
  },
});
defineColumns(Crate, { weight: { validators: [new MaximumValue(1000)] } });

/** A record whose key the database counts, and which nothing but the standard endpoints knows. */
export const Note = defineEntity({
  name: 'Note',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string().length(40),
    rank: p.integer().default(0),
  },
});

/** A record that the service calls by another column than its `id`, which it shows beside. */
export const Bay = defineEntity({
  name: 'Bay',
  properties: {
    id: p.integer().primary(),
    number: p.integer().unique(),
    name: p.string().length(20),
  },
});

/** A record whose keys have several spellings. */
export const Tag = defineEntity({
  name: 'Tag',
  properties: {
    code: p.decimal().precision(10).scale(2).primary(),
    load: p.double().nullable(),
    count: p.integer().nullable(),
  },
});

/** A record of an instant. */
export const Visit = defineEntity({
  name: 'Visit',
  properties: { id: p.integer().primary(), at: p.datetime(3) },
});

const unhidden = new (class extends Authorization {
  override filterModel() {
    return { isHidden: false };
  }
})();

const crateColumns = {
  modelClass: Crate,
  readableColumnNames: ['id', 'label', 'weight', 'size', 'inStock', 'shelf.code', 'shelf.floor'],
  sortableColumnNames: ['id', 'label', 'weight', 'shelf.floor'],
  searchableColumnNames: ['id', 'label', 'weight', 'size', 'inStock', 'shelfCode', 'shelf.floor'],
  defaultSortColumnName: 'id',
  authorization: unhidden,
} as const;

const crateOptions = {
  ...crateColumns,
  writeableColumnNames: ['id', 'label', 'weight', 'size', 'inStock', 'shelfCode'],
} as const;

/** Crates with all that there is: a search, which shows less of their parents, and writes of many. */
const crates = [
  new AdvancedSearch({
    ...{ ...crateColumns, url: 'crates/search', maximumLimit: 150 },
    readableColumnNames: ['id', 'label', 'weight', 'size', 'inStock', 'shelf.code'],
  }),
  new RestfulApi({ ...crateOptions, url: 'crates', bulk: true, idempotency: true }),
];

const bayOptions = {
  modelClass: Bay,
  idColumnName: 'number',
  readableColumnNames: ['id', 'number', 'name'],
  writeableColumnNames: ['id', 'number', 'name'],
  searchableColumnNames: ['id', 'number'],
  sortableColumnNames: ['id', 'number'],
  defaultSortColumnName: 'number',
} as const;

const tagOptions = {
  modelClass: Tag,
  readableColumnNames: ['code', 'load', 'count'],
  searchableColumnNames: ['code', 'load'],
  sortableColumnNames: ['code'],
  defaultSortColumnName: 'code',
} as const;

/** Records by keys that are called otherwise than `id`, or spelled in many ways. */
const keyed = [
  new AdvancedSearch({ ...tagOptions, url: 'tags/search' }),
  new RestfulApi({ ...tagOptions, url: 'tags', writeableColumnNames: ['code', 'load', 'count'], bulk: true }),
  new RestfulApi({ ...bayOptions, url: 'bays', clientSelectsColumns: true, bulk: true }),
  new RestfulApi({ ...bayOptions, url: 'nameless-bays', readableColumnNames: ['id', 'name'] }),
];

const visitOptions = {
  modelClass: Visit,
  readableColumnNames: ['id', 'at'],
  searchableColumnNames: ['id', 'at'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

/** Visits with a search, and with a list alone. */
const visits = [
  new AdvancedSearch({ ...visitOptions, url: 'visits/search' }),
  new RestfulApi({ ...visitOptions, url: 'visits', writeableColumnNames: ['id', 'at'] }),
  new RestfulApi({ ...visitOptions, url: 'listed-visits', writeableColumnNames: ['id', 'at'] }),
];

const noteOptions = {
  modelClass: Note,
  readableColumnNames: ['id', 'text', 'rank'],
  writeableColumnNames: ['text', 'rank'],
  sortableColumnNames: ['text'],
  searchableColumnNames: ['text'],
  defaultSortColumnName: 'text',
  maximumLimit: 4,
} as const;

const { writeableColumnNames: _, ...noteSearch } = noteOptions;

/** The time by which limits count; whoever waits moves it on. */
export const clock = { time: 1e12, now: () => clock.time };

/** The number of answers that are still to be a 503. */
export const trouble = { left: 0 };

const troubled = (): void => {
  if (trouble.left === 0) return;
  trouble.left -= 1;
  throw new ServiceUnavailable();
};

const limits = [new RateLimit({ quota: 2, window: 60, store: new MemoryLimits({ clock }) })];

const everything = [
  ...crates,
  ...keyed,
  ...visits,
  new RestfulApi({
    ...{ url: 'shelves/:shelfCode/crates', modelClass: Crate, parent: 'shelf' },
    ...{ readableColumnNames: ['id', 'label'], writeableColumnNames: ['id', 'label'] },
    ...{ sortableColumnNames: ['label'], searchableColumnNames: ['label'], defaultSortColumnName: 'label' },
  }),
  new RestfulApi({
    ...{ url: 'shelves', modelClass: Shelf, readableColumnNames: ['code', 'floor'] },
    ...{
      writeableColumnNames: ['code', 'floor'],
      sortableColumnNames: ['code'],
      searchableColumnNames: ['code'],
    },
    defaultSortColumnName: 'code',
  }),
  new RestfulApi({ ...noteOptions, url: 'notes' }),
  new RestfulApi({ ...noteOptions, url: 'keyed-notes', bulk: true, idempotency: 'required' }),
  new RestfulApi({ ...noteOptions, url: 'loose-notes', count: 'none' }),
  new RestfulApi({ ...noteOptions, url: 'endless-notes', maximumLimit: 0 }),
  new AdvancedSearch({ ...noteSearch, url: 'queried-notes/search', requestMethods: ['GET'] }),
  new RestfulApi({ ...noteOptions, url: 'queried-notes' }),
  new RestfulApi({ ...noteOptions, url: 'leafed-notes', pagination: 'keyset', count: 'none' }),
  new RestfulApi({
    ...{ ...noteOptions, readableColumnNames: ['id', 'text'] as const },
    ...{ url: 'chosen-notes', clientSelectsColumns: true, includableColumnNames: ['rank'] },
  }),
  new RestfulApi({ ...noteOptions, url: 'counted-notes', limits }),
  new RestfulApi({
    ...noteOptions,
    url: 'troubled-notes',
    inputValidationCallable: () => {
      troubled();
      return {};
    },
  }),
  new Callable({
    url: 'trouble',
    toCall: () => {
      troubled();
      return 'fine';
    },
  }),
];

/** The records of a shop: in every casing and form of answers. */
export const shop: ApplicationOptions = {
  entities: [Shelf, Crate, Note, Bay, Tag, Visit, IdempotencyRecord],
  endpoints: [
    new EndpointGroup({
      url: 'api',
      endpoints: [
        new Schema({ url: 'schema', schemaConfiguration: licensed, wholeApplication: true }),
        new EndpointGroup({ url: 'camel', externalCasing: 'camelCase', endpoints: crates }),
        new EndpointGroup({ url: 'title', externalCasing: 'TitleCase', endpoints: crates }),
        new EndpointGroup({ url: 'plain', answers: new PlainAnswers(), endpoints: crates }),
        ...everything,
      ],
    }),
  ],
};

/** The first key: numbers are no longer exact from the next one on. */
const first = 9_007_199_254_740_991n;

/** A key beyond 2^53, as text. */
export const crateId = (index: number): string => String(first + BigInt(index));

/** Stores so many crates, `crate 1` and on; those whose numbers are listed are hidden. */
export const stock = async (
  { em }: Pick<Subject, 'em'>,
  count: number,
  hidden: readonly number[] = [],
): Promise<void> => {
  const records = em();
  records.create(Shelf, { code: 'A', floor: 1 });
  for (let index = 1; index <= count; index += 1)
    records.create(Crate, {
      ...{ id: crateId(index), label: `crate ${index}`, weight: index, shelf: index % 2 === 0 ? 'A' : null },
      isHidden: hidden.includes(index),
    });
  await records.flush();
};

/** Stores notes with these texts. */
export const notes = async ({ em }: Pick<Subject, 'em'>, ...texts: readonly string[]): Promise<void> => {
  const records = em();
  for (const text of texts) records.create(Note, { text });
  await records.flush();
};

/** A function that sends requests, and keeps what was sent. */
export const recorded = (): {
  fetch: typeof fetch;
  sent: { method: string; path: string; headers: Headers; body: unknown }[];
} => {
  const sent: { method: string; path: string; headers: Headers; body: unknown }[] = [];
  const send: typeof fetch = (address, init) => {
    const { pathname, search } = new URL(address);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    sent.push({
      method: init?.method ?? 'GET',
      path: pathname + search,
      headers: new Headers(init?.headers),
      body,
    });
    return fetch(address, init);
  };
  return { fetch: send, sent };
};
