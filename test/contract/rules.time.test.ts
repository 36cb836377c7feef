import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, InTheFuture, InThePast, TimestampColumn, defineColumns } from '@nest-endpoints/core';
import { everyDatabase, service } from '../support/contract.js';
import { expectAccepted, expectRefused } from './judged.js';
import type { Subject } from '../support/contract.js';

const now = Date.parse('2026-11-21T09:00:00.500Z');
const clock = () => now;

const Event = defineEntity({
  name: 'Event',
  properties: {
    id: p.integer().primary().autoincrement(),
    pastDay: p.date().nullable(),
    pastTime: p.datetime(3).nullable(),
    pastSecond: p.integer().nullable(),
    futureDay: p.date().nullable(),
    futureTime: p.datetime(3).nullable(),
    futureSecond: p.integer().nullable(),
    born: p.date().nullable(),
    due: p.datetime().nullable(),
  },
});

defineColumns(Event, {
  pastDay: { validators: [new InThePast(clock)] },
  pastTime: { validators: [new InThePast(clock)] },
  pastSecond: { type: new TimestampColumn(), validators: [new InThePast(clock)] },
  futureDay: { validators: [new InTheFuture(clock)] },
  futureTime: { validators: [new InTheFuture(clock)] },
  futureSecond: { type: new TimestampColumn(), validators: [new InTheFuture(clock)] },
  born: { validators: [new InThePast()] },
  due: { validators: [new InTheFuture()] },
});

const columns = [
  'pastDay',
  'pastTime',
  'pastSecond',
  'futureDay',
  'futureTime',
  'futureSecond',
  'born',
  'due',
] as const;

const { contract } = service(
  {
    entities: [Event],
    endpoints: [
      new Create({
        url: 'events',
        modelClass: Event,
        readableColumnNames: columns,
        writeableColumnNames: columns,
      }),
    ],
  },
  everyDatabase,
);

const event = ({ request }: Subject) => ({ send: () => request().post('/events') });
const asSent = (values: readonly unknown[]) =>
  Object.fromEntries(values.map((value) => [JSON.stringify(value), value]));
const second = Math.floor(now / 1000);

contract('A date in the past is before today in UTC: value should be in the past', async (subject) => {
  await expectAccepted(event(subject), 'past_day', asSent(['2026-11-20', '0001-01-01', null]));
  await expectRefused(
    event(subject),
    'past_day',
    ['"2026-11-21"', '"2026-11-22"'],
    'value should be in the past',
  );
});

contract('A date in the future is after today in UTC: value should be in the future', async (subject) => {
  await expectAccepted(event(subject), 'future_day', asSent(['2026-11-22', '9999-12-31', null]));
  const refused = ['"2026-11-21"', '"2026-11-20"'];
  await expectRefused(event(subject), 'future_day', refused, 'value should be in the future');
});

contract('A time in the past is before now: value should be in the past', async (subject) => {
  await expectAccepted(event(subject), 'past_time', {
    '"2026-11-21T09:00:00.499Z"': '2026-11-21T09:00:00+00:00',
    '"2026-11-21T11:00:00+02:00"': '2026-11-21T09:00:00+00:00',
  });
  const refused = ['"2026-11-21T09:00:00.500Z"', '"2026-11-21T09:00:00-01:00"'];
  await expectRefused(event(subject), 'past_time', refused, 'value should be in the past');
  await expectAccepted(event(subject), 'past_second', asSent([second, -1]));
  await expectRefused(event(subject), 'past_second', [`${second + 1}`], 'value should be in the past');
});

contract('A time in the future is after now: value should be in the future', async (subject) => {
  await expectAccepted(event(subject), 'future_time', {
    '"2026-11-21T09:00:00.501Z"': '2026-11-21T09:00:00+00:00',
    '"2026-11-21T09:00:00-01:00"': '2026-11-21T10:00:00+00:00',
  });
  const refused = ['"2026-11-21T09:00:00.500Z"', '"2026-11-21T10:00:00+01:00"'];
  await expectRefused(event(subject), 'future_time', refused, 'value should be in the future');
  await expectAccepted(event(subject), 'future_second', asSent([second + 1]));
  await expectRefused(event(subject), 'future_second', [`${second}`], 'value should be in the future');
});

contract("Past and future are told by the system's clock", async (subject) => {
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const yesterday = dayIn(-2).slice(0, 10);
  await expectAccepted(event(subject), 'born', asSent([yesterday]));
  await expectRefused(event(subject), 'born', [`"${dayIn(2).slice(0, 10)}"`], 'value should be in the past');
  await expectRefused(event(subject), 'due', [`"${dayIn(-1)}"`], 'value should be in the future');
  const { status } = await event(subject)
    .send()
    .send({ due: dayIn(1) });
  expect(status).toBe(201);
});

contract('A value of the wrong type is neither in the past nor in the future', async (subject) => {
  const message = 'given value did not appear to be a valid date';
  for (const column of ['past_day', 'future_day', 'past_time', 'future_time'])
    await expectRefused(event(subject), column, ['"soon"', '0'], message);
});
