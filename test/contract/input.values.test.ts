import { expect } from '@jest/globals';
import { Create, MaximumValue, MinimumValue } from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { expectAccepted, expectRefused } from './judged.js';
import { Parcel, parcels } from './parcel.js';
import type { Subject } from '../support/contract.js';

const tooMany = new MaximumValue(10);
const tooFew = new MinimumValue(100);
const pages = {
  modelClass: Book,
  readableColumnNames: ['title'],
  writeableColumnNames: ['title', 'pages'],
} as const;

const { contract } = service({
  ...libraryWith([
    books(),
    parcels(),
    new Create({ ...pages, url: 'first', columnOverrides: { pages: { validators: [tooMany, tooFew] } } }),
    new Create({ ...pages, url: 'second', columnOverrides: { pages: { validators: [tooFew, tooMany] } } }),
  ]),
  entities: [...library, Parcel],
});

const book = ({ request }: Subject) => ({ send: () => request().post('/books'), beside: { title: 'Emma' } });
const parcel = ({ request }: Subject) => ({ send: () => request().post('/parcels') });

const notADate = 'given value did not appear to be a valid date';

contract('The first message of a column wins, in the configured order', async ({ request }) => {
  const first = await request().post('/first').send({ title: 'Emma', pages: 50 });
  expectAnswer(first, 400, inputErrors({ pages: 'value should be at most 10' }));
  const second = await request().post('/second').send({ title: 'Emma', pages: 50 });
  expectAnswer(second, 400, inputErrors({ pages: 'value should be at least 100' }));
});

contract('An Integer column takes JSON integers only: the text "25" is refused', async (subject) => {
  await expectRefused(book(subject), 'pages', ['"25"', '"0"', '"-1"'], 'value should be an integer');
});

contract('An Integer column takes JSON integers only: 3.7 is refused', async (subject) => {
  await expectRefused(book(subject), 'pages', ['3.7', '-3.7', '0.1', '1e-1'], 'value should be an integer');
});

contract('An Integer column takes JSON integers only: true is refused', async (subject) => {
  await expectRefused(book(subject), 'pages', ['true', 'false'], 'value should be an integer');
});

contract('A JSON integer beyond 2^53-1 is refused', async (subject) => {
  const values = ['9007199254740992', '-9007199254740992', '9223372036854775807', '1e300'];
  const message = 'value should be between -9007199254740991 and 9007199254740991';
  await expectRefused(parcel(subject), 'volume', values, message);
  const greatest = Number.MAX_SAFE_INTEGER;
  await expectAccepted(parcel(subject), 'volume', { [greatest]: greatest, [-greatest]: -greatest });
});

contract('A BigInteger column takes integers beyond 2^53-1 as text', async (subject) => {
  const texts = ['9007199254740993', '9223372036854775807', '-9223372036854775808', '0'];
  const values = Object.fromEntries(texts.map((text) => [`"${text}"`, text]));
  await expectAccepted(parcel(subject), 'barcode', values);
});

contract('A BigInteger column refuses a JSON number beyond 2^53-1', async ({ request }) => {
  const { status, body } = await request().post('/parcels').type('json').send('{"barcode":9007199254740993}');
  expect([status, Object.keys(body.input_errors)]).toEqual([400, ['barcode']]);
});

contract('A number that JSON cannot hold, 1e400, is refused', async ({ request }) => {
  for (const name of ['pieces', 'volume', 'barcode', 'weight', 'value', 'labels', 'collected_at'])
    for (const number of ['1e400', '-1e400']) {
      const { status, body } = await request().post('/parcels').type('json').send(`{"${name}":${number}}`);
      expect([status, Object.keys(body.input_errors)]).toEqual([400, [name]]);
    }
});

contract('A Date column accepts YYYY-MM-DD', async (subject) => {
  const days = ['2026-11-21', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '1582-10-10'];
  await expectAccepted(
    book(subject),
    'published_on',
    Object.fromEntries(days.map((day) => [`"${day}"`, day])),
  );
});

contract('A Date column refuses a day that does not exist', async (subject) => {
  const days = [
    '"2026-02-29"',
    '"2026-02-30"',
    '"1900-02-29"',
    '"2026-04-31"',
    '"2026-01-32"',
    '"2026-00-00"',
  ];
  await expectRefused(book(subject), 'published_on', days, notADate);
});

contract('A Datetime column accepts ISO 8601 with an offset', async (subject) => {
  await expectAccepted(book(subject), 'launch_at', {
    '"2026-11-21T09:00:00Z"': '2026-11-21T09:00:00+00:00',
    '"2026-11-21T09:00:00+00:00"': '2026-11-21T09:00:00+00:00',
    '"2026-11-21T09:00:00-00:00"': '2026-11-21T09:00:00+00:00',
    '"2026-11-21T09:00:00+05:30"': '2026-11-21T03:30:00+00:00',
    '"2026-11-21T23:30:00-01:00"': '2026-11-22T00:30:00+00:00',
    '"2026-11-21T09:00:00+14:00"': '2026-11-20T19:00:00+00:00',
    '"2026-11-21T09:00:00.000Z"': '2026-11-21T09:00:00+00:00',
    '"2024-02-29T23:59:59Z"': '2024-02-29T23:59:59+00:00',
    '"0001-01-01T00:00:00Z"': '0001-01-01T00:00:00+00:00',
    '"9999-12-31T23:59:59Z"': '9999-12-31T23:59:59+00:00',
    '"1883-11-18T12:00:00Z"': '1883-11-18T12:00:00+00:00',
  });
});

contract('A Datetime whose offset leads out of the years 1 to 9999 is refused', async ({ request }) => {
  for (const instant of ['0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '0000-06-01T00:00:00Z']) {
    const { status, body } = await request().post('/books').send({ title: 'Emma', launch_at: instant });
    expect([status, Object.keys(body.input_errors)]).toEqual([400, ['launch_at']]);
  }
});
