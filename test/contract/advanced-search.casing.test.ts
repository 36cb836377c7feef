import { expect } from '@jest/globals';
import { AdvancedSearch, EndpointGroup, type ColumnPathOf } from '@nest-endpoints/core';
import { expectAnswer } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { build, estate, House } from './advanced-search.estate.js';

const deep = 'homeTown.land.planet.fullName' as ColumnPathOf<House>;

const houses = (url: string) =>
  new AdvancedSearch({
    url,
    modelClass: House,
    readableColumnNames: ['fullName', 'builtOn', 'homeTown.fullName', deep, 'rooms.floorArea'],
    sortableColumnNames: ['fullName', 'builtOn', 'homeTown.land.fullName'],
    searchableColumnNames: ['fullName', 'builtOn', 'homeTownId', deep, 'rooms.floorArea'],
    defaultSortColumnName: 'fullName',
    defaultLimit: 2,
  });

const { contract } = service({
  entities: estate,
  endpoints: [
    new EndpointGroup({ url: 'title', externalCasing: 'TitleCase', endpoints: [houses('houses')] }),
    new EndpointGroup({ url: 'camel', externalCasing: 'camelCase', endpoints: [houses('houses')] }),
  ],
});

const titled = (error: string) => ({
  Status: 'ClientError',
  Error: error,
  Data: [],
  Pagination: {},
  InputErrors: {},
});

const abbey = {
  FullName: 'Abbey',
  BuiltOn: '1799-01-01',
  HomeTown: { FullName: 'Bath', Land: { Planet: { FullName: 'Earth' } } },
  Rooms: [{ FloorArea: 90 }, { FloorArea: 20 }, { FloorArea: null }],
};

contract(
  'With TitleCase the words of a search are Sort, Limit, Start, Where, Column, Operator, Value and Direction',
  async (subject) => {
    await build(subject);
    const { request, query } = subject;
    const body = {
      Where: [
        { Column: 'HomeTown.Land.Planet.FullName', Operator: '=', Value: 'Earth' },
        { Column: 'Rooms.FloorArea', Operator: '>=', Value: 20 },
        { Column: 'HomeTownId', Operator: 'is not null' },
      ],
      Sort: [
        { Column: 'BuiltOn', Direction: 'DESC' },
        { Column: 'FullName', Direction: 'asc' },
      ],
      Limit: 1,
      Start: 1,
    };
    const expected = {
      Status: 'Success',
      Error: '',
      Data: [abbey],
      Pagination: { NumberResults: 2, Limit: 1, NextPage: {} },
      InputErrors: {},
    };
    expectAnswer(await request().get('/title/houses').send(body), 200, expected);
    expectAnswer(await request().post('/title/houses').send(body), 200, expected);
    expectAnswer(await query('/title/houses').send(body), 200, expected);
  },
);

contract('With TitleCase next_page of a search is NextPage with Start', async (subject) => {
  await build(subject);
  const { Pagination } = (await subject.request().post('/title/houses').send({})).body;
  expect(Pagination).toEqual({ NumberResults: 4, Limit: 2, NextPage: { Start: 2 } });
  const next = await subject.request().post('/title/houses').send(Pagination.NextPage);
  expect(next.body.Data.map(({ FullName }: { FullName: string }) => FullName)).toEqual(['Cottage', 'Den']);
});

contract('With TitleCase the lower-case words of a search stay accepted, mixed or not', async (subject) => {
  await build(subject);
  const names = async (body: object) => {
    const answer = await subject.request().post('/title/houses').send(body);
    expect([answer.status, answer.body.Error]).toEqual([200, '']);
    return answer.body.Data.map(({ FullName }: { FullName: string }) => FullName);
  };
  const lower = {
    where: [{ column: 'FullName', operator: '!=', value: 'Den' }],
    sort: [{ column: 'FullName', direction: 'desc' }],
    limit: 1,
    start: 1,
  };
  expect(await names(lower)).toEqual(['Barn']);
  const mixed = {
    Where: [{ column: 'FullName', Operator: '!=', value: 'Den' }],
    sort: [{ Column: 'FullName', direction: 'desc' }],
    Limit: 1,
    start: 1,
  };
  expect(await names(mixed)).toEqual(['Barn']);
});

contract('With TitleCase a word of a search in both spellings is refused', async ({ request }) => {
  for (const [body, error] of [
    [{ Where: [], where: [] }, /^'where' is given more than once in the body$/],
    [{ limit: 1, Limit: 1 }, /^'Limit' is given more than once in the body$/],
    [{ Where: [{ Column: 'FullName', column: 'FullName' }] }, /^Where 1: column is given more than once$/],
    [{ sort: [{ direction: 'asc', Direction: 'asc' }] }, /^sort 1: Direction is given more than once$/],
  ] as const) {
    const answer = await request().post('/title/houses').send(body);
    expectAnswer(answer, 400, titled(expect.stringMatching(error) as never));
  }
});

contract('With TitleCase other spellings of the words of a search are unknown', async ({ request }) => {
  for (const name of ['WHERE', 'wHere', 'Sorts', 'After', 'NextPage', 'next_page'])
    expectAnswer(
      await request()
        .post('/title/houses')
        .send({ [name]: [] }),
      400,
      titled(`Unknown parameter '${name}' in the body`),
    );
});

const columns = 'FullName, BuiltOn, HomeTownId, HomeTown.Land.Planet.FullName, Rooms.FloorArea';
const orders = 'FullName, BuiltOn, HomeTown.Land.FullName';

contract('With TitleCase only external names of columns are accepted in a search', async ({ request }) => {
  for (const column of ['fullName', 'full_name', 'homeTown.land.planet.fullName', 'Rooms.floorArea']) {
    const answer = await request()
      .post('/title/houses')
      .send({ where: [{ column, operator: '=', value: 'x' }] });
    expectAnswer(answer, 400, titled(`where 1: column must be one of: ${columns}`));
  }
});

/** Bodies in the words of TitleCase and the sentences that refuse them. */
type Refusals = readonly (readonly [body: object, error: string])[];

const expectRefusals = async ({ request }: Subject, refusals: Refusals) => {
  const answered: unknown[] = [];
  for (const [body] of refusals) answered.push((await request().post('/title/houses').send(body)).body.Error);
  expect(answered).toEqual(refusals.map(([, error]) => error));
};

contract("With TitleCase the sentences about a search's keys name what the client wrote", (subject) =>
  expectRefusals(subject, [
    [{ Where: 1 }, "'Where' must be a list"],
    [{ where: 1 }, "'where' must be a list"],
    [{ Sort: {} }, "'Sort' must be a list"],
    [{ Sort: [{}, {}, {}] }, "'Sort' must not have more than 2 sorts"],
    [{ Limit: 0 }, "'Limit' must be between 1 and 200"],
    [{ limit: 0 }, "'limit' must be between 1 and 200"],
    [{ Start: -1 }, "'Start' must be a whole number from 0"],
  ]),
);

contract('With TitleCase the sentences about an entry name what the client wrote', (subject) =>
  expectRefusals(subject, [
    [{ Where: [1] }, 'Where 1 must be an object with Column, Operator, Value'],
    [{ Sort: [1] }, 'Sort 1 must be an object with Column, Direction'],
    [{ Where: [{ Column: 'x', Operator: '=' }] }, `Where 1: Column must be one of: ${columns}`],
    [{ Sort: [{ Column: 'x', Direction: 'asc' }] }, `Sort 1: Column must be one of: ${orders}`],
    [{ Sort: [{ Column: 'BuiltOn', Direction: 'up' }] }, 'Sort 1: Direction must be asc or desc'],
    [
      { Where: [{ Column: 'HomeTownId', Operator: '<', Value: 1 }] },
      'Where 1: Operator must be one of: =, !=, <=>, in, is, is not, is null, is not null, not in',
    ],
    [{ Where: [{ Column: 'FullName', Operator: '=' }] }, 'Where 1: Value is missing'],
    [{ Where: [{ Column: 'FullName' }] }, 'Where 1: Operator is missing'],
    [
      { Where: [{ Column: 'FullName', Values: 1 }] },
      "Where 1: 'Values' is unknown; allowed: Column, Operator, Value",
    ],
  ]),
);

contract('With TitleCase a value is refused in an envelope of that casing', async ({ request }) => {
  const answer = await request()
    .post('/title/houses')
    .send({ Where: [{ Column: 'BuiltOn', Operator: '=', Value: 'x' }] });
  expectAnswer(answer, 400, titled('Where 1: given value did not appear to be a valid date'));
});

const inCamelCase = async ({ request }: Subject, body: object) =>
  (await request().post('/camel/houses').send(body)).body;

contract(
  'With camelCase column names, records and pagination of a search are in camelCase',
  async (subject) => {
    await build(subject);
    const answer = await inCamelCase(subject, {
      where: [{ column: 'homeTown.land.planet.fullName', operator: 'like', value: 'E%' }],
      sort: [{ column: 'builtOn', direction: 'asc' }],
      limit: 1,
    });
    expect(answer).toEqual({
      status: 'success',
      error: '',
      data: [
        {
          fullName: 'Abbey',
          builtOn: '1799-01-01',
          homeTown: { fullName: 'Bath', land: { planet: { fullName: 'Earth' } } },
          rooms: [{ floorArea: 90 }, { floorArea: 20 }, { floorArea: null }],
        },
      ],
      pagination: { numberResults: 2, limit: 1, nextPage: { start: 1 } },
      inputErrors: {},
    });
  },
);

contract('With camelCase the sentences of a search list names in camelCase', async (subject) => {
  const sort = [{ column: 'built_on', direction: 'asc' }];
  expect((await inCamelCase(subject, { sort })).error).toBe(
    'sort 1: column must be one of: fullName, builtOn, homeTown.land.fullName',
  );
});
