import { beforeEach, expect } from '@jest/globals';
import { ChangeRecord } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { by, called, nested, Photo, Stop, stored, Trip, tripOf } from './nested-writes.trips.js';

const { contract } = service(nested);

beforeEach(() => {
  called.length = 0;
});

contract('The number of statements does not depend on the number of related records', async (subject) => {
  const statements = await Statements.of(subject);
  const sent = async (number: number) => {
    const stops = Array.from({ length: number }, (_, index) => ({
      title: `S${index}`,
      code: `c${number}-${index}`,
      photos: [{ name: 'a' }, { name: 'b' }],
    }));
    const all = await statements.during(() => by(subject).post('/trips', { title: 'T', stops }));
    // The log of SQLite has a statement for each of its rows.
    return all.filter((text) => !text.includes('change_record')).length;
  };
  const few = await sent(2);
  expect(await sent(100)).toBe(few);
});

contract('A bare list that replaces more than 1,000 records is an input error', async (subject) => {
  const { em, count } = subject;
  const trip = await tripOf(subject);
  const all = Array.from({ length: 1001 }, (_, index) => ({ title: `S${index}`, trip: trip.id }));
  await em().insertMany(Stop, all);
  for (const path of ['lists', 'kept'])
    expectAnswer(
      await by(subject).patch(`/${path}/${trip.id}`, { stops: [] }),
      400,
      inputErrors({ stops: 'a request must not have more than 1000 related records' }),
    );
  expect(await count(Stop)).toBe(1001);
});

contract('One unique value may be deleted and created in one request', async (subject) => {
  const { save, em } = subject;
  const trip = await tripOf(subject);
  const stop = await save(Stop, { title: 'Nice', trip });
  const old = await save(Photo, { name: 'old', slug: 'sea', stop });
  const photos = { create: [{ name: 'new', slug: 'sea' }], delete: [old.id] };
  const body = { stops: { update: [{ id: stop.id, photos }] } };
  const answer = await by(subject).patch(`/trips/${trip.id}`, body);
  expect([answer.status, answer.body.input_errors]).toEqual([200, {}]);
  expect(await em().find(Photo, {})).toMatchObject([{ name: 'new', slug: 'sea' }]);
});

contract('What only the database refuses is told of the place, and nothing is stored', async (subject) => {
  const { count } = subject;
  const post = (...stops: readonly object[]) => by(subject).post('/trips', { title: 'Coast', stops });
  const refusedByRule = 'value is refused by a rule of the database';
  const taken = "Invalid value for 'place': the given value already exists, and must be unique.";
  expectAnswer(
    await post({ title: 'A', place: 'x' }, { title: 'B', place: 'y' }, { title: 'C', place: 'x' }),
    400,
    inputErrors({ 'stops.2.place': taken }),
  );
  const alone = await post({ title: 'A', position: 1000 });
  const second = await post({ title: 'A' }, { title: 'B', position: 1000 });
  for (const [answer, place] of [
    [alone, 'stops.0'],
    [second, 'stops.1'],
  ] as const)
    if (subject.database === 'sqlite')
      expectAnswer(answer, 409, clientError(`${place}: The database refuses these values`));
    else expectAnswer(answer, 400, inputErrors({ [`${place}.position`]: refusedByRule }));
  const thrown = await post({ title: 'A' }, { title: 'thrown' });
  expect(thrown.status).toBe(500);
  expect([await count(Trip), await count(Stop)]).toEqual([0, 0]);
  expect(called.filter((one_) => one_.startsWith('committed'))).toEqual([]);
});

contract('The log of changes has one row for each record that is written', async (subject) => {
  const { em } = subject;
  await by(subject).post('/trips', { title: 'Coast', stops: [{ title: 'A' }, { title: 'B' }] });
  const [a, b] = await em().find(Stop, {}, { orderBy: { id: 'asc' } });
  const id = a?.trip?.id ?? 0;
  const stops = { update: [{ id: a?.id, title: 'A2', position: 5 }], delete: [b?.id] };
  await by(subject).patch(`/trips/${id}`, { title: 'Sea', stops });
  const rows = await em().find(ChangeRecord, {}, { orderBy: { id: 'asc' } });
  expect(rows.map(({ operation, model, recordId }) => [operation, model, Number(recordId)])).toEqual([
    ['created', 'Trip', id],
    ['created', 'Stop', a?.id],
    ['created', 'Stop', b?.id],
    ['updated', 'Trip', id],
    ['deleted', 'Stop', b?.id],
    ['updated', 'Stop', a?.id],
  ]);
});

contract(
  'A bare list only keeps the records that it names, where bodies may not change them',
  async (subject) => {
    const trip = await tripOf(subject, 'Nice', 'Menton');
    const [nice, menton] = await subject.em().find(Stop, {}, { orderBy: { id: 'asc' } });
    const send = (...stops: readonly object[]) => by(subject).patch(`/kept/${trip.id}`, { stops });
    expectAnswer(
      await send({ id: nice?.id, title: 'Nizza' }),
      400,
      inputErrors({ 'stops.0.title': 'Input column title is not an allowed input column.' }),
    );
    const stale = await send({ id: nice?.id, if_match: '7' });
    expect([stale.status, stale.body.error]).toEqual([412, 'stops.0: Precondition Failed']);
    expect((await send({ id: menton?.id }, { title: 'new' })).status).toBe(200);
    expect(await stored(subject)).toEqual([
      ['Nice', 1, null],
      ['Menton', 2, trip.id],
      ['new', 0, trip.id],
    ]);
  },
);

contract('The log tells of a version that counted related records alone', async (subject) => {
  const { em } = subject;
  const trip = await tripOf(subject, 'Nice');
  const other = await tripOf(subject);
  const [nice] = await em().find(Stop, {});
  await em().nativeDelete(ChangeRecord, {});
  await by(subject).patch(`/trips/${other.id}`, { stops: { link: [nice?.id] } });
  const rows = await em().find(ChangeRecord, { model: 'Trip' }, { orderBy: { recordId: 'asc' } });
  expect(
    rows.map(({ operation, recordId, before, after }) => [operation, Number(recordId), before, after]),
  ).toEqual([trip.id, other.id].map((id) => ['updated', id, { version: 1 }, { version: 2 }]));
});
