import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { DeleteMany, UpdateMany } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { once, service } from '../support/contract.js';

const Country = defineEntity({
  name: 'Country',
  properties: { code: p.character().length(4).primary(), name: p.string() },
});

const countries = {
  modelClass: Country,
  readableColumnNames: ['code', 'name'],
  writeableColumnNames: ['name'],
} as const;

// PGlite knows no collation of ICU.
const { contract } = service(
  {
    entities: [Country],
    endpoints: [
      new UpdateMany({ ...countries, url: 'countries' }),
      new DeleteMany({ modelClass: Country, url: 'countries' }),
      new UpdateMany({ ...countries, url: 'countries/hooked', beforeSave: () => undefined }),
      new DeleteMany({ modelClass: Country, url: 'countries/hooked', beforeDelete: () => undefined }),
    ],
  },
  once,
);

contract('UpdateMany and DeleteMany refuse two keys that a collation takes for one', async (subject) => {
  const { em, request } = subject;
  const collation = "(provider = icu, locale = 'und-u-ks-level2', deterministic = false)";
  const connection = em().getConnection();
  await connection.execute(`create collation if not exists ci ${collation}`);
  await connection.execute('alter table country alter column code type char(4) collate ci');
  await subject.save(Country, { code: 'FR', name: 'first' });
  const named = (...codes: readonly string[]) => codes.map((code) => ({ code, name: code }));
  const twice = (name: string) => inputErrors({ [name]: 'the same record is named in records.0' });
  for (const url of ['/countries', '/countries/hooked']) {
    const records = named('fr', 'Fr');
    expectAnswer(await request().patch(url).send({ records }), 400, twice('records.1.code'));
    expectAnswer(
      await request()
        .delete(url)
        .send({ ids: ['fr', 'Fr'] }),
      400,
      inputErrors({ 'ids.1': 'the same record is named in ids.0' }),
    );
    expectAnswer(
      await request()
        .patch(url)
        .send({ records: named('fr') }),
      200,
      success([{ code: 'FR  ', name: 'fr' }]),
    );
  }
  expect(await subject.count(Country)).toBe(1);
});
