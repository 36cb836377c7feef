import { expect, test } from '@jest/globals';
import { AdvancedSearch, List, RestfulApi, SimpleSearch } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Depot, Part, Region, stock, Ware } from '../support/entities/stock.js';
import { stopped } from './stopped.js';
import { idsOf, stockWith } from './where.stock.js';

const listed = {
  modelClass: Ware,
  readableColumnNames: ['id', 'size'],
  sortableColumnNames: ['id', 'size', 'label', 'depot.name'],
  searchableColumnNames: ['id', 'size', 'label', 'fragile', 'depot.name', 'parts.name'],
  defaultSortColumnName: 'id',
} as const;
const bySize = { ...listed, groupByColumnName: 'size' } as const;

const { contract } = service(
  stockWith([
    new List({ ...bySize, url: 'sizes' }),
    new List({
      ...bySize,
      url: 'labels',
      defaultSortColumnName: 'label',
      sortableColumnNames: ['size', 'label'],
    }),
    new List({ ...bySize, url: 'keyset', pagination: 'keyset' }),
    new List({ ...bySize, url: 'uncounted', count: 'none' }),
    new SimpleSearch({ ...bySize, url: 'simple' }),
    new AdvancedSearch({ ...bySize, url: 'advanced' }),
    new RestfulApi({ ...bySize, url: 'api', writeableColumnNames: ['label'] }),
    new List({ ...listed, url: 'depots', groupByColumnName: 'depot.name' }),
    new SimpleSearch({ ...listed, url: 'regions', groupByColumnName: 'depot.region.title' }),
    new List({ ...listed, url: 'depot-keys', groupByColumnName: 'depotId' }),
    new List({ ...listed, url: 'ids', groupByColumnName: 'id' }),
    new List({ ...listed, url: 'fragile', groupByColumnName: 'fragile' }),
    new List({ ...bySize, url: 'where/strings', where: ['fragile = true'] }),
    new List({ ...bySize, url: 'where/objects', where: [{ fragile: true }] }),
    new List({ ...bySize, url: 'where/callables', where: [() => ({ fragile: true })] }),
    new List({ ...bySize, url: 'joined', joins: ['parts'] }),
  ]),
  everyDatabase,
);

/** Sizes 10, 20 and none; 1, 3 and 6 in Kiel, 2 in Graz, the others nowhere. */
const stockUp = async ({ save }: Subject): Promise<void> => {
  const region = await save(Region, { id: 1, title: 'north' });
  const kiel = await save(Depot, { id: 1, name: 'Kiel', region });
  const graz = await save(Depot, { id: 2, name: 'Graz' });
  const first = await save(Ware, { id: 1, size: 20, label: 'f', fragile: false, depot: kiel });
  await save(Ware, { id: 2, size: 20, label: 'b', fragile: true, depot: graz });
  await save(Ware, { id: 3, size: 10, label: 'c', fragile: true, depot: kiel });
  await save(Ware, { id: 4, label: 'd', fragile: true });
  await save(Ware, { id: 5, label: 'a' });
  await save(Ware, { id: 6, size: 20, label: 'b', fragile: true, depot: kiel });
  for (const id of [1, 2]) await save(Part, { id, ware: first, name: 'bolt' });
};

const sizes = new Map([1, 2, 6].map((id) => [id, 20])).set(3, 10);

const page = (ids: readonly number[], pagination: object = {}) =>
  success(
    ids.map((id) => ({ id, size: sizes.get(id) ?? null })),
    { number_results: ids.length, limit: 50, next_page: {}, ...pagination },
  );

contract(
  'group_by_column_name shows one record per distinct value, the first in the sort order',
  async (subject) => {
    await stockUp(subject);
    const { request } = subject;
    expectAnswer(await request().get('/sizes'), 200, page([1, 3, 4]));
    expectAnswer(await request().get('/labels'), 200, page([5, 2, 3]));
  },
);

contract('The direction of the sort says which record of a group is shown', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expectAnswer(await request().get('/sizes?direction=desc'), 200, page([6, 5, 3]));
  expectAnswer(await request().get('/labels?direction=desc'), 200, page([1, 4, 3]));
  expectAnswer(await request().get('/sizes?sort=label'), 200, page([5, 2, 3]));
});

contract('Records of a group that tie are told apart by their ids', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expectAnswer(await request().get('/sizes?sort=size'), 200, page([3, 1, 4]));
  expectAnswer(await request().get('/sizes?sort=size&direction=desc'), 200, page([4, 1, 3]));
  expectAnswer(await request().get('/sizes?sort=depot.name'), 200, page([2, 3, 4]));
});

contract('null is a group of its own', async (subject) => {
  await stockUp(subject);
  const { request, em } = subject;
  await em().nativeDelete(Part, {});
  await em().nativeDelete(Ware, { size: { $ne: null } });
  expectAnswer(await request().get('/sizes'), 200, page([4]));
  await em().nativeDelete(Ware, {});
  expectAnswer(await request().get('/sizes'), 200, page([]));
});

contract('number_results counts the groups', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  const next = { number_results: 3, limit: 1 };
  for (const [start, id] of [
    [0, 1],
    [1, 3],
  ] as const)
    expectAnswer(
      await request().get(`/sizes?limit=1&start=${start}`),
      200,
      page([id], { ...next, next_page: { start: start + 1 } }),
    );
  expectAnswer(await request().get('/sizes?limit=1&start=2'), 200, page([4], next));
  expectAnswer(await request().get('/sizes?limit=1&start=3'), 200, page([], next));
});

contract('Groups page by keyset without a repeat or a gap', async (subject) => {
  await stockUp(subject);
  for (const [sort, ids] of Object.entries({
    id: '1 3 4',
    size: '3 1 4',
    label: '5 2 3',
    'depot.name': '2 3 4',
  }))
    for (const limit of [1, 2]) {
      const seen: string[] = [];
      let next: object | undefined = {};
      while (next !== undefined) {
        const answer = await subject.request().get(`/keyset?sort=${sort}&limit=${limit}`).query(next);
        const { next_page, number_results } = answer.body.pagination;
        expect(number_results).toBe(3);
        seen.push(idsOf(answer));
        next = Object.keys(next_page).length === 0 ? undefined : next_page;
      }
      expect(seen.join(' ')).toBe(ids);
    }
});

contract('With count none a grouped list leaves number_results out', async (subject) => {
  await stockUp(subject);
  const answer = await subject.request().get('/uncounted?limit=2');
  expect([idsOf(answer), answer.body.pagination]).toEqual(['1 3', { limit: 2, next_page: { start: 2 } }]);
});

contract('Only records that meet the search terms are grouped', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expectAnswer(await request().get('/simple?fragile=true'), 200, page([2, 3, 4]));
  expectAnswer(await request().get('/simple?depot.name=Kiel'), 200, page([1, 3]));
  expectAnswer(await request().get('/simple?parts.name=bolt'), 200, page([1]));
  expectAnswer(await request().get('/simple?label=z'), 200, page([]));
  const where = [{ column: 'label', operator: '>=', value: 'b' }];
  const sort = [{ column: 'label', direction: 'asc' }];
  expectAnswer(await request().post('/advanced').send({ where, sort }), 200, page([2, 3, 4]));
});

contract('Only records that meet where and joins are grouped', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  for (const way of ['strings', 'objects', 'callables'])
    expectAnswer(await request().get(`/where/${way}`), 200, page([2, 3, 4]));
  expectAnswer(await request().get('/joined'), 200, page([1]));
});

contract('group_by_column_name may be a relation path, and no parent is a group', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expectAnswer(await request().get('/depots'), 200, page([1, 2, 4]));
  expectAnswer(await request().get('/depots?direction=desc'), 200, page([6, 5, 2]));
  expectAnswer(await request().get('/regions'), 200, page([1, 2]));
  expectAnswer(await request().get('/regions?fragile=true'), 200, page([2, 3]));
});

contract('group_by_column_name may be a key, the id or a Boolean', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expectAnswer(await request().get('/depot-keys'), 200, page([1, 2, 4]));
  expectAnswer(await request().get('/ids'), 200, page([1, 2, 3, 4, 5, 6]));
  expectAnswer(await request().get('/fragile'), 200, page([1, 2, 5]));
});

contract('group_by_column_name of a RestfulApi groups its list alone', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expectAnswer(await request().get('/api'), 200, page([1, 3, 4]));
  expectAnswer(await request().get('/api/6'), 200, success({ id: 6, size: 20 }));
});

test('A group_by_column_name that is unknown stops the start', async () => {
  for (const name of ['siez', 'depot.nme', 'depot'] as const) {
    const list = () => new List({ ...listed, url: 'wares', groupByColumnName: name as 'size' });
    expect(await stopped(list, { entities: stock })).toMatch(/List 'wares': groupByColumnName: .*size/);
  }
});

test('A group_by_column_name that a record has many of stops the start', async () => {
  for (const name of ['parts.name', 'tags.word', 'tagIds'] as const) {
    const list = () => new List({ ...listed, url: 'wares', groupByColumnName: name });
    expect(await stopped(list, { entities: stock })).toMatch(/List 'wares': groupByColumnName: '(parts|tag)/);
  }
});
