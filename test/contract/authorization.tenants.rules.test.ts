import { expect } from '@jest/globals';
import type { QueryBuilder } from '@mikro-orm/sql';
import { RequireClaims, RequireScopes, TenantRecords } from '@nest-endpoints/auth';
import {
  allOf,
  anyOf,
  EndpointGroup,
  RestfulApi,
  type AdjustedQuery,
  type AuthorizationRule,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { Company, openShops, Product, shopEntities } from './tenants.shop.js';

/** Lets editors in alone, and says nothing of which records there are. */
class Editors extends TenantRecords {
  override gate(identity: unknown): boolean {
    return super.gate(identity) && (identity as { readonly role?: unknown }).role === 'editor';
  }
}

/** Says more of which records there are, so that it is asked. */
class PublicOfTenant extends TenantRecords {
  override filterModel(query: QueryBuilder<object>, identity: unknown): AdjustedQuery {
    return (super.filterModel(query, identity) as typeof query).andWhere({ isPublic: true } as never);
  }
}

const products = {
  url: 'products',
  modelClass: Product,
  readableColumnNames: ['id', 'name', 'tenantId'],
  writeableColumnNames: ['id', 'name', 'tenantId'],
  searchableColumnNames: ['name'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const under = (url: string, authorization: AuthorizationRule) =>
  new EndpointGroup({ url, authorization, endpoints: [new RestfulApi(products)] });

const options = { columnName: 'tenantId', claim: 'tenant' };

const tenants = new TenantRecords(options);

const { contract } = service(
  {
    entities: shopEntities,
    root: { authentication: new Claims() },
    endpoints: [
      under('all', allOf(tenants, new RequireClaims('sub'))),
      under('any', anyOf(tenants, new RequireScopes('admin'))),
      under('two', anyOf(tenants, new TenantRecords({ columnName: 'tenantId', claim: 'second' }))),
      under('editors', new Editors(options)),
      under('public', new PublicOfTenant(options)),
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

contract('allOf: a tenant holds as it does alone', async (subject) => {
  await openShops(subject);
  const claims = { tenant: 5, sub: 'ada' };
  expect(await shown(subject, '/all/products', claims)).toEqual([1, 2, 3]);
  expect((await subject.request().get('/all/products').set(five)).status).toBe(403);
  const created = await subject.request().post('/all/products').set(by(claims)).send({ id: 9, name: 'new' });
  expect(created.body).toMatchObject({ data: { tenant_id: 5 } });
  const moved = await subject.request().patch('/all/products/1').set(by(claims)).send({ tenant_id: 6 });
  expectAnswer(moved, 400, inputErrors({ tenant_id: 'must be your own' }));
});

contract(
  'anyOf: who is let in by their tenant writes within it, and who is by another rule, anywhere',
  async (subject) => {
    await openShops(subject);
    const admin = { scope: 'admin' };
    expect(await shown(subject, '/any/products', { tenant: 5 })).toEqual([1, 2, 3]);
    expect(await shown(subject, '/any/products', admin)).toEqual([1, 2, 3, 101, 102]);
    const request = subject.request();
    for (const asked of [
      request.post('/any/products').send({ id: 9, name: 'x', tenant_id: 6 }),
      request.patch('/any/products/3').send({ tenant_id: 6 }),
    ])
      expectAnswer(await asked.set(five), 404, notFound);
    expect(await subject.em().count(Product, { tenant: 6 })).toBe(2);
    for (const [id, claims] of [{ tenant: 5 }, admin].entries()) {
      const sent = { id: 10 + id, name: 'x', tenant_id: 5 };
      expect((await request.post('/any/products').set(by(claims)).send(sent)).status).toBe(201);
    }
    const moved = await request.patch('/any/products/3').set(by(admin)).send({ tenant_id: 6 });
    expect(moved.body).toMatchObject({ data: { tenant_id: 6 } });
  },
);

contract('anyOf: who has two tenants writes within these two', async (subject) => {
  await openShops(subject);
  await subject.save(Company, { id: 7, name: 'company 7' });
  const both = { tenant: 5, second: 6 };
  expect(await shown(subject, '/two/products', both)).toEqual([1, 2, 3, 101, 102]);
  const request = subject.request();
  for (const tenant_id of [5, 6]) {
    const made = await request
      .post('/two/products')
      .set(by(both))
      .send({ id: tenant_id, name: 'x', tenant_id });
    expect([tenant_id, made.status]).toEqual([tenant_id, 201]);
  }
  expect((await request.patch('/two/products/2').set(by(both)).send({ tenant_id: 6 })).status).toBe(200);
  for (const asked of [
    request.post('/two/products').send({ id: 9, name: 'x', tenant_id: 7 }),
    request.patch('/two/products/3').send({ tenant_id: 7 }),
  ])
    expectAnswer(await asked.set(by(both)), 404, notFound);
  expect(await subject.em().count(Product, { tenant: 7 })).toBe(0);
});

contract('A subclass that overrides gate keeps the tenant', async (subject) => {
  await openShops(subject);
  const editor = { tenant: 5, role: 'editor' };
  expect(await shown(subject, '/editors/products', editor)).toEqual([1, 2, 3]);
  expect((await subject.request().get('/editors/products').set(five)).status).toBe(403);
  const created = await subject
    .request()
    .post('/editors/products')
    .set(by(editor))
    .send({ id: 9, name: 'new' });
  expect(created.body).toMatchObject({ data: { tenant_id: 5 } });
});

contract('A subclass that overrides filterModel is asked', async (subject) => {
  await openShops(subject);
  expect(await shown(subject, '/public/products')).toEqual([2]);
  expect((await subject.request().get('/public/products/1').set(five)).status).toBe(404);
  expect((await subject.request().patch('/public/products/1').set(five).send({ name: 'x' })).status).toBe(
    404,
  );
  // Its claim is of the type of the column, as without a method of its own.
  expect(
    (
      await subject
        .request()
        .get('/public/products')
        .set(by({ tenant: '5' }))
    ).status,
  ).toBe(403);
});

contract('Who belongs to no tenant that there is creates nothing for it', async (subject) => {
  await openShops(subject);
  for (const url of ['all', 'editors']) {
    const asked = subject.request().post(`/${url}/products`).send({ id: 9, name: 'new' });
    const { status, body } = await asked.set(by({ tenant: 77, sub: 'ann', role: 'editor' }));
    expect([url, status, body.error]).toEqual([url, 403, 'Not Authorized']);
  }
  expect(await subject.em().findOne(Product, { name: 'new' })).toBeNull();
});
