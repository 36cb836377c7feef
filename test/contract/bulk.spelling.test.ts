import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { CreateMany, DeleteMany, Import, UpdateMany } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';

const id = () => p.integer().primary().autoincrement();

const OfCharacters = defineEntity({
  name: 'OfCharacters',
  properties: { id: id(), key: p.character().length(8).unique(), name: p.string() },
});

const OfBigInt = defineEntity({
  name: 'OfBigInt',
  properties: { id: id(), key: p.bigint('string').unique(), name: p.string() },
});

const OfReal = defineEntity({
  name: 'OfReal',
  properties: { id: id(), key: p.float().unique(), name: p.string() },
});

const OfDecimal = defineEntity({
  name: 'OfDecimal',
  properties: { id: id(), key: p.decimal('string').precision(10).scale(2).unique(), name: p.string() },
});

const Country = defineEntity({
  name: 'Country',
  properties: { code: p.character().length(4).primary(), name: p.string() },
});

const entities = { characters: OfCharacters, bigints: OfBigInt, reals: OfReal, decimals: OfDecimal } as const;

/** Endpoints are the same for all, whatever type the key has. */
const alike = entities as unknown as Readonly<Record<string, typeof OfCharacters>>;

const endpoints = Object.entries(alike).flatMap(([url, modelClass]) => {
  const columns = {
    modelClass,
    readableColumnNames: ['key', 'name'],
    writeableColumnNames: ['key', 'name'],
  } as const;
  const conflict = { conflictColumnNames: ['key'], onConflict: 'update' } as const;
  return [
    new CreateMany({ ...columns, ...conflict, url }),
    new CreateMany({ ...columns, ...conflict, url: `${url}/kept`, onConflict: 'ignore' }),
    new UpdateMany({ ...columns, url, recordLookupColumnName: 'key' }),
    new DeleteMany({ modelClass, url, recordLookupColumnName: 'key' }),
    new Import({ ...conflict, modelClass, url: `${url}/import`, writeableColumnNames: ['key', 'name'] }),
  ];
});

const countries = {
  url: 'countries',
  modelClass: Country,
  readableColumnNames: ['code', 'name'],
  writeableColumnNames: ['code', 'name'],
} as const;

const { contract } = service(
  {
    entities: [...Object.values(entities), Country],
    endpoints: [
      ...endpoints,
      new CreateMany(countries),
      new UpdateMany(countries),
      new CreateMany({
        ...countries,
        url: 'countries/upserted',
        conflictColumnNames: ['code'],
        onConflict: 'update',
      }),
    ],
  },
  postgresqlOnly,
);

/** A value, the same one in other words, and how the database writes it. */
const values = [
  ['characters', 'a1', 'a1 ', 'a1      '],
  ['bigints', '5', '05', '5'],
  ['bigints', '0', '-0', '0'],
  ['reals', 0.1, 0.100000001, 0.1],
  ['decimals', '1.5', '01.50', '1.50'],
  ['decimals', '1.5', '1.501', '1.50'],
] as const;

for (const [url, one, other, stored] of values) {
  const pair = `${JSON.stringify(one)} and ${JSON.stringify(other)} of ${url}`;

  contract(`CreateMany with onConflict takes ${pair} for one record`, async ({ request }) => {
    const made = await request()
      .post(`/${url}`)
      .send({ records: [{ key: one, name: 'first' }] });
    expectAnswer(made, 201, success([{ key: stored, name: 'first' }]));
    for (const key of [one, other]) {
      const again = await request()
        .post(`/${url}`)
        .send({ records: [{ key, name: 'second' }] });
      expectAnswer(again, 200, success([{ key: stored, name: 'second' }]));
      const kept = await request()
        .post(`/${url}/kept`)
        .send({ records: [{ key, name: 'third' }] });
      expectAnswer(kept, 200, success([{ key: stored, name: 'second' }]));
    }
  });

  contract(`CreateMany with onConflict refuses ${pair} in one body`, async ({ request }) => {
    const records = [
      { key: one, name: 'first' },
      { key: other, name: 'second' },
    ];
    const answer = await request().post(`/${url}`).send({ records });
    expectAnswer(answer, 400, inputErrors({ 'records.1.key': 'the same value is sent in records.0' }));
  });

  contract(`An Import takes ${pair} for one record`, async ({ request, url: address }) => {
    await request()
      .post(`/${url}`)
      .send({ records: [{ key: one, name: 'first' }] });
    const answer = await fetch(`${address}/${url}/import`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: JSON.stringify({ key: other, name: 'second' }),
    });
    expect(await answer.json()).toMatchObject({
      status: 'success',
      data: { lines: 1, created: 0, updated: 1, failed: 0 },
    });
  });
}

for (const [url, one, other, stored] of values.filter(([, , other]) => other !== '1.501'))
  contract(
    `UpdateMany and DeleteMany find ${JSON.stringify(one)} of ${url} by ${JSON.stringify(other)}`,
    async ({ request, count }) => {
      await request()
        .post(`/${url}`)
        .send({ records: [{ key: one, name: 'first' }] });
      const changed = await request()
        .patch(`/${url}`)
        .send({ records: [{ key: other, name: 'second' }] });
      expectAnswer(changed, 200, success([{ key: stored, name: 'second' }]));
      const both = { records: [one, other].map((key) => ({ key, name: 'third' })) };
      const twice = inputErrors({ 'records.1.key': 'the same record is named in records.0' });
      expectAnswer(await request().patch(`/${url}`).send(both), 400, twice);
      expect(
        (
          await request()
            .delete(`/${url}`)
            .send({ ids: [other] })
        ).status,
      ).toBe(200);
      expect(await count(alike[url] ?? OfCharacters)).toBe(0);
    },
  );

contract(
  'Many records with keys shorter than char(n) are created, changed and found',
  async ({ request }) => {
    const [a, b] = [
      { code: 'a   ', name: 'A' },
      { code: 'b   ', name: 'B' },
    ];
    const records = [
      { code: 'a', name: 'A' },
      { code: 'b ', name: 'B' },
    ];
    expectAnswer(await request().post('/countries').send({ records }), 201, success([a, b]));
    expectAnswer(await request().post('/countries/upserted').send({ records }), 200, success([a, b]));
    const changes = { records: [{ code: 'b', name: 'C' }] };
    expectAnswer(await request().patch('/countries').send(changes), 200, success([{ ...b, name: 'C' }]));
  },
);
