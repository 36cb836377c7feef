import { afterAll, expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/libsql';
import { List, RestfulApi } from '@nest-endpoints/core';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expectAnswer, failure, notFound, success } from '../support/answers.js';
import { service, sqliteOnly } from '../support/contract.js';

/** Its keys have 64 bits, of which the driver keeps 53. */
const Shipment = defineEntity({
  name: 'Shipment',
  properties: { id: p.bigint('string').primary(), name: p.string() },
});

/** A list is text there. */
const Route = defineEntity({
  name: 'Route',
  properties: { id: p.integer().primary().autoincrement(), stops: p.array() },
});

const shipments = {
  modelClass: Shipment,
  readableColumnNames: ['id', 'name'],
  writeableColumnNames: ['id', 'name'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const options = {
  entities: [Shipment, Route],
  endpoints: [
    new RestfulApi({ ...shipments, url: 'shipments', searchableColumnNames: ['id'] }),
    new RestfulApi({
      url: 'routes',
      modelClass: Route,
      readableColumnNames: ['stops'],
      writeableColumnNames: ['stops'],
      searchableColumnNames: [],
      sortableColumnNames: [],
      defaultSortColumnName: 'id',
    }),
    new List({ ...shipments, url: 'mapped', outputMap: ({ record }) => record.id }),
  ],
};

const { contract } = service(options, sqliteOnly);

const file = join(mkdtempSync(join(tmpdir(), 'nest-endpoints-sqlite-')), 'test.db');
const shared = service({ ...options, orm: { dbName: file } }, sqliteOnly);
afterAll(() => rm(dirname(file), { recursive: true }));

const even = { id: '9007199254740992', name: 'even' };
const odd = { id: '9007199254740993', name: 'odd' };

contract(
  'A write to a record whose key the driver rounds is a failure and changes no record',
  async ({ request, log }) => {
    for (const shipment of [even, odd]) await request().post('/shipments').send(shipment);
    const path = `/shipments/${odd.id}`;
    const renamed = request().patch(path).send({ name: 'new' });
    for (const refused of [renamed, request().delete(path), request().get('/mapped')])
      expectAnswer(await refused, 500, failure('Internal Server Error'));
    expect((await request().get('/shipments')).body.data).toEqual([even, odd]);
    expect(log.text('error')).toContain("Shipment: the database's driver rounds keys");
  },
);

contract('A record whose key the driver rounds is read as it is stored', async ({ request }) => {
  for (const shipment of [even, odd])
    expectAnswer(await request().post('/shipments').send(shipment), 201, success(shipment));
  for (const shipment of [even, odd])
    expectAnswer(await request().get(`/shipments/${shipment.id}`), 200, success(shipment));
});

contract('A List of texts is kept as text', async ({ request }) => {
  const route = { stops: ['Köln', 'Bonn'] };
  expectAnswer(await request().post('/routes').send(route), 201, success(route));
  const comma = { stops: ['Köln, Bonn'] };
  expectAnswer(await request().post('/routes').send(comma), 201, success(comma));
});

shared.contract('A write while another process holds the file is a 503', async ({ request }) => {
  const other = await MikroORM.init({ dbName: file, entities: [Shipment] });
  await other.em.getConnection().execute('begin immediate');
  const { status, headers, body } = await request().post('/shipments').send(even);
  expect([status, headers['retry-after'], body]).toEqual([503, '1', failure('Service Unavailable')]);
  expectAnswer(await request().get(`/shipments/${even.id}`), 404, notFound);
  await other.close();
});
