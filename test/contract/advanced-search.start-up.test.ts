import { expect, test } from '@jest/globals';
import { AdvancedSearch, type ColumnPathOf } from '@nest-endpoints/core';
import { startUpError } from '../support/application.js';
import { Ware } from '../support/entities/stock.js';
import { estate, House } from './advanced-search.estate.js';
import { stockWith, wares } from './advanced-search.wares.js';

const searched = {
  url: 'houses',
  modelClass: House,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const houses = (options: object) =>
  startUpError({
    entities: estate,
    endpoints: [new AdvancedSearch<House>({ ...searched, ...options })],
  });

test('A path longer than types follow is checked at the start', async () => {
  const path = 'homeTown.land.planet.colour' as ColumnPathOf<House>;
  for (const option of ['readableColumnNames', 'sortableColumnNames', 'searchableColumnNames'])
    expect(await houses({ [option]: [path] })).toMatch(
      new RegExp(`AdvancedSearch 'houses': ${option}: unknown column '${path.replaceAll('.', '\\.')}'`),
    );
  expect(await houses({ defaultSortColumnName: path })).toMatch(/defaultSortColumnName: unknown column/);
});

test('An AdvancedSearch without searchable_column_names stops the start', async () => {
  expect(await startUpError(stockWith([wares({ searchableColumnNames: undefined as never })]))).toBe(
    "AdvancedSearch 'wares': searchableColumnNames: is required",
  );
});

test('An AdvancedSearch may have no searchable column', async () => {
  const search = new AdvancedSearch<Ware>({
    url: 'wares',
    modelClass: Ware,
    readableColumnNames: ['id'],
    sortableColumnNames: [],
    searchableColumnNames: [],
    defaultSortColumnName: 'id',
  });
  await expect(startUpError(stockWith([search]))).rejects.toThrow('the application started');
});
