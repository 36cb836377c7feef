import { expect } from '@jest/globals';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Author, Book, library } from '../support/entities/library.js';
import { expectAccepted, expectRefused } from './judged.js';
import { Parcel, parcels } from './parcel.js';
import type { Subject } from '../support/contract.js';

const transformInputTypes = true;
const { contract } = service({
  ...libraryWith([
    books({ transformInputTypes }),
    books({ url: 'unforced' }),
    parcels({ transformInputTypes }),
  ]),
  entities: [...library, Parcel],
});

const book = ({ request }: Subject) => ({ send: () => request().post('/books'), beside: { title: 'Emma' } });
const unforced = ({ request }: Subject) => ({
  send: () => request().post('/unforced'),
  beside: { title: 'Emma' },
});
const parcel = ({ request }: Subject) => ({ send: () => request().post('/parcels') });

contract('transform_input_types is false by default: text is not forced', async (subject) => {
  await expectRefused(unforced(subject), 'pages', ['"25"'], 'value should be an integer');
  await expectRefused(unforced(subject), 'price', ['"3.14"'], 'value should be a number');
  await expectRefused(unforced(subject), 'in_print', ['"true"'], 'value should be a boolean');
  await expectRefused(unforced(subject), 'remind_at', ['"1234567890"'], 'value should be an integer');
});

contract('transform_input_types makes Integer "25" into 25', async (subject) => {
  await expectAccepted(book(subject), 'pages', { '"25"': 25, '"-25"': -25, '"0"': 0, '"-0"': 0, '"007"': 7 });
  await expectAccepted(parcel(subject), 'volume', { '"9007199254740991"': Number.MAX_SAFE_INTEGER });
});

contract('transform_input_types makes Float "3.14" into 3.14', async (subject) => {
  const values = { '"3.14"': 3.14, '"-0.5"': -0.5, '"3"': 3, '"1e3"': 1000, '"2E-2"': 0.02, '"1.5e+1"': 15 };
  await expectAccepted(book(subject), 'price', values);
});

contract('transform_input_types makes Boolean "true" into true', async (subject) => {
  await expectAccepted(book(subject), 'in_print', { '"true"': true });
});

contract('transform_input_types makes Boolean "false" into false', async (subject) => {
  await expectAccepted(book(subject), 'in_print', { '"false"': false });
});

contract('transform_input_types makes Timestamp "1234567890" into the integer', async (subject) => {
  await expectAccepted(book(subject), 'remind_at', { '"1234567890"': 1234567890, '"-1"': -1 });
  await expectAccepted(parcel(subject), 'collected_at', { '"1234567890"': 1234567890 });
});

contract('transform_input_types leaves values that are no text alone', async (subject) => {
  await expectAccepted(book(subject), 'pages', { 25: 25, null: null });
  await expectAccepted(book(subject), 'price', { 3.14: 3.14, null: null });
  await expectAccepted(book(subject), 'in_print', { true: true, false: false });
  await expectRefused(book(subject), 'pages', ['true', '["25"]', '3.7'], 'value should be an integer');
  await expectRefused(book(subject), 'in_print', ['0', '1'], 'value should be a boolean');
});

contract('transform_input_types keeps values of all other types unchanged', async (subject) => {
  await expectAccepted(book(subject), 'isbn', { '"25"': '25', '"true"': 'true', '"null"': 'null' });
  await expectAccepted(book(subject), 'published_on', { '"2026-11-21"': '2026-11-21' });
  await expectAccepted(parcel(subject), 'labels', {
    '"25"': '25',
    '"true"': 'true',
    '"{}"': '{}',
    '"[1]"': '[1]',
  });
  await expectAccepted(parcel(subject), 'value', { '"1.50"': '1.50' });
  await expectAccepted(parcel(subject), 'barcode', { '"25"': '25' });
  await expectRefused(book(subject), 'isbn', ['25', 'true'], 'value should be a string');
});

contract('transform_input_types keeps a BelongsToId unchanged', async (subject) => {
  const { id } = await subject.save(Author, { name: 'Jane Austen' });
  await expectRefused(book(subject), 'author_id', [`"${id}"`], 'value should be an integer');
  await expectAccepted(book(subject), 'author_id', { [id]: id });
});

contract(
  'transform_input_types keeps an Integer that cannot be forced, and validation reports the error',
  async (subject) => {
    await expectRefused(book(subject), 'pages', ['"many"', '"2.5"', '"true"'], 'value should be an integer');
  },
);

contract(
  'transform_input_types keeps a Boolean that cannot be forced, and validation reports the error',
  async (subject) => {
    await expectRefused(book(subject), 'in_print', ['"maybe"', '"null"'], 'value should be a boolean');
  },
);

contract('Integer and Timestamp are forced from digits with an optional minus only', async (subject) => {
  const texts = [
    '+5',
    ' 5',
    '5 ',
    '5\\n',
    '5.0',
    '5e0',
    '0x5',
    '٥',
    '--5',
    '-',
    '- 5',
    '1_000',
    '1,000',
    '5n',
  ];
  const values = [...texts, 'NaN', 'Infinity'].map((text) => `"${text}"`);
  await expectRefused(book(subject), 'pages', values, 'value should be an integer');
  await expectRefused(book(subject), 'remind_at', values, 'value should be an integer');
});

contract('Float is forced from a JSON number only', async (subject) => {
  const texts = [
    '1.',
    '.5',
    '+1',
    '01',
    '-',
    ' 1',
    '1 ',
    '1\\n',
    '0x1',
    '1e',
    '1,5',
    '1_0',
    'NaN',
    'Infinity',
    '-Infinity',
  ];
  await expectRefused(
    book(subject),
    'price',
    texts.map((text) => `"${text}"`),
    'value should be a number',
  );
});

contract('Boolean is forced from exactly true and false', async (subject) => {
  const texts = ['True', 'TRUE', ' true', 'true\\n', 't', 'f', '1', '0', 'yes', 'on'];
  await expectRefused(
    book(subject),
    'in_print',
    texts.map((text) => `"${text}"`),
    'value should be a boolean',
  );
});

contract("A forced value has to be in the column's range", async (subject) => {
  const texts = ['"2147483648"', '"-2147483649"', `"${'9'.repeat(30)}"`];
  await expectRefused(book(subject), 'pages', texts, 'value should be between -2147483648 and 2147483647');
  const outside = expect.stringMatching(/^value should be between /);
  await expectRefused(book(subject), 'price', ['"1e400"', '"-1e400"'], outside);
});

contract(
  'transform_input_types forces before emptiness is judged: an empty text stays empty',
  async (subject) => {
    await expectRefused(book(subject), 'pages', ['""', '" "'], 'value should be an integer');
    await expectRefused({ send: book(subject).send }, 'title', ['""'], "'title' is required.");
  },
);

contract('transform_input_types forces the body of an Update too', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const { body } = await request().patch(`/books/${id}`).send({ pages: '25', in_print: 'false' });
  expect(body.data).toMatchObject({ pages: 25, in_print: false });
});
