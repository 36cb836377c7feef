import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import {
  Aggregate,
  AdvancedSearch,
  Create,
  CreateMany,
  Facets,
  Get,
  List,
  IdempotencyRecord,
  Batch,
  Delete,
  RestfulApi,
  softDelete,
  Upsert,
} from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import { Claims } from './claims.js';

const claims = new Claims();

const mark = { deletedAt: p.datetime().nullable() } as const;

/** A town that may have live trips, or may not be deleted. */
export const Town = defineEntity({
  name: 'Town',
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string().length(20),
    name: p.string(),
    size: p.integer().default(1),
    ...mark,
    deletedBy: p.string().nullable(),
    updated: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
    version: p.integer().version(),
    trips: () => p.oneToMany(Trip).mappedBy('town'),
    notes: () => p.oneToMany(Note).mappedBy('town'),
    stamps: () => p.oneToMany(Stamp).mappedBy('town'),
  },
  uniques: [{ name: 'town_code_live', properties: ['code'], where: { deletedAt: null } }],
});
export type Town = InferEntity<typeof Town>;

/** Refuses that its town is deleted. */
export const Trip = defineEntity({
  name: 'Trip',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string(),
    days: p.integer().default(1),
    ...mark,
    town: () => p.manyToOne(Town),
  },
});

/** Is deleted along with its town. */
export const Note = defineEntity({
  name: 'Note',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    ...mark,
    deletedBy: p.string().nullable(),
    version: p.integer().version(),
    town: () => p.manyToOne(Town).deleteRule('cascade'),
    author: () => p.manyToOne(Author).nullable(),
    remarks: () => p.oneToMany(Remark).mappedBy('note'),
  },
});

/** Refuses that its author is deleted, and follows its note. */
export const Remark = defineEntity({
  name: 'Remark',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    ...mark,
    note: () => p.manyToOne(Note).deleteRule('cascade'),
  },
});

export const Author = defineEntity({
  name: 'Author',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    ...mark,
    notes: () => p.oneToMany(Note).mappedBy('author'),
  },
});

/** Stays where its town is deleted. */
export const Stamp = defineEntity({
  name: 'Stamp',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    town: () => p.manyToOne(Town).nullable(),
  },
});

/** A tree, whose branches are deleted with their trunk. */
export const Branch = defineEntity({
  name: 'Branch',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    ...mark,
    trunk: () => p.manyToOne(Branch).nullable(),
    branches: () => p.oneToMany(Branch).mappedBy('trunk'),
  },
});

/** Alone: a Delete and a Restore of it are one statement each. */
export const Hut = defineEntity({
  name: 'Hut',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().default('a'),
    code: p.string().length(20),
    name: p.string().nullable(),
    ...mark,
    version: p.integer().version(),
  },
  uniques: [{ name: 'hut_code_live', properties: ['code'], where: 'deleted_at is null' }],
});

softDelete(Town, {
  columnName: 'deletedAt',
  byColumnName: 'deletedBy',
  children: { stamps: 'keep' },
});
softDelete(Trip, { columnName: 'deletedAt' });
softDelete(Note, { columnName: 'deletedAt', byColumnName: 'deletedBy' });
softDelete(Remark, { columnName: 'deletedAt' });
softDelete(Author, { columnName: 'deletedAt', children: { notes: 'refuse' } });
softDelete(Branch, { columnName: 'deletedAt', children: { branches: 'cascade' } });
softDelete(Hut, { columnName: 'deletedAt' });

const listed = {
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const towns = {
  modelClass: Town,
  readableColumnNames: ['id', 'code', 'name', 'size'],
  writeableColumnNames: ['code', 'name', 'size'],
} as const;

const huts = {
  modelClass: Hut,
  readableColumnNames: ['id', 'code', 'name'],
  writeableColumnNames: ['code', 'name'],
} as const;

const trips = {
  modelClass: Trip,
  readableColumnNames: ['id', 'title', 'townId', 'town.name'],
  writeableColumnNames: ['title', 'days', 'townId'],
} as const;

const trashed = { trash: { purge: true }, bulk: true } as const;

const softEntities = [Town, Trip, Note, Remark, Author, Stamp, Branch, Hut, IdempotencyRecord];

const softEndpoints = () => [
  new RestfulApi({
    ...towns,
    ...listed,
    ...trashed,
    url: 'towns',
    searchableColumnNames: ['id', 'code', 'name', 'trips.title'],
    authentication: claims,
    byConditions: true,
    aggregate: { groupableColumnNames: ['name'], measurableColumnNames: { size: ['count'] } },
    facets: { facetColumnNames: ['name'] },
  }),
  new RestfulApi({ ...huts, ...listed, ...trashed, url: 'huts', searchableColumnNames: ['id', 'code'] }),
  new RestfulApi({ ...trips, ...listed, ...trashed, url: 'trips' }),
  new RestfulApi({
    ...listed,
    ...trashed,
    url: 'notes',
    modelClass: Note,
    readableColumnNames: ['id', 'text', 'townId', 'authorId'],
    writeableColumnNames: ['text', 'townId', 'authorId'],
  }),
  new RestfulApi({
    ...listed,
    ...trashed,
    url: 'branches',
    modelClass: Branch,
    readableColumnNames: ['id', 'name', 'trunkId', 'trunk.name'],
    writeableColumnNames: ['name', 'trunkId'],
  }),
  new RestfulApi({
    ...listed,
    url: 'stamps',
    modelClass: Stamp,
    readableColumnNames: ['id', 'text', 'townId', 'town.name'],
    writeableColumnNames: ['text', 'townId'],
  }),
  new RestfulApi({
    ...listed,
    url: 'authors',
    modelClass: Author,
    readableColumnNames: ['id', 'name'],
    writeableColumnNames: ['name'],
  }),
  new Get({
    modelClass: Stamp,
    url: 'mapped/:id',
    readableColumnNames: ['id', 'town.name'],
    outputMap: ({ entity }) => ({ town: (entity.town as { name?: string } | null)?.name ?? null }),
  }),
  new Get({
    ...towns,
    url: 'shown/:id',
    readableColumnNames: ['id', 'trips.title', 'notes.text'],
    records: 'all',
  }),
  new AdvancedSearch({
    ...towns,
    ...listed,
    url: 'estimated',
    count: 'estimated',
    searchableColumnNames: ['name', 'trips.title', 'notes.text'],
    readableColumnNames: ['id', 'trips.title'],
  }),
  new Aggregate({ modelClass: Town, url: 'deleted/aggregate', records: 'deleted' }),
  new Facets({ modelClass: Town, url: 'all/facets', facetColumnNames: ['name'], records: 'all' }),
  new List({
    ...listed,
    modelClass: Branch,
    url: 'all/branches',
    readableColumnNames: ['id', 'trunk.name'],
    records: 'all',
  }),
  new Upsert({ ...huts, url: 'put/huts', conflictColumnNames: ['code'], idempotency: true }),
  new CreateMany({ ...huts, url: 'many/huts', conflictColumnNames: ['code'], onConflict: 'update' }),
  new Create({ ...huts, url: 'made/huts' }),
  new Delete({ ...huts, url: 'keyed/huts/:code', recordLookupColumnName: 'code' }),
  new Batch({ url: 'batch', wholeApplication: true, idempotency: true, authentication: claims }),
];

export const softly = (): ApplicationOptions => ({ entities: softEntities, endpoints: softEndpoints() });

/** The sender of a request. */
export const by = (sub: string) => ({ 'X-Claims': JSON.stringify({ sub }) });
