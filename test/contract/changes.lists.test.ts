import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  BigIntegerColumn,
  ChangeRecord,
  DecimalColumn,
  defineColumns,
  Get,
  History,
  ListColumn,
  recordChanges,
  RestfulApi,
} from '@nest-endpoints/core';
import { postgresqlOnly, service } from '../support/contract.js';

/** A record with lists of numbers that JavaScript has no equal of. */
const Ledger = defineEntity({
  name: 'Ledger',
  properties: {
    id: p.integer().primary().autoincrement(),
    keys: p.array().columnType('bigint[]'),
    sums: p.array().columnType('numeric[]'),
    note: p.json<unknown>().nullable(),
  },
});

defineColumns(Ledger, {
  keys: { type: new ListColumn(new BigIntegerColumn()) },
  sums: { type: new ListColumn(new DecimalColumn()) },
});
recordChanges(Ledger, { keepFor: 'forever' });

const ledgers = { modelClass: Ledger, readableColumnNames: ['id', 'keys', 'sums', 'note'] } as const;

const { contract } = service(
  {
    entities: [Ledger, ChangeRecord],
    endpoints: [
      new History({ ...ledgers, url: 'ledgers/:id/history' }),
      new Get({ ...ledgers, url: 'past/:id', timeTravel: true }),
      new RestfulApi({
        ...ledgers,
        url: 'ledgers',
        writeableColumnNames: ['keys', 'sums', 'note'],
        searchableColumnNames: [],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ],
  },
  postgresqlOnly,
);

contract('The past of a list of numbers has all their digits', async ({ request, em }) => {
  const lists = {
    keys: ['9007199254740993', '-9223372036854775808', '5'],
    sums: ['1.10', '12345678901234567890.5'],
  };
  const { body } = await request().post('/ledgers').send(lists).expect(201);
  const { id } = body.data as { id: number };
  // As SQL writes it: a client could not send it.
  await em()
    .getConnection()
    .execute(`update ledger set note = '{"sum": 1.10, "key": 9007199254740993}' where id = ${id}`);
  const then = new Date(Date.now() + 1).toISOString();
  await request()
    .patch(`/ledgers/${id}`)
    .send({ keys: ['1'], sums: ['2'], note: null })
    .expect(200);
  const { text } = await request().get(`/ledgers/${id}/history`).expect(200);
  for (const list of Object.values(lists)) expect(text).toContain(JSON.stringify(list));
  expect(text).toContain('{"key":9007199254740993,"sum":1.10}');
  const past = await request()
    .get(`/past/${id}?as_of=${encodeURIComponent(then)}`)
    .expect(200);
  for (const list of Object.values(lists)) expect(past.text).toContain(JSON.stringify(list));
  expect(past.text).toContain('1.10');
});
