import { expect, jest } from '@jest/globals';
import { Aggregate, type ColumnPathOf } from '@nest-endpoints/core';
import { fc, seed } from '../support/property.js';
import { everyDatabase, service } from '../support/contract.js';
import { stock, Ware } from '../support/entities/stock.js';
import { conditionsOn, searchableNames } from './search.arbitrary.js';
import { someWares, storeWares, type PlainWare } from './stock.records.js';
import { searched } from './stock.reference.js';

jest.setTimeout(240_000);

const inward = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const { contract } = service(
  {
    entities: stock,
    endpoints: [
      new Aggregate({
        url: 'aggregate',
        modelClass: Ware,
        groupableColumnNames: ['state', 'fragile', 'size', 'depot.name', 'depot.region.title'],
        measurableColumnNames: {
          size: ['sum', 'avg', 'min', 'max', 'count', 'count_distinct'],
          serial: ['min', 'max'],
          'depot.rank': ['sum', 'count_distinct'],
        },
        searchableColumnNames: searchableNames.map(inward) as ColumnPathOf<Ware>[],
        maximumLimit: 100_000,
      }),
    ],
  },
  everyDatabase,
);

type Value = string | number | boolean | null;

const groupings: Readonly<Record<string, (ware: PlainWare) => Value>> = {
  state: ({ state }) => state,
  fragile: ({ fragile }) => fragile,
  size: ({ size }) => size,
  'depot.name': ({ depot }) => depot?.name ?? null,
  'depot.region.title': ({ depot }) => depot?.region?.title ?? null,
};

const present = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value) => value !== null && value !== undefined);

/** Sums are exact, whatever their size. */
const sum = (values: readonly number[]): string | null =>
  values.length === 0 ? null : String(values.reduce((total, value) => total + BigInt(value), 0n));

const serials = (wares: readonly PlainWare[]): bigint[] =>
  wares.flatMap(({ serial }) => (serial === null ? [] : BigInt(serial)));

const least = (values: readonly bigint[], sign: 1n | -1n): string | null => {
  const [first] = values.toSorted((one, other) => (one * sign < other * sign ? -1 : 1));
  return first === undefined ? null : String(first);
};

const measures: Readonly<Record<string, (wares: readonly PlainWare[]) => unknown>> = {
  count: (wares) => wares.length,
  'size.sum': (wares) => sum(present(wares.map(({ size }) => size))),
  'size.min': (wares) => Math.min(...present(wares.map(({ size }) => size))),
  'size.max': (wares) => Math.max(...present(wares.map(({ size }) => size))),
  'size.count': (wares) => present(wares.map(({ size }) => size)).length,
  'size.count_distinct': (wares) => new Set(present(wares.map(({ size }) => size))).size,
  'serial.min': (wares) => least(serials(wares), 1n),
  'serial.max': (wares) => least(serials(wares), -1n),
  'depot.rank.sum': (wares) => sum(present(wares.map(({ depot }) => depot?.rank))),
  'depot.rank.count_distinct': (wares) => new Set(present(wares.map(({ depot }) => depot?.rank))).size,
};

/** The value of an answer at a name: `depot.rank.sum` is `rank_sum` of `depot`. */
const valueIn = (group: unknown, name: string): unknown => {
  const parts = name.split('.');
  const isMeasure = Object.hasOwn(measures, name) && parts.length > 1;
  const keys = isMeasure ? [...parts.slice(0, -2), parts.slice(-2).join('_')] : parts;
  return keys.reduce((value, key) => (value as Readonly<Record<string, unknown>>)[key], group);
};

const infinite = (value: unknown): unknown => (value === Infinity || value === -Infinity ? null : value);

contract('An Aggregate answers what the same records give in memory, to the last digit', async (subject) => {
  const wares = someWares(subject, 300, seed);
  await storeWares(subject, wares);
  const byId = new Map(wares.map((ware) => [ware.id, ware]));
  const property = fc.asyncProperty(
    conditionsOn(subject.database),
    fc.uniqueArray(fc.constantFrom(...Object.keys(groupings)), { minLength: 1, maxLength: 4 }),
    fc.uniqueArray(fc.constantFrom(...Object.keys(measures)), { minLength: 1 }),
    async (where, by, measured) => {
      const groups = new Map<string, PlainWare[]>();
      for (const id of searched(wares, where, [])) {
        const ware = byId.get(id);
        if (ware === undefined) throw new Error('the reference found a stranger');
        const key = JSON.stringify(by.map((name) => groupings[name]?.(ware)));
        groups.set(key, [...(groups.get(key) ?? []), ware]);
      }
      const body = { group_by: by, measures: measured, where, limit: 100_000 };
      const answer = await subject.request().post('/aggregate').send(body);
      expect([answer.status, answer.body.error]).toEqual([200, '']);
      const found = (answer.body.data as unknown[]).map((group) => [
        JSON.stringify(by.map((name) => valueIn(group, name))),
        measured.map((name) => valueIn(group, name)),
      ]);
      expect(found).toHaveLength(groups.size);
      const expected = [...groups].map(([key, some]) => [
        key,
        measured.map((name) => infinite(measures[name]?.(some))),
      ]);
      expect(new Map(found as [string, unknown][])).toEqual(new Map(expected as [string, unknown][]));
    },
  );
  await fc.assert(property, {
    numRuns: Number(process.env['RUNS'] ?? 300),
    interruptAfterTimeLimit: 200_000,
    markInterruptAsFailure: true,
  });
});
