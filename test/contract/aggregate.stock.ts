import { expect } from '@jest/globals';
import { Aggregate, type AggregateOptions } from '@nest-endpoints/core';
import type { Subject } from '../support/contract.js';
import { Depot, Mark, Part, Region, Ware } from '../support/entities/stock.js';

/** Numbers about wares by everything they have; a test replaces what it is about. */
export const aggregate = (options: Partial<AggregateOptions<Ware>> = {}) =>
  new Aggregate<Ware>({
    url: 'aggregate',
    modelClass: Ware,
    groupableColumnNames: [
      'state',
      'fragile',
      'size',
      'depotId',
      'depot.name',
      'depot.region.title',
      { column: 'soldAt', buckets: ['hour', 'day', 'week', 'month', 'quarter', 'year'] },
      { column: 'madeOn', buckets: ['day', 'week', 'month', 'quarter', 'year'] },
    ],
    measurableColumnNames: {
      size: ['sum', 'avg', 'min', 'max', 'count', 'count_distinct'],
      weight: ['sum', 'avg', 'min', 'max'],
      label: ['min', 'max', 'count_distinct'],
      madeOn: ['min', 'max'],
      soldAt: ['min', 'max'],
      serial: ['min', 'max'],
      'depot.rank': ['sum'],
    },
    searchableColumnNames: ['state', 'size', 'label', 'depot.name', 'parts.count', 'tags.word'],
    ...options,
  });

/** Five wares of two depots. */
export const store = async ({ em }: Subject): Promise<void> => {
  const manager = em();
  const region = manager.create(Region, { id: 1, title: 'south' });
  const [east, west] = [
    manager.create(Depot, { id: 1, name: 'east', rank: 3, region }),
    manager.create(Depot, { id: 2, name: 'west', rank: null }),
  ];
  const ware = (id: number, values: object) => manager.create(Ware, { id, ...values });
  const sold = (text: string) => ({ soldAt: new Date(text), madeOn: text.slice(0, 10) });
  ware(1, {
    state: 'new',
    size: 3,
    weight: 0.5,
    label: 'b',
    depot: east,
    fragile: true,
    ...sold('2024-01-01T00:30:00Z'),
  });
  ware(2, {
    state: 'new',
    size: 4,
    weight: 1.5,
    label: 'a',
    depot: east,
    fragile: false,
    ...sold('2024-02-29T23:59:59Z'),
  });
  ware(3, { state: 'used', size: 4, weight: 2, label: 'a', depot: west, ...sold('2024-12-31T10:00:00Z') });
  ware(4, { state: 'used', size: null, label: null, depot: null, ...sold('2024-03-03T12:00:00Z') });
  ware(5, {
    state: null,
    size: -1,
    serial: '9007199254740993',
    depot: west,
    ...sold('2023-12-31T01:00:00Z'),
  });
  for (const id of [1, 2, 3])
    manager.create(Part, { id, ware: manager.getReference(Ware, 1), name: 'p', count: 7 });
  manager.create(Mark, { id: 1, word: 'x' });
  await manager.flush();
};

/** The data of an answer that is a success. */
export const answered = async ({ request }: Subject, path: string): Promise<unknown> => {
  const { status, body } = await request().get(path);
  expect([status, body.error, body.input_errors]).toEqual([200, '', {}]);
  return body.data;
};
