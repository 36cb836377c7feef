import { expect } from '@jest/globals';
import { Unique, UpdateMany } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { columns, land, Land, many, Place, placesOf as places } from './bulk.places.js';

const { contract } = service({
  entities: land,
  endpoints: [
    new UpdateMany({ ...columns, url: 'places', readableColumnNames: ['id'] }),
    new UpdateMany({ ...columns, url: 'worded', columnOverrides: { word: { validators: [new Unique()] } } }),
    new UpdateMany({ ...columns, url: 'versions', preconditionRequired: true }),
  ],
});

contract('A record has its own unique value, and nobody else the same', async ({ request, save, em }) => {
  await places(save, 3);
  const taken = "Invalid value for 'code': the given value already exists, and must be unique.";
  const swap = [
    { id: 1, code: 'c2' },
    { id: 2, code: 'c1' },
  ];
  expectAnswer(
    await request().patch('/places').send({ records: swap }),
    400,
    inputErrors({ 'records.0.code': taken, 'records.1.code': taken }),
  );
  expectAnswer(
    await request()
      .patch('/places')
      .send({ ids: [1, 2], changes: { code: 'new' } }),
    400,
    inputErrors({ 'changes.code': taken }),
  );
  const own = [
    { id: 1, code: 'c1', word: 'w' },
    { id: 2, code: 'c2' },
  ];
  expect((await request().patch('/places').send({ records: own })).status).toBe(200);
  expect(
    (
      await request()
        .patch('/places')
        .send({ records: [{ id: 1, word: 'w' }] })
    ).status,
  ).toBe(200);
  expect(await em().count(Place, { code: 'new' })).toBe(0);
});

contract('A value that a record shares with another one is taken', async ({ request, save, em }) => {
  await places(save, 3);
  await em().nativeUpdate(Place, { id: { $in: [1, 3] } }, { word: 'same' });
  const taken = "Invalid value for 'word': the given value already exists, and must be unique.";
  for (const id of [1, 3])
    expectAnswer(
      await request()
        .patch('/worded')
        .send({ records: [{ id, word: 'same' }] }),
      400,
      inputErrors({ 'records.0.word': taken }),
    );
});

contract('UpdateMany tells the place of what only the database refuses', async (subject) => {
  await places(subject.save, 20);
  const records = many(20, (index) => ({ id: 20 - index, size: index === 13 ? 1000 : 7 }));
  const answer = await subject.request().patch('/places').send({ records });
  if (subject.database === 'sqlite')
    expectAnswer(answer, 409, clientError('records.13: The database refuses these values'));
  else
    expectAnswer(
      answer,
      400,
      inputErrors({ 'records.13.size': 'value is refused by a rule of the database' }),
    );
  expect(await subject.em().count(Place, { size: 7, id: { $ne: 7 } })).toBe(0);
});

contract('The number of statements of UpdateMany is that of batches', async (subject) => {
  const statements = await Statements.of(subject);
  await subject.save(Land, { code: 'FR', name: 'France' });
  await places(subject.save, 100);
  const sent = (size: number): Promise<readonly string[]> => {
    const records = many(size, (index) => ({
      id: 100 - index,
      name: `x${size}`,
      code: `d${size} ${index}`,
      land_code: 'FR',
      if_match: '*',
    }));
    return statements.during(async () => {
      expect((await subject.request().patch('/places').send({ records })).status).toBe(200);
    });
  };
  const few = await sent(2);
  const lots = await sent(100);
  expect(lots.length).toBe(few.length);
});

contract('Where versions are demanded every entry has one', async ({ request, save }) => {
  await places(save, 1);
  expectAnswer(
    await request()
      .patch('/versions')
      .send({ records: [{ id: 1, size: 'x' }] }),
    428,
    clientError('records.0: Precondition Required'),
  );
  expectAnswer(
    await request()
      .patch('/versions')
      .send({ ids: [1], changes: {} }),
    428,
    clientError('Precondition Required'),
  );
  expect(
    (
      await request()
        .patch('/versions')
        .send({ records: [{ id: 1, size: 2, if_match: '1' }] })
    ).status,
  ).toBe(200);
});
