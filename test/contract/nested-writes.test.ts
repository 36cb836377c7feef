import { beforeEach, expect } from '@jest/globals';
import { ChangeRecord } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { by, called, Guide, nested, Photo, Stop, stored, Trip, tripOf } from './nested-writes.trips.js';

const { contract } = service(nested);

const missing = 'the given record does not exist';

beforeEach(() => {
  called.length = 0;
});

contract(
  'A record is created with those that belong to it, and with one that it refers to',
  async (subject) => {
    const { em, count } = subject;
    const body = {
      title: 'Coast',
      guide: { create: { name: 'Ann' } },
      stops: [
        { title: 'Nice', position: 1, photos: [{ name: 'sea' }, { name: 'sun' }] },
        { title: 'Menton' },
      ],
    };
    expectAnswer(
      await by(subject).post('/trips', body),
      201,
      success({ id: 1, title: 'Coast', version: 1, guide: { name: 'Ann' } }),
    );
    expect(await stored(subject)).toEqual([
      ['Nice', 1, 1],
      ['Menton', 0, 1],
    ]);
    expect(await count(Photo)).toBe(2);
    expect(await em().count(Stop, { tenant: 'a' })).toBe(2);
    expect(called).toEqual(['create 0', 'create 1', 'committed create Nice', 'committed create Menton']);
  },
);

contract(
  'What is wrong with related records is told by their places, and nothing is stored',
  async (subject) => {
    const { save, count } = subject;
    await save(Stop, { title: 'old', code: 'taken' });
    const bad = {
      guide: { create: { name: 1 } },
      stops: [
        { position: 'x' },
        7,
        { title: 'B', photos: [{ name: 'sea', size: 1, deep: {} }] },
        { title: 'C', trip_id: 1 },
      ],
    };
    expectAnswer(
      await by(subject).post('/trips', bad),
      400,
      inputErrors({
        title: "'title' is required.",
        'guide.create.name': 'value should be a string',
        'stops.0.title': "'title' is required.",
        'stops.0.position': 'value should be an integer',
        'stops.1': 'value should be an object',
        'stops.2.photos.0.size': 'Input column size is not an allowed input column.',
        'stops.2.photos.0.deep': 'Input column deep is not an allowed input column.',
        'stops.3.trip_id': 'Input column trip_id is not an allowed input column.',
      }),
    );
    const late = {
      title: 'Coast',
      stops: [
        { title: 'A', code: 'taken' },
        { title: 'nowhere' },
        { title: 'C', code: 'c' },
        { title: 'D', code: 'c' },
      ],
    };
    expectAnswer(
      await by(subject).post('/trips', late),
      400,
      inputErrors({
        'stops.0.code': "Invalid value for 'code': the given value already exists, and must be unique.",
        'stops.1.title': 'not there',
        'stops.3.code': "Invalid value for 'code': the given value already exists, and must be unique.",
      }),
    );
    const lists: readonly (readonly [unknown, string])[] = [
      [{ create: [] }, 'value should be a list'],
      [null, 'value should be a list'],
      [Array.from({ length: 101 }, () => ({ title: 'A' })), 'value must not have more than 100 records'],
    ];
    for (const [stops, message] of lists)
      expectAnswer(
        await by(subject).post('/trips', { title: 'A', stops }),
        400,
        inputErrors({ stops: message }),
      );
    const both = { title: 'A', guide_id: 1, guide: { create: { name: 'B' } } };
    expectAnswer(
      await by(subject).post('/trips', both),
      400,
      inputErrors({ guide: "'guide_id' is given as well", guide_id: missing }),
    );
    expect(await count(Trip)).toBe(0);
    expect(called).toEqual([]);
  },
);

contract(
  'Related records are created, changed and deleted, and the record has a new version then',
  async (subject) => {
    const trip = await tripOf(subject, 'Nice', 'Menton', 'Monaco');
    const [nice, menton, monaco] = await subject.em().find(Stop, {}, { orderBy: { id: 'asc' } });
    const answer = await by(subject).patch(`/trips/${trip.id}`, {
      stops: {
        create: [{ title: 'Cannes', code: 'x', photos: [{ name: 'film' }] }],
        update: [{ id: nice?.id, title: 'Nizza', photos: { create: [{ name: 'sea' }] } }],
        delete: [monaco?.id],
      },
    });
    expectAnswer(answer, 200, success({ id: trip.id, title: 'Coast', version: 2, guide: null }));
    expect(await stored(subject)).toEqual([
      ['Nizza', 1, trip.id],
      ['Menton', 2, trip.id],
      ['Cannes', 0, trip.id],
    ]);
    expect(await subject.count(Photo)).toBe(2);
    // They stay where records are deleted by a mark.
    expect(await subject.em().count(Stop, { deletedAt: { $ne: null } })).toBe(1);
    expect(called).toEqual([
      'delete 0',
      'update 0',
      'create 0',
      'committed delete Monaco',
      'committed update Nizza',
      'committed create Cannes',
    ]);
    const same = { stops: { update: [{ id: menton?.id, title: 'Menton' }] } };
    expect((await by(subject).patch(`/trips/${trip.id}`, same)).body).toMatchObject({ data: { version: 2 } });
    const below = { stops: { update: [{ id: menton?.id, photos: { create: [{ name: 'lemon' }] } }] } };
    expect((await by(subject).patch(`/trips/${trip.id}`, below)).body).toMatchObject({
      data: { version: 3 },
    });
    expect(await subject.em().findOneOrFail(Stop, { id: menton?.id ?? 0 })).toMatchObject({ version: 2 });
  },
);

contract('A stale version of the record lets none of its related records be written', async (subject) => {
  const trip = await tripOf(subject, 'Nice');
  const body = { stops: { create: [{ title: 'A' }], delete: [1] } };
  expect((await by(subject).patch(`/trips/${trip.id}`, body, '"7"')).status).toBe(412);
  expect(called).toEqual([]);
  expect(await stored(subject)).toEqual([['Nice', 1, trip.id]]);
  const stop = await subject.em().findOneOrFail(Stop, { title: 'Nice' });
  const stale = { stops: { update: [{ id: stop.id, if_match: '7', title: 'B' }] } };
  const refused = await by(subject).patch(`/trips/${trip.id}`, stale);
  expect([refused.status, refused.body.error]).toEqual([412, 'stops.update.0: Precondition Failed']);
});

contract(
  'A related record must belong to the record; another one is told as a missing one',
  async (subject) => {
    const trip = await tripOf(subject, 'Nice');
    const other = await tripOf(subject, 'Rome');
    const [nice, rome] = await subject.em().find(Stop, {}, { orderBy: { id: 'asc' } });
    const [a, b] = [nice?.id, rome?.id];
    expectAnswer(
      await by(subject).patch(`/trips/${trip.id}`, {
        stops: { update: [{ id: b, title: 'X' }, { id: a }, { id: 999 }] },
      }),
      400,
      inputErrors({ 'stops.update.0.id': missing, 'stops.update.2.id': missing }),
    );
    for (const word of ['delete', 'unlink'])
      expectAnswer(
        await by(subject).patch(`/trips/${trip.id}`, { stops: { [word]: [b, a] } }),
        400,
        inputErrors({ [`stops.${word}.0`]: missing }),
      );
    const twice = { update: [{ id: a, title: 'X' }], delete: [a], link: [a, 'x'], unlink: [a], move: [] };
    const { move, ...known } = twice;
    expectAnswer(
      await by(subject).patch(`/trips/${trip.id}`, { stops: known }),
      400,
      inputErrors({
        'stops.delete.0': 'the same record is named in stops.update.0',
        'stops.link.0': 'the same record is named in stops.update.0',
        'stops.link.1': 'value should be an integer',
        'stops.unlink.0': 'the same record is named in stops.update.0',
      }),
    );
    expectAnswer(
      await by(subject).patch(`/trips/${trip.id}`, { stops: { move } }),
      400,
      inputErrors({ stops: 'value should be an object with some of: create, update, delete, link, unlink' }),
    );
    expectAnswer(
      await by(subject).patch(`/trips/${trip.id}`, { stops: [{ title: 'A' }] }),
      400,
      inputErrors({ stops: 'value should be an object with some of: create, update, delete, link, unlink' }),
    );
    expect(await stored(subject)).toEqual([
      ['Nice', 1, trip.id],
      ['Rome', 1, other.id],
    ]);
  },
);

contract('Records are linked and unlinked, and what they leave has a new version, too', async (subject) => {
  const trip = await tripOf(subject, 'Nice');
  const other = await tripOf(subject, 'Rome');
  const [nice, rome] = await subject.em().find(Stop, {}, { orderBy: { id: 'asc' } });
  const free = await subject.save(Stop, { title: 'Free' });
  const answer = await by(subject).patch(`/trips/${trip.id}`, {
    stops: { link: [rome?.id, free.id], unlink: [nice?.id] },
  });
  expect([answer.status, answer.body.data]).toEqual([
    200,
    { id: trip.id, title: 'Coast', version: 2, guide: null },
  ]);
  expect(await stored(subject)).toEqual([
    ['Nice', 1, null],
    ['Rome', 1, trip.id],
    ['Free', 0, trip.id],
  ]);
  expect(await subject.em().findOneOrFail(Trip, { id: other.id })).toMatchObject({ version: 2 });
});

contract('A bare list is all that there is to be, where the option says so', async (subject) => {
  const trip = await tripOf(subject, 'Nice', 'Menton');
  const [nice] = await subject.em().find(Stop, {}, { orderBy: { id: 'asc' } });
  const stops = [{ title: 'Cannes' }, { id: nice?.id, title: 'Nizza' }];
  const answer = await by(subject).patch(`/lists/${trip.id}`, { stops });
  expect([answer.status, answer.body.input_errors]).toEqual([200, {}]);
  expect(await stored(subject)).toEqual([
    ['Nizza', 1, trip.id],
    ['Cannes', 0, trip.id],
  ]);
  await by(subject).patch(`/lists/${trip.id}`, { stops: [] });
  expect(await stored(subject)).toEqual([]);
});

contract('What a record refers to is changed by the rules of its own endpoint', async (subject) => {
  const { em, save } = subject;
  const guide = await save(Guide, { name: 'Ann' });
  const trip = await save(Trip, { title: 'Coast', guide });
  const changed = await by(subject).patch(`/trips/${trip.id}`, { guide: { update: { name: 'Anna' } } });
  expect(changed.body.data).toMatchObject({ version: 1, guide: { name: 'Anna' } });
  const made = await by(subject).patch(`/trips/${trip.id}`, {
    title: 'Sea',
    guide: { create: { name: 'Ben' } },
  });
  expect(made.body.data).toMatchObject({ title: 'Sea', version: 2, guide: { name: 'Ben' } });
  expect(await em().count(Guide, {})).toBe(2);
  const alone = await save(Trip, { title: 'Alone' });
  expectAnswer(
    await by(subject).patch(`/trips/${alone.id}`, { guide: { update: { name: 'X' } } }),
    400,
    inputErrors({ 'guide.update': missing }),
  );
});

contract('An Upsert writes related records of a new record and of one that is there', async (subject) => {
  const put = (stops: object) => by(subject).put('/puts/sea', { title: 'Sea', stops });
  expect((await put({ create: [{ title: 'Nice' }] })).status).toBe(201);
  const { id } = await subject.em().findOneOrFail(Stop, { title: 'Nice' });
  const answer = await put({ create: [{ title: 'Menton' }], update: [{ id, title: 'Nizza' }] });
  expect([answer.status, answer.body.data]).toMatchObject([200, { version: 2 }]);
  expect((await stored(subject)).map(([title]) => title)).toEqual(['Nizza', 'Menton']);
  // One change of the record, however much of it there is.
  const both = { title: 'Sea 2', stops: { create: [{ title: 'Antibes' }] } };
  expect((await by(subject).put('/puts/sea', both)).body.data).toMatchObject({ title: 'Sea 2', version: 3 });
  const trip = await subject.em().findOneOrFail(Trip, { code: 'sea' });
  const changes = await subject.em().find(ChangeRecord, { model: 'Trip', recordId: String(trip.id) });
  expect(changes.map(({ operation }) => operation)).toEqual(['created', 'updated', 'updated']);
});
