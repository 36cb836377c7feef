import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Create,
  DatetimeColumn,
  IntegerColumn,
  JsonColumn,
  ListColumn,
  MinimumLength,
  RestfulApi,
  UpdatedColumn,
  UuidColumn,
  defineColumns,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';
import { expectAccepted, expectRefused } from './judged.js';
import type { Subject } from '../support/contract.js';

const Crate = defineEntity({
  name: 'Crate',
  properties: {
    id: p.integer().primary().autoincrement(),
    labels: p.array().nullable(),
    codes: p.string().length(5).array().nullable(),
    counts: p.array<number>().columnType('int[]').nullable(),
    weights: p.array<number>().columnType('double precision[]').nullable(),
    prices: p.array().columnType('numeric(10,2)[]').nullable(),
    flags: p.array<boolean>().columnType('boolean[]').nullable(),
    days: p.array().columnType('date[]').nullable(),
    instants: p.array<Date>().columnType('timestamptz[]').nullable(),
    keys: p.array().columnType('uuid[]').nullable(),
    colours: p.enum(['red', 'green']).array().nullable(),
    anything: p.json<unknown[]>().nullable(),
    numbers: p.json<number[]>().nullable(),
    tracks: p.json<string[]>().nullable(),
    moments: p.json<string[]>().nullable(),
    short: p.array().nullable(),
    few: p.array().nullable(),
    many: p.json<unknown[]>().nullable(),
    updated: p
      .datetime(3)
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
  },
});

defineColumns(Crate, {
  anything: { type: new ListColumn() },
  numbers: { type: new ListColumn(new IntegerColumn(0, 9)) },
  tracks: { type: new ListColumn(new UuidColumn()) },
  moments: { type: new ListColumn(new DatetimeColumn()) },
  few: { type: new ListColumn(undefined, { maximumItems: 2 }) },
  many: { type: new ListColumn(undefined, { maximumItems: 0 }) },
  short: { validators: [new MinimumLength(2)] },
  updated: { type: new UpdatedColumn({ precision: 'milliseconds' }) },
});

const columns = [
  'labels',
  'codes',
  'counts',
  'weights',
  'prices',
  'flags',
  'days',
  'instants',
  'keys',
  'colours',
  'anything',
  'numbers',
  'tracks',
  'moments',
  'short',
  'few',
  'many',
] as const;

const { contract } = service(
  {
    entities: [Crate],
    endpoints: [
      new RestfulApi({
        url: 'crates',
        modelClass: Crate,
        readableColumnNames: ['id', ...columns, 'updated'],
        writeableColumnNames: columns,
        sortableColumnNames: ['id'],
        searchableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
      new Create({
        url: 'objects',
        modelClass: Crate,
        readableColumnNames: ['anything'],
        writeableColumnNames: ['anything'],
        columnOverrides: { anything: { type: new ListColumn(new JsonColumn()) } },
      }),
    ],
  },
  postgresqlOnly,
);

const crate = ({ request }: Subject) => ({ send: () => request().post('/crates') });

const texts = [
  '',
  ' ',
  ' a ',
  'a,b',
  '"',
  '"a"',
  "'",
  '\\',
  '\\"',
  '\\n',
  'a\nb',
  '\t',
  '{',
  '{}',
  '}',
  '{a,b}',
  'NULL',
  'null',
  '[1]',
  '$1',
  '?',
  'Ærø',
  '👩‍👩‍👧',
  '\u{10ffff}',
  '\u2028',
  '\u0001',
];

/** The text of a value as it is sent → what is to be answered. */
const asSent = (values: readonly unknown[]) =>
  Object.fromEntries(values.map((value) => [JSON.stringify(value), value]));

contract('A List column is a JSON array in and out', async (subject) => {
  await expectAccepted(crate(subject), 'labels', asSent([[], ['a'], ['b', 'a', 'b']]));
});

contract('A List column keeps every text it is sent', async (subject) => {
  await expectAccepted(crate(subject), 'labels', asSent([...texts.map((text) => [text]), texts]));
});

contract('A List is answered alike by Create, Get, Update and list', async ({ request }) => {
  const { body } = await request()
    .post('/crates')
    .send({ labels: texts, counts: [1, -2], days: ['2026-11-21'] });
  expect(body.data).toMatchObject({ labels: texts, counts: [1, -2], days: ['2026-11-21'] });
  expect((await request().get('/crates/1')).body.data).toEqual(body.data);
  expect((await request().patch('/crates/1').send({})).body.data).toEqual(body.data);
  expect((await request().get('/crates')).body.data).toEqual([body.data]);
});

contract('The items of a List are of the type that the database holds', async (subject) => {
  await expectAccepted(crate(subject), 'counts', asSent([[1, -1, 2_147_483_647]]));
  await expectAccepted(crate(subject), 'weights', asSent([[0.1, 1e21, -0.5]]));
  await expectAccepted(crate(subject), 'prices', { '["12.50",7]': ['12.50', '7.00'] });
  await expectAccepted(crate(subject), 'flags', asSent([[true, false]]));
  await expectAccepted(crate(subject), 'days', asSent([['0001-01-01', '2026-11-21']]));
  await expectAccepted(crate(subject), 'instants', {
    '["2026-11-21T10:00:00+01:00"]': ['2026-11-21T09:00:00+00:00'],
  });
  const uuid = '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11';
  await expectAccepted(crate(subject), 'keys', { [`["${uuid.toUpperCase()}"]`]: [uuid] });
  await expectAccepted(crate(subject), 'colours', asSent([[], ['green', 'red', 'red']]));
});

contract('A List in a json property holds items of the type it is given', async (subject) => {
  await expectAccepted(crate(subject), 'numbers', asSent([[], [0, 9]]));
  const uuid = '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11';
  await expectAccepted(crate(subject), 'tracks', { [`["${uuid.toUpperCase()}"]`]: [uuid] });
  await expectAccepted(crate(subject), 'moments', {
    '["2026-11-21T10:00:00+01:00"]': ['2026-11-21T09:00:00+00:00'],
  });
});

contract('A List without a type for its items holds any JSON value but null', async (subject) => {
  await expectAccepted(crate(subject), 'anything', asSent([[], [1, 'a', { b: [null] }, [[]], false]]));
  await expectRefused(crate(subject), 'anything', ['[null]'], 'value should be a list');
});

contract('A List takes 10,000 items and no more, or as many as its column says', async (subject) => {
  const { request } = subject;
  const items = (count: number) => Array.from({ length: count }, (_, index) => index % 7);
  const most = { anything: items(10_000), counts: items(10_000), few: ['a', 'b'], many: items(10_001) };
  const { status, body } = await request().post('/crates').send(most);
  expect([status, body.data.anything, body.data.counts]).toEqual([201, most.anything, most.counts]);
  expect([body.data.few, body.data.many]).toEqual([most.few, most.many]);
  const tooMany = (count: number) => `value should have at most ${count} items`;
  const more = { anything: items(10_001), counts: [...items(10_000), 'x'], few: ['a', 'b', 'c'] };
  const refusal = inputErrors({ anything: tooMany(10_000), counts: tooMany(10_000), few: tooMany(2) });
  expectAnswer(await request().post('/crates').send(more), 400, refusal);
  expectAnswer(await request().patch('/crates/1').send(more), 400, refusal);
});

contract('A List column given something else: value should be a list', async (subject) => {
  const values = ['"a"', '"[]"', '"{a}"', '1', 'true', '{}', '{"0":"a","length":1}'];
  for (const column of ['labels', 'counts', 'anything'])
    await expectRefused(crate(subject), column, values, 'value should be a list');
});

contract('An item of a List that is not of its type has the message of that type', async (subject) => {
  await expectRefused(crate(subject), 'labels', ['["a",1]', '[["a"]]', '[{}]'], 'value should be a string');
  await expectRefused(crate(subject), 'counts', ['["1"]', '[1.5]'], 'value should be an integer');
  const range = 'value should be between -2147483648 and 2147483647';
  await expectRefused(crate(subject), 'counts', ['[2147483648]'], range);
  await expectRefused(crate(subject), 'numbers', ['[10]'], 'value should be between 0 and 9');
  await expectRefused(
    crate(subject),
    'prices',
    ['["100000000"]'],
    'value should be between -99999999.99 and 99999999.99',
  );
  await expectRefused(crate(subject), 'colours', ['["blue"]'], 'value should be one of: red, green');
  await expectRefused(crate(subject), 'keys', ['["x"]'], 'value should be a UUID');
});

contract('A null item of a List is refused', async (subject) => {
  await expectRefused(crate(subject), 'labels', ['[null]', '["a",null]'], 'value should be a string');
  await expectRefused(crate(subject), 'counts', ['[null]'], 'value should be an integer');
});

contract('NUL or an unpaired surrogate in a List cannot be stored either', async (subject) => {
  const message = 'value contains characters that cannot be stored';
  for (const column of ['labels', 'anything'])
    await expectRefused(crate(subject), column, ['["a","\\u0000"]', '["\\ud800"]'], message);
  await expectRefused(crate(subject), 'anything', ['[{"\\u0000":1}]', '[[{"a":"\\udc00"}]]'], message);
});

contract('Rules about texts and numbers hold for every item of a List', async (subject) => {
  const tooLong = 'value should be at most 5 characters long';
  await expectRefused(crate(subject), 'codes', ['["a","abcdef"]'], tooLong);
  await expectAccepted(crate(subject), 'codes', asSent([['abcde', '😀😀😀😀😀']]));
  const tooShort = 'value should be at least 2 characters long';
  await expectRefused(crate(subject), 'short', ['["ab","a"]'], tooShort);
});

contract('An Update with an unchanged List writes nothing', async ({ request }) => {
  const lists = {
    labels: texts,
    weights: [1, 0.5],
    flags: [true, false],
    instants: ['2026-11-21T09:00:00Z'],
    numbers: [1, 2],
    moments: ['2026-11-21T09:00:00Z'],
  };
  const { body } = await request().post('/crates').send(lists);
  expect((await request().patch('/crates/1').send(lists)).body.data).toEqual(body.data);
});

contract('An Update changes a List and empties it', async ({ request }) => {
  await request()
    .post('/crates')
    .send({ labels: ['a'] });
  for (const labels of [['NULL'], ['NULL', ' '], [], null])
    expect((await request().patch('/crates/1').send({ labels })).body.data).toMatchObject({ labels });
});

contract('A List that something else stored is answered too', async ({ request, em }) => {
  const connection = em().getConnection();
  await connection.execute(
    `insert into crate (labels, counts, updated) values ('{a,NULL,"b\\\\,\\""}', '{1,null}', now())`,
  );
  const { body } = await request().get('/crates/1');
  expect(body.data).toMatchObject({ labels: ['a', null, 'b\\,"'], counts: [1, null] });
});

contract('A List named in column_overrides is judged by its items', async ({ request }) => {
  expectAnswer(
    await request()
      .post('/objects')
      .send({ anything: [{ a: 1 }] }),
    201,
    success({ anything: [{ a: 1 }] }),
  );
  const refused = inputErrors({ anything: 'value should be a list' });
  expectAnswer(await request().post('/objects').send({ anything: {} }), 400, refused);
});
