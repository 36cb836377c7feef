import { expect } from '@jest/globals';
import { clientError, expectAnswer } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Ware } from '../support/entities/stock.js';
import { found, idsOf, refusal, stockWith, storeWares, wares } from './advanced-search.wares.js';

const few = { maximumInValues: 2, maximumConditions: 3 };

const { contract } = service(
  stockWith([
    wares(),
    wares({ url: 'forced', transformInputTypes: true }),
    wares({ url: 'few', ...few }),
    wares({
      url: 'worded',
      columnOverrides: { size: { message: 'a size is a whole number of centimetres' } },
    }),
  ]),
);

const narrow = service(stockWith([wares(), wares({ url: 'more', maximumInValues: 3 })], few)).contract;

/** Values that a column's type refuses, with the message. */
const wrong = {
  label: [[1, true, ['a'], {}], 'value should be a string'],
  size: [['1', 1.5, true, [1], {}], 'value should be an integer'],
  weight: [['1', true, [1], {}], 'value should be a number'],
  price: [['', 'x', '1e2', 'NaN', true, ['1'], {}], 'value should be a decimal number'],
  serial: [['', '1.5', 'x', 1.5, true, ['1'], {}], 'value should be an integer'],
  fragile: [['true', 1, 0, [true], {}], 'value should be a boolean'],
  made_on: [['', '2024-02-30', '2024', 1, ['2024-01-01']], 'given value did not appear to be a valid date'],
  sold_at: [['', '2024-02-30T00:00:00Z', 1, {}], 'given value did not appear to be a valid date'],
  checked_at: [['1', 1.5, '2024-01-01T00:00:00Z'], 'value should be an integer'],
  code: [['', '1', 1, 'zzzzzzzz-0000-4000-8000-00000000000a'], 'value should be a UUID'],
  state: [['', 'NEW', 1, ['new']], 'value should be one of: new, used, Broken'],
  depot_id: [['1', 1.5, true, {}], 'value should be an integer'],
  'depot.name': [[1, ['a']], 'value should be a string'],
  'parts.count': [['1', 1.5], 'value should be an integer'],
} as const;

contract("A value that is not of the column's type is refused by its number", async (subject) => {
  for (const [column, [values, message]] of Object.entries(wrong))
    for (const value of values)
      expect([value, await refusal(subject, { column, operator: '=', value })]).toEqual([
        value,
        `where 1: ${message}`,
      ]);
});

contract("A value inside of in that is not of the column's type is refused", async (subject) => {
  for (const [column, [[value], message]] of Object.entries(wrong))
    expect(await refusal(subject, { column, operator: 'in', value: [value] })).toBe(`where 1: ${message}`);
});

contract('A Datetime without an offset is refused as a value', async (subject) => {
  const value = '2024-05-05T10:00:00';
  for (const [operator, sent] of [
    ['=', value],
    ['<', value],
    ['in', [value]],
  ] as const)
    expect(await refusal(subject, { column: 'sold_at', operator, value: sent })).toBe(
      'where 1: date is missing timezone information',
    );
});

contract("A value out of the column's range is refused", async (subject) => {
  for (const [column, value, range] of [
    ['size', 2_147_483_648, '-2147483648 and 2147483647'],
    ['size', -2_147_483_649, '-2147483648 and 2147483647'],
    ['serial', '9223372036854775808', '-9223372036854775808 and 9223372036854775807'],
    ['price', '10000000000', '-9999999999.99 and 9999999999.99'],
    ['depot_id', 2_147_483_648, '-2147483648 and 2147483647'],
  ] as const)
    for (const operator of ['=', '!=', '<=>'])
      expect(await refusal(subject, { column, operator, value })).toBe(
        `where 1: value should be between ${range}`,
      );
});

contract('A null value is refused where the operator takes none', async (subject) => {
  for (const operator of ['=', '!=', '<', '<=', '>', '>='])
    for (const column of ['size', 'label', 'sold_at', 'depot.name', 'parts.count'])
      expect(await refusal(subject, { column, operator, value: null })).toBe(
        "where 1: value should not be null; 'is null' finds those",
      );
  for (const column of ['fragile', 'code', 'depot_id'])
    expect(await refusal(subject, { column, operator: '=', value: null })).toBe(
      "where 1: value should not be null; 'is null' finds those",
    );
  expect(await refusal(subject, { column: 'label', operator: 'like', value: null })).toBe(
    'where 1: value should be a string',
  );
});

contract('A null inside of in is refused', async (subject) => {
  for (const [column, value] of [
    ['size', [1, null]],
    ['label', [null]],
    ['tags.word', ['red', null]],
  ])
    expect(await refusal(subject, { column, operator: 'in', value })).toBe(
      "where 1: value should not be null; 'is null' finds those",
    );
});

contract('The value of in must be a list', async (subject) => {
  for (const value of [null, 1, '1,2', '(1)', {}, { 0: 1, length: 1 }, true])
    expect(await refusal(subject, { column: 'size', operator: 'in', value })).toBe(
      'where 1: value should be a list',
    );
});

contract('A value beside is null and is not null is ignored', async (subject) => {
  await storeWares(subject);
  const by = (operator: string, value?: unknown) => found(subject, [{ column: 'label', operator, value }]);
  for (const operator of ['is null', 'is not null']) {
    const without = await by(operator);
    expect(without.length).toBeGreaterThan(0);
    for (const value of [null, 1, '', 'x', false, [], {}]) expect(await by(operator, value)).toEqual(without);
  }
});

contract('in takes 1,000 values and no more', async (subject) => {
  await storeWares(subject);
  const values = Array.from({ length: 1000 }, (_, index) => index - 1);
  expect(await found(subject, [{ column: 'size', operator: 'in', value: values }])).toEqual([1, 2, 3]);
  const texts = values.map((value) => (value === 900 ? 'b' : `text ${value}`));
  expect(await found(subject, [{ column: 'label', operator: 'in', value: texts }])).toEqual([2]);
  expect(await refusal(subject, { column: 'size', operator: 'in', value: [...values, 1] })).toBe(
    'where 1: value must not have more than 1000 entries',
  );
});

contract('A search takes 100 conditions and no more', async (subject) => {
  await storeWares(subject);
  const where = Array.from({ length: 100 }, () => ({ column: 'size', operator: '>=', value: 0 }));
  expect(await found(subject, where)).toEqual([2, 3]);
  const paths = where.map(() => ({ column: 'depot.region.title', operator: 'in', value: ['A', 'a'] }));
  expect(await found(subject, paths)).toEqual([1, 3]);
  const answer = await subject
    .request()
    .post('/wares')
    .send({ where: [...where, where[0]] });
  expectAnswer(answer, 400, clientError("'where' must not have more than 100 conditions"));
});

contract('maximumInValues of an endpoint sets how many values in takes', async (subject) => {
  await storeWares(subject);
  expect(await found(subject, [{ column: 'size', operator: 'in', value: [0, 7] }], '/few')).toEqual([2, 3]);
  expect(await refusal(subject, { column: 'size', operator: 'in', value: [0, 7, 0] }, '/few')).toBe(
    'where 1: value must not have more than 2 entries',
  );
});

contract('maximumConditions of an endpoint sets how many conditions a search takes', async (subject) => {
  const condition = { column: 'size', operator: 'is null' };
  await subject.save(Ware, { id: 1 });
  expect(await found(subject, [condition, condition, condition], '/few')).toEqual([1]);
  const answer = await subject
    .request()
    .post('/few')
    .send({ where: Array(4).fill(condition) });
  expectAnswer(answer, 400, clientError("'where' must not have more than 3 conditions"));
});

narrow(
  'maximumInValues and maximumConditions of forRoot hold for endpoints that set none',
  async (subject) => {
    const values = (length: number) => ({ column: 'size', operator: 'in', value: Array(length).fill(1) });
    expect(await found(subject, [values(2)])).toEqual([]);
    expect(await refusal(subject, values(3))).toBe('where 1: value must not have more than 2 entries');
    expect(await found(subject, [values(3)], '/more')).toEqual([]);
    expect(await refusal(subject, values(4), '/more')).toBe(
      'where 1: value must not have more than 3 entries',
    );
    for (const url of ['/wares', '/more'])
      expectAnswer(
        await subject
          .request()
          .post(url)
          .send({ where: Array(4).fill(values(1)) }),
        400,
        clientError("'where' must not have more than 3 conditions"),
      );
  },
);

contract('Text is not read as a value of another type', async (subject) => {
  expect(await refusal(subject, { column: 'fragile', operator: 'is', value: 'true' })).toBe(
    'where 1: value should be null, true or false',
  );
  expect(await refusal(subject, { column: 'size', operator: 'in', value: [1, '7'] })).toBe(
    'where 1: value should be an integer',
  );
});

contract('transform_input_types reads the values of a search from text', async (subject) => {
  await storeWares(subject);
  for (const [column, operator, value, ids] of [
    ['size', '=', '7', [3]],
    ['size', 'in', ['-1', 7], [1, 3]],
    ['weight', '<=', '0.1', [1, 2]],
    ['weight', '=', '1e300', [3]],
    ['fragile', '=', 'false', [2]],
    ['fragile', 'is', 'true', [1, 3]],
    ['checked_at', '>', '0', [3]],
    ['depot.rank', '=', '2', [2]],
    ['label', '=', 'a', [1]],
  ] as const)
    expect([column, await found(subject, [{ column, operator, value }], '/forced')]).toEqual([column, ids]);
});

contract('transform_input_types keeps text that cannot be read, and that is refused', async (subject) => {
  for (const [column, value, message] of [
    ['size', '1.5', 'value should be an integer'],
    ['size', ' 1', 'value should be an integer'],
    ['weight', 'NaN', 'value should be a number'],
    ['fragile', 'TRUE', 'value should be a boolean'],
    ['checked_at', '', 'value should be an integer'],
  ])
    expect(await refusal(subject, { column, operator: '=', value }, '/forced')).toBe(`where 1: ${message}`);
});

contract("A column's own message is the reason why a value is refused", async (subject) => {
  expect(await refusal(subject, { column: 'size', operator: '=', value: 'x' }, '/worded')).toBe(
    'where 1: a size is a whole number of centimetres',
  );
});

contract('number_results of a search counts the matching records', async (subject) => {
  await storeWares(subject);
  const where = [{ column: 'size', operator: 'in', value: [-1, 0] }];
  const answer = await subject.request().post('/wares').send({ where, limit: 1 });
  expect([idsOf(answer), answer.body.pagination]).toEqual([
    [1],
    { number_results: 2, limit: 1, next_page: { start: 1 } },
  ]);
});
