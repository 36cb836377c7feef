import { afterAll, expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/libsql';
import { AdvancedSearch, Export, List, RestfulApi } from '@nest-endpoints/core';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expectAnswer, failure, notFound, success } from '../support/answers.js';
import { service, sqliteOnly } from '../support/contract.js';
import { idsOfPages, listing, pages } from './keyset.walk.js';

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

/** A number that may be without an end, stored and worked out. */
const Gauge = defineEntity({
  name: 'Gauge',
  properties: {
    id: p.integer().primary(),
    reading: p.double().nullable(),
    twice: p
      .double()
      .nullable()
      .formula((columns) => `${columns['reading']} * 2`),
    serial: p.bigint('string').nullable(),
    next: p
      .integer()
      .nullable()
      .formula((columns) => `${columns['serial']} + 1`),
    label: p
      .string()
      .nullable()
      .formula((columns) => `iif(${columns['id']} % 2, '''' || ${columns['id']}, ${columns['id']})`),
    labels: p.json().columnType('jsonb').nullable(),
    bytes: p
      .string()
      .nullable()
      .formula((columns) => `cast(${columns['id']} as blob)`),
  },
});

const shipments = {
  modelClass: Shipment,
  readableColumnNames: ['id', 'name'],
  writeableColumnNames: ['id', 'name'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const gauges = {
  modelClass: Gauge,
  readableColumnNames: ['id'],
  sortableColumnNames: ['reading', 'twice', 'serial', 'next', 'label', 'bytes'],
  defaultSortColumnName: 'reading',
} as const;

const options = {
  entities: [Shipment, Route, Gauge],
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
    new List({ ...gauges, url: 'gauges', pagination: 'keyset' }),
    new AdvancedSearch({ ...gauges, url: 'gauges/search', searchableColumnNames: ['labels'] }),
    new Export({ ...gauges, url: 'gauges/export' }),
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

contract('Keyset pages reach every record once whatever SQLite holds in a column', async (subject) => {
  for (const [id, reading, serial] of [
    [1, '9e999', '9007199254740993'],
    [2, '-9e999', '-9223372036854775808'],
    [3, '0.1', '9007199254740992'],
    [4, '9e999', '9007199254740994'],
    [5, '1e300', 'null'],
    [6, '-9e999', '5'],
  ])
    await subject
      .em()
      .getConnection()
      .execute(`insert into gauge (id, reading, serial) values (${id}, ${reading}, ${serial})`);
  const by = async (sort: string): Promise<number[]> =>
    idsOfPages(await pages(listing(subject, `/gauges?limit=1&sort=${sort}`))).flat();
  for (const sort of ['reading', 'twice']) {
    expect(await by(sort)).toEqual([2, 6, 3, 5, 1, 4]);
    expect(await by(`${sort}&direction=desc`)).toEqual([1, 4, 5, 3, 2, 6]);
  }
  for (const sort of ['serial', 'next']) {
    expect(await by(sort)).toEqual([2, 6, 3, 1, 4, 5]);
    expect(await by(`${sort}&direction=desc`)).toEqual([5, 4, 1, 3, 6, 2]);
  }
  expect(await by('label')).toEqual([2, 4, 6, 1, 3, 5]);
  expect(await by('label&direction=desc')).toEqual([5, 3, 1, 6, 4, 2]);
});

contract(
  'A page that ends with the record it began behind is a failure, not one of endless pages',
  async ({ em, request, log }) => {
    const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1001)';
    await em().getConnection().execute(`${numbers} insert into gauge (id) select i from n`);
    const first = await request().get('/gauges?limit=1&sort=bytes');
    expect(first.status).toBe(200);
    const { after } = first.body.pagination.next_page;
    const second = await request().get('/gauges?limit=1&sort=bytes').query({ after });
    expectAnswer(second, 500, failure('Internal Server Error'));
    expect(log.text('error')).toContain('A page ended with the record it began behind');
    await expect(request().get('/gauges/export?sort=bytes').then()).rejects.toThrow();
  },
);

contract('SQLite looks into no JSON, whatever its column is called', async ({ request }) => {
  const search = (operator: string) =>
    request()
      .post('/gauges/search')
      .send({ where: [{ column: 'labels', operator, value: { a: 1 } }] });
  const { status, body } = await search('has');
  expect([status, body]).toEqual([400, (await search('like')).body]);
  expect(JSON.stringify(body)).toContain('operator must be one of: is null, is not null"');
});

shared.contract('A write while another process holds the file is a 503', async ({ request }) => {
  const other = await MikroORM.init({ dbName: file, entities: [Shipment] });
  await other.em.getConnection().execute('begin immediate');
  const { status, headers, body } = await request().post('/shipments').send(even);
  expect([status, headers['retry-after'], body]).toEqual([503, '1', failure('Service Unavailable')]);
  expectAnswer(await request().get(`/shipments/${even.id}`), 404, notFound);
  await other.close();
});
