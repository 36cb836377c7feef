import { expect } from '@jest/globals';
import { EntityManager, MikroORM, defineEntity, p } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';

/** Of a tenant, which the request names. */
const Shelf = defineEntity({
  name: 'Shelf',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    tenant: p.integer(),
  },
});

/** Of a shelf, always; no filter of its own. */
const Label = defineEntity({
  name: 'Label',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    shelf: () => p.manyToOne(Shelf),
  },
});

/** Of the tenant that its shelf is of. */
const Sticker = defineEntity({
  name: 'Sticker',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    shelf: () => p.manyToOne(Shelf),
  },
});

/** Tells MikroORM's filters whose records the request is about, as an application would. */
@Injectable()
class TenantGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>();
    const tenant = Number(headers['x-tenant'] ?? 1);
    for (const filter of ['tenant', 'tenantOfShelf']) this.em.setFilterParams(filter, { tenant });
    return true;
  }
}

const named = {
  readableColumnNames: ['name'],
  sortableColumnNames: ['name'],
  searchableColumnNames: ['name'],
  defaultSortColumnName: 'name',
  guards: [TenantGuard],
} as const;

const { contract } = service(
  {
    entities: [Shelf, Label, Sticker],
    endpoints: [
      new RestfulApi({
        ...named,
        url: 'shelves',
        modelClass: Shelf,
        writeableColumnNames: ['name', 'tenant'],
      }),
      new RestfulApi({
        ...named,
        url: 'labels',
        modelClass: Label,
        writeableColumnNames: ['name', 'shelfId'],
      }),
      new RestfulApi({
        ...named,
        url: 'stickers',
        modelClass: Sticker,
        writeableColumnNames: ['name', 'shelfId'],
      }),
    ],
    configure: (app) => {
      const { em } = app.get<MikroORM>(MikroORM);
      em.addFilter({ name: 'tenant', cond: ({ tenant }) => ({ tenant }), entity: [Shelf] });
      em.addFilter({
        name: 'tenantOfShelf',
        cond: ({ tenant }) => ({ shelf: { tenant } }),
        entity: [Sticker],
      });
    },
  },
  everyDatabase,
);

contract('A filter with parameters takes those of the request', async ({ request, save }) => {
  const own = await save(Shelf, { name: 'own', tenant: 7 });
  const foreign = await save(Shelf, { name: 'foreign', tenant: 8 });
  const asked = (path: string) => request().get(path).set('X-Tenant', '7');
  expect((await asked('/shelves')).body.data).toEqual([{ name: 'own' }]);
  expectAnswer(await asked(`/shelves/${own.id}`), 200, success({ name: 'own' }));
  expectAnswer(await asked(`/shelves/${foreign.id}`), 404, notFound);
});

contract('A filter with parameters keeps writes from what it hides', async ({ request, save, em }) => {
  const { id } = await save(Shelf, { name: 'foreign', tenant: 8 });
  expectAnswer(await request().patch(`/shelves/${id}`).send({ name: 'mine' }), 404, notFound);
  expectAnswer(await request().delete(`/shelves/${id}`), 404, notFound);
  const refusal = inputErrors({ shelf_id: 'the given record does not exist' });
  expectAnswer(await request().post('/labels').send({ name: 'new', shelf_id: id }), 400, refusal);
  expect(await em().find(Shelf, {}, { filters: false })).toMatchObject([{ name: 'foreign' }]);
});

contract("A filter's parameters of one request are not seen by another", async ({ request, save }) => {
  for (const tenant of [1, 2, 3, 4]) await save(Shelf, { name: `of ${tenant}`, tenant });
  const tenants = Array.from({ length: 20 }, (_, index) => (index % 4) + 1);
  const answers = await Promise.all(
    tenants.map((tenant) => request().get('/shelves').set('X-Tenant', String(tenant))),
  );
  expect(answers.map(({ body }) => body.data)).toEqual(tenants.map((tenant) => [{ name: `of ${tenant}` }]));
  expect((await request().get('/shelves')).body.data).toEqual([{ name: 'of 1' }]);
});

contract('A filter that looks at a parent narrows reads and writes', async ({ request, save }) => {
  for (const tenant of [1, 2]) {
    const shelf = await save(Shelf, { name: `of ${tenant}`, tenant });
    for (const name of ['a', 'b']) await save(Sticker, { name: `${name}${tenant}`, shelf });
  }
  const pagination = { number_results: 2, limit: 1, next_page: { start: 1 } };
  expectAnswer(await request().get('/stickers?limit=1'), 200, success([{ name: 'a1' }], pagination));
  expectAnswer(await request().get('/stickers/3'), 404, notFound);
  expectAnswer(await request().patch('/stickers/3').send({ name: 'mine' }), 404, notFound);
  expectAnswer(await request().delete('/stickers/3'), 404, notFound);
  expectAnswer(await request().patch('/stickers/1').send({ name: 'mine' }), 200, success({ name: 'mine' }));
  expectAnswer(await request().delete('/stickers/1'), 200, success({}));
});

contract(
  'A record whose required parent a filter hides is there for all operations or for none',
  async ({ request, save }) => {
    const shelf = await save(Shelf, { name: 'foreign', tenant: 2 });
    const { id } = await save(Label, { name: 'kept', shelf });
    const found = (await request().get(`/labels/${id}`)).status;
    expect((await request().get('/labels')).body.data).toHaveLength(found === 200 ? 1 : 0);
    expect((await request().patch(`/labels/${id}`).send({ name: 'changed' })).status).toBe(found);
    expect((await request().delete(`/labels/${id}`)).status).toBe(found);
  },
);
