import { defineEntity, p } from '@mikro-orm/core';
import type { Subject } from '../support/contract.js';

/** Shared: it has no tenant. */
export const Country = defineEntity({
  name: 'Country',
  properties: { id: p.integer().primary(), name: p.string() },
});

export const Company = defineEntity({
  name: 'Company',
  properties: { id: p.integer().primary(), name: p.string() },
});

export const Tag = defineEntity({
  name: 'Tag',
  properties: { id: p.integer().primary(), tenant: () => p.manyToOne(Company), name: p.string() },
});

export const Shop = defineEntity({
  name: 'Shop',
  properties: {
    id: p.integer().primary(),
    tenant: () => p.manyToOne(Company),
    name: p.string(),
    country: () => p.manyToOne(Country).nullable(),
    products: () => p.oneToMany(Product).mappedBy('shop'),
  },
});

export const Product = defineEntity({
  name: 'Product',
  uniques: [{ properties: ['tenant', 'sku'] }],
  filters: { kept: { name: 'kept', cond: { isSold: false }, default: true } },
  properties: {
    id: p.integer().primary(),
    tenant: () => p.manyToOne(Company),
    name: p.string(),
    sku: p.string().nullable(),
    isSold: p.boolean().default(false),
    isPublic: p.boolean().default(false),
    shop: () => p.manyToOne(Shop).nullable(),
    tags: () => p.manyToMany(Tag),
  },
});

export const shopEntities = [Country, Company, Tag, Shop, Product];

/** Records of the companies 5 and 6, whose keys are above 100; product 3 is led astray, 4 is hidden by a filter. */
export const openShops = async ({ em }: Pick<Subject, 'em'>): Promise<void> => {
  const all = em();
  all.create(Country, { id: 1, name: 'France' });
  for (const [tenant, id] of [
    [5, 1],
    [6, 101],
  ] as const) {
    all.create(Company, { id: tenant, name: `company ${tenant}` });
    all.create(Tag, { id, tenant, name: `tag ${tenant}` });
    all.create(Shop, { id, tenant, name: `shop ${tenant}`, country: 1 });
    all.create(Product, { id, tenant, name: `first ${tenant}`, sku: 'A', shop: id, tags: [id] });
  }
  all.create(Product, { id: 2, tenant: 5, name: 'second 5', sku: 'B', shop: 1, isPublic: true });
  all.create(Product, { id: 3, tenant: 5, name: 'astray', shop: 101, tags: [1, 101] });
  all.create(Product, { id: 102, tenant: 6, name: 'second 6', shop: 1, tags: [1] });
  all.create(Product, { id: 4, tenant: 5, name: 'sold 5', isSold: true });
  await all.flush();
};
