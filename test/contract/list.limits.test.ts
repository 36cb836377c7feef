import { expect } from '@jest/globals';
import { List } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Country } from '../support/entities/library.js';
import type { Subject } from '../support/contract.js';

const listed = {
  modelClass: Country,
  readableColumnNames: ['code'],
  sortableColumnNames: ['code'],
  defaultSortColumnName: 'code',
} as const;

const { contract } = service(
  libraryWith([
    new List({ ...listed, url: 'usual' }),
    new List({ ...listed, url: 'three', defaultLimit: 3 }),
    new List({ ...listed, url: 'few', defaultLimit: 3, maximumLimit: 4 }),
    new List({ ...listed, url: 'narrow', maximumLimit: 4 }),
    new List({ ...listed, url: 'free', maximumLimit: 0 }),
  ]),
);

/** As many countries as asked for, `00`, `01`, … */
const settle = async ({ em }: Subject, count: number) => {
  const code = (index: number) => index.toString(36).padStart(2, '0');
  await em().insertMany(
    Country,
    Array.from({ length: count }, (_, index) => ({ code: code(index), name: 'Nowhere' })),
  );
};

const sizeOf = (answer: { body: { data: object[]; pagination: { limit: number } } }) => [
  answer.body.data.length,
  answer.body.pagination.limit,
];

contract('default_limit is 50 unless it is set', async (subject) => {
  await settle(subject, 51);
  expect(sizeOf(await subject.request().get('/usual'))).toEqual([50, 50]);
  expect(sizeOf(await subject.request().get('/free'))).toEqual([50, 50]);
});

contract('A maximum_limit below 50 lowers the default_limit that nobody sets', async (subject) => {
  await settle(subject, 51);
  expect(sizeOf(await subject.request().get('/narrow'))).toEqual([4, 4]);
});

contract('default_limit sets the page size', async (subject) => {
  await settle(subject, 5);
  expect(sizeOf(await subject.request().get('/three'))).toEqual([3, 3]);
});

contract('maximum_limit is 200 unless it is set', async (subject) => {
  await settle(subject, 201);
  expect(sizeOf(await subject.request().get('/usual?limit=200'))).toEqual([200, 200]);
  const answer = await subject.request().get('/usual?limit=201');
  expectAnswer(answer, 400, clientError("'limit' must be between 1 and 200"));
});

contract('A limit may be as large as maximum_limit', async (subject) => {
  await settle(subject, 5);
  expect(sizeOf(await subject.request().get('/few?limit=4'))).toEqual([4, 4]);
});

contract('maximum_limit 0 lifts the maximum', async (subject) => {
  await settle(subject, 201);
  expect(sizeOf(await subject.request().get('/free?limit=1000'))).toEqual([201, 1000]);
  const largest = Number.MAX_SAFE_INTEGER;
  expect(sizeOf(await subject.request().get(`/free?limit=${largest}`))).toEqual([201, largest]);
  expect(sizeOf(await subject.request().get(`/free?limit=${largest}&start=1`))).toEqual([200, largest]);
});

contract(
  "A limit above maximum_limit is refused: 'limit' must be between 1 and <maximum_limit>",
  async ({ request }) => {
    const refusal = clientError("'limit' must be between 1 and 4");
    for (const limit of ['5', '99999999999999999999', '1e9'])
      expectAnswer(await request().get(`/few?limit=${limit}`), 400, refusal);
    expectAnswer(await request().get('/few').send({ limit: 5 }), 400, refusal);
    expectAnswer(await request().get('/few').send({ limit: 1e21 }), 400, refusal);
  },
);

contract("A limit of 0 is refused: 'limit' must be between 1 and <maximum_limit>", async ({ request }) => {
  const refusal = clientError("'limit' must be between 1 and 4");
  expectAnswer(await request().get('/few?limit=0'), 400, refusal);
  expectAnswer(await request().get('/few?limit=-1'), 400, refusal);
  expectAnswer(await request().get('/few').send({ limit: 0 }), 400, refusal);
});

contract(
  "A limit of 0 without a maximum is refused: 'limit' must be a whole number from 1",
  async ({ request }) => {
    const refusal = clientError("'limit' must be a whole number from 1");
    expectAnswer(await request().get('/free?limit=0'), 400, refusal);
    expectAnswer(await request().get('/free').send({ limit: -0 }), 400, refusal);
    expectAnswer(await request().get('/free?limit=1.5'), 400, refusal);
  },
);

contract(
  "A limit that is not a whole number is refused: 'limit' must be between 1 and <maximum_limit>",
  async ({ request }) => {
    const refusal = clientError("'limit' must be between 1 and 4");
    for (const text of ['', 'many', '1.5', '2e0', '0x2', '%202', '+2', '2,3', 'NaN', 'null', '%00'])
      expectAnswer(await request().get(`/few?limit=${text}`), 400, refusal);
    for (const limit of ['2', 1.5, null, true, [2], { value: 2 }, ''])
      expectAnswer(await request().get('/few').send({ limit }), 400, refusal);
  },
);

contract("A start below 0 is refused: 'start' must be a whole number from 0", async ({ request }) => {
  const refusal = clientError("'start' must be a whole number from 0");
  expectAnswer(await request().get('/usual?start=-1'), 400, refusal);
  expectAnswer(await request().get('/usual').send({ start: -1 }), 400, refusal);
});

contract(
  "A start that is not a number is refused: 'start' must be a whole number from 0",
  async ({ request }) => {
    const refusal = clientError("'start' must be a whole number from 0");
    for (const text of ['', 'first', '-0', '1.5', '1e1', '0x1', '+1', '99999999999999999999', 'Infinity'])
      expectAnswer(await request().get(`/usual?start=${text}`), 400, refusal);
    for (const start of ['1', 1.5, null, false, [1], {}, 1e300])
      expectAnswer(await request().get('/usual').send({ start }), 400, refusal);
  },
);
