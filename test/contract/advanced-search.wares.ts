import { expect } from '@jest/globals';
import { AdvancedSearch, type AdvancedSearchOptions } from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import { Depot, Region, stock, Ware } from '../support/entities/stock.js';

/** A search over wares by everything they have; a test replaces what it is about. */
export const wares = (options: Partial<AdvancedSearchOptions<Ware>> = {}) =>
  new AdvancedSearch<Ware>({
    url: 'wares',
    modelClass: Ware,
    readableColumnNames: ['id'],
    sortableColumnNames: ['id', 'label', 'size', 'weight', 'soldAt', 'depot.name', 'depot.region.title'],
    searchableColumnNames: [
      'id',
      'label',
      'size',
      'weight',
      'price',
      'serial',
      'fragile',
      'madeOn',
      'soldAt',
      'checkedAt',
      'code',
      'state',
      'depotId',
      'depot.name',
      'depot.rank',
      'depot.region.title',
      'parts.name',
      'parts.count',
      'tags.word',
    ],
    defaultSortColumnName: 'id',
    ...options,
  });

/** The names that a client searches wares by, as sentences list them. */
export const wareColumns =
  'id, label, size, weight, price, serial, fragile, made_on, sold_at, checked_at, code, state, depot_id, ' +
  'depot.name, depot.rank, depot.region.title, parts.name, parts.count, tags.word';

/** An application that serves the stock: camelCase inside, snake_case outside. */
export const stockWith = (
  endpoints: NonNullable<ApplicationOptions['endpoints']>,
  root: ApplicationOptions['root'] = {},
): ApplicationOptions => ({
  entities: stock,
  endpoints,
  root,
});

/** A condition as a client sends it. */
export interface Sent {
  readonly column: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** The ids of a search's answer, in order. */
export const idsOf = (answer: { body: { data: { id: number }[] } }): number[] =>
  answer.body.data.map(({ id }) => id);

/** The ids of the wares that meet the conditions. */
export const found = async (
  { request }: Subject,
  where: readonly Sent[],
  url = '/wares',
): Promise<number[]> => {
  const answer = await request().post(url).send({ where });
  expect([answer.status, answer.body.error, answer.body.input_errors]).toEqual([200, '', {}]);
  return idsOf(answer);
};

/** The sentence with which a search of one condition is refused. */
export const refusal = async ({ request }: Subject, where: object, url = '/wares'): Promise<unknown> => {
  const answer = await request()
    .post(url)
    .send({ where: [where] });
  expect([answer.status, answer.body.status, answer.body.data]).toEqual([400, 'client_error', []]);
  return answer.body.error;
};

/** Three values of every column, the smallest first: those of the records 1, 2 and 3. The fourth record is null. */
export const ordered = {
  label: ['a', 'b', 'c'],
  size: [-1, 0, 7],
  weight: [-2.5, 0.1, 1e300],
  price: ['-3.50', '9.99', '10.00'],
  serial: ['-9223372036854775808', '9007199254740992', '9007199254740993'],
  made_on: ['0001-01-01', '2024-02-29', '9999-12-31'],
  sold_at: ['0001-01-01T00:00:00+00:00', '2024-05-05T10:00:00+00:00', '9999-12-31T23:59:59+00:00'],
  checked_at: [-1, 0, 1_700_000_000],
  state: ['Broken', 'new', 'used'],
  'depot.name': ['east', 'north', 'west'],
  'depot.rank': [1, 2, 3],
  'depot.region.title': ['A', 'B', 'a'],
} as const;

/** Columns whose values have no order: what the records 1 and 2 have, and the fourth has not. */
export const unordered = {
  fragile: [true, false],
  code: ['00000000-0000-4000-8000-00000000000a', 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  depot_id: [11, 12],
} as const;

/** The records 1 to 3 with the values above, and 4 without any. */
export const storeWares = async ({ em }: Subject): Promise<void> => {
  const manager = em();
  for (const index of [0, 1, 2]) {
    const region = manager.create(Region, { id: 21 + index, title: ordered['depot.region.title'][index] });
    const depot = manager.create(Depot, {
      id: 11 + index,
      name: ordered['depot.name'][index] ?? '',
      rank: ordered['depot.rank'][index],
      region,
    });
    manager.create(Ware, {
      id: 1 + index,
      label: ordered.label[index],
      size: ordered.size[index],
      weight: ordered.weight[index],
      price: ordered.price[index],
      serial: ordered.serial[index],
      fragile: unordered.fragile[index] ?? true,
      madeOn: ordered.made_on[index],
      soldAt: new Date(ordered.sold_at[index] ?? 0),
      checkedAt: ordered.checked_at[index],
      code: unordered.code[index] ?? '11111111-1111-4111-8111-111111111111',
      state: ordered.state[index],
      depot,
    });
  }
  manager.create(Ware, { id: 4 });
  await manager.flush();
};
