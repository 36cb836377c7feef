import { expect } from '@jest/globals';
import { UpdateMany } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { columns, land, Place, placesOf as places } from './bulk.places.js';

const shown = { ...columns, readableColumnNames: ['id', 'name', 'size', 'version'] } as const;

const { contract } = service({
  entities: land,
  endpoints: [
    new UpdateMany({
      ...shown,
      url: 'places',
      maximumRecords: 200,
      byConditions: true,
      searchableColumnNames: ['name', 'size', 'land.name'],
    }),
    new UpdateMany({ ...shown, url: 'few', maximumRecords: 2 }),
    new UpdateMany({ ...shown, url: 'small', where: ['size < 100'] }),
    new UpdateMany({ ...shown, url: 'asked', where: [() => ({ size: { $lt: 100 } })] }),
    new UpdateMany({ ...shown, url: 'codes', recordLookupColumnName: 'code', answer: 'ids' }),
    new UpdateMany({ ...shown, url: 'camel', externalCasing: 'camelCase' }),
  ],
});

const missing = 'the given record does not exist';

contract(
  'UpdateMany changes each record in its own way and answers in the order sent',
  async ({ request, save, em }) => {
    await places(save, 3);
    const records = [
      { id: 3, name: 'C' },
      { id: 1, size: 5 },
    ];
    expectAnswer(
      await request().patch('/places').send({ records }),
      200,
      success([
        { id: 3, name: 'C', size: 3, version: 2 },
        { id: 1, name: 'n1', size: 5, version: 2 },
      ]),
    );
    expect(
      (await em().findAll(Place, { orderBy: { id: 1 } })).map(({ name, size, version }) => [
        name,
        size,
        version,
      ]),
    ).toEqual([
      ['n1', 5, 2],
      ['n2', 2, 1],
      ['C', 3, 2],
    ]);
  },
);

contract(
  'UpdateMany changes records in the same way and answers in the order of ids',
  async ({ request, save }) => {
    await places(save, 3);
    expectAnswer(
      await request()
        .patch('/places')
        .send({ ids: [3, 2], changes: { size: 2 } }),
      200,
      success([
        { id: 3, name: 'n3', size: 2, version: 2 },
        // An unchanged record is not written.
        { id: 2, name: 'n2', size: 2, version: 1 },
      ]),
    );
  },
);

contract(
  'UpdateMany changes the records that conditions meet and answers by id',
  async ({ request, save }) => {
    await places(save, 5);
    const where = [{ column: 'size', operator: '>', value: 3 }];
    expectAnswer(
      await request()
        .patch('/places')
        .send({ where, changes: { size: 9 }, maximum: 2 }),
      200,
      success([
        { id: 4, name: 'n4', size: 9, version: 2 },
        { id: 5, name: 'n5', size: 9, version: 2 },
      ]),
    );
    const none = [{ column: 'size', operator: '>', value: 100 }];
    expectAnswer(
      await request()
        .patch('/places')
        .send({ where: none, changes: { size: 9 }, maximum: 2 }),
      200,
      success([]),
    );
  },
);

contract(
  'Conditions that meet too many records change none, and the number is not told',
  async ({ request, save, em }) => {
    await places(save, 5);
    const where = [{ column: 'size', operator: '>', value: 1 }];
    expectAnswer(
      await request()
        .patch('/places')
        .send({ where, changes: { size: 0 }, maximum: 3 }),
      409,
      clientError('The conditions meet more than 3 records'),
    );
    expect(await em().count(Place, { size: 0 })).toBe(0);
  },
);

contract('The body of UpdateMany has one of its forms', async ({ request, save }) => {
  await places(save, 1);
  const all = 'The body must have one of: records, ids, where';
  const bodies: readonly [object, string][] = [
    [{}, all],
    [{ records: [{ id: 1 }], ids: [1] }, all],
    [{ records: [{ id: 1 }], changes: {} }, all],
    [{ ids: [1], changes: {}, maximum: 1 }, all],
    [{ ids: [1], changes: {}, more: 1 }, all],
    [{ records: [] }, "'records' must have at least one entry"],
    [{ ids: [], changes: {} }, "'ids' must have at least one entry"],
    [{ where: [], changes: {}, maximum: 1 }, "'where' must have at least one entry"],
    [{ ids: [1] }, "'changes' must be an object"],
    [{ ids: [1], changes: [] }, "'changes' must be an object"],
    [{ where: [{}], changes: {}, maximum: 1 }, 'where 1: column is missing'],
    [
      { where: [{ column: 'code', operator: '=', value: 'c1' }], changes: {}, maximum: 1 },
      'where 1: column must be one of: name, size, land.name',
    ],
    [
      { where: [{ column: 'name', operator: '=', value: 'n1' }], changes: {} },
      "'maximum' must be a whole number from 1 to 200",
    ],
    [
      { where: [{ column: 'name', operator: '=', value: 'n1' }], changes: {}, maximum: 201 },
      "'maximum' must be a whole number from 1 to 200",
    ],
    [
      { where: [{ column: 'name', operator: '=', value: 'n1' }], changes: {}, maximum: 0 },
      "'maximum' must be a whole number from 1 to 200",
    ],
  ];
  for (const [body, sentence] of bodies)
    expectAnswer(await request().patch('/places').send(body), 400, clientError(sentence));
  const two = 'The body must have one of: records, ids';
  expectAnswer(
    await request().patch('/few').send({ where: [], changes: {}, maximum: 1 }),
    400,
    clientError(two),
  );
  expectAnswer(
    await request()
      .patch('/few')
      .send({ ids: [1, 2, 3], changes: {} }),
    400,
    clientError("'ids' must not have more than 2 entries"),
  );
});

contract(
  'A record that is not there, or named twice, is told by its place',
  async ({ request, save, em }) => {
    await places(save, 2);
    expectAnswer(
      await request()
        .patch('/places')
        .send({ records: [{ id: 1, size: 7 }, { id: 99, size: 7 }, { id: 2, size: 7 }, { id: 98 }] }),
      400,
      inputErrors({ 'records.1.id': missing, 'records.3.id': missing }),
    );
    expectAnswer(
      await request()
        .patch('/places')
        .send({ ids: [1, 99], changes: { size: 7 } }),
      400,
      inputErrors({ 'ids.1': missing }),
    );
    expectAnswer(
      await request()
        .patch('/places')
        .send({ records: [{ id: 1 }, { id: 2 }, { id: 1 }, { size: 1 }, { id: 'x', size: 'y' }] }),
      400,
      inputErrors({
        'records.2.id': 'the same record is named in records.0',
        'records.3.id': "'id' is required.",
        'records.4.id': 'value should be an integer',
        'records.4.size': 'value should be an integer',
      }),
    );
    expectAnswer(
      await request()
        .patch('/places')
        .send({ ids: [2, 2], changes: { fame: 1, size: 'x' } }),
      400,
      inputErrors({
        'ids.1': 'the same record is named in ids.0',
        'changes.fame': 'Input column fame is not an allowed input column.',
        'changes.size': 'value should be an integer',
      }),
    );
    expect(await em().count(Place, { size: 7 })).toBe(0);
  },
);

contract('What the endpoint is not for is not there', async ({ request, save, em }) => {
  await save(Place, { name: 'small', size: 1 });
  await save(Place, { name: 'large', size: 500 });
  for (const url of ['/small', '/asked'])
    expectAnswer(
      await request()
        .patch(url)
        .send({ ids: [1, 2], changes: { name: 'x' } }),
      400,
      inputErrors({ 'ids.1': missing }),
    );
  expect(await em().count(Place, { name: 'x' })).toBe(0);
  for (const url of ['/small', '/asked'])
    expect(
      (
        await request()
          .patch(url)
          .send({ ids: [1], changes: { name: 'x' } })
      ).status,
    ).toBe(200);
});

contract('Entries are named by the lookup column of the endpoint', async ({ request, save }) => {
  await places(save, 2);
  const records = [
    { code: 'c2', name: 'x' },
    { code: 'c1', name: 'y' },
  ];
  expectAnswer(await request().patch('/codes').send({ records }), 200, success(['c2', 'c1']));
  expectAnswer(
    await request()
      .patch('/codes')
      .send({ records: [{ code: 'c3' }] }),
    400,
    inputErrors({ 'records.0.code': missing }),
  );
});

contract('A stale version is told by the place of the first', async ({ request, save, em }) => {
  await places(save, 3);
  const records = [
    { id: 1, size: 7, if_match: '1' },
    { id: 2, size: 7, if_match: '2' },
    { id: 3, size: 7, if_match: '"5"' },
  ];
  expectAnswer(
    await request().patch('/places').send({ records }),
    412,
    clientError('records.1: Precondition Failed'),
  );
  expect(await em().count(Place, { size: 7 })).toBe(0);
  const good = [
    { id: 1, size: 7, if_match: '1' },
    { id: 2, size: 7, if_match: '"1"' },
    { id: 3, size: 7, if_match: '*' },
  ];
  expect((await request().patch('/places').send({ records: good })).status).toBe(200);
  expectAnswer(
    await request()
      .patch('/places')
      .send({ records: [{ id: 1, if_match: 1 }] }),
    400,
    inputErrors({ 'records.0.if_match': 'value should be a string' }),
  );
  expect(
    (
      await request()
        .patch('/camel')
        .send({ records: [{ id: 1, ifMatch: '1' }] })
    ).body,
  ).toMatchObject({
    error: 'records.0: Precondition Failed',
  });
});
