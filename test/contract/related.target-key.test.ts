import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { List, type EndpointOrGroup } from '@nest-endpoints/core';
import { startUpError } from '../support/application.js';

const Shop = defineEntity({
  name: 'Shop',
  properties: {
    id: p.integer().primary(),
    number: p.integer().unique(),
    offers: () => p.oneToMany(Offer).mappedBy('shop'),
  },
});
const Offer = defineEntity({
  name: 'Offer',
  properties: { id: p.integer().primary(), shop: () => p.manyToOne(Shop).targetKey('number') },
});

const common = { sortableColumnNames: [], defaultSortColumnName: 'id' } as const;

test('A relation that refers to another column than the key stops the start where it is named', async () => {
  const message = (list: EndpointOrGroup) => startUpError({ entities: [Shop, Offer], endpoints: [list] });
  const offers = new List({
    ...common,
    url: 'offers',
    modelClass: Offer,
    readableColumnNames: ['shop.number'],
  });
  expect(await message(offers)).toContain("List 'offers': readableColumnNames: unknown column 'shop.number'");
  const shops = new List({ ...common, url: 'shops', modelClass: Shop, readableColumnNames: ['offers.id'] });
  expect(await message(shops)).toContain("List 'shops': readableColumnNames: unknown column 'offers.id'");
});
