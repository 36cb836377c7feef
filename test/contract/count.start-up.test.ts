import { expect, test } from '@jest/globals';
import { List } from '@nest-endpoints/core';
import { startUpError } from '../support/application.js';
import { stockWith, wares } from './advanced-search.wares.js';
import { Ware } from '../support/entities/stock.js';

const listed = {
  url: 'list',
  modelClass: Ware,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const unknown = ['some', 'Exact', 'EXACT', '', 'constructor', true, 0] as never[];

test('A count that does not exist stops the start', async () => {
  for (const count of unknown) {
    const problem = `count: '${String(count)}' is unknown; allowed: exact, estimated, none`;
    expect(await startUpError(stockWith([new List({ ...listed, count })]))).toBe(`List 'list': ${problem}`);
    expect(await startUpError(stockWith([wares({ count })]))).toBe(`AdvancedSearch 'wares': ${problem}`);
  }
});

test('A count of forRoot that does not exist stops the start', async () => {
  const message = await startUpError(stockWith([new List(listed)], { count: 'some' as never }));
  expect(message).toMatch(/count: 'some' is unknown; allowed: exact, estimated, none/);
});

test('A maximumInValues, maximumConditions or maximumWildcards that is no whole number from 1 stops the start', async () => {
  for (const option of ['maximumInValues', 'maximumConditions', 'maximumWildcards'] as const)
    for (const value of [0, -1, 1.5, NaN, Infinity, '5'] as never[]) {
      const problem = `${option}: ${String(value)} is not a whole number from 1`;
      expect(await startUpError(stockWith([wares({ [option]: value })]))).toBe(
        `AdvancedSearch 'wares': ${problem}`,
      );
      expect(await startUpError(stockWith([wares()], { [option]: value }))).toContain(problem);
    }
});
