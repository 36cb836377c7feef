import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  Aggregate,
  defineColumns,
  Facets,
  Get,
  RestfulApi,
  StringColumn,
} from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';

/** Columns of types that only the database knows. */
const Probe = defineEntity({
  name: 'Probe',
  properties: {
    id: p.integer().primary().autoincrement(),
    lasts: p.string().columnType('interval').nullable(),
    words: p.string().columnType('tsquery').unique().nullable(),
    relation: p.string().columnType('regclass').nullable(),
    address: p.string().columnType('inet').nullable(),
    card: p.string().columnType('macaddr').nullable(),
    version: p.integer().version(),
  },
});

const text = { type: new StringColumn() };
defineColumns(Probe, { lasts: text, words: text, relation: text, address: text, card: text });

const names = ['lasts', 'words', 'relation', 'address'] as const;
const probes = {
  modelClass: Probe,
  readableColumnNames: ['id', ...names],
  writeableColumnNames: names,
  searchableColumnNames: ['lasts', 'words', 'address'],
  sortableColumnNames: ['id', ...names],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Probe],
    endpoints: [
      new RestfulApi({ ...probes, url: 'probes' }),
      new RestfulApi({ ...probes, url: 'hooked', beforeSave: () => undefined }),
      new Get({
        url: 'named/:words',
        modelClass: Probe,
        recordLookupColumnName: 'words',
        readableColumnNames: ['id'],
      }),
      new Facets({ url: 'facets', modelClass: Probe, facetColumnNames: ['address', 'card'] }),
      new Aggregate({
        url: 'aggregate',
        modelClass: Probe,
        groupableColumnNames: [],
        measurableColumnNames: { address: ['min'], card: ['min', 'max'], lasts: ['max'] },
      }),
      new AdvancedSearch({
        url: 'search',
        modelClass: Probe,
        requestMethods: ['POST'],
        readableColumnNames: ['id'],
        searchableColumnNames: ['lasts', 'words', 'address'],
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
  { name: 'words', sent: 'a &' },
  { name: 'relation', sent: 'nope' },
  { name: 'relation', sent: '' },
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

contract(
  'A search for what a type of the database refuses is a 400, and a look-up finds nothing',
  async ({ request }) => {
    const refused = clientError('The database refuses a value of the search');
    for (const [name, text] of [
      ['words', 'a &'],
      ['address', 'x'],
    ] as const) {
      expectAnswer(
        await request()
          .get('/probes')
          .query({ [name]: text }),
        400,
        refused,
      );
      const where = [{ column: name, operator: 'in', value: [text] }];
      expectAnswer(await request().post('/search').send({ where }), 400, refused);
    }
    expectAnswer(await request().get('/named/a%20%26'), 404, clientError('Not Found'));
  },
);

contract('Every operator that a document offers for a type of the database works', async ({ request }) => {
  const values = { lasts: '1 day', words: "'a' & 'b'", address: '10.0.0.1' };
  await request().post('/probes').send(values);
  const found = async (column: string, operator: string, value: unknown): Promise<unknown> => {
    const { body } = await request()
      .post('/search')
      .send({ where: [{ column, operator, value }] });
    return body.data;
  };
  for (const [column, value] of Object.entries(values)) {
    for (const operator of ['=', '<=>', '<=', '>=', 'like', 'contains', 'starts with', 'ends with'])
      expect([column, operator, await found(column, operator, value)]).toEqual([
        column,
        operator,
        [{ id: 1 }],
      ]);
    expect([column, await found(column, 'in', [value])]).toEqual([column, [{ id: 1 }]]);
    for (const operator of ['!=', '<', '>'])
      expect([column, operator, await found(column, operator, value)]).toEqual([column, operator, []]);
    expect([column, await found(column, 'not in', [value])]).toEqual([column, []]);
  }
});

contract(
  'Such columns have facets by their beginnings, and a least and a greatest value',
  async ({ em, request }) => {
    for (const [address, card, lasts] of [
      ['9.0.0.1', '08:00:2b:01:02:03', '10 days'],
      ['10.0.0.2', '0a:00:2b:01:02:03', '9 days'],
    ] as const)
      await em()
        .getConnection()
        .execute('insert into probe (address, card, lasts, version) values (?, ?, ?, 1)', [
          address,
          card,
          lasts,
        ]);
    const facets = async (query: string) => (await request().get(`/facets?${query}`)).body.data;
    expect(await facets('facets=address&starts_with=10.')).toEqual({
      address: [{ value: '10.0.0.2', count: 1 }],
    });
    expect(await facets('facets=card&starts_with=0A')).toEqual({
      card: [{ value: '0a:00:2b:01:02:03', count: 1 }],
    });
    const measures = ['address.min', 'card.min', 'card.max', 'lasts.max'].map((name) => `measure=${name}`);
    const { body } = await request().get(`/aggregate?${measures.join('&')}`);
    expect(body.data).toEqual({
      address_min: '9.0.0.1',
      card_min: '08:00:2b:01:02:03',
      card_max: '0a:00:2b:01:02:03',
      lasts_max: '10 days',
    });
  },
);
