import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import { RestfulApi, softDelete, Upsert } from '@nest-endpoints/core';
import { fc } from '../support/property.js';
import { everyDatabase, service } from '../support/contract.js';
import { Claims } from './claims.js';
import { step, taken, World } from './soft.world.js';
import { as } from './tenants.js';

const Cabin = defineEntity({
  name: 'Cabin',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().length(1),
    code: p.string().length(8),
    name: p.string().nullable(),
    deletedAt: p.datetime().nullable(),
    version: p.integer().version(),
  },
  uniques: [{ properties: ['tenant', 'code'], where: { deletedAt: null } }],
});

softDelete(Cabin, { columnName: 'deletedAt' });

const cabins = {
  modelClass: Cabin,
  readableColumnNames: ['id', 'code', 'name'],
  writeableColumnNames: ['code', 'name'],
  authentication: new Claims(),
  authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
} as const;

const { contract } = service(
  {
    entities: [Cabin],
    endpoints: [
      new Upsert({ ...cabins, url: 'put', conflictColumnNames: ['tenant', 'code'] }),
      new RestfulApi({
        ...cabins,
        url: 'cabins',
        sortableColumnNames: ['id'],
        searchableColumnNames: ['code'],
        defaultSortColumnName: 'id',
        maximumLimit: 0,
        defaultLimit: 1000,
        trash: { purge: true },
        bulk: true,
      }),
    ],
  },
  everyDatabase,
);

const urls = { records: '/cabins', put: '/put' };

contract('Whatever two tenants do, a trash is as an in-memory model has it', async (subject) => {
  const { request, em } = subject;
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
    await em().fork().nativeDelete(Cabin, {});
    const world = new World();
    for (const one of steps) {
      const [expected, status] = await taken(subject, world, one, urls);
      expect([one, status]).toEqual([one, expected]);
    }
    for (const who of ['a', 'b'] as const)
      for (const [path, isDeleted] of [
        ['/cabins', false],
        ['/cabins/trash', true],
      ] as const) {
        const { body } = await request().get(path).set(as(who));
        const shown = body.data.map(({ id, code: own, name }: Record<string, unknown>) => ({
          id,
          code: own,
          name,
        }));
        expect([who, path, shown]).toEqual([who, path, world.shown(who, isDeleted)]);
      }
  });
  await fc.assert(property, { numRuns: Number(process.env['RUNS'] ?? 20) });
});
