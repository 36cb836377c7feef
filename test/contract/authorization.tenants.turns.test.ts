import { expect } from '@jest/globals';
import { MikroORM, defineEntity, p } from '@mikro-orm/core';
import { RequireScopes, TenantRecords } from '@nest-endpoints/auth';
import { AdvancedSearch, anyOf, Create, EndpointGroup, Update } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const properties = { id: p.integer().primary(), tenant: p.string(), floor: p.integer() };
/** The floor of the boxes that a filter shows. */
const open = { floor: 0 };

const Box = defineEntity({ name: 'Box', properties });
const Shelf = defineEntity({ name: 'Shelf', properties });

const shown = {
  readableColumnNames: ['id'],
  writeableColumnNames: ['id', 'floor'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['floor'],
  defaultSortColumnName: 'id',
} as const;

const authentication = new Claims();
const authorization = new TenantRecords({ columnName: 'tenant', claim: 'tenant' });

const { contract } = service(
  {
    entities: [Box, Shelf],
    endpoints: [
      new EndpointGroup({
        authentication,
        authorization,
        endpoints: [
          new AdvancedSearch({ ...shown, modelClass: Box, url: 'boxes' }),
          new Create({ ...shown, modelClass: Shelf, url: 'shelves' }),
          new Update({ ...shown, modelClass: Shelf, url: 'shelves/:id' }),
        ],
      }),
      new Update({
        ...shown,
        modelClass: Shelf,
        url: 'any/:id',
        authentication,
        authorization: anyOf(authorization, new RequireScopes('admin')),
      }),
    ],
    configure: (app) => {
      // Said anew for each request, as a filter may.
      const cond = (): object => ({ floor: open.floor });
      app.get<MikroORM>(MikroORM).em.addFilter({ name: 'turn', cond, entity: [Box], args: false });
    },
  },
  everyDatabase,
);

const tenants = Array.from({ length: 210 }, (_, index) => `t${index}`);

/** The box of a tenant on a floor. Not 0, which some databases take for the next number. */
const idOf = (tenant: number, floor: number): number => 2 * tenant + floor + 1;

/** A box on each of two floors for every tenant. */
const fill = async ({ em }: Subject): Promise<void> => {
  const all = em();
  for (const [index, tenant] of tenants.entries())
    for (const floor of [0, 1]) all.create(Box, { id: idOf(index, floor), tenant, floor });
  await all.flush();
};

const as = (tenant: string | undefined): Record<string, string> => ({
  'X-Claims': JSON.stringify({ tenant }),
});

const idsSeen = async ({ request }: Subject, tenant: string | undefined): Promise<readonly number[]> => {
  const { body } = await request().get('/boxes').set(as(tenant));
  return (body.data as readonly { id: number }[]).map(({ id }) => id);
};

contract('Each of many tenants sees their own records, whoever asked before', async (subject) => {
  await fill(subject);
  for (const [index, tenant] of [...tenants.entries(), ...[...tenants.entries()].slice(0, 20)])
    expect([tenant, await idsSeen(subject, tenant)]).toEqual([tenant, [idOf(index, open.floor)]]);
});

contract('What a filter says of each request counts beside what is known of the tenant', async (subject) => {
  await fill(subject);
  for (const floor of [0, 1, 0]) {
    open.floor = floor;
    expect(await idsSeen(subject, 't7')).toEqual([15 + floor]);
  }
});

contract('Tenants who write in turn write among their own records', async ({ request, em }) => {
  for (const [index, tenant] of ['t1', 't2', 't1'].entries())
    await request()
      .post('/shelves')
      .set(as(tenant))
      .send({ id: index + 1, floor: 0 });
  for (const tenant of ['t2', 't1', 't2'])
    for (const id of [1, 2])
      await request()
        .patch(`/shelves/${id}`)
        .set(as(tenant))
        .send({ floor: id + 6 });
  expect(await em().find(Shelf, {}, { orderBy: { id: 'asc' } })).toMatchObject([
    { id: 1, tenant: 't1', floor: 7 },
    { id: 2, tenant: 't2', floor: 8 },
    { id: 3, tenant: 't1', floor: 0 },
  ]);
});

contract('Who may change all records opens none of them to who comes next', async ({ request, save, em }) => {
  for (const [index, tenant] of ['t1', 't2'].entries())
    await save(Shelf, { id: index + 1, tenant, floor: 0 });
  const admin = { 'X-Claims': JSON.stringify({ scope: 'admin' }) };
  for (const floor of [1, 2, 3, 4]) {
    const put = async (id: number, by: Record<string, string>, to: number) =>
      (await request().patch(`/any/${id}`).set(by).send({ floor: to })).status;
    const statuses = [await put(2, admin, floor), await put(2, as('t1'), 10), await put(1, as('t1'), floor)];
    expect([floor, ...statuses]).toEqual([floor, 200, 404, 200]);
  }
  expect(await em().find(Shelf, {}, { orderBy: { id: 'asc' } })).toMatchObject([{ floor: 4 }, { floor: 4 }]);
});
