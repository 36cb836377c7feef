import { expect } from '@jest/globals';
import { expectAnswer, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { expectAccepted } from './judged.js';
import { Parcel, parcels } from './parcel.js';
import type { Subject } from '../support/contract.js';

const { contract } = service({
  ...libraryWith([books(), parcels(), books({ url: 'titles', readableColumnNames: ['title'] })]),
  entities: [...library, Parcel],
});

const book = ({ request }: Subject) => ({ send: () => request().post('/books'), beside: { title: 'Emma' } });
const parcel = ({ request }: Subject) => ({ send: () => request().post('/parcels') });

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a later look at the record shows. */
const shown = async ({ request }: Subject, id: string) => (await request().get(`/books/${id}`)).body.data;

contract('A Uuid column is a string', async (subject) => {
  const text = '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11';
  await expectAccepted(parcel(subject), 'tracking', { [`"${text}"`]: text });
  const { body } = await subject.request().post('/books').send({ title: 'Emma' });
  expect(body.data.id).toEqual(expect.stringMatching(uuid));
});

contract('A Uuid is accepted in either letter case and written in lower case', async (subject) => {
  const text = '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11';
  await expectAccepted(parcel(subject), 'tracking', { [`"${text.toUpperCase()}"`]: text });
});

contract('A String column keeps its text', async (subject) => {
  const quotes = [
    `'; drop table book; --`,
    '"',
    "''",
    '\\',
    '\\n',
    '$1',
    '?',
    '%s',
    '<b>&amp;',
    '{}',
    'null',
  ];
  const white = [' a ', '\t', 'a\r\nb', '\u00a0', 'a\ufeff', '\u0001', '\u2028', '\u007f'];
  const signs = [
    'Ærø',
    'e\u0301',
    '\u00e9',
    '漢字',
    '👩‍👩‍👧',
    '\u{10ffff}',
    '\uffff',
    '\ufffd',
    'مرحبا',
    '\u202e',
  ];
  const texts = [...quotes, ...white, ...signs, 'x'.repeat(500_000)];
  const values = Object.fromEntries(texts.map((text) => [JSON.stringify(text), text]));
  await expectAccepted(book(subject), 'notes', values);
});

contract('An Integer column is an integer', async (subject) => {
  await expectAccepted(book(subject), 'pages', { 474: 474, '-1': -1, 0: 0, '-0': 0, '1e3': 1000, '5.0': 5 });
});

contract('A Float column is a number', async (subject) => {
  const numbers = [
    9.5,
    0.1,
    -0.3,
    1e21,
    1e-7,
    123456789.12345679,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    2 ** 53,
  ];
  const values = Object.fromEntries(numbers.map((number) => [JSON.stringify(number), number]));
  await expectAccepted(book(subject), 'price', { ...values, '-0': 0, 5: 5, '1e-400': 0 });
});

contract('A Decimal column is a string', async (subject) => {
  const values = { '"12.50"': '12.50', '"-0.01"': '-0.01', '"5"': '5.00', 7: '7.00', '12.5': '12.50' };
  await expectAccepted(parcel(subject), 'value', values);
});

contract(
  'A Decimal with more digits than its column has is rounded, half away from zero',
  async (subject) => {
    const halves = { '"12.505"': '12.51', '"-0.125"': '-0.13', '"0.995"': '1.00', '"-0.004"': '0.00' };
    await expectAccepted(parcel(subject), 'value', { ...halves, 0.1249: '0.12' });
    expect(await subject.em().count(Parcel, { value: '12.51' })).toBe(1);
  },
);

contract('A BigInteger column is a string', async (subject) => {
  await expectAccepted(parcel(subject), 'barcode', { '"9007199254740993"': '9007199254740993', 25: '25' });
});

contract('A Boolean column is true or false', async (subject) => {
  await expectAccepted(book(subject), 'in_print', { true: true, false: false });
});

contract('An Email column keeps its address', async (subject) => {
  const addresses = ['jane@example.org', 'Jane.Austen+books@Example.ORG', "o'neil@example.co.uk", 'a@b.nl'];
  const values = Object.fromEntries(addresses.map((address) => [`"${address}"`, address]));
  await expectAccepted(book(subject), 'contact', values);
});

contract('A Select column keeps its value', async (subject) => {
  await expectAccepted(parcel(subject), 'size', { '"small"': 'small', '"large"': 'large' });
});

contract('A Json column keeps any JSON value', async (subject) => {
  const scalars = ['"text"', '"null"', '"{\\"a\\":1}"', '5', '0', '-1.5', '1e21', 'true', 'false'];
  const objects = [
    '{}',
    '{"a":{"b":[null,{"c":""}]}}',
    '{"camelCase":1,"snake_case":2}',
    '{"":1,"$ne":2,"a.b":3}',
  ];
  const arrays = ['[]', '[null]', '[1,2]', '["a","b"]', '[[],[[]]]', '[{"a":1}]', '[true,"1",1,null]'];
  const texts = [...scalars, ...objects, ...arrays];
  await expectAccepted(
    parcel(subject),
    'labels',
    Object.fromEntries(texts.map((text) => [text, JSON.parse(text)])),
  );
});

contract('A Json column keeps the names that every JavaScript object has', async ({ request, em }) => {
  const labels = '{"constructor":{"prototype":1},"toString":2,"__proto__":{"polluted":true}}';
  const { text } = await request().post('/parcels').type('json').send(`{"labels":${labels}}`);
  const [row] = await em()
    .getConnection()
    .execute<{ text: string }[]>(`select concat(labels, '') as text from parcel`);
  expect(JSON.parse(row?.text ?? '')).toEqual(JSON.parse(labels));
  expect(text).toMatch(/"__proto__": ?\{"polluted": ?true\}/);
});

contract('A column that is not readable is not in the answer', async ({ request, save }) => {
  const created = await request().post('/titles').send({ title: 'Emma', pages: 474 });
  expectAnswer(created, 201, success({ title: 'Emma' }));
  const { id } = await save(Book, { title: 'Persuasion' });
  expectAnswer(await request().get(`/titles/${id}`), 200, success({ title: 'Persuasion' }));
  expectAnswer(
    await request().patch(`/titles/${id}`).send({ pages: 1 }),
    200,
    success({ title: 'Persuasion' }),
  );
  expect((await request().get('/titles')).body.data).toEqual([{ title: 'Emma' }, { title: 'Persuasion' }]);
});

contract('null is written as null', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma' });
  const { id: _id, title, in_print, created, updated, ...rest } = await shown(subject, id);
  expect(new Set(Object.values(rest))).toEqual(new Set([null]));
});

contract('A value is answered alike by Create, Get, Update and list', async ({ request }) => {
  const sent = {
    title: 'Emma',
    pages: 474,
    price: 0.1,
    published_on: '0099-12-31',
    launch_at: '0099-12-31T23:00:00Z',
  };
  const created = (await request().post('/books').send(sent)).body.data;
  expect((await request().get(`/books/${created.id}`)).body.data).toEqual(created);
  expect((await request().patch(`/books/${created.id}`).send({})).body.data).toEqual(created);
  expect((await request().get('/books')).body.data).toEqual([created]);
});
