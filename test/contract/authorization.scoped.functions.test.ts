import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { TenantRecords } from '@nest-endpoints/auth';
import {
  Authorization,
  Callable,
  EndpointContext,
  EndpointGroup,
  List,
  RestfulApi,
  type RequestContext,
} from '@nest-endpoints/core';
import { Injectable } from '@nestjs/common';
import { service } from '../support/contract.js';
import { Claims } from './claims.js';
import { by, dataOf, idsOf, look } from './scoped.look.js';
import { openShops, Product, Shop, shopEntities } from './tenants.shop.js';

/** Asks for what depends on it, which nobody could answer. */
class Circular extends Authorization {
  override async filterModel(
    _query: unknown,
    _identity: unknown,
    { scoped }: RequestContext,
  ): Promise<never> {
    return (await scoped(Product)).where() as never;
  }
}

/** A provider far from any endpoint. */
@Injectable()
class Stock {
  constructor(private readonly context: EndpointContext) {}

  async ids(em: SqlEntityManager): Promise<number[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return idsOf(await em.find(Product, (await this.context.scoped(Product)).where()));
  }
}

/** Asks before anybody is known. */
class Hasty extends Claims {
  static seen: unknown;

  override async authenticate(credentials: Parameters<Claims['authenticate']>[0]): Promise<unknown> {
    const { scoped } = await credentials.context();
    Hasty.seen = await scoped(Product).catch((error: unknown) => error);
    return super.authenticate(credentials);
  }
}

const listed = {
  modelClass: Product,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  defaultLimit: 50,
} as const;

const tenants = new TenantRecords({ columnName: 'tenantId', claim: 'tenant' });

const shown = {
  modelClass: Product,
  readableColumnNames: ['id', 'name'],
  writeableColumnNames: ['id', 'name', 'tenantId'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

/** No entity. */
const Stranger = defineEntity({ name: 'Stranger', properties: { id: p.integer().primary() } });

const seenByHooks: unknown[] = [];

/** What a hook finds with what it is given. */
const see = async ({ em, scoped }: Pick<RequestContext, 'em' | 'scoped'>): Promise<void> => {
  seenByHooks.push(idsOf(await em.find(Product, (await scoped(Product)).where())));
};

const { contract } = service({
  entities: shopEntities,
  providers: [Stock],
  root: { internalCasing: 'camelCase', authentication: new Claims() },
  endpoints: [
    new Callable({
      url: 'nobody',
      modelClass: Product,
      authorization: new Circular(),
      toCall: ({ em, scoped }) => look(em, scoped),
    }),
    new EndpointGroup({
      url: 'hooks',
      authorization: tenants,
      endpoints: [
        new RestfulApi({
          ...shown,
          url: 'products',
          beforeSave: see,
          afterDelete: see,
          afterCommit: see,
          inputValidationCallable: async ({ em, scoped, requestData }) => {
            const { name } = requestData as { name?: string };
            const isTaken =
              (await em.count(Product, (await scoped(Product)).where({ name: name ?? '' }))) > 0;
            return isTaken ? { name: 'is taken' } : {};
          },
        }),
        new List({
          ...listed,
          url: 'of-shops',
          where: [
            async ({ em, scoped }) => {
              const shops = await em.find(Shop, (await scoped(Shop)).where());
              return { shop: { $in: shops.map(({ id }) => id) } };
            },
          ],
        }),
        new Callable({ url: 'service', inject: { stock: Stock }, toCall: ({ em, stock }) => stock.ids(em) }),
        new Callable({
          url: 'query',
          modelClass: Product,
          readableColumnNames: ['id'],
          returnRecords: true,
          toCall: async ({ scoped }) => {
            const { query } = await scoped(Product);
            return query('p')
              .where({ id: { $gt: 0 } })
              .orWhere({ id: 101 })
              .orderBy({ 'p.id': 'asc' });
          },
        }),
        new Callable({
          url: 'stranger',
          toCall: ({ scoped }) => scoped(Stranger),
        }),
        new Callable({
          url: 'undefined',
          toCall: async ({ scoped }) => (await scoped(Product)).where({ name: undefined } as never),
        }),
      ],
    }),
    new List({ ...listed, url: 'hasty', authentication: new Hasty() }),
  ],
});

contract('Functions around a write have it, within the transaction and after it', async (subject) => {
  await openShops(subject);
  seenByHooks.length = 0;
  const five = by({ tenant: 5 });
  const { request } = subject;
  const send = (name: string) => request().post('/hooks/products').set(five).send({ id: 9, name });
  expect((await send('second 5')).body).toMatchObject({ input_errors: { name: 'is taken' } });
  expect((await send('third 6')).status).toBe(201);
  expect(seenByHooks).toEqual([
    [1, 2, 3],
    [1, 2, 3, 9],
  ]);
  seenByHooks.length = 0;
  expect((await request().patch('/hooks/products/2').set(five).send({ name: 'second 5b' })).status).toBe(200);
  expect((await request().delete('/hooks/products/9').set(five)).status).toBe(200);
  expect(seenByHooks).toEqual([
    [1, 2, 3, 9],
    [1, 2, 3, 9],
    [1, 2, 3],
    [1, 2, 3],
  ]);
});

contract('Functions of where, services and returned queries have it', async (subject) => {
  await openShops(subject);
  expect(await dataOf(subject, '/hooks/of-shops', { tenant: 5 })).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await dataOf(subject, '/hooks/service', { tenant: 6 })).toEqual([101, 102]);
  const { body } = await subject
    .request()
    .get('/hooks/query?limit=2')
    .set(by({ tenant: 5 }));
  expect(body).toMatchObject({ data: [{ id: 1 }, { id: 2 }], pagination: { number_results: 3 } });
});

contract('Nothing is given outside of a request, or before its sender is known', async (subject) => {
  await openShops(subject);
  const context = subject.app.get(EndpointContext);
  await expect(context.scoped(Product)).rejects.toThrow('outside of the request of an endpoint');
  expect(await dataOf(subject, '/hasty', {})).toHaveLength(5);
  expect(Hasty.seen).toMatchObject({ message: 'scoped: nobody knows yet who sent the request' });
});

contract(
  'Nothing is given of an entity that the database has not, nor to a rule that is asked',
  async (subject) => {
    expect(await dataOf(subject, '/hooks/stranger', { tenant: 5 })).toBe(500);
    expect(await dataOf(subject, '/nobody', { tenant: 5 })).toBe(500);
    const log = subject.log.text('error');
    expect(log).toContain('scoped: Stranger is no entity of the database');
    expect(log).toContain('scoped: a rule cannot ask for Product, which depends on rules');
  },
);

contract('A condition without a value is refused', async (subject) => {
  expect(await dataOf(subject, '/hooks/undefined', { tenant: 5 })).toBe(500);
  expect(subject.log.text('error')).toContain("has no value for 'name'");
});
