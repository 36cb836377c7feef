import { expect } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Ware } from '../support/entities/stock.js';
import { stockWith, wares } from './advanced-search.wares.js';
import { idsOfPages, pages, searching } from './keyset.walk.js';

const { contract } = service(stockWith([wares({ pagination: 'keyset' })]), everyDatabase);

const sort = [{ column: 'size', direction: 'asc' }];
const backwards = [{ column: 'size', direction: 'desc' }];

/** Wares 10, 20, …, with sizes of the same number: there is room between them. */
const store = ({ em }: Subject, count: number) =>
  em().insertMany(
    Ware,
    Array.from({ length: count }, (_, index) => ({ id: 10 * (index + 1), size: 10 * (index + 1) })),
  );

const insert = ({ em }: Subject, id: number, size: number | null) => em().insert(Ware, { id, size });
const remove = ({ em }: Subject, id: number | undefined) => em().nativeDelete(Ware, { id: id ?? 0 });

contract('The record that a cursor points at may go before the next page is read', async (subject) => {
  await store(subject, 6);
  const walk = await pages(searching(subject, '/wares', { sort, limit: 2 }), ({ body }) =>
    remove(subject, body.data.at(-1)?.id),
  );
  expect(idsOfPages(walk)).toEqual([
    [10, 20],
    [30, 40],
    [50, 60],
  ]);
  expect(await subject.count(Ware)).toBe(4);
});

contract('Records that come in before the cursor do not repeat what was read', async (subject) => {
  await store(subject, 6);
  const walk = await pages(searching(subject, '/wares', { sort, limit: 2 }), (_page, index) =>
    insert(subject, index + 1, -index),
  );
  expect(idsOfPages(walk)).toEqual([
    [10, 20],
    [30, 40],
    [50, 60],
  ]);
});

contract('Records that come in behind the cursor are read in their place', async (subject) => {
  await store(subject, 4);
  const walk = await pages(searching(subject, '/wares', { sort, limit: 2 }), async (_page, index) => {
    if (index === 0) {
      await insert(subject, 25, 25);
      await insert(subject, 1, null);
    }
  });
  expect(idsOfPages(walk)).toEqual([
    [10, 20],
    [25, 30],
    [40, 1],
  ]);
});

contract('Records that go before the cursor let nothing be missed', async (subject) => {
  await store(subject, 6);
  const walk = await pages(searching(subject, '/wares', { sort: backwards, limit: 2 }), async ({ body }) => {
    for (const { id } of body.data) await remove(subject, id);
  });
  expect(idsOfPages(walk)).toEqual([
    [60, 50],
    [40, 30],
    [20, 10],
  ]);
});

contract(
  'A record that comes in at the value of the cursor is read if its id is greater',
  async (subject) => {
    await store(subject, 3);
    const walk = await pages(searching(subject, '/wares', { sort, limit: 1 }), async ({ body }, index) => {
      if (index > 0) return;
      const size = body.data[0]?.id ?? 0;
      await insert(subject, 5, size);
      await insert(subject, 11, size);
    });
    expect(idsOfPages(walk).flat()).toEqual([10, 11, 20, 30]);
  },
);

contract('The last page stays the last when all that was behind it goes', async (subject) => {
  await store(subject, 4);
  const walk = await pages(searching(subject, '/wares', { sort, limit: 2 }), async () => {
    await remove(subject, 30);
    await remove(subject, 40);
  });
  expect(walk.map(({ data, pagination }) => [data.length, pagination])).toEqual([
    [2, { number_results: 4, limit: 2, next_page: { after: expect.any(String) } }],
    [0, { number_results: 2, limit: 2, next_page: {} }],
  ]);
});

contract('number_results of a keyset page counts the records of its time', async (subject) => {
  await store(subject, 4);
  const walk = await pages(searching(subject, '/wares', { sort, limit: 1 }), (_page, index) =>
    insert(subject, index + 1, -1),
  );
  expect(walk.map(({ pagination }) => pagination.number_results)).toEqual([4, 5, 6, 7]);
});

contract(
  'A walk while others insert and delete neither repeats nor misses a record that was there throughout',
  async (subject) => {
    await store(subject, 60);
    const steady = Array.from({ length: 60 }, (_, index) => 10 * (index + 1));
    let walking = true;
    const write = async (): Promise<number> => {
      let written = 0;
      for (; walking; written += 1) {
        const id = 10 * ((written * 7) % 60) + 1 + (written % 9);
        await insert(subject, id, written % 5 === 0 ? null : id);
        await turn();
        await remove(subject, id);
        await turn();
      }
      return written;
    };
    const walk = async () => {
      try {
        const walks: number[][] = [];
        for (const order of [sort, backwards, [...sort, { column: 'id', direction: 'desc' }]])
          walks.push(idsOfPages(await pages(searching(subject, '/wares', { sort: order, limit: 3 }))).flat());
        return walks;
      } finally {
        walking = false;
      }
    };
    const [written, walks] = await Promise.all([write(), walk()]);
    expect(written).toBeGreaterThan(0);
    for (const ids of walks) {
      expect(ids.filter((id) => id % 10 === 0).sort((one, other) => one - other)).toEqual(steady);
      expect(new Set(ids).size).toBe(ids.length);
    }
  },
);
