import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, defineColumns, RestfulApi, StringColumn } from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';

/** Columns of types that only the database knows. */
const Probe = defineEntity({
  name: 'Probe',
  properties: {
    id: p.integer().primary().autoincrement(),
    lasts: p.string().columnType('interval').nullable(),
    words: p.string().columnType('tsquery').nullable(),
    relation: p.string().columnType('regclass').nullable(),
    address: p.string().columnType('inet').nullable(),
    version: p.integer().version(),
  },
});

const text = { type: new StringColumn() };
defineColumns(Probe, { lasts: text, words: text, relation: text, address: text });

const names = ['lasts', 'words', 'relation', 'address'] as const;
const probes = {
  modelClass: Probe,
  readableColumnNames: ['id', ...names],
  writeableColumnNames: names,
  searchableColumnNames: names,
  sortableColumnNames: ['id', ...names],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Probe],
    endpoints: [
      new RestfulApi({ ...probes, url: 'probes' }),
      new RestfulApi({ ...probes, url: 'hooked', beforeSave: () => undefined }),
      new AdvancedSearch({
        url: 'search',
        modelClass: Probe,
        requestMethods: ['POST'],
        readableColumnNames: ['id'],
        searchableColumnNames: names,
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ],
  },
  postgresqlOnly,
);

const kept = [
  { name: 'lasts', sent: '3 weeks', stored: '21 days' },
  { name: 'lasts', sent: 'P1DT2H', stored: '1 day 02:00:00' },
  { name: 'lasts', sent: '15 minutes ago', stored: '-00:15:00' },
] as const;

contract(
  'A text of a type that only the database knows is stored as the database reads it, with a hook and without',
  async ({ request }) => {
    for (const { name, sent, stored } of kept)
      for (const url of ['/probes', '/hooked']) {
        const { id, ...created } = (
          await request()
            .post(url)
            .send({ [name]: sent })
        ).body.data as { id: number };
        expect(created).toMatchObject({ [name]: stored });
        await request()
          .patch(`${url}/${id}`)
          .send({ [name]: null });
        const { body } = await request()
          .patch(`${url}/${id}`)
          .send({ [name]: sent });
        expect(body.data).toMatchObject({ [name]: stored });
      }
  },
);

const bad = [
  { name: 'lasts', sent: 'x' },
  { name: 'lasts', sent: '  ' },
] as const;

contract(
  'A text that a type of the database refuses is refused as a value of its column, with a hook and without',
  async ({ request }) => {
    for (const { name, sent } of bad)
      for (const url of ['/probes', '/hooked']) {
        const refused = inputErrors({ [name]: 'value is refused by a rule of the database' });
        const id = (await request().post(url).send({})).body.data.id as number;
        expectAnswer(
          await request()
            .post(url)
            .send({ [name]: sent }),
          400,
          refused,
        );
        expectAnswer(
          await request()
            .patch(`${url}/${id}`)
            .send({ [name]: sent }),
          400,
          refused,
        );
      }
  },
);
