import { expect } from '@jest/globals';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { expectAccepted } from './judged.js';
import { Parcel, parcels } from './parcel.js';
import type { Subject } from '../support/contract.js';

const { contract } = service({
  ...libraryWith([books(), parcels()]),
  entities: [...library, Parcel],
});

const book = ({ request }: Subject) => ({ send: () => request().post('/books'), beside: { title: 'Emma' } });
const parcel = ({ request }: Subject) => ({ send: () => request().post('/parcels') });

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

/** What a later look at the record shows. */
const shown = async ({ request }: Subject, id: string) => (await request().get(`/books/${id}`)).body.data;

contract('A Timestamp column is an integer in and out', async (subject) => {
  const values = { 1234567890: 1234567890, 0: 0, '-1': -1, 2147483647: 2147483647 };
  await expectAccepted(book(subject), 'remind_at', values);
  await expectAccepted(parcel(subject), 'collected_at', { ...values, 253402300799: 253402300799 });
  await expectAccepted(parcel(subject), 'collected_at', { '-62135596800': -62135596800 });
});

contract('A Date column is written as YYYY-MM-DD', async (subject) => {
  const days = ['2026-11-21', '0001-01-01', '0099-12-31', '9999-12-31', '1582-10-10', '1969-12-31'];
  await expectAccepted(
    book(subject),
    'published_on',
    Object.fromEntries(days.map((day) => [`"${day}"`, day])),
  );
});

contract('A Datetime column is written as ISO 8601 in UTC with seconds and +00:00', async (subject) => {
  await expectAccepted(book(subject), 'launch_at', {
    '"2026-11-21T09:00:00+02:00"': '2026-11-21T07:00:00+00:00',
    '"2026-03-29T01:30:00Z"': '2026-03-29T01:30:00+00:00',
    '"1937-01-01T12:00:27Z"': '1937-01-01T12:00:27+00:00',
    '"0099-06-15T12:00:00Z"': '0099-06-15T12:00:00+00:00',
    '"1969-12-31T23:59:59Z"': '1969-12-31T23:59:59+00:00',
  });
});

contract('A Datetime may have a space where ISO 8601 has a T', async (subject) => {
  await expectAccepted(book(subject), 'launch_at', {
    '"2026-11-21 09:00:00+02:00"': '2026-11-21T07:00:00+00:00',
    '"2026-11-21 09:00Z"': '2026-11-21T09:00:00+00:00',
    '"2026-11-21 09:00:00.25-01"': '2026-11-21T10:00:00+00:00',
    '"2026-11-21t09:00:00z"': '2026-11-21T09:00:00+00:00',
  });
  const { request } = subject;
  for (const launch_at of ['2026-11-21  09:00:00Z', '2026-11-21_09:00:00Z', '2026-11-21\t09:00:00Z']) {
    const { body } = await request().post('/books').send({ title: 'x', launch_at });
    expect([launch_at, body.input_errors.launch_at]).toEqual([
      launch_at,
      'given value did not appear to be a valid date',
    ]);
  }
  const { body } = await request().post('/books').send({ title: 'x', launch_at: '2026-11-21 09:00:00' });
  expect(body.input_errors.launch_at).toBe('date is missing timezone information');
  await request().post('/books').send({ title: 'Emma', launch_at: '2031-01-01 10:00:00Z' });
  // In a query string a plus is a space.
  for (const term of [
    '2031-01-01 12:00:00+02:00',
    '2031-01-01+10:00:00Z',
    '2031-01-01T10:00Z',
    '2031-01-01%2010:00Z',
  ]) {
    const found = await request().get(`/books?launch_at=${term}`);
    expect([term, found.body.data?.length]).toEqual([term, 1]);
  }
  const refused = await request().get('/books?launch_at=2031-01-01 10:00');
  expect(refused.body.input_errors).toEqual({ launch_at: 'date is missing timezone information' });
});

contract('A Datetime column is written in the second it was sent with', async (subject) => {
  await expectAccepted(book(subject), 'launch_at', {
    '"2026-11-21T09:00:00.400Z"': '2026-11-21T09:00:00+00:00',
    '"2026-11-21T09:00:00.600Z"': '2026-11-21T09:00:00+00:00',
    '"2026-12-31T23:59:59.999Z"': '2026-12-31T23:59:59+00:00',
    '"1969-12-31T23:59:59.500Z"': '1969-12-31T23:59:59+00:00',
  });
});

contract('A Datetime is found by the value that was sent', async ({ request }) => {
  const instant = '2026-11-21T09:00:00.600Z';
  await request().post('/books').send({ title: 'Emma', launch_at: instant });
  const { body } = await request().get(`/books?launch_at=${instant}`);
  expect(body.data).toMatchObject([{ title: 'Emma' }]);
});

contract('A Datetime column with precision milliseconds is written with milliseconds', async (subject) => {
  await expectAccepted(parcel(subject), 'scanned_at', {
    '"2026-11-21T09:00:00.123Z"': '2026-11-21T09:00:00.123+00:00',
    '"2026-11-21T09:00:00Z"': '2026-11-21T09:00:00.000+00:00',
    '"2026-11-21T09:00:00.1+01:00"': '2026-11-21T08:00:00.100+00:00',
    '"1969-12-31T23:59:59.999Z"': '1969-12-31T23:59:59.999+00:00',
    '"0001-01-01T00:00:00.001Z"': '0001-01-01T00:00:00.001+00:00',
  });
});

contract('A Created column is set automatically at creation', async ({ request }) => {
  const before = Date.now();
  const { body } = await request().post('/books').send({ title: 'Emma' });
  const created = Date.parse(body.data.created);
  expect([created > before - 1000, created < Date.now() + 1000]).toEqual([true, true]);
});

contract('A Created column is left alone by an Update', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma', created: new Date('2020-01-01T00:00:00Z') });
  const { body } = await request().patch(`/books/${id}`).send({ title: 'Persuasion' });
  expect(body.data).toMatchObject({ title: 'Persuasion', created: '2020-01-01T00:00:00+00:00' });
});

contract('An Updated column is set automatically at an Update', async ({ request, save }) => {
  const before = Date.now();
  const { id } = await save(Book, { title: 'Emma', updated: new Date('2020-01-01T00:00:00Z') });
  const { body } = await request().patch(`/books/${id}`).send({ title: 'Persuasion' });
  expect(Date.parse(body.data.updated)).toBeGreaterThan(before - 1000);
});

contract('An Updated column is set at creation too', async ({ request }) => {
  const { body } = await request().post('/books').send({ title: 'Emma' });
  expect(body.data.updated).toBe(body.data.created);
});

contract('Created and Updated are written as ISO 8601 with seconds and +00:00', async (subject) => {
  const { body } = await subject.request().post('/books').send({ title: 'Emma' });
  const form = { created: expect.stringMatching(iso), updated: expect.stringMatching(iso) };
  expect(body.data).toMatchObject(form);
  expect(await shown(subject, body.data.id)).toMatchObject(form);
});
