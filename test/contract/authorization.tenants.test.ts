import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import {
  AdvancedSearch,
  Create,
  EndpointGroup,
  IdempotencyRecord,
  List,
  RestfulApi,
  Unique,
  Update,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { Country, openShops, Product, Shop, shopEntities } from './tenants.shop.js';

const Memo = defineEntity({
  name: 'Memo',
  properties: { id: p.integer().primary(), tenant: p.uuid(), text: p.string() },
});

const tenants = new TenantRecords({ columnName: 'tenantId', claim: 'tenant' });

const products = {
  modelClass: Product,
  readableColumnNames: ['id', 'name', 'shopId', 'shop.name', 'tags.name'],
  writeableColumnNames: ['id', 'name', 'sku', 'shopId'],
  searchableColumnNames: ['name', 'shop.name', 'tags.name'],
  sortableColumnNames: ['id', 'name', 'shop.name'],
  defaultSortColumnName: 'id',
} as const;

const named = {
  ...products,
  readableColumnNames: ['id', 'name', 'tenantId'],
  writeableColumnNames: ['id', 'name', 'tenantId'],
} as const;

const { contract } = service(
  {
    entities: [...shopEntities, Memo, IdempotencyRecord],
    root: { authentication: new Claims() },
    endpoints: [
      new RestfulApi({
        url: 'memos',
        modelClass: Memo,
        readableColumnNames: ['id', 'text'],
        writeableColumnNames: ['id', 'text', 'tenant'],
        searchableColumnNames: ['text'],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
        authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
      }),
      new EndpointGroup({
        authorization: tenants,
        endpoints: [
          new RestfulApi({ ...products, url: 'products' }),
          new RestfulApi({ ...named, url: 'named' }),
          new RestfulApi({
            ...named,
            url: 'skus',
            readableColumnNames: ['id', 'sku'],
            idColumnName: 'sku',
            writeableColumnNames: ['id', 'name', 'sku'],
          }),
          new Update({ ...named, url: 'tagged/:id', writeableColumnNames: ['tagIds'] }),
          new Create({
            ...products,
            url: 'once',
            readableColumnNames: ['id', 'name'],
            writeableColumnNames: ['id', 'name'],
            idempotency: true,
          }),
          new Create({
            ...products,
            url: 'sole',
            readableColumnNames: ['id'],
            columnOverrides: { sku: { validators: [new Unique()] } },
          }),
          new List({ ...products, url: 'grouped', groupByColumnName: 'shop.name' }),
          new AdvancedSearch({ ...products, url: 'search', pagination: 'keyset' }),
          new RestfulApi({
            url: 'shops',
            modelClass: Shop,
            readableColumnNames: ['id', 'country.name', 'products.name', 'products.tags.name'],
            writeableColumnNames: ['name'],
            searchableColumnNames: ['products.name', 'products.tags.name'],
            sortableColumnNames: ['id'],
            defaultSortColumnName: 'id',
          }),
          new RestfulApi({
            url: 'countries',
            modelClass: Country,
            readableColumnNames: ['name'],
            writeableColumnNames: ['name'],
            searchableColumnNames: ['name'],
            sortableColumnNames: ['id'],
            defaultSortColumnName: 'id',
          }),
        ],
      }),
    ],
  },
  everyDatabase,
);

const by = (claims: object) => ({ 'X-Claims': JSON.stringify(claims) });
const five = by({ tenant: 5 });

const idsIn = (body: unknown): readonly number[] =>
  (body as { readonly data: readonly { readonly id: number }[] }).data.map(({ id }) => id);

/** The keys of the records that a path shows. */
const shown = async (subject: Subject, path: string, claims: object = { tenant: 5 }) => {
  const { status, body } = await subject.request().get(path).set(by(claims));
  expect([path, status]).toEqual([path, 200]);
  return idsIn(body);
};

contract('The tenant of a record may be a relation', async (subject) => {
  await openShops(subject);
  const request = subject.request();
  expect(await shown(subject, '/products')).toEqual([1, 2, 3]);
  const answer = await request.get('/products/3').set(five);
  const astray = { id: 3, name: 'astray', shop_id: 101, shop: null, tags: [{ name: 'tag 5' }] };
  expectAnswer(answer, 200, success(astray));
  const created = await request.post('/products').set(five).send({ id: 9, name: 'new', shop_id: 1 });
  expect(created.body).toMatchObject({ status: 'success', data: { shop: { name: 'shop 5' } } });
  const stored = await subject.em().findOneOrFail(Product, { name: 'new' });
  expect(stored.tenant.id).toBe(5);
  for (const asked of [
    request.post('/named').send({ id: 10, name: 'x', tenant_id: 6 }),
    request.patch('/named/1').send({ tenant_id: 6 }),
  ])
    expectAnswer(await asked.set(five), 400, inputErrors({ tenant_id: 'must be your own' }));
  expect((await request.patch('/named/1').set(five).send({ tenant_id: 5, name: 'y' })).status).toBe(200);
});

contract('A tenant of another type than its column is refused', async (subject) => {
  await openShops(subject);
  for (const tenant of ['5', 5.5, true, null, [5], { id: 5 }])
    for (const asked of [
      subject.request().get('/products'),
      subject.request().post('/products').send({ name: 'x', shop_id: 1 }),
      subject.request().patch('/products/1').send({ name: 'x' }),
      subject.request().delete('/products/2'),
    ]) {
      const { status } = await asked.set(by({ tenant }));
      expect([tenant, status]).toEqual([tenant, 403]);
    }
  expect(await subject.count(Product)).toBe(5);
});

contract('The tenant of a record may be a UUID', async (subject) => {
  const [own, other] = ['6f1c0000-0000-4000-8000-000000000001', '6f1c0000-0000-4000-8000-000000000002'];
  const mine = by({ tenant: own });
  await subject.save(Memo, { id: 1, tenant: own, text: 'mine' });
  await subject.save(Memo, { id: 2, tenant: other, text: 'theirs' });
  expect(await shown(subject, '/memos', { tenant: own })).toEqual([1]);
  expect((await subject.request().get('/memos/2').set(mine)).status).toBe(404);
  expect((await subject.request().post('/memos').set(mine).send({ id: 3, text: 'new' })).status).toBe(201);
  expect(await subject.em().findOne(Memo, 3)).toMatchObject({ tenant: own });
  const moved = await subject.request().patch('/memos/1').set(mine).send({ tenant: other });
  expectAnswer(moved, 400, inputErrors({ tenant: 'must be your own' }));
  for (const tenant of ['5', 'no uuid', own.slice(1)])
    expect((await subject.request().get('/memos').set(by({ tenant }))).status).toBe(403);
});

contract('Records of an entity without the column are shared', async (subject) => {
  await openShops(subject);
  for (const tenant of [5, 6]) {
    const { body } = await subject.request().get('/countries').set(by({ tenant }));
    expect(body).toMatchObject({ data: [{ name: 'France' }] });
  }
  const { body } = await subject.request().get('/shops/1').set(five);
  expect(body).toMatchObject({ data: { country: { name: 'France' } } });
});

contract('Members of a list of keys are those of the tenant', async (subject) => {
  await openShops(subject);
  const request = subject.request();
  const refused = await request
    .patch('/tagged/1')
    .set(five)
    .send({ tag_ids: [1, 101] });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('tag_ids')]);
  expect(
    (
      await request
        .patch('/tagged/101')
        .set(five)
        .send({ tag_ids: [1] })
    ).status,
  ).toBe(404);
  expect((await request.patch('/tagged/3').set(five).send({ tag_ids: [] })).status).toBe(200);
  // The client never saw the other one.
  const { tags } = await subject.em().findOneOrFail(Product, 3, { populate: ['tags'] });
  expect(tags.getIdentifiers()).toEqual([101]);
});

contract('Lists of related records, and searches in them, are of the tenant', async (subject) => {
  await openShops(subject);
  const { body } = await subject.request().get('/shops').set(five);
  const listed = [
    { name: 'first 5', tags: [{ name: 'tag 5' }] },
    { name: 'second 5', tags: [] },
  ];
  expect(body.data).toEqual([{ id: 1, country: { name: 'France' }, products: listed }]);
  for (const [path, expected] of [
    ['/shops?products.name=second 5', [1]],
    ['/shops?products.name=second 6', []],
    ['/shops?products.tags.name=tag 5', [1]],
    ['/shops?products.tags.name=tag 6', []],
    ['/products?tags.name=tag 6', []],
    ['/products?shop.name=shop 6', []],
  ] as const)
    expect([path, await shown(subject, path)]).toEqual([path, expected]);
});

contract('Pages, groups and counts are of the tenant', async (subject) => {
  await openShops(subject);
  const request = subject.request();
  const first = await request.get('/products?limit=2').set(five);
  expect(first.body.pagination).toMatchObject({ number_results: 3 });
  const deep = await request.get('/products?start=1000').set(five);
  expect([deep.status, deep.body.data]).toEqual([200, []]);
  const groups = await request.get('/grouped?sort=id').set(five);
  expect(idsIn(groups.body)).toEqual([1, 3]);
  const pages: number[][] = [];
  for (let after: unknown; pages.length < 3;) {
    const sent = { sort: [{ column: 'shop.name', direction: 'desc' }], limit: 1 };
    const answer = await request
      .post('/search')
      .set(five)
      .send(after === undefined ? sent : { ...sent, after });
    pages.push([...idsIn(answer.body)]);
    after = answer.body.pagination.next_page?.after;
  }
  expect(pages.flat().sort()).toEqual([1, 2, 3]);
});

contract('A value is unique within the tenant', async (subject) => {
  await openShops(subject);
  await subject.em().nativeDelete(Product, { id: 101 });
  const six = by({ tenant: 6 });
  expect((await subject.request().post('/sole').set(six).send({ id: 9, name: 'x', sku: 'A' })).status).toBe(
    201,
  );
  const taken = await subject.request().post('/sole').set(six).send({ id: 10, name: 'y', sku: 'A' });
  expect([taken.status, Object.keys(taken.body.input_errors as object)]).toEqual([400, ['sku']]);
});

contract('A record is looked up by a value that is unique within the tenant', async (subject) => {
  await openShops(subject);
  const ask = async (method: 'get' | 'delete', path: string, tenant: number) => {
    const { status, body } = await subject.request()[method](path).set(by({ tenant }));
    return [status, body.data];
  };
  expect(await ask('get', '/skus/A', 5)).toEqual([200, { id: 1, sku: 'A' }]);
  expect(await ask('get', '/skus/A', 6)).toEqual([200, { id: 101, sku: 'A' }]);
  const renamed = await subject.request().patch('/skus/A').set(five).send({ name: 'other' });
  expect([renamed.status, renamed.body.data]).toEqual([200, { id: 1, sku: 'A' }]);
  expect(await ask('delete', '/skus/A', 6)).toEqual([200, {}]);
  expect((await ask('get', '/skus/A', 6))[0]).toBe(404);
  expect(await ask('get', '/skus/A', 5)).toEqual([200, { id: 1, sku: 'A' }]);
});

contract(
  'A value that the database refuses within the tenant is an input error of its column',
  async (subject) => {
    await openShops(subject);
    const body = { id: 9, name: 'x', sku: 'A' };
    const taken = await subject.request().post('/products').set(five).send(body);
    expect([taken.status, Object.keys(taken.body.input_errors as object)]).toEqual([400, ['sku']]);
  },
);

contract('A key of one person in two tenants is two keys', async (subject) => {
  await openShops(subject);
  const made: number[] = [];
  for (const tenant of [5, 6, 5]) {
    const headers = { ...by({ tenant, sub: 'ada' }), 'Idempotency-Key': 'k-1' };
    const { status, body } = await subject
      .request()
      .post('/once')
      .set(headers)
      .send({ id: 10 + tenant, name: 'mine' });
    expect(status).toBe(201);
    made.push(body.data.id as number);
  }
  expect(made[2]).toBe(made[0]);
  expect(await subject.em().count(Product, { name: 'mine', tenant: 5 })).toBe(1);
  expect(await subject.em().count(Product, { name: 'mine', tenant: 6 })).toBe(1);
});
