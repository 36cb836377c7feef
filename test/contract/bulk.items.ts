import { defineEntity, p } from '@mikro-orm/core';
import { DatetimeColumn, defineColumns } from '@nest-endpoints/core';
import type { Subject } from '../support/contract.js';
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

/** What `service` takes for the items alone. */
export const items = {
  entities: [Owner, Item],
  endpoints: [
    new BulkRows({
      url: 'bulk',
      modelClass: Item,
      readableColumnNames: ['id', 'version', ...sent, 'owner.name', 'madeAt', 'changedAt'],
      writeableColumnNames: sent,
    }),
  ],
};

type Row = Readonly<Record<string, unknown>>;

export const write = async ({ request }: Subject, body: unknown) => {
  const { status, body: answer } = await request()
    .post('/bulk')
    .send({ json: JSON.stringify(body) });
  return { status, rows: (answer.data ?? []) as Row[], answer: answer as unknown };
};

export const owners = async ({ em }: Subject): Promise<void> => {
  await em().insertMany(Owner, [
    { id: 1, name: 'Ann' },
    { id: 2, name: 'Ben' },
  ]);
};

export const many = (number: number) =>
  Array.from({ length: number }, (_, index) => ({ code: `c${index}`, level: index }));

/** What the kind answers for what it leaves to the unit of work. */
export const left: readonly unknown[] = [409, []];

export const answered = (
  { status, rows }: Awaited<ReturnType<typeof write>>,
  ...names: readonly string[]
) => [status, rows.map((row) => names.map((name) => row[name]))];

/** The records, past the endpoints. */
export const stored = async ({ em }: Subject, ...names: readonly string[]) => {
  const rows: Row[] = await em().getConnection().execute('select * from item order by id');
  return rows.map((row) => names.map((name) => row[name]));
};
