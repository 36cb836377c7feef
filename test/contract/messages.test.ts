import { Create } from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { service } from '../support/contract.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { expectRefused } from './judged.js';
import { Parcel, parcels } from './parcel.js';
import type { Subject } from '../support/contract.js';

const { contract } = service({
  ...libraryWith([
    books(),
    authors(),
    parcels(),
    new Create({
      url: 'forbidden',
      modelClass: Book,
      readableColumnNames: ['title'],
      writeableColumnNames: ['title', 'inPrint'],
      inputValidationCallable: () => ({ inPrint: 'not today' }),
    }),
  ]),
  entities: [...library, Parcel],
});

const book = ({ request }: Subject) => ({ send: () => request().post('/books'), beside: { title: 'Emma' } });
const author = ({ request }: Subject) => ({
  send: () => request().post('/authors'),
  beside: { name: 'Jane' },
});
const parcel = ({ request }: Subject) => ({ send: () => request().post('/parcels') });

const notUnicode = 'value contains characters that cannot be stored';
const notADate = 'given value did not appear to be a valid date';
const composites = ['[]', '[1]', '{}', '{"value":1}'];

contract("A Required column that is empty: '<column>' is required.", async ({ request }) => {
  expectAnswer(await request().post('/books').send({}), 400, inputErrors({ title: "'title' is required." }));
});

contract(
  "A Unique column whose value exists: Invalid value for '<column>': the given value already exists, and must be unique.",
  async ({ request, save }) => {
    await save(Book, { title: 'Emma', isbn: '42' });
    const message = "Invalid value for 'isbn': the given value already exists, and must be unique.";
    const answer = await request().post('/books').send({ title: 'Persuasion', isbn: '42' });
    expectAnswer(answer, 400, inputErrors({ isbn: message }));
  },
);

contract('An Integer column given a non-integer: value should be an integer', async (subject) => {
  const values = ['"25"', '"x"', '3.7', '-0.5', '1e-7', 'true', 'false', ...composites];
  await expectRefused(book(subject), 'pages', values, 'value should be an integer');
});

contract('A String column given a non-string: value should be a string', async (subject) => {
  const values = ['5', '0', '1.5', 'true', 'false', ...composites];
  await expectRefused({ send: book(subject).send }, 'title', values, 'value should be a string');
});

contract('A Date column given a non-date: given value did not appear to be a valid date', async (subject) => {
  const days = ['2026-13-01', '2026-00-10', '2026-11-00', '2026-11-31', '2026-1-1', '26-01-01', '20260101'];
  const words = [
    'today',
    'now',
    'infinity',
    '-infinity',
    'epoch',
    ' 2026-01-01',
    '2026-01-01\\n',
    '٢٠٢٦-٠١-٠١',
  ];
  const instants = ['2026-01-01T00:00:00Z', '2026-01-01 BC', '-2026-01-01', '+002026-01-01', '2026-01'];
  const texts = [...days, ...words, ...instants].map((text) => `"${text}"`);
  await expectRefused(book(subject), 'published_on', [...texts, '20260101', 'true', ...composites], notADate);
});

contract(
  'A key that is not writeable: Input column <name> is not an allowed input column.',
  async ({ request }) => {
    const message = 'Input column created is not an allowed input column.';
    const answer = await request().post('/books').send({ title: 'Emma', created: null });
    expectAnswer(answer, 400, inputErrors({ created: message }));
  },
);

contract(
  'A message of the custom validation callable is keyed by the column name it returned',
  async ({ request }) => {
    const answer = await request().post('/forbidden').send({ title: 'Emma' });
    expectAnswer(answer, 400, inputErrors({ in_print: 'not today' }));
  },
);

contract('A Float column given a non-number: value should be a number', async (subject) => {
  const values = ['"1.5"', '"NaN"', '"Infinity"', 'true', 'false', ...composites];
  await expectRefused(book(subject), 'price', values, 'value should be a number');
});

contract('A Boolean column given a non-boolean: value should be a boolean', async (subject) => {
  const values = ['0', '1', '"true"', '"false"', '"t"', '"yes"', ...composites];
  await expectRefused(book(subject), 'in_print', values, 'value should be a boolean');
});

contract('A Timestamp column given a non-integer: value should be an integer', async (subject) => {
  const values = ['"5"', '0.5', 'true', '"2026-11-21T09:00:00Z"', ...composites];
  await expectRefused(book(subject), 'remind_at', values, 'value should be an integer');
  await expectRefused(parcel(subject), 'collected_at', values, 'value should be an integer');
});

contract('A Uuid column given a non-UUID: value should be a UUID', async (subject) => {
  const tail = '0d4b52-6c1f-4a9e-9a63-0d8c6f0f1a11';
  const texts = [
    `7d${tail}`.slice(1),
    `7d${tail}0`,
    `7g${tail}`,
    `7d${tail}\\n`,
    ` 7d${tail}`,
    '1',
    'x'.repeat(36),
  ];
  const values = [...texts.map((text) => `"${text}"`), '5', 'true', ...composites];
  await expectRefused(parcel(subject), 'tracking', values, 'value should be a UUID');
});

contract('An Email column given something else: value should be an email address', async (subject) => {
  const texts = [
    'nobody',
    'a@',
    '@b.nl',
    'a@b@c.nl',
    'a b@c.nl',
    'a@b c.nl',
    'a@b.nl ',
    'a@b.nl\\n',
    'a@.nl',
  ];
  const values = texts.map((text) => `"${text}"`);
  await expectRefused(book(subject), 'contact', values, 'value should be an email address');
});

contract('An Email column given a non-string: value should be an email address', async (subject) => {
  const values = ['5', 'true', ...composites];
  await expectRefused(book(subject), 'contact', values, 'value should be an email address');
});

contract(
  'A Datetime column given a non-date: given value did not appear to be a valid date',
  async (subject) => {
    const days = [
      '2026-02-30T09:00:00Z',
      '2026-13-01T09:00:00Z',
      '26-01-01T09:00:00Z',
      '-2026-01-01T09:00:00Z',
    ];
    const times = [
      '2026-11-21T25:00:00Z',
      '2026-11-21T09:60:00Z',
      '2026-11-21T09:00:61Z',
      '2026-11-21T9:00:00Z',
    ];
    const offsets = [
      '2026-11-21T09:00:00+24:00',
      '2026-11-21T09:00:00+01:60',
      '2026-11-21T09:00:00 Europe/Paris',
    ];
    const words = [
      'yesterday',
      'now',
      'infinity',
      'Sat, 21 Nov 2026 09:00:00 GMT',
      '2026-11-21T09:00:00Z\\n',
    ];
    const texts = [...days, ...times, ...offsets, ...words].map((text) => `"${text}"`);
    await expectRefused(
      book(subject),
      'launch_at',
      [...texts, '1795251600', 'true', ...composites],
      notADate,
    );
  },
);

contract(
  'A Datetime column given a date without an offset: date is missing timezone information',
  async (subject) => {
    const values = ['"2026-11-21T09:00:00"', '"2026-11-21T09:00:00.123"', '"2026-11-21T09:00"'];
    await expectRefused(book(subject), 'launch_at', values, 'date is missing timezone information');
  },
);

contract('A BelongsToId column given an unknown key: the given record does not exist', async (subject) => {
  const keys = ['99', '0', '-1', '2147483647'];
  await expectRefused(book(subject), 'author_id', keys, 'the given record does not exist');
  await expectRefused(author(subject), 'country_code', ['"nl"', '"x"'], 'the given record does not exist');
});

contract("A BelongsToId column given the wrong type has the message of the parent's key", async (subject) => {
  const keys = ['"1"', '3.7', 'true', '{"id":1}', '[1]'];
  await expectRefused(book(subject), 'author_id', keys, 'value should be an integer');
  await expectRefused(author(subject), 'country_code', ['5', '["nl"]'], 'value should be a string');
});

contract(
  "A BelongsToId column given a value out of the range of the parent's key: value should be between <lowest> and <highest>",
  async (subject) => {
    const message = 'value should be between -2147483648 and 2147483647';
    await expectRefused(book(subject), 'author_id', ['2147483648', '-2147483649', '1e300'], message);
    await expectRefused(author(subject), 'country_code', ['"\\u0000"', '"\\ud800"'], notUnicode);
  },
);
