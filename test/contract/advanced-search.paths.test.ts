import { expect } from '@jest/globals';
import { AdvancedSearch, type ColumnPathOf } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { build, estate, House } from './advanced-search.estate.js';
import { found, idsOf } from './advanced-search.wares.js';

/** Paths of four relations are longer than types follow them. */
const deep = 'homeTown.land.planet.fullName' as ColumnPathOf<House>;
const deepList = 'homeTown.houses.rooms.things.fullName' as ColumnPathOf<House>;

const { contract } = service(
  {
    entities: estate,
    endpoints: [
      new AdvancedSearch({
        url: 'houses',
        modelClass: House,
        readableColumnNames: ['id'],
        sortableColumnNames: ['id', 'homeTown.fullName', 'homeTown.land.fullName', deep],
        searchableColumnNames: [
          'fullName',
          'homeTownId',
          'homeTown.fullName',
          'homeTown.land.fullName',
          'homeTown.land.planetId',
          deep,
          'rooms.fullName',
          'rooms.floorArea',
          'rooms.things.fullName',
          'rooms.things.isOld',
          'keepers.fullName',
          'keepers.id',
          'homeTown.houses.fullName',
          deepList,
        ],
        defaultSortColumnName: 'id',
      }),
      new AdvancedSearch({
        url: 'shown',
        modelClass: House,
        readableColumnNames: ['fullName', 'homeTown.fullName', 'homeTown.land.fullName', deep],
        sortableColumnNames: ['id'],
        searchableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ],
  },
  everyDatabase,
);

contract('A condition may name a column of a parent, of its parent, and of further ones', async (subject) => {
  await build(subject);
  for (const [column, operator, value, ids] of [
    ['home_town.full_name', '=', 'Bath', [1, 2]],
    ['home_town.full_name', 'like', '%h%', [1, 2, 3]],
    ['home_town.land.full_name', '=', 'Wessex', [1, 2]],
    ['home_town.land.planet.full_name', 'in', ['Earth', 'Mars'], [1, 2]],
    ['home_town.land.planet_id', '=', 1, [1, 2]],
    ['home_town_id', '!=', 1, [3]],
  ] as const)
    expect([column, await found(subject, [{ column, operator, value }], '/houses')]).toEqual([column, ids]);
});

contract('A column of a parent that is not there is null', async (subject) => {
  await build(subject);
  for (const [column, ids] of [
    ['home_town_id', [4]],
    ['home_town.full_name', [4]],
    ['home_town.land.full_name', [3, 4]],
    ['home_town.land.planet.full_name', [3, 4]],
  ] as const) {
    expect(await found(subject, [{ column, operator: 'is null' }], '/houses')).toEqual(ids);
    expect(await found(subject, [{ column, operator: '<=>', value: null }], '/houses')).toEqual(ids);
  }
  const other = [{ column: 'home_town.land.full_name', operator: '!=', value: 'Kent' }];
  expect(await found(subject, other, '/houses')).toEqual([1, 2]);
});

contract('A search sorts by a column of a parent, of its parent, and of further ones', async (subject) => {
  await build(subject);
  const sorted = async (...sort: object[]) => idsOf(await subject.request().post('/houses').send({ sort }));
  const id = { column: 'id', direction: 'desc' };
  expect(await sorted({ column: 'home_town.full_name', direction: 'asc' }, id)).toEqual([2, 1, 3, 4]);
  expect(await sorted({ column: 'home_town.full_name', direction: 'desc' }, id)).toEqual([4, 3, 2, 1]);
  expect(await sorted({ column: 'home_town.land.planet.full_name', direction: 'desc' }, id)).toEqual([
    4, 3, 2, 1,
  ]);
  expect(await sorted({ column: 'home_town.land.planet.full_name', direction: 'asc' })).toEqual([1, 2, 3, 4]);
});

contract(
  'Parents of every depth are answered as nested objects, and null where there is none',
  async (subject) => {
    await build(subject);
    const answer = await subject.request().post('/shown').send({ where: [] });
    const bath = { full_name: 'Bath', land: { full_name: 'Wessex', planet: { full_name: 'Earth' } } };
    expectAnswer(
      answer,
      200,
      success(
        [
          { full_name: 'Abbey', home_town: bath },
          { full_name: 'Barn', home_town: bath },
          { full_name: 'Cottage', home_town: { full_name: 'Nowhere', land: null } },
          { full_name: 'Den', home_town: null },
        ],
        { number_results: 4, limit: 50, next_page: {} },
      ),
    );
  },
);

contract('A condition over a to-many path asks for one related record that meets it', async (subject) => {
  await build(subject);
  for (const [column, operator, value, ids] of [
    ['rooms.full_name', '=', 'Hall', [1]],
    ['rooms.full_name', '!=', 'Hall', [2]],
    ['rooms.floor_area', '>=', 20, [1, 2]],
    ['rooms.floor_area', 'in', [90, 20], [1, 2]],
    ['rooms.floor_area', 'in', [], []],
    ['rooms.floor_area', 'is null', undefined, [1]],
    ['rooms.floor_area', 'is not null', undefined, [1, 2]],
    ['rooms.full_name', 'like', '%o%', [2]],
    ['rooms.things.full_name', '=', 'harp', [1]],
    ['rooms.things.full_name', '=', 'rake', [2]],
    ['rooms.things.is_old', 'is', null, [2]],
    ['rooms.things.is_old', 'is not', true, [1, 2]],
    ['keepers.full_name', 'like', '%n%', [1]],
    ['keepers.id', 'in', [1, 2, 3], [1]],
    ['home_town.houses.full_name', '=', 'Barn', [1, 2]],
    ['home_town.houses.rooms.things.full_name', 'in', ['harp', 'rake'], [1, 2]],
  ] as const)
    expect([column, operator, await found(subject, [{ column, operator, value }], '/houses')]).toEqual([
      column,
      operator,
      ids,
    ]);
});

contract('A to-many path neither repeats a record nor changes number_results', async (subject) => {
  await build(subject);
  const where = [
    { column: 'rooms.full_name', operator: '=', value: 'Hall' },
    { column: 'keepers.full_name', operator: 'like', value: '%' },
    { column: 'rooms.things.full_name', operator: '=', value: 'harp' },
  ];
  expectAnswer(
    await subject.request().post('/houses').send({ where }),
    200,
    success([{ id: 1 }], { number_results: 1, limit: 50, next_page: {} }),
  );
  const both = { where: [{ column: 'rooms.floor_area', operator: '>', value: 0 }] };
  expectAnswer(
    await subject
      .request()
      .post('/houses')
      .send({ ...both, limit: 1 }),
    200,
    success([{ id: 1 }], { number_results: 2, limit: 1, next_page: { start: 1 } }),
  );
  expectAnswer(
    await subject
      .request()
      .post('/houses')
      .send({ ...both, start: 2 }),
    200,
    success([], { number_results: 2, limit: 50, next_page: {} }),
  );
});

contract('Two conditions over one to-many path may be met by two related records', async (subject) => {
  await build(subject);
  const where = [
    { column: 'rooms.floor_area', operator: '=', value: 90 },
    { column: 'rooms.floor_area', operator: '=', value: 20 },
  ];
  expect(await found(subject, where, '/houses')).toEqual([1]);
});

contract('A to-many path filters together with sorts by parents', async (subject) => {
  await build(subject);
  const answer = await subject
    .request()
    .post('/houses')
    .send({
      where: [{ column: 'rooms.things.full_name', operator: 'like', value: '%a%' }],
      sort: [
        { column: 'home_town.full_name', direction: 'asc' },
        { column: 'id', direction: 'desc' },
      ],
    });
  expect(idsOf(answer)).toEqual([2, 1]);
});
