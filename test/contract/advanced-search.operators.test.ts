import { expect } from '@jest/globals';
import { everyDatabase, service } from '../support/contract.js';
import { Ware } from '../support/entities/stock.js';
import {
  found,
  ordered,
  refusal,
  stockWith,
  storeWares,
  unordered,
  wares,
  type Sent,
} from './advanced-search.wares.js';

const { contract } = service(stockWith([wares()]), everyDatabase);

const orderedColumns = Object.entries(ordered);
const unorderedColumns = Object.entries(unordered);
const columnNames = [...Object.keys(ordered), ...Object.keys(unordered)];

type Subject = Parameters<Parameters<typeof contract>[1]>[0];

/** What each condition finds, under its text: one comparison for all of them. */
const table = async (subject: Subject, conditions: readonly Sent[]): Promise<Record<string, number[]>> => {
  const rows: [string, number[]][] = [];
  for (const condition of conditions)
    rows.push([Object.values(condition).map(String).join(' '), await found(subject, [condition])]);
  return Object.fromEntries(rows);
};

/** The same for all conditions. */
const all = (conditions: readonly Sent[], ids: readonly number[]): Record<string, readonly number[]> =>
  Object.fromEntries(
    conditions.map((condition) => [Object.values(condition).map(String).join(' '), ids] as const),
  );

contract('= finds the records that have the value, in columns of every type', async (subject) => {
  await storeWares(subject);
  const middle = orderedColumns.map(([column, [, value]]) => ({ column, operator: '=', value }));
  expect(await table(subject, middle)).toEqual(all(middle, [2]));
  const first = unorderedColumns.map(([column, [value]]) => ({ column, operator: '=', value }));
  expect(await table(subject, first)).toEqual({
    'fragile = true': [1, 3],
    [`code = ${unordered.code[0]}`]: [1],
    'depot_id = 11': [1],
  });
});

contract('!= finds the records that have another value, and no null record', async (subject) => {
  await storeWares(subject);
  const middle = orderedColumns.map(([column, [, value]]) => ({ column, operator: '!=', value }));
  expect(await table(subject, middle)).toEqual(all(middle, [1, 3]));
  expect(
    await table(
      subject,
      unorderedColumns.map(([column, [value]]) => ({ column, operator: '!=', value })),
    ),
  ).toEqual({ 'fragile != true': [2], [`code != ${unordered.code[0]}`]: [2, 3], 'depot_id != 11': [2, 3] });
});

for (const [operator, ids] of [
  ['<', [1]],
  ['<=', [1, 2]],
  ['>', [3]],
  ['>=', [2, 3]],
] as const)
  contract(
    `${operator} compares texts, numbers, dates and times, and finds no null record`,
    async (subject) => {
      await storeWares(subject);
      const middle = orderedColumns.map(([column, [, value]]) => ({ column, operator, value }));
      expect(await table(subject, middle)).toEqual(all(middle, ids));
    },
  );

contract('<=> is equality that also takes null', async (subject) => {
  await storeWares(subject);
  const middle = orderedColumns.map(([column, [, value]]) => ({ column, operator: '<=>', value }));
  expect(await table(subject, middle)).toEqual(all(middle, [2]));
  const nulls = columnNames.map((column) => ({ column, operator: '<=>', value: null }));
  expect(await table(subject, nulls)).toEqual(all(nulls, [4]));
  expect(await found(subject, [{ column: 'fragile', operator: '<=>', value: false }])).toEqual([2]);
});

contract('is null finds null records, is not null the others', async (subject) => {
  await storeWares(subject);
  const nulls = columnNames.map((column) => ({ column, operator: 'is null' }));
  expect(await table(subject, nulls)).toEqual(all(nulls, [4]));
  const others = columnNames.map((column) => ({ column, operator: 'is not null' }));
  expect(await table(subject, others)).toEqual(all(others, [1, 2, 3]));
});

contract('is and is not take null', async (subject) => {
  await storeWares(subject);
  const nulls = columnNames.map((column) => ({ column, operator: 'is', value: null }));
  expect(await table(subject, nulls)).toEqual(all(nulls, [4]));
  const others = columnNames.map((column) => ({ column, operator: 'is not', value: null }));
  expect(await table(subject, others)).toEqual(all(others, [1, 2, 3]));
});

contract('is takes true and false on a Boolean column', async (subject) => {
  await storeWares(subject);
  expect(await found(subject, [{ column: 'fragile', operator: 'is', value: true }])).toEqual([1, 3]);
  expect(await found(subject, [{ column: 'fragile', operator: 'is', value: false }])).toEqual([2]);
});

contract('A null record meets is not true and is not false', async (subject) => {
  await storeWares(subject);
  expect(await found(subject, [{ column: 'fragile', operator: 'is not', value: true }])).toEqual([2, 4]);
  expect(await found(subject, [{ column: 'fragile', operator: 'is not', value: false }])).toEqual([1, 3, 4]);
});

contract('is and is not take nothing else', async (subject) => {
  const other = { column: 'size', value: 0 };
  const truths = 'where 1: value should be null, true or false';
  for (const operator of ['is', 'is not']) {
    expect(await refusal(subject, { ...other, operator })).toBe('where 1: value should be null');
    for (const value of ['true', 0, 'null', [], {}])
      expect(await refusal(subject, { column: 'fragile', operator, value })).toBe(truths);
    expect(await refusal(subject, { column: 'label', operator, value: true })).toBe(
      'where 1: value should be null',
    );
  }
});

contract('in finds the records that have one of the values', async (subject) => {
  await storeWares(subject);
  const outer = orderedColumns.map(([column, [least, , most]]) => ({
    column,
    operator: 'in',
    value: [most, least, most],
  }));
  expect(await table(subject, outer)).toEqual(all(outer, [1, 3]));
  const both = unorderedColumns.map(([column, value]) => ({ column, operator: 'in', value: value.slice(1) }));
  expect(await table(subject, both)).toEqual(all(both, [2]));
});

contract('in with an empty list finds nothing', async (subject) => {
  await storeWares(subject);
  const empty = columnNames.map((column) => ({ column, operator: 'in', value: [] }));
  expect(await table(subject, empty)).toEqual(all(empty, []));
});

contract('in finds texts that look like a list, like null or like SQL', async (subject) => {
  const labels = ['NULL', '{}', '{a,b}', 'a,b', '"', "'", '\\', '\\"', '', ' ', '$1', '?', '()', 'é\u202e'];
  for (const [index, label] of labels.entries()) await subject.save(Ware, { id: index + 1, label });
  for (const [index, label] of labels.entries())
    expect(await found(subject, [{ column: 'label', operator: 'in', value: [label] }])).toEqual([index + 1]);
  expect(await found(subject, [{ column: 'label', operator: 'in', value: labels }])).toHaveLength(
    labels.length,
  );
});

contract('A Uuid is found whatever the case of its letters', async (subject) => {
  await storeWares(subject);
  const value = unordered.code[1].toUpperCase();
  expect(await found(subject, [{ column: 'code', operator: '=', value }])).toEqual([2]);
  expect(await found(subject, [{ column: 'code', operator: 'in', value: [value] }])).toEqual([2]);
});

contract('A Decimal is compared exactly, however its digits are written', async (subject) => {
  await storeWares(subject);
  for (const value of ['9.99', '9.990', '009.99', 9.99])
    expect(await found(subject, [{ column: 'price', operator: '=', value }])).toEqual([2]);
  expect(await found(subject, [{ column: 'price', operator: '>', value: '9.9899999999' }])).toEqual([2, 3]);
  expect(await found(subject, [{ column: 'price', operator: '=', value: '9.991' }])).toEqual([]);
});

contract('Text is compared by its letters, upper case before lower case, and exactly', async (subject) => {
  await storeWares(subject);
  expect(await found(subject, [{ column: 'label', operator: '=', value: 'A' }])).toEqual([]);
  expect(await found(subject, [{ column: 'label', operator: '=', value: 'a ' }])).toEqual([]);
  expect(await found(subject, [{ column: 'label', operator: '<', value: 'aa' }])).toEqual([1]);
  expect(await found(subject, [{ column: 'label', operator: '>', value: 'Z' }])).toEqual([1, 2, 3]);
});

contract('A letter of an enum is found by none that has another mark', async (subject) => {
  await storeWares(subject);
  expect(await found(subject, [{ column: 'state', operator: 'contains', value: 'é' }])).toEqual([]);
  expect(await found(subject, [{ column: 'state', operator: 'contains', value: 'e' }])).not.toEqual([]);
});
