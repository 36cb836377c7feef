import { defineEntity, p } from '@mikro-orm/core';
import { Create, Update } from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { library } from '../support/entities/library.js';
import { expectAccepted, expectRefused } from './judged.js';
import { Parcel, parcels } from './parcel.js';
import type { Subject } from '../support/contract.js';

/** Every column is Required. */
const Ticket = defineEntity({
  name: 'Ticket',
  properties: {
    id: p.integer().primary().autoincrement(),
    holder: p.string().length(50),
    seat: p.integer(),
    price: p.double(),
    paid: p.boolean(),
    day: p.date(),
    opensAt: p.datetime(),
    code: p.uuid(),
    category: p.enum(['adult', 'child']),
  },
});

const columns = ['holder', 'seat', 'price', 'paid', 'day', 'opensAt', 'code', 'category'] as const;
const tickets = { modelClass: Ticket, readableColumnNames: columns, writeableColumnNames: columns } as const;

const { contract } = service({
  ...libraryWith([
    books(),
    parcels(),
    new Create({ ...tickets, url: 'tickets' }),
    new Update({ ...tickets, url: 'tickets/:id' }),
  ]),
  entities: [...library, Parcel, Ticket],
});

const ticket = {
  holder: 'Jane',
  seat: 1,
  price: 9.5,
  paid: true,
  day: '2026-11-21',
  opens_at: '2026-11-21T09:00:00+00:00',
  code: '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11',
  category: 'adult',
};
const names = Object.keys(ticket);

const without = (name: string) => Object.fromEntries(Object.entries(ticket).filter(([key]) => key !== name));
const emptied = ({ request }: Subject, name: string) => ({
  send: () => request().post('/tickets'),
  beside: without(name),
});
const book = ({ request }: Subject) => ({ send: () => request().post('/books'), beside: { title: 'Emma' } });
const parcel = ({ request }: Subject) => ({ send: () => request().post('/parcels') });

const notADate = 'given value did not appear to be a valid date';

contract('A missing Required column is empty', async ({ request }) => {
  const complaints = Object.fromEntries(names.map((name) => [name, `'${name}' is required.`]));
  expectAnswer(await request().post('/tickets').send({}), 400, inputErrors(complaints));
});

contract('null in a Required column is empty', async (subject) => {
  for (const name of names)
    await expectRefused(emptied(subject, name), name, ['null'], `'${name}' is required.`);
});

contract('An empty string in a Required column is empty', async (subject) => {
  await expectRefused(emptied(subject, 'holder'), 'holder', ['""'], "'holder' is required.");
});

contract('White space in a Required column is empty', async (subject) => {
  const blanks = ['" "', '"    "', '"\\t"', '"\\n"', '"\\r\\n \\t"', '"\\u00a0"', '"\\u3000"'];
  await expectRefused(emptied(subject, 'holder'), 'holder', blanks, "'holder' is required.");
});

contract('Emptiness of a Required column is judged before its type', async (subject) => {
  for (const name of names)
    await expectRefused(emptied(subject, name), name, ['""', '" "', '"\\n"'], `'${name}' is required.`);
});

contract('Emptiness of a Required column is judged on Update as on Create', async ({ request }) => {
  const blank = Object.fromEntries(names.map((name, index) => [name, [null, '', ' '][index % 3]]));
  const complaints = Object.fromEntries(names.map((name) => [name, `'${name}' is required.`]));
  expectAnswer(await request().patch('/tickets/1').send(blank), 400, inputErrors(complaints));
});

contract('0 and false are values in a Required column', async (subject) => {
  await expectAccepted(emptied(subject, 'seat'), 'seat', { 0: 0, '-0': 0 });
  await expectAccepted(emptied(subject, 'price'), 'price', { 0: 0, '0.0': 0, '-0': 0 });
  await expectAccepted(emptied(subject, 'paid'), 'paid', { false: false });
});

contract('A text with white space around it is not empty and is kept', async (subject) => {
  await expectAccepted(emptied(subject, 'holder'), 'holder', { '" Jane "': ' Jane ', '"\\u200b"': '\u200b' });
});

contract('An empty list or object is a wrong type, not an empty value', async (subject) => {
  await expectRefused(emptied(subject, 'holder'), 'holder', ['[]', '{}'], 'value should be a string');
});

contract('null in a column that is not nullable is empty', async (subject) => {
  await expectRefused(book(subject), 'in_print', ['null'], "'in_print' is required.");
});

contract('null is accepted in a nullable column', async (subject) => {
  const ofBook = [
    'isbn',
    'author_id',
    'pages',
    'price',
    'published_on',
    'launch_at',
    'remind_at',
    'contact',
    'notes',
  ];
  for (const name of ofBook) await expectAccepted(book(subject), name, { null: null });
  const ofParcel = [
    'tracking',
    'sender',
    'pieces',
    'floor',
    'volume',
    'barcode',
    'weight',
    'value',
    'size',
    'labels',
  ];
  for (const name of [...ofParcel, 'scanned_at', 'collected_at'])
    await expectAccepted(parcel(subject), name, { null: null });
});

contract('An empty string is accepted in a text column', async (subject) => {
  for (const name of ['isbn', 'notes']) await expectAccepted(book(subject), name, { '""': '', '" "': ' ' });
});

contract('An empty string in a column that is not text has the message of its type', async (subject) => {
  const ofBook = {
    author_id: 'value should be an integer',
    pages: 'value should be an integer',
    price: 'value should be a number',
    in_print: 'value should be a boolean',
    published_on: notADate,
    launch_at: notADate,
    remind_at: 'value should be an integer',
  };
  for (const [name, message] of Object.entries(ofBook))
    await expectRefused(book(subject), name, ['""', '" "'], message);
  const ofParcel = {
    tracking: 'value should be a UUID',
    barcode: 'value should be an integer',
    value: 'value should be a decimal number',
    size: 'value should be one of: small, large',
  };
  for (const [name, message] of Object.entries(ofParcel))
    await expectRefused(parcel(subject), name, ['""', '" "'], message);
});
