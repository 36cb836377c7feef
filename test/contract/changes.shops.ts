import { defineEntity, p } from '@mikro-orm/core';
import {
  defineColumns,
  Delete,
  Get,
  History,
  Purge,
  recordChanges,
  Restore,
  softDelete,
  StringColumn,
  Update,
} from '@nest-endpoints/core';

const mark = { deletedAt: p.datetime().nullable() } as const;

/** Deleted by a mark, with its shelves; of its columns the name alone is recorded, and that it is deleted. */
export const Shop = defineEntity({
  name: 'Shop',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    ...mark,
    deletedBy: p.string().nullable(),
    version: p.integer().version(),
    shelves: () => p.oneToMany(Shelf).mappedBy('shop'),
  },
});

/** Deleted along with its shop. */
export const Shelf = defineEntity({
  name: 'Shelf',
  properties: {
    id: p.integer().primary().autoincrement(),
    label: p.string(),
    details: p.json<Readonly<Record<string, string>>>().nullable(),
    ...mark,
    version: p.integer().version(),
    shop: () => p.manyToOne(Shop).deleteRule('cascade'),
  },
});

/** Alone, so that its deletion is one statement; nobody sees its mark. */
export const Crate = defineEntity({
  name: 'Crate',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    deletedAt: p.datetime().nullable().hidden(),
    version: p.integer().version(),
  },
});

/** Purged soon after it is deleted. */
export const Flyer = defineEntity({
  name: 'Flyer',
  properties: { id: p.integer().primary().autoincrement(), text: p.string(), ...mark },
});

defineColumns(Shelf, {
  shopId: { sensitive: true },
  'details.lock': { type: new StringColumn(), sensitive: true },
});
softDelete(Shop, { columnName: 'deletedAt', byColumnName: 'deletedBy' });
softDelete(Shelf, { columnName: 'deletedAt' });
softDelete(Crate, { columnName: 'deletedAt' });
softDelete(Flyer, { columnName: 'deletedAt', purgeAfter: 1 });
recordChanges(Shop, { keepFor: 'forever', columns: ['name'] });
recordChanges(Shelf, { keepFor: 'forever' });
recordChanges(Crate, { keepFor: 'forever' });
recordChanges(Flyer, { keepFor: 'forever' });

export const crates = {
  modelClass: Crate,
  readableColumnNames: ['id', 'name'],
  writeableColumnNames: ['name'],
} as const;

/** Endpoints that show what crates were, on PostgreSQL: of live ones, of deleted ones, of all. */
export const pastOfCrates = () => [
  new Delete({ modelClass: Crate, url: 'crates/:id' }),
  new Restore({ ...crates, url: 'crates/:id/restore' }),
  new Purge({ modelClass: Crate, url: 'crates/:id/purge', requestMethods: ['POST'] }),
  new Update({ ...crates, url: 'crates/:id' }),
  ...(['live', 'all'] as const).flatMap((records) => [
    new History({
      modelClass: Crate,
      url: `${records}/crates/:id/history`,
      readableColumnNames: ['name'],
      records,
    }),
    new Get({
      modelClass: Crate,
      url: `${records}/crates/:id`,
      readableColumnNames: ['name'],
      records,
      timeTravel: true,
    }),
  ]),
  new Get({
    modelClass: Crate,
    url: 'deleted/crates/:id',
    readableColumnNames: ['name'],
    records: 'deleted',
    timeTravel: true,
  }),
];
