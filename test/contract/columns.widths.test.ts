import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import {
  defineColumns,
  EndpointGroup,
  RestfulApi,
  softDelete,
  StringColumn,
  Upsert,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';
import { Claims } from './claims.js';

const Club = defineEntity({
  name: 'Club',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.character().length(4),
    name: p.string(),
  },
});

const Member = defineEntity({
  name: 'Member',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.character().length(4),
    name: p.string(),
    club: () => p.manyToOne(Club).nullable(),
  },
});

const Shop = defineEntity({
  name: 'Shop',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    deletedAt: p.datetime(3).nullable(),
  },
});
softDelete(Shop, { columnName: 'deletedAt', children: {} });

/** Columns whose type says how wide they are, below a parent that each statement looks at. */
const Ware = defineEntity({
  name: 'Ware',
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.character().length(6).unique(),
    flags: p.string().columnType('bit(8)').default('00000000'),
    marks: p.string().columnType('bit varying(8)').nullable(),
    name: p.string().length(10).nullable(),
    weight: p.float().columnType('float(24)').nullable(),
    shop: () => p.manyToOne(Shop),
  },
});

defineColumns(Ware, { flags: { type: new StringColumn() }, marks: { type: new StringColumn() } });

const list = {
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const written = ['code', 'flags', 'marks', 'name', 'weight', 'shopId'] as const;

const wares = {
  modelClass: Ware,
  readableColumnNames: ['id', ...written],
  writeableColumnNames: written,
} as const;

const { contract } = service(
  {
    entities: [Club, Member, Shop, Ware],
    endpoints: [
      new EndpointGroup({
        authentication: new Claims(),
        authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
        endpoints: [
          new RestfulApi({
            ...list,
            url: 'clubs',
            modelClass: Club,
            readableColumnNames: ['id', 'name'],
            writeableColumnNames: ['name'],
          }),
          new RestfulApi({
            ...list,
            url: 'members',
            modelClass: Member,
            readableColumnNames: ['id', 'tenant', 'name', 'clubId'],
            writeableColumnNames: ['name', 'clubId'],
          }),
        ],
      }),
      new RestfulApi({ ...list, ...wares, url: 'wares' }),
      new Upsert({ ...wares, url: 'stock', conflictColumnNames: ['code'] }),
    ],
  },
  postgresqlOnly,
);

const as = (tenant: string) => ({ 'X-Claims': JSON.stringify({ tenant }) });

const ware = { flags: '10110111', marks: '101101', name: 'ten or les', weight: 0.5, shop_id: 1 };

contract('A new record below a parent keeps a tenant of char(n)', async ({ request }) => {
  const club = await request().post('/clubs').set(as('acme')).send({ name: 'Chess' });
  const { id } = (club.body as { readonly data: { readonly id: number } }).data;
  const made = await request().post('/members').set(as('acme')).send({ name: 'Ann', club_id: id });
  const ann = { id: 1, tenant: 'acme', name: 'Ann', club_id: id };
  expectAnswer(made, 201, success(ann));
  expect(await request().get('/members').set(as('acme'))).toMatchObject({ body: { data: [ann] } });
  expect(await request().get('/members').set(as('a'))).toMatchObject({ status: 200, body: { data: [] } });
});

contract('Upserts of texts of char(n) that begin alike are of several records', async ({ request, save }) => {
  await save(Shop, { id: 1, name: 'one' });
  const apples = { ...ware, code: 'APPLES' };
  const almond = { ...ware, code: 'ALMOND' };
  expectAnswer(await request().put('/stock').send(apples), 201, success({ id: 1, ...apples }));
  expectAnswer(await request().put('/stock').send(almond), 201, success({ id: 2, ...almond }));
  const heavier = { ...apples, weight: 1.5 };
  expectAnswer(await request().put('/stock').send(heavier), 200, success({ id: 1, ...heavier }));
});

contract('A new record below a parent keeps texts, bits and digits as wide as they are', async (subject) => {
  const { request, save } = subject;
  await save(Shop, { id: 1, name: 'one' });
  const whole = { ...ware, code: 'abcdef' };
  expectAnswer(await request().post('/wares').send(whole), 201, success({ id: 1, ...whole }));
});

contract('A text longer than its column is refused below a parent, and not cut', async (subject) => {
  const { request, save, count } = subject;
  await save(Shop, { id: 1, name: 'one' });
  const long = await request()
    .post('/wares')
    .send({ ...ware, code: 'abcdefg' });
  expectAnswer(long, 400, inputErrors({ code: 'value should be at most 6 characters long' }));
  const bits = await request()
    .post('/wares')
    .send({ ...ware, code: 'abcdef', flags: '1011011101' });
  expect(bits.status).toBe(400);
  expect(await count(Ware)).toBe(0);
});
