import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { OwnRecords, TenantRecords } from '@nest-endpoints/auth';
import { EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, postgresqlOnly, service } from '../support/contract.js';
import { Claims } from './claims.js';

const id = () => p.integer().primary().autoincrement();

const OfUuid = defineEntity({
  name: 'OfUuid',
  properties: { id: id(), tenant: p.uuid(), name: p.string() },
});

const OfDecimal = defineEntity({
  name: 'OfDecimal',
  properties: { id: id(), tenant: p.decimal('string').precision(10).scale(2), name: p.string() },
});

const OfBigInt = defineEntity({
  name: 'OfBigInt',
  properties: { id: id(), tenant: p.bigint('string'), name: p.string() },
});

const OfCharacters = defineEntity({
  name: 'OfCharacters',
  properties: { id: id(), tenant: p.character().length(6), name: p.string() },
});

const urls = { uuids: OfUuid, decimals: OfDecimal, bigints: OfBigInt, characters: OfCharacters } as const;

/** Endpoints are the same for all, whatever type the tenant has. */
const alike = urls as unknown as Readonly<Record<string, typeof OfCharacters>>;

const endpoints = Object.entries(alike).map(
  ([url, modelClass]) =>
    new RestfulApi({
      url,
      modelClass,
      readableColumnNames: ['id', 'name'],
      writeableColumnNames: ['name'],
      searchableColumnNames: ['id'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    }),
);

const options = {
  entities: Object.values(urls),
  root: { authentication: new Claims() },
  endpoints: [
    new EndpointGroup({
      authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
      endpoints,
    }),
    new EndpointGroup({ url: 'own', authorization: new OwnRecords('tenant', 'tenant'), endpoints }),
  ],
};

const as = (tenant: unknown) => ({ 'X-Claims': JSON.stringify({ tenant }) });

/** One tenant in two spellings of its column. */
const spellings = [
  ['uuids', '7D0F4B52-6C1F-4A9E-9A63-0D8C6F0F1A11', '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11'],
  ['decimals', '05', '5.00'],
  ['decimals', 5, '5.0'],
  ['bigints', '05', '5'],
  ['bigints', 5, '5'],
] as const;

const records = (name: string) => ({ status: 200, body: { data: [{ id: 1, name }] } });

const everywhere = service(options, everyDatabase);

for (const [url, one, other] of spellings)
  everywhere.contract(
    `The tenants ${JSON.stringify(one)} and ${JSON.stringify(other)} of ${url} are one`,
    async ({ request }) => {
      const made = await request().post(`/${url}`).set(as(one)).send({ name: 'first' });
      expectAnswer(made, 201, success({ id: 1, name: 'first' }));
      for (const tenant of [one, other]) {
        expect(await request().get(`/${url}`).set(as(tenant))).toMatchObject(records('first'));
        expect(await request().get(`/own/${url}`).set(as(tenant))).toMatchObject(records('first'));
        expect(
          await request()
            .get(`/own/${url}`)
            .set(as([tenant])),
        ).toMatchObject(records('first'));
      }
      const patched = await request().patch(`/${url}/1`).set(as(other)).send({ name: 'second' });
      expectAnswer(patched, 200, success({ id: 1, name: 'second' }));
    },
  );

everywhere.contract('A claim with more digits than the column is no tenant', async (subject) => {
  const { request, count } = subject;
  for (const tenant of ['5.001', 5.001, '4.999']) {
    const answer = await request().post('/decimals').set(as(tenant)).send({ name: 'first' });
    expect(answer.status).toBe(403);
    expect((await request().get('/decimals').set(as(tenant))).status).toBe(403);
  }
  expect(await count(OfDecimal)).toBe(0);
  expect((await request().get('/decimals').set(as('5.000'))).status).toBe(200);
});

const padding = service(options, postgresqlOnly);

padding.contract('A tenant of char(n) is the same with and without blanks at its end', async (subject) => {
  const { request } = subject;
  await request().post('/characters').set(as('acme')).send({ name: 'first' });
  for (const tenant of ['acme', 'acme  '])
    for (const url of ['/characters', '/own/characters'])
      expect(await request().get(url).set(as(tenant))).toMatchObject(records('first'));
  expect(await request().get('/characters').set(as('acm'))).toMatchObject({ body: { data: [] } });
});
