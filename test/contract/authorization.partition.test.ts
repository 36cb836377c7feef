import { expect } from '@jest/globals';
import { Authorization, EndpointGroup, RestfulApi, type RequestFacts } from '@nest-endpoints/core';
import { expectAnswer, failure, inputErrors, notFound } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import type { OrmOptions } from '../support/database.js';
import { Statements } from '../support/statements.js';
import { Claims } from './claims.js';
import { Country, openShops, Product, Shop, shopEntities } from './tenants.shop.js';

const products = {
  url: 'products',
  modelClass: Product,
  readableColumnNames: ['id', 'name', 'shop.name', 'tags.name'],
  writeableColumnNames: ['id', 'name', 'shopId', 'tenantId'],
  searchableColumnNames: ['name'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const countries = new RestfulApi({
  url: 'countries',
  modelClass: Country,
  readableColumnNames: ['name'],
  writeableColumnNames: ['name'],
  searchableColumnNames: ['name'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
});

/** Says what every request's tenant is, with what the identity or the path says of it. */
const parted = (
  value: (request: RequestFacts) => unknown,
  endpoints: ConstructorParameters<typeof EndpointGroup>[0],
  orm: OrmOptions = {},
) =>
  service(
    {
      entities: shopEntities,
      root: {
        authentication: new Claims(),
        partition: { column: 'tenantId', value },
      },
      orm,
      endpoints: [new EndpointGroup(endpoints)],
    },
    everyDatabase,
  ).contract;

const byIdentity = parted(
  ({ authorizationData }) => (authorizationData as { readonly tenant: unknown }).tenant,
  { endpoints: [new RestfulApi(products), countries] },
);

const byPath = parted(({ routingData }) => Number(routingData['tenant']), {
  url: 't/:tenant',
  endpoints: [
    new RestfulApi(products),
    new RestfulApi({ ...products, url: 'shops', modelClass: Shop, ...shops() }),
  ],
});

function shops() {
  return {
    readableColumnNames: ['id', 'products.name'],
    writeableColumnNames: ['name'],
    searchableColumnNames: ['products.name'],
  } as const;
}

const by = (claims: object) => ({ 'X-Claims': JSON.stringify(claims) });

const statementsDuring = async (subject: Subject, work: () => PromiseLike<unknown>) => {
  return (await Statements.of(subject)).during(work);
};

byIdentity('A partition by the identity parts every entity that has the column', async (subject) => {
  await openShops(subject);
  const request = subject.request();
  const five = by({ tenant: 5 });
  const list = await request.get('/products').set(five);
  expect(list.body.data.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
  expect(list.body.data[2]).toEqual({ id: 3, name: 'astray', shop: null, tags: [{ name: 'tag 5' }] });
  expectAnswer(await request.get('/products/101').set(five), 404, notFound);
  expectAnswer(await request.delete('/products/101').set(five), 404, notFound);
  const created = await request.post('/products').set(five).send({ id: 9, name: 'new', shop_id: 1 });
  expect(created.status).toBe(201);
  expect((await subject.em().findOneOrFail(Product, 9)).tenant.id).toBe(5);
  for (const [sent, errors] of [
    [{ tenant_id: 6 }, { tenant_id: 'must be your own' }],
    [{ shop_id: 101 }, { shop_id: 'the given record does not exist' }],
  ] as const)
    expectAnswer(await request.patch('/products/1').set(five).send(sent), 400, inputErrors(errors));
  expect((await request.get('/countries').set(five)).body.data).toEqual([{ name: 'France' }]);
});

byIdentity('A request without a value for the partition is a 500, and nothing is asked', async (subject) => {
  await openShops(subject);
  for (const claims of [
    {},
    { tenant: null },
    { tenant: '5' },
    { tenant: [5] },
    { tenant: { $ne: 0 } },
    null,
  ]) {
    const sent = await statementsDuring(subject, async () => {
      const request = subject.request();
      const asked = [
        request.get('/products'),
        request.get('/products/1'),
        request.post('/products').send({ id: 9, name: 'x' }),
        request.patch('/products/1').send({ name: 'x' }),
        request.delete('/products/1'),
      ];
      for (const one of asked)
        expectAnswer(await one.set(by(claims as object)), 500, failure('Internal Server Error'));
    });
    // MikroORM's way begins a transaction before it looks for the record.
    const about = sent.filter((statement) => !/^(?:begin|rollback)$/i.test(statement));
    expect([claims, about]).toEqual([claims, []]);
  }
});

byPath('A partition by a path parameter parts what is below it', async (subject) => {
  await openShops(subject);
  const request = subject.request();
  const anybody = by({});
  for (const [path, status] of [
    ['/t/5/products/1', 200],
    ['/t/6/products/1', 404],
    ['/t/6/products/101', 200],
    ['/t/7/products/101', 404],
    ['/t/x/products/1', 500],
  ] as const)
    expect([path, (await request.get(path).set(anybody)).status]).toEqual([path, status]);
  const { body } = await request.get('/t/6/shops').set(anybody);
  expect(body.data).toEqual([{ id: 101, products: [{ name: 'first 6' }] }]);
  const created = await request.post('/t/6/products').set(anybody).send({ id: 9, name: 'new' });
  expect(created.status).toBe(201);
  expect((await subject.em().findOneOrFail(Product, 9)).tenant.id).toBe(6);
  const moved = await request.patch('/t/6/products/9').set(anybody).send({ tenant_id: 5 });
  expectAnswer(moved, 400, inputErrors({ tenant_id: 'must be your own' }));
});

/** Would let nobody see anything. */
class Unlike extends Authorization {
  override filterModel(): object {
    return { name: 'nothing' };
  }
}

const withRule = parted(() => 5, {
  authorization: new Unlike(),
  endpoints: [new RestfulApi(products)],
});

withRule('A partition holds beside an authorization', async (subject) => {
  await openShops(subject);
  await subject.save(Product, { id: 10, tenant: 5, name: 'nothing' });
  await subject.save(Product, { id: 11, tenant: 6, name: 'nothing' });
  const { body } = await subject.request().get('/products').set(by({}));
  expect(body.data).toEqual([{ id: 10, name: 'nothing', shop: null, tags: [] }]);
});

/** Requests fork from the global entity manager then, whose filters are read once. */
const bare = { registerRequestContext: false } as OrmOptions;
const withFilter = parted(() => 5, { endpoints: [new RestfulApi(products)] }, bare);

withFilter('A partition holds beside a filter that says the same to every request', async (subject) => {
  await openShops(subject);
  for (let asked = 0; asked < 2; asked += 1) {
    const { body } = await subject.request().get('/products').set(by({}));
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
  }
  for (const id of [4, 101])
    expectAnswer(await subject.request().get(`/products/${id}`).set(by({})), 404, notFound);
});
