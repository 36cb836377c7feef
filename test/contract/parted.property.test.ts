import { expect } from '@jest/globals';
import { Public } from '@nest-endpoints/core';
import { fc } from '../support/property.js';
import { everyDatabase, service } from '../support/contract.js';
import { fill, KeptInParts, of, partedEndpoints, partedShop, Task } from './parted.shop.js';
import { answerOf, step, tenants, World } from './parted.world.js';

const { contract } = service(
  { ...partedShop, root: { ...partedShop.root, authentication: new Public() }, endpoints: partedEndpoints },
  everyDatabase,
);

contract(
  'Whatever two tenants do with equal keys, each answer is that of an in-memory model of its tenant',
  async (subject) => {
    const { em, request } = subject;
    await fill(subject);
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const tenant of tenants) {
        const { body } = await request().get('/flat').set(of(tenant));
        for (const { id } of body.data as readonly { id: number }[])
          expect((await request().delete(`/tasks/${id}`).set(of(tenant))).status).toBe(200);
      }
      await em().nativeDelete(KeptInParts, {});
      const worlds = { a: new World('a'), b: new World('b') };
      for (const one of steps) {
        const expected = worlds[one.tenant].answerTo(one);
        expect([one, await answerOf(subject, one)]).toEqual([one, expected]);
        const stored = await em().find(Task, {}, { orderBy: { tenant: 'asc', id: 'asc' } });
        const all = tenants.flatMap((tenant) =>
          [...worlds[tenant].tasks]
            .toSorted(([id], [other]) => id - other)
            .map(([id, { name, rank, project }]) => ({ tenant, id, name, rank, project })),
        );
        expect([
          one,
          stored.map(({ tenant, id, name, rank, project }) => ({
            tenant,
            id,
            name,
            rank,
            project: project?.id ?? null,
          })),
        ]).toEqual([one, all]);
      }
    });
    await fc.assert(property, { numRuns: Number(process.env['RUNS'] ?? 15) });
  },
);
