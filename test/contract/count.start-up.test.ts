import { expect, test } from '@jest/globals';
import { List } from '@nest-endpoints/core';
import { startUpError } from '../support/application.js';
import { stockWith, wares } from './advanced-search.wares.js';
import { Ware } from '../support/entities/stock.js';
import { stopped } from './stopped.js';

const listed = {
  url: 'list',
  modelClass: Ware,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const texts = ['some', 'Exact', 'EXACT', '', 'constructor'].map((count): [unknown, string] => [
  count,
  `'${count}' is unknown`,
]);
const unknown: readonly [unknown, string][] = [
  ...texts,
  [true, 'true is not allowed'],
  [0, '0 is not allowed'],
];

test('A count that does not exist stops the start', async () => {
  for (const [count, why] of unknown) {
    const given = { count: count as never };
    for (const [make, owner] of [
      [() => new List({ ...listed, ...given }), "List 'list'"],
      [() => wares(given), "AdvancedSearch 'wares'"],
    ] as const) {
      const message = await stopped(make);
      expect(message).toContain(`${owner}: count: ${why}`);
      expect(message).toContain('allowed: exact, estimated, none');
    }
  }
});

test('A count of forRoot that does not exist stops the start', async () => {
  const message = await startUpError(stockWith([new List(listed)], { count: 'some' as never }));
  expect(message).toMatch(/count: 'some' is unknown; allowed: exact, estimated, none/);
});

test('A maximumInValues, maximumConditions or maximumWildcards that is no whole number from 1 stops the start', async () => {
  for (const option of ['maximumInValues', 'maximumConditions', 'maximumWildcards'] as const)
    for (const value of [0, -1, 1.5, NaN, Infinity, '5'] as never[]) {
      const shown = typeof value === 'string' ? `'${value as string}'` : String(value);
      const problem = `${option}: ${shown} is not allowed; allowed: a whole number from 1`;
      expect(await stopped(() => wares({ [option]: value }))).toContain(`AdvancedSearch 'wares': ${problem}`);
      expect(await startUpError(stockWith([wares()], { [option]: value }))).toContain(problem);
    }
});
