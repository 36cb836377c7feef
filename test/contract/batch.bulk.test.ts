import { defineEntity, p } from '@mikro-orm/core';
import { expect } from '@jest/globals';
import { Batch, Create, CreateMany, EndpointGroup, UpdateMany } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Land } from './bulk.places.js';

const Place = defineEntity({
  name: 'Place',
  checks: [{ name: 'place_size', expression: 'size < 1000' }],
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string().unique(),
    size: p.integer(),
    land: () => p.manyToOne(Land).nullable(),
  },
});

const columns = {
  modelClass: Place,
  readableColumnNames: ['id', 'code', 'size'],
  writeableColumnNames: ['code', 'size', 'landCode'],
} as const;

const hooks = { afterSave: () => undefined };
const upserting = { conflictColumnNames: ['code'], onConflict: 'update' } as const;

const { contract } = service(
  {
    entities: [Land, Place],
    endpoints: [
      new EndpointGroup({
        endpoints: [
          new Batch({ url: 'batch' }),
          new Create({
            url: 'lands',
            modelClass: Land,
            readableColumnNames: ['code'],
            writeableColumnNames: ['code', 'name'],
          }),
          new CreateMany({ ...columns, url: 'places' }),
          new CreateMany({ ...columns, ...hooks, url: 'hooked' }),
          new CreateMany({ ...columns, ...upserting, url: 'put' }),
          new CreateMany({ ...columns, ...upserting, ...hooks, url: 'put/hooked' }),
          new UpdateMany({ ...columns, url: 'places' }),
          new UpdateMany({ ...columns, ...hooks, url: 'hooked' }),
        ],
      }),
    ],
  },
  everyDatabase,
);

const batch = ({ request }: Subject, ...operations: object[]) =>
  request().post('/batch').send({ operations });

/** SQLite does not say which columns a rule is about. */
const refused = ({ database }: Subject, place: string, before = '') =>
  database === 'sqlite'
    ? { status: 409, body: { error: `${before}${place}: The database refuses these values` } }
    : {
        status: 400,
        body: {
          input_errors: {
            [`${before === '' ? '' : 'operations.1.body.'}${place}.size`]:
              'value is refused by a rule of the database',
          },
        },
      };

const newLand = { method: 'POST', path: '/lands', body: { code: 'DE', name: 'Germany' } };

const ways = ['places', 'hooked', 'put', 'put/hooked'] as const;

contract(
  'Of many records of a batch, the one that only the database refuses is told as in a request alone',
  async (subject) => {
    for (const way of ways) {
      const records = ['a', 'b', 'c', 'd', 'e'].map((code) => ({ code, size: 1 }));
      const body = { records: records.map((one) => (one.code === 'd' ? { ...one, size: 1000 } : one)) };
      const alone = await subject.request().post(`/${way}`).send(body);
      expect(alone).toMatchObject(refused(subject, 'records.3'));
      const answer = await batch(subject, newLand, { method: 'POST', path: `/${way}`, body });
      expect(answer).toMatchObject(refused(subject, 'records.3', 'operations.1: '));
      expect([await subject.count(Place), await subject.count(Land)]).toEqual([0, 0]);
    }
  },
);

contract('So is one of many that change', async (subject) => {
  for (const way of ['places', 'hooked'] as const) {
    await subject.clean();
    const ids: number[] = [];
    for (const code of ['a', 'b', 'c']) ids.push((await subject.save(Place, { code, size: 1 })).id);
    const body = { records: ids.map((id, index) => ({ id, size: index === 1 ? 1000 : 5 })) };
    const alone = await subject.request().patch(`/${way}`).send(body);
    expect(alone).toMatchObject(refused(subject, 'records.1'));
    const answer = await batch(subject, newLand, { method: 'PATCH', path: `/${way}`, body });
    expect(answer).toMatchObject(refused(subject, 'records.1', 'operations.1: '));
    const stored = await subject.em().find(Place, {}, { orderBy: { id: 1 } });
    expect(stored.map(({ size }) => size)).toEqual([1, 1, 1]);
  }
});

contract(
  'The record that is told is the one that is wrong, not one whose parent an earlier operation wrote',
  async (subject) => {
    for (const way of ways) {
      const records = [
        { code: 'a', land_code: 'DE', size: 1 },
        { code: 'b', land_code: 'DE', size: 1 },
        { code: 'c', land_code: null, size: 1 },
        { code: 'd', land_code: null, size: 1000 },
      ];
      const answer = await batch(subject, newLand, { method: 'POST', path: `/${way}`, body: { records } });
      expect(answer).toMatchObject(refused(subject, 'records.3', 'operations.1: '));
      expect([await subject.count(Place), await subject.count(Land)]).toEqual([0, 0]);
    }
  },
);
