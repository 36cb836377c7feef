import { expect } from '@jest/globals';
import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/core';
import { Callable, Public } from '@nest-endpoints/core';
import { fill, of, partedEndpoints, partedShop, Task } from '../contract/parted.shop.js';
import { postgresqlOnly, service } from '../support/contract.js';

/** Writes a task in a part of a transaction, whose key or name is taken; tells how that failed. */
const taken = async (em: EntityManager, id: number, name: string): Promise<string> => {
  try {
    await em.transactional(async (inner) => {
      inner.create(Task, { tenant: 'a', id, name });
      await inner.flush();
    });
    return 'no error';
  } catch (error) {
    return error instanceof UniqueConstraintViolationException ? 'unique' : String(error);
  }
};

const written = (em: EntityManager, id: number): Promise<void> =>
  em.transactional((inner) => {
    inner.create(Task, { tenant: 'a', id, name: `new ${id}` });
  });

const { contract } = service(
  {
    ...partedShop,
    root: { ...partedShop.root, authentication: new Public() },
    endpoints: [
      ...partedEndpoints,
      new Callable({
        url: 'parts',
        requestMethods: ['POST'],
        toCall: ({ em }) =>
          em.transactional(async (outer) => {
            // Before anything else was asked of a worker, and afterwards.
            const first = await taken(outer, 1, 'other');
            await written(outer, 50);
            const second = await taken(outer, 51, 'a 3');
            await written(outer, 52);
            return [first, second];
          }),
      }),
    ],
  },
  postgresqlOnly,
);

contract('A part of a transaction that a worker refuses is undone alone, and says why', async (subject) => {
  await fill(subject);
  const { body } = await subject.request().post('/parts').set(of('a'));
  expect(body.data).toEqual(['unique', 'unique']);
  const stored = await subject.em().find(Task, { tenant: 'a' }, { orderBy: { id: 'asc' } });
  expect(stored.map(({ id }) => id)).toEqual([1, 2, 3, 50, 52]);
});
