import { expect } from '@jest/globals';
import type { QueryBuilder } from '@mikro-orm/sql';
import { OwnRecords, RequireScopes, TenantRecords } from '@nest-endpoints/auth';
import {
  allOf,
  anyOf,
  Authorization,
  Callable,
  EndpointGroup,
  List,
  Public,
  type AuthorizationRule,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { service } from '../support/contract.js';
import { Claims } from './claims.js';
import { dataOf, idsOf, look, seeing, type Found } from './scoped.look.js';
import { openShops, Product, Shop, shopEntities, Tag } from './tenants.shop.js';

/** Says with a query which products there are, and is asked for it each time. */
class PublicOnes extends Authorization<{ isPublic: boolean }> {
  override filterModel(query: QueryBuilder<{ isPublic: boolean }>) {
    return query.andWhere({ isPublic: true });
  }
}

/** Says with a filter object which products there are, and nothing of other entities. */
class FirstOnes extends Authorization<{ name: string }> {
  override async filterModel() {
    await Promise.resolve();
    return { name: { $like: 'first%' } };
  }
}

const listed = {
  modelClass: Product,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  defaultLimit: 50,
} as const;

const callable = (url: string, more: object = {}) =>
  new Callable({ url, toCall: ({ em, scoped }) => look(em, scoped), ...more });

/** Products as the kinds show them, and as functions find them, of an endpoint with that entity, another, and none. */
const asked: readonly EndpointOrGroup[] = [
  new List({ ...listed, url: 'products' }),
  callable('scoped'),
  callable('own', { modelClass: Product }),
  callable('related', { modelClass: Shop }),
];

const under = (url: string, authorization: AuthorizationRule, endpoints = asked) =>
  new EndpointGroup({ url, authorization, endpoints });

const tenants = new TenantRecords({ columnName: 'tenantId', claim: 'tenant' });

const { contract } = service({
  entities: shopEntities,
  root: { internalCasing: 'camelCase', authentication: new Claims() },
  endpoints: [
    under('tenants', tenants),
    under('owners', new OwnRecords('tenantId', 'tenant')),
    under('public', new PublicOnes()),
    under('first', new FirstOnes()),
    under('either', anyOf(new FirstOnes(), new PublicOnes())),
    under('all', allOf(tenants, new PublicOnes())),
    under('two', anyOf(tenants, new OwnRecords('tenantId', 'second'))),
    under('any', anyOf(tenants, new RequireScopes('admin'))),
    new EndpointGroup({ url: 'open', authentication: new Public(), endpoints: asked }),
    new EndpointGroup({
      url: 'shops/:shopId',
      authorization: tenants,
      endpoints: [callable('products', { modelClass: Product, parent: 'shop' })],
    }),
    under('columns', new OwnRecords('sku', 'sku'), [
      new Callable({ url: 'shops', toCall: async ({ scoped }) => (await scoped(Shop)).where() }),
      new Callable({
        url: 'tags',
        modelClass: Product,
        toCall: async ({ em, scoped }) => idsOf(await em.find(Tag, (await scoped(Tag)).where())),
      }),
    ]),
  ],
});

const { contract: parted } = service({
  entities: shopEntities,
  root: {
    internalCasing: 'camelCase',
    partition: { column: 'tenantId', value: ({ routingData }) => Number(routingData['tenant']) },
  },
  endpoints: [new EndpointGroup({ url: 't/:tenant', endpoints: asked })],
});

const senders = [
  { tenant: 5 },
  { tenant: 6 },
  { tenant: 7 },
  { tenant: 5, second: 6 },
  { tenant: 5, scope: 'admin' },
];

contract(
  'Queries with scoped find what a list of the same rules shows, whatever they say',
  async (subject) => {
    await openShops(subject);
    for (const url of ['tenants', 'owners', 'public', 'first', 'all', 'two', 'any', 'open'])
      for (const claims of senders) {
        const list = (await dataOf(subject, `/${url}/products`, claims)) as Found[];
        for (const which of ['scoped', 'own'])
          expect([url, which, claims, await dataOf(subject, `/${url}/${which}`, claims)]).toEqual([
            url,
            which,
            claims,
            seeing(...idsOf(list)),
          ]);
      }
    // So that the loop is about something.
    expect(await dataOf(subject, '/tenants/scoped', { tenant: 5 })).toEqual(seeing(1, 2, 3));
    expect(await dataOf(subject, '/two/scoped', { tenant: 5, second: 6 })).toEqual(seeing(1, 2, 3, 101, 102));
    expect(await dataOf(subject, '/any/scoped', { scope: 'admin' })).toEqual(seeing(1, 2, 3, 101, 102));
    expect(await dataOf(subject, '/all/own', { tenant: 5 })).toEqual(seeing(2));
    expect(await dataOf(subject, '/open/own', {})).toEqual(seeing(1, 2, 3, 101, 102));
  },
);

contract('A rule that concerns the entity holds where an endpoint is about another one', async (subject) => {
  await openShops(subject);
  for (const url of ['tenants', 'owners'])
    expect([url, await dataOf(subject, `/${url}/related`, { tenant: 6 })]).toEqual([url, seeing(101, 102)]);
  expect(await dataOf(subject, '/columns/tags', { sku: 'A' })).toEqual([1, 101]);
});

contract('A rule that does not say if it holds for another entity gives nothing of it', async (subject) => {
  await openShops(subject);
  for (const url of ['public', 'first', 'either', 'all'])
    expect([url, await dataOf(subject, `/${url}/related`, { tenant: 5 })]).toEqual([url, 500]);
  expect(subject.log.text('error')).toContain(
    'FirstOnes does not say if it holds for Product: override its concerns',
  );
});

contract('A rule about a column that the entity has not gives nothing of it', async (subject) => {
  await openShops(subject);
  expect(await dataOf(subject, '/columns/shops', { sku: 'A' })).toBe(500);
  expect(subject.log.text('error')).toContain("OwnRecords: Shop has no column 'sku'");
});

parted('The partition is part of the scope, and without a value nothing is given', async (subject) => {
  await openShops(subject);
  for (const which of ['scoped', 'own', 'related']) {
    expect([which, await dataOf(subject, `/t/5/${which}`, {})]).toEqual([which, seeing(1, 2, 3)]);
    expect([which, await dataOf(subject, `/t/x/${which}`, {})]).toEqual([which, 500]);
  }
});

contract('The parent that the path names is part of the scope', async (subject) => {
  await openShops(subject);
  expect(await dataOf(subject, '/shops/1/products', { tenant: 5 })).toEqual(seeing(1, 2));
  expect(await dataOf(subject, '/shops/101/products', { tenant: 5 })).toBe(404);
  expect(await dataOf(subject, '/shops/101/products', { tenant: 6 })).toEqual(seeing(101));
});
