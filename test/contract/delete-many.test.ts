import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { DeleteMany } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { isMariaDb } from '../support/database.js';
import { Statements } from '../support/statements.js';
import { land, many, Place, placesOf as places } from './bulk.places.js';

/** Its place cannot go before it. */
const Sign = defineEntity({
  name: 'Sign',
  properties: { id: p.integer().primary().autoincrement(), place: () => p.manyToOne(Place) },
});

const { contract } = service({
  entities: [...land, Sign],
  endpoints: [
    new DeleteMany({
      modelClass: Place,
      url: 'places',
      byConditions: true,
      searchableColumnNames: ['size'],
    }),
    new DeleteMany({
      modelClass: Place,
      url: 'ids',
      answer: 'ids',
      byConditions: true,
      searchableColumnNames: ['size'],
    }),
    new DeleteMany({ modelClass: Place, url: 'posted', requestMethods: ['POST'] }),
    new DeleteMany({ modelClass: Place, url: 'versions', preconditionRequired: true }),
  ],
});

const missing = 'the given record does not exist';

contract('DeleteMany deletes the records that the body names', async ({ request, save, em }) => {
  await places(save, 6);
  expectAnswer(
    await request()
      .delete('/places')
      .send({ ids: [1, 2] }),
    200,
    success({}),
  );
  expectAnswer(
    await request()
      .delete('/places')
      .send({ records: [{ id: 3, if_match: '1' }] }),
    200,
    success({}),
  );
  const where = [{ column: 'size', operator: '=', value: 4 }];
  expectAnswer(await request().delete('/places').send({ where, maximum: 1 }), 200, success({}));
  expectAnswer(
    await request()
      .post('/posted')
      .send({ ids: [5] }),
    200,
    success({}),
  );
  expect((await em().findAll(Place)).map(({ id }) => id)).toEqual([6]);
});

contract("With answer 'ids' DeleteMany lists what was deleted", async ({ request, save, count }) => {
  await places(save, 4);
  expectAnswer(
    await request()
      .delete('/ids')
      .send({ ids: [3, 1] }),
    200,
    success([3, 1]),
  );
  const where = [{ column: 'size', operator: '>', value: 0 }];
  expectAnswer(await request().delete('/ids').send({ where, maximum: 9 }), 200, success([2, 4]));
  expect(await count(Place)).toBe(0);
});

contract(
  'DeleteMany deletes nothing where one record cannot go, and tells its place',
  async ({ request, save, count }) => {
    await places(save, 4);
    const place = (await save(Place, { name: 'held', size: 9 })) as never;
    await save(Sign, { place });
    expectAnswer(
      await request()
        .delete('/places')
        .send({ ids: [1, 99, 2] }),
      400,
      inputErrors({ 'ids.1': missing }),
    );
    expectAnswer(
      await request()
        .delete('/places')
        .send({ records: [{ id: 1 }, { id: 1 }, { id: 2, name: 'x' }] }),
      400,
      inputErrors({
        'records.1.id': 'the same record is named in records.0',
        'records.2.name': 'Input column name is not an allowed input column.',
      }),
    );
    expectAnswer(
      await request()
        .delete('/places')
        .send({ records: [{ id: 1 }, { id: 2, if_match: '7' }] }),
      412,
      clientError('records.1: Precondition Failed'),
    );
    const where = [{ column: 'size', operator: '>', value: 0 }];
    expectAnswer(
      await request().delete('/places').send({ where, maximum: 4 }),
      409,
      clientError('The conditions meet more than 4 records'),
    );
    expectAnswer(
      await request()
        .delete('/places')
        .send({ ids: [4, 3, 5, 1] }),
      409,
      clientError('ids.2: Other records still refer to this record'),
    );
    expectAnswer(
      await request()
        .delete('/versions')
        .send({ ids: [1] }),
      428,
      clientError('Precondition Required'),
    );
    expectAnswer(
      await request()
        .delete('/versions')
        .send({ records: [{ id: 1 }] }),
      428,
      clientError('records.0: Precondition Required'),
    );
    expectAnswer(
      await request()
        .delete('/places')
        .send({ ids: [1], changes: {} }),
      400,
      clientError('The body must have one of: records, ids, where'),
    );
    expectAnswer(await request().delete('/places'), 400, clientError('A JSON body is required'));
    expect(await count(Place)).toBe(5);
  },
);

contract('The number of statements of DeleteMany is that of batches', async (subject) => {
  const statements = await Statements.of(subject);
  await places(subject.save, 102);
  const sent = (from: number, size: number): Promise<readonly string[]> =>
    statements.during(async () => {
      const ids = many(size, (index) => from + index);
      expect((await subject.request().delete('/places').send({ ids })).status).toBe(200);
    });
  const few = await sent(1, 2);
  const lots = await sent(3, 100);
  expect(lots.length).toBe(few.length);
  // Past MikroORM it is one statement, else begin, find, delete and commit. MariaDB is told of the isolation first.
  expect(isMariaDb ? [5] : [1, 4]).toContain(few.length);
});
