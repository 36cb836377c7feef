import { expect } from '@jest/globals';
import { SimpleSearch } from '@nest-endpoints/core';
import { everyDatabase, service } from '../support/contract.js';
import { Ware } from '../support/entities/stock.js';
import { idsOf, injected, stockUp, stockWith, wares } from './where.stock.js';

type Where = NonNullable<NonNullable<Parameters<typeof wares>[1]>['where']>[number];

const alone: Readonly<Record<string, readonly (readonly [Where, string])[]>> = {
  columns: [
    [{ size: 20 }, '2 3'],
    [{ size: { $gte: 20 } }, '2 3 5'],
    [{ size: { $gte: 10, $lt: 30 } }, '1 2 3'],
    [{ size: { $in: [10, 30] } }, '1 5'],
    [{ size: [10, 30] }, '1 5'],
    [{ size: { $nin: [10, 30] } }, '2 3'],
    [{ size: null }, '4'],
    [{ size: { $ne: null } }, '1 2 3 5'],
    [{ label: { $like: 'a%' } }, '1 3'],
    [{ fragile: true }, '2 3'],
    [{ madeOn: { $lt: '2021-01-01' } }, '1'],
    [{ soldAt: { $gte: new Date('2024-05-05T10:00:00Z') } }, '1'],
    [{ price: { $gt: '9.95' } }, '2'],
    [{ size: 20, fragile: true, state: 'used' }, '2'],
    [{}, '1 2 3 4 5'],
  ],
  operators: [
    [{ $or: [{ size: 10 }, { label: 'a%b' }] }, '1 3'],
    [{ $and: [{ size: 20 }, { state: 'used' }] }, '2'],
    [{ $not: { size: 20 } }, '1 5'],
    [{ $or: [{ size: 30 }, { $and: [{ size: 20 }, { depot: 1 }] }] }, '3 5'],
  ],
  relations: [
    [{ depot: { name: 'Kiel' } }, '1 3'],
    [{ depot: { region: { title: 'south' } } }, '2'],
    [{ depot: 1 }, '1 3'],
    [{ depot: { $in: [2, 3] } }, '2 5'],
    [{ depot: [2, 3] }, '2 5'],
    [{ depot: null }, '4'],
    [{ $or: [{ depot: { name: 'Graz' } }, { depot: null }] }, '2 4'],
  ],
  children: [
    [{ parts: { name: 'nut' } }, '1 2'],
    [{ parts: { name: { $in: ['bolt', 'nut'] } } }, '1 2'],
    [{ parts: { name: 'nut', count: 2 } }, ''],
    [{ parts: { $some: { count: { $gt: 1 } } } }, '1'],
    [{ parts: { $none: { name: 'nut' } } }, '3 4 5'],
    [{ tags: { word: 'red' } }, '1 2'],
    [{ tags: { word: ['red', 'blue'] } }, '1 2'],
  ],
  metacharacters: [
    [{ label: injected }, '5'],
    [{ label: `' or 1=1 --` }, ''],
    [{ label: '?' }, ''],
  ],
};

const objects = Object.values(alone).flat();

const { contract } = service(
  stockWith([
    ...objects.map(([where], index) => wares(`object-${index}`, { where: [where] })),
    wares('both', { where: [{ size: 20 }, { depot: { name: 'Kiel' } }] }),
    wares('mixed', {
      where: [{ $or: [{ size: 20 }, { size: 10 }] }, 'fragile = true', () => ({ depot: 1 })],
    }),
    wares('pages', { where: [{ parts: { name: ['bolt', 'nut'] } }] }),
    new SimpleSearch({
      url: 'searched',
      modelClass: Ware,
      readableColumnNames: ['id'],
      sortableColumnNames: ['id'],
      searchableColumnNames: ['size', 'parts.name'],
      defaultSortColumnName: 'id',
      where: [{ $or: [{ parts: { name: 'bolt' } }, { depot: { name: 'Kiel' } }] }],
    }),
  ]),
  everyDatabase,
);

const shownBy = (table: string, { request }: Parameters<Parameters<typeof contract>[1]>[0]) =>
  Promise.all(
    (alone[table] ?? []).map(async (entry) => {
      const answer = await request().get(`/object-${objects.indexOf(entry)}`);
      expect(answer.body.pagination.number_results).toBe(answer.body.data.length);
      return [entry[0], idsOf(answer)];
    }),
  );

contract('A filter object in where compares columns', async (subject) => {
  await stockUp(subject);
  expect(await shownBy('columns', subject)).toEqual(alone['columns']);
});

contract('A filter object in where may combine conditions with $or, $and and $not', async (subject) => {
  await stockUp(subject);
  expect(await shownBy('operators', subject)).toEqual(alone['operators']);
});

contract('A filter object in where may look at parents', async (subject) => {
  await stockUp(subject);
  expect(await shownBy('relations', subject)).toEqual(alone['relations']);
});

contract('A filter object in where that looks at to-many relations repeats no record', async (subject) => {
  await stockUp(subject);
  expect(await shownBy('children', subject)).toEqual(alone['children']);
});

contract('The values of a filter object are never read as SQL', async (subject) => {
  await stockUp(subject);
  expect(await shownBy('metacharacters', subject)).toEqual(alone['metacharacters']);
  expect(await subject.count(Ware)).toBe(5);
});

contract('Several entries of where must all be met, of whatever sort they are', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expect(idsOf(await request().get('/both'))).toBe('3');
  expect(idsOf(await request().get('/mixed'))).toBe('3');
});

contract('A filter object over a to-many relation pages without a repeat', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  const first = await request().get('/pages?limit=1');
  expect(first.body.pagination).toEqual({ number_results: 2, limit: 1, next_page: { start: 1 } });
  expect([idsOf(first), idsOf(await request().get('/pages?limit=1&start=1'))]).toEqual(['1', '2']);
});

contract('A search term cannot widen a filter object with $or', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expect(idsOf(await request().get('/searched'))).toBe('1 3');
  expect(idsOf(await request().get('/searched?size=20'))).toBe('3');
  expect(idsOf(await request().get('/searched?parts.name=nut'))).toBe('1');
});
