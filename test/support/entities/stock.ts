import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { defineColumns, TimestampColumn } from '@nest-endpoints/core';

/** Where wares are kept; has a parent of its own. */
export const Region = defineEntity({
  name: 'Region',
  properties: { id: p.integer().primary(), title: p.string().nullable() },
});

export const Depot = defineEntity({
  name: 'Depot',
  properties: {
    id: p.integer().primary(),
    name: p.string(),
    rank: p.integer().nullable(),
    region: () => p.manyToOne(Region).nullable(),
  },
});

/** A record with a nullable column of every type that has an order, a parent and children. */
export const Ware = defineEntity({
  name: 'Ware',
  properties: {
    id: p.integer().primary(),
    label: p.string().nullable(),
    size: p.integer().nullable(),
    weight: p.double().nullable(),
    price: p.decimal('string').precision(12).scale(2).nullable(),
    serial: p.bigint('string').nullable(),
    fragile: p.boolean().nullable(),
    madeOn: p.date().nullable(),
    soldAt: p.datetime(6).nullable(),
    checkedAt: p.integer().nullable(),
    code: p.uuid().nullable(),
    state: p.enum(['new', 'used', 'Broken']).nullable(),
    depot: () => p.manyToOne(Depot).nullable(),
    parts: () => p.oneToMany(Part).mappedBy('ware'),
    tags: () => p.manyToMany(Mark),
  },
});
export type Ware = InferEntity<typeof Ware>;

export const Part = defineEntity({
  name: 'Part',
  properties: {
    id: p.integer().primary(),
    ware: () => p.manyToOne(Ware),
    name: p.string().nullable(),
    count: p.integer().nullable(),
  },
});

export const Mark = defineEntity({
  name: 'Mark',
  properties: { id: p.integer().primary(), word: p.string() },
});

defineColumns(Ware, { checkedAt: { type: new TimestampColumn() } });

export const stock = [Region, Depot, Ware, Part, Mark];
