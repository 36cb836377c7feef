import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { DatetimeColumn, defineColumns } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { BulkRows } from './bulk.rows.js';

const Owner = defineEntity({
  name: 'Owner',
  properties: { id: p.integer().primary(), name: p.string().length(20) },
});

const Item = defineEntity({
  name: 'Item',
  properties: {
    id: p.integer().primary().autoincrement(),
    version: p.integer().version(),
    code: p.string().length(8).nullable().unique(),
    name: p.string().length(20).default('nobody'),
    place: p.string().defaultRaw(`'from the database'`),
    owner: () => p.manyToOne(Owner).nullable(),
    amount: p.decimal().precision(8).scale(2).nullable(),
    large: p.bigint().nullable(),
    ratio: p.double().nullable(),
    level: p.smallint().nullable(),
    day: p.date().nullable(),
    at: p.datetime(6).nullable(),
    isActive: p.boolean().default(true),
    data: p.json().nullable(),
    tags: p.array().nullable(),
    token: p.uuid().nullable(),
    size: p.enum(['small', 'large']).nativeEnumName('item_size').nullable(),
    letters: p.string().columnType('char(3)').nullable(),
    madeAt: p.datetime(3).onCreate(() => new Date()),
    changedAt: p
      .datetime(3)
      .nullable()
      .onUpdate(() => new Date()),
  },
});

defineColumns(Item, { at: { type: new DatetimeColumn({ precision: 'milliseconds' }) } });

const sent = [
  'code',
  'name',
  'place',
  'ownerId',
  'amount',
  'large',
  'ratio',
  'level',
  'day',
  'at',
  'isActive',
  'data',
  'tags',
  'token',
  'size',
  'letters',
] as const;

const { contract } = service(
  {
    entities: [Owner, Item],
    endpoints: [
      new BulkRows({
        url: 'bulk',
        modelClass: Item,
        readableColumnNames: ['id', 'version', ...sent, 'owner.name', 'madeAt', 'changedAt'],
        writeableColumnNames: sent,
      }),
    ],
  },
  once,
);

type Row = Readonly<Record<string, unknown>>;

const write = async ({ request }: Subject, body: unknown) => {
  const { status, body: answer } = await request()
    .post('/bulk')
    .send({ json: JSON.stringify(body) });
  return { status, rows: (answer.data ?? []) as Row[], answer: answer as unknown };
};

const owners = async ({ em }: Subject): Promise<void> => {
  await em().insertMany(Owner, [
    { id: 1, name: 'Ann' },
    { id: 2, name: 'Ben' },
  ]);
};

const many = (number: number) => Array.from({ length: number }, (_, index) => ({ code: `c${index}`, level: index }));

contract('Values are what one record gets, whatever their type', async (subject) => {
  await owners(subject);
  const all = {
    code: 'a"\\{},',
    name: ' NULL ',
    place: 'here',
    owner_id: 2,
    amount: '1.505',
    large: '-9223372036854775808',
    ratio: 1e-7,
    level: -32768,
    day: '2026-02-28',
    at: '2026-01-02T03:04:05.678+02:00',
    is_active: false,
    data: { a: [1, '"\\', null], b: 'é\n' },
    tags: ['NULL', '', '"', 'x,y', '{'],
    token: '7A1A9A66-4C92-4FC7-A7CF-7D2F1F0F0A11',
    size: 'large',
    letters: 'abc',
  };
  const { status, rows, answer } = await write(subject, { create: [all, {}, { code: null, data: 'null' }] });
  expect([status, answer]).toEqual([200, expect.anything()]);
  console.log(rows);
});

contract('x', async (subject) => {
  const statements = await Statements.of(subject);
  let made: Awaited<ReturnType<typeof write>> | undefined;
  const texts = await statements.during(async () => {
    made = await write(subject, { create: many(5) });
  });
  console.log(texts, made?.rows.map(({ id, code, version }) => [id, code, version]), made?.answer);
  for (const body of [
    { update: [{ id: 3, level: 7 }, { id: 1, name: 'x', if_match: ['1', '2'] }, { id: 2, level: 1, at: '2026-01-02T03:04:05.678Z' }] },
    { update: [{ id: 3, level: 8 }, { id: 1, name: 'y', if_match: ['1'] }] },
    { ids: [5, 4, 1], changes: { level: 9, at: '2026-01-02T03:04:05.678Z' } },
    { where: { level: 9 }, maximum: 3, changes: { name: 'met' } },
    { where: { level: 9 }, maximum: 2, changes: { name: 'met2' } },
    { ids: [5, 3] },
    { where: { level: 9 }, maximum: 3 },
  ]) {
    const sentNow = await statements.during(async () => {
      made = await write(subject, body);
    });
    console.log(body, sentNow, made?.status, made?.rows.map(({ id, level, name, version, at, changedAt }) => [id, level, name, version, at, changedAt]), made?.status === 200 ? '' : made?.answer);
  }
});
