import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Create,
  DatetimeColumn,
  Delete,
  Get,
  SimpleSearch,
  TimestampColumn,
  Update,
  defineColumns,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';

/** A measurement, found by each of its instants. */
const Reading = defineEntity({
  name: 'Reading',
  properties: {
    id: p.integer().primary().autoincrement(),
    takenAt: p.datetime().unique().nullable(),
    storedAt: p.datetime().unique().nullable(),
    seenAt: p.datetime(6).unique().nullable(),
  },
});

defineColumns(Reading, {
  storedAt: { type: new TimestampColumn() },
  seenAt: { type: new DatetimeColumn({ precision: 'milliseconds' }) },
});

const reading = {
  modelClass: Reading,
  readableColumnNames: ['id'],
  writeableColumnNames: ['takenAt', 'storedAt'],
} as const;
const taken = { ...reading, url: 'taken/:takenAt', recordLookupColumnName: 'takenAt' } as const;
const stored = { ...reading, url: 'stored/:storedAt', recordLookupColumnName: 'storedAt' } as const;

const seen = { ...reading, url: 'seen/:seenAt', recordLookupColumnName: 'seenAt' } as const;

const { contract } = service({
  entities: [Reading],
  endpoints: [
    new Create({ ...reading, url: 'readings' }),
    new SimpleSearch({
      ...reading,
      url: 'readings',
      searchableColumnNames: ['takenAt', 'storedAt'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    }),
    new Get(taken),
    new Update(taken),
    new Delete(taken),
    new Get(stored),
    new Update(stored),
    new Delete(stored),
    new Get(seen),
    new Update(seen),
    new Delete(seen),
  ],
});

const found = success({ id: 1 });

contract(
  'A Timestamp that is stored in a date-time column is searched and looked up like any other',
  async ({ request, save }) => {
    await save(Reading, { storedAt: new Date('2026-11-21T09:00:00Z') });
    const seconds = Date.parse('2026-11-21T09:00:00Z') / 1000;
    expect((await request().get(`/readings?stored_at=${seconds}`)).body.data).toEqual([{ id: 1 }]);
    expectAnswer(await request().get(`/stored/${seconds}`), 200, found);
    expectAnswer(await request().patch(`/stored/${seconds}`).send({}), 200, found);
    expectAnswer(await request().delete(`/stored/${seconds}`), 200, success({}));
  },
);

contract('A Timestamp that is stored in a date-time column may be Unique', async ({ request }) => {
  expectAnswer(await request().post('/readings').send({ stored_at: 5 }), 201, found);
  const message = "Invalid value for 'stored_at': the given value already exists, and must be unique.";
  const answer = await request().post('/readings').send({ stored_at: 5 });
  expectAnswer(answer, 400, inputErrors({ stored_at: message }));
});

contract(
  'A Datetime in a path is compared at the precision it is written with, by Get, Update and Delete alike',
  async ({ request, save }) => {
    await save(Reading, { takenAt: new Date('2026-11-21T09:00:00.600Z') });
    const path = '/taken/2026-11-21T09:00:00+00:00';
    expectAnswer(await request().get(path), 200, found);
    expectAnswer(await request().patch(path).send({}), 200, found);
    expectAnswer(await request().delete(path), 200, success({}));
  },
);

contract(
  'The first and the last second are searched and looked up like any other',
  async ({ request, save }) => {
    const instants = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
    for (const [index, instant] of instants.entries()) {
      const id = index + 1;
      await save(Reading, { takenAt: new Date(instant) });
      expect((await request().get(`/readings?taken_at=${instant}`)).body.data).toEqual([{ id }]);
      expectAnswer(await request().get(`/taken/${instant}`), 200, success({ id }));
      expectAnswer(await request().patch(`/taken/${instant}`).send({}), 200, success({ id }));
    }
  },
);

contract(
  'An instant that is written with milliseconds is looked up by them, whatever finer digits are stored',
  async ({ database, request, save, em }) => {
    await save(Reading, { seenAt: new Date('2026-11-21T09:00:00.678Z') });
    const later = database === 'mariadb' ? '901 microsecond' : "'901 microseconds'";
    const finer = `update reading set seen_at = seen_at + interval ${later}`;
    if (database !== 'sqlite') await em().getConnection().execute(finer);
    const path = '/seen/2026-11-21T09:00:00.678Z';
    expectAnswer(await request().get(path), 200, found);
    expectAnswer(await request().patch(path).send({}), 200, found);
    expectAnswer(await request().delete(path), 200, success({}));
  },
);
