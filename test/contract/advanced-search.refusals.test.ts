import { expect } from '@jest/globals';
import { clientError, expectAnswer } from '../support/answers.js';
import { service } from '../support/contract.js';
import { refusal, stockWith, wareColumns, wares } from './advanced-search.wares.js';

const { contract } = service(stockWith([wares()]));

const sortable = 'id, label, size, weight, sold_at, depot.name, depot.region.title';
const good = { column: 'size', operator: '=', value: 1 };
const oddValues = [null, 1, true, 'x', {}, { 0: good }];

contract('Query parameters of an AdvancedSearch are refused with a sentence', async ({ request, query }) => {
  for (const name of ['limit', 'sort', 'where', 'size', 'start', 'x', '__proto__', 'Limit']) {
    const error = `Unknown parameter '${name}' in the query string: this search takes a JSON body`;
    expectAnswer(await request().get(`/wares?${name}=1`), 400, clientError(error));
    expectAnswer(await request().post(`/wares?${name}=1`).send({}), 400, clientError(error));
    expectAnswer(await query(`/wares?${name}=1`).send({ where: [good] }), 400, clientError(error));
  }
});

contract(
  "An unknown key of a search's body is refused: Unknown parameter 'x' in the body",
  async ({ request }) => {
    for (const name of ['x', 'Where', 'direction', 'size', 'after', 'constructor', '', 'where '])
      expectAnswer(
        await request()
          .post('/wares')
          .send({ [name]: [] }),
        400,
        clientError(`Unknown parameter '${name}' in the body`),
      );
  },
);

contract('A where that is not a list is refused with a sentence', async ({ request }) => {
  for (const where of oddValues)
    expectAnswer(await request().post('/wares').send({ where }), 400, clientError("'where' must be a list"));
});

contract('A sort that is not a list is refused with a sentence', async ({ request }) => {
  for (const sort of oddValues)
    expectAnswer(await request().post('/wares').send({ sort }), 400, clientError("'sort' must be a list"));
});

contract('A condition that is not an object is refused by its number', async ({ request }) => {
  const error = 'where 2 must be an object with column, operator, value';
  for (const entry of [null, 1, 'size = 1', true, [], [good]])
    expectAnswer(
      await request()
        .post('/wares')
        .send({ where: [good, entry] }),
      400,
      clientError(error),
    );
});

contract('A sort that is not an object is refused by its number', async ({ request }) => {
  const error = 'sort 1 must be an object with column, direction';
  for (const entry of [null, 1, 'size', 'size desc', [], ['size', 'asc']])
    expectAnswer(
      await request()
        .post('/wares')
        .send({ sort: [entry] }),
      400,
      clientError(error),
    );
});

contract('A missing part of a condition is named with the number of the condition', async ({ request }) => {
  const { column, operator, value } = good;
  for (const [entry, error] of [
    [{}, 'where 2: column is missing'],
    [{ operator, value }, 'where 2: column is missing'],
    [{ column, value }, 'where 2: operator is missing'],
    [{ column }, 'where 2: operator is missing'],
    [{ column, operator }, 'where 2: value is missing'],
    [{ column, operator: 'in' }, 'where 2: value is missing'],
    [{ column, operator: 'is' }, 'where 2: value is missing'],
    [{ column, operator: '<=>' }, 'where 2: value is missing'],
  ] as const)
    expectAnswer(
      await request()
        .post('/wares')
        .send({ where: [good, entry] }),
      400,
      clientError(error),
    );
});

contract('A missing part of a sort is named with the number of the sort', async ({ request }) => {
  for (const [entry, error] of [
    [{}, 'sort 2: column is missing'],
    [{ direction: 'asc' }, 'sort 2: column is missing'],
    [{ column: 'size' }, 'sort 2: direction is missing'],
  ] as const)
    expectAnswer(
      await request()
        .post('/wares')
        .send({ sort: [{ column: 'id', direction: 'asc' }, entry] }),
      400,
      clientError(error),
    );
});

contract('An unknown key of a condition is refused with the keys there are', async (subject) => {
  for (const name of ['direction', 'Column', 'values', 'constructor', ''])
    expect(await refusal(subject, { ...good, [name]: 1 })).toBe(
      `where 1: '${name}' is unknown; allowed: column, operator, value`,
    );
});

contract('An unknown key of a sort is refused with the keys there are', async ({ request }) => {
  for (const name of ['operator', 'Direction', 'nulls', 'toString'])
    expectAnswer(
      await request()
        .post('/wares')
        .send({ sort: [{ column: 'size', direction: 'asc', [name]: 1 }] }),
      400,
      clientError(`sort 1: '${name}' is unknown; allowed: column, direction`),
    );
});

contract('A column that is not searchable is refused with the searchable ones', async (subject) => {
  const names = ['', 'unknown', 'madeOn', 'Size', 'size ', 'depot', 'depot.id', 'parts', '__proto__'];
  for (const column of [...names, null, 1, true, ['size'], { column: 'size' }])
    expect(await refusal(subject, { ...good, column })).toBe(
      `where 1: column must be one of: ${wareColumns}`,
    );
});

contract('A column that is not sortable is refused with the sortable ones', async ({ request }) => {
  for (const column of ['price', 'parts.name', 'soldAt', 'toString', 'size desc', null, 1, ['size'], {}])
    expectAnswer(
      await request()
        .post('/wares')
        .send({ sort: [{ column, direction: 'asc' }] }),
      400,
      clientError(`sort 1: column must be one of: ${sortable}`),
    );
});

contract('A direction of a search is asc or desc', async ({ request }) => {
  for (const direction of ['', 'up', 'ascending', 'asc ', 'desc nulls last', null, 1, true, ['asc'], {}])
    expectAnswer(
      await request()
        .post('/wares')
        .send({ sort: [{ column: 'size', direction }] }),
      400,
      clientError('sort 1: direction must be asc or desc'),
    );
});

contract('More than two sorts are refused with a sentence', async ({ request }) => {
  const sort = ['id', 'label', 'size'].map((column) => ({ column, direction: 'asc' }));
  expect(
    (
      await request()
        .post('/wares')
        .send({ sort: sort.slice(0, 2) })
    ).status,
  ).toBe(200);
  const error = "'sort' must not have more than 2 sorts";
  expectAnswer(await request().post('/wares').send({ sort }), 400, clientError(error));
});

const ordinary = '<=>, !=, <=, >=, >, <, =, in, is not null, is null, is not, is';
const textual = `${ordinary}, like, not in, contains, starts with, ends with`;
const quantity = `${ordinary}, not in, between`;
const equality = '=, !=, <=>, in, is, is not, is null, is not null, not in';
const allowed = {
  label: textual,
  state: textual,
  'depot.name': textual,
  'parts.name': textual,
  size: quantity,
  weight: quantity,
  price: quantity,
  serial: quantity,
  made_on: quantity,
  sold_at: quantity,
  checked_at: quantity,
  fragile: equality,
  code: equality,
  depot_id: equality,
} as const;

contract("An operator that a column's type has not is refused with those it has", async (subject) => {
  const known = `${textual}, between, has`.split(', ');
  for (const [column, operators] of Object.entries(allowed)) {
    const others = known.filter((operator) => !operators.split(', ').includes(operator));
    for (const operator of others)
      expect(await refusal(subject, { column, operator, value: null })).toBe(
        `where 1: operator must be one of: ${operators}`,
      );
  }
});

contract('An operator that does not exist is refused with those the column has', async (subject) => {
  const texts = [
    '',
    '==',
    '<>',
    '~',
    'ilike',
    'notin',
    'has',
    'contains',
    'or',
    '= ',
    'is  null',
    'toString',
    '$eq',
  ];
  for (const operator of [...texts, null, 1, true, ['='], { '=': 1 }])
    expect(await refusal(subject, { column: 'size', operator, value: 1 })).toBe(
      `where 1: operator must be one of: ${quantity}`,
    );
});

contract('A refusal names the first wrong entry, in the order sent', async ({ request }) => {
  const where = [good, good, { ...good, column: 'x' }, { ...good, operator: 'x' }];
  expectAnswer(
    await request().post('/wares').send({ where }),
    400,
    clientError(`where 3: column must be one of: ${wareColumns}`),
  );
});
