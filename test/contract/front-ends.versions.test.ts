import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { EndpointsClient } from '@nest-endpoints/client';
import { AdvancedSearch, Delete, Get, List, RestfulApi } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { endpointsProvider } from '@nest-endpoints/react-admin';
import { once, service, type Subject } from '../support/contract.js';
import { licensed } from '../support/documents.js';
import { refusal } from './front-ends.refusal.js';

const Depot = defineEntity({
  name: 'Depot',
  properties: { code: p.string().length(2).primary(), town: p.string().length(40) },
});

/** A record with a version, and with what is other each time that it is read. */
const Parcel = defineEntity({
  name: 'Parcel',
  properties: {
    id: p.integer().primary(),
    label: p.string().length(40),
    weight: p.integer().default(1),
    luck: p.double().formula('random()'),
    depot: () => p.manyToOne(Depot).ref(),
    version: p.integer().version(),
  },
});

const parcels = {
  modelClass: Parcel,
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id', 'label'],
  defaultSortColumnName: 'id',
} as const;

const shown = { modelClass: Parcel, readableColumnNames: ['id', 'label', 'depot.code'] } as const;

const { contract } = service(
  {
    entities: [Depot, Parcel],
    endpoints: [
      new Schema({ url: 'schema', schemaConfiguration: licensed, wholeApplication: true }),
      // Less of the parent than a Get shows, and a column more.
      new AdvancedSearch({
        ...{ ...parcels, url: 'parcels/search' },
        readableColumnNames: ['id', 'label', 'weight', 'luck', 'depot.code'],
      }),
      new RestfulApi({
        ...{ ...parcels, url: 'parcels', preconditionRequired: true },
        readableColumnNames: ['id', 'label', 'luck', 'depot.code', 'depot.town'],
        writeableColumnNames: ['label', 'weight', 'depotCode'],
      }),
      new List({
        ...{ ...parcels, url: 'lost-parcels' },
        readableColumnNames: ['id', 'label', 'weight', 'depot.town'],
      }),
      new Get({ ...shown, url: 'lost-parcels/:id' }),
      new Delete({ modelClass: Parcel, url: 'lost-parcels/:id', preconditionRequired: true }),
    ],
  },
  once,
);

const two = async ({ save }: Subject): Promise<void> => {
  await save(Depot, { code: 'A', town: 'Nice' });
  await save(Depot, { code: 'B', town: 'Lyon' });
  for (const id of [1, 2]) await save(Parcel, { id, label: `parcel ${id}`, depot: 'A' });
};

const sort = { field: 'id', order: 'ASC' } as const;

contract(
  'A record that a list has shown is changed and deleted, whatever the list shows less or more than a Get',
  async (subject) => {
    await two(subject);
    const { getList, update, delete: remove } = endpointsProvider(subject.url);
    const { data } = await getList('parcels', { sort, filter: { 'label@contains': 'parcel' } });
    const [first = { id: 1 }, second = { id: 2 }] = data;
    expect(first).toMatchObject({ weight: 1, depot: { code: 'A' }, depot_code: 'A' });
    const changed = await update('parcels', {
      ...{ id: 1, data: { ...first, label: 'mine' }, previousData: first },
    });
    expect(changed.data).toMatchObject({ label: 'mine', depot: { code: 'A', town: 'Nice' } });
    await remove('parcels', { id: 2, previousData: second });
    expect(await subject.count(Parcel)).toBe(1);
  },
);

contract('A record is not changed that is other than a list has shown it', async (subject) => {
  await two(subject);
  const { getList, update, delete: remove } = endpointsProvider(subject.url);
  const { data } = await getList('parcels', { sort, filter: { 'label@contains': 'parcel' } });
  const [first = { id: 1 }, second = { id: 2 }] = data;
  const others = await new EndpointsClient(subject.url).records('parcels');
  await others.update(1, { label: 'theirs' });
  await others.update(2, { depot_code: 'B' });
  const late = update('parcels', { id: 1, data: { ...first, label: 'mine' }, previousData: first });
  await expect(late).rejects.toMatchObject({ status: 412 });
  await expect(remove('parcels', { id: 2, previousData: second })).rejects.toMatchObject({ status: 412 });
  expect(await subject.count(Parcel)).toBe(2);
});

contract('Where nothing is written, a deletion is of what was shown but for its parents', async (subject) => {
  await two(subject);
  const records = await new EndpointsClient(subject.url).records('lost-parcels');
  const { records: rows } = await records.list();
  const [first, second] = rows;
  await (await new EndpointsClient(subject.url).records('parcels')).update(2, { label: 'found' });
  await records.delete(1, { previous: first });
  expect((await refusal(records.delete(2, { previous: second }))).status).toBe(412);
  expect(await subject.count(Parcel)).toBe(1);
});
