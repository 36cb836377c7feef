import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Get, List, SimpleSearch } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { Album, Band, Label, Musician, studio } from '../support/entities/studio.js';
import { ann, bob, cid, record, studioWith } from './related.studio.js';

/** Vehicles of two kinds in one table; a garage has all of them, and its cars apart. */
const Garage = defineEntity({
  name: 'Garage',
  properties: {
    id: p.integer().primary(),
    vehicles: () => p.oneToMany(Vehicle).mappedBy('garage'),
    cars: () => p.oneToMany(Car).mappedBy('carport'),
    drivers: () => p.manyToMany(Car),
  },
});
const Vehicle = defineEntity({
  name: 'Vehicle',
  discriminatorColumn: 'kind',
  discriminatorValue: 'vehicle',
  properties: {
    id: p.integer().primary(),
    kind: p.string().length(20).default('vehicle'),
    garage: () => p.manyToOne(Garage).nullable(),
    wheels: () => p.oneToMany(Wheel).mappedBy('vehicle'),
  },
});
const Car = defineEntity({
  name: 'Car',
  extends: Vehicle,
  discriminatorValue: 'car',
  properties: { seats: p.integer().nullable(), carport: () => p.manyToOne(Garage).nullable() },
});
const Wheel = defineEntity({
  name: 'Wheel',
  properties: { id: p.integer().primary(), vehicle: () => p.manyToOne(Vehicle) },
});

const listed = { sortableColumnNames: ['id'], defaultSortColumnName: 'id' } as const;

const { contract } = service(
  {
    ...studioWith([
      new Get({ url: 'bands/:id', modelClass: Band, readableColumnNames: ['musicians.name', 'musicianIds'] }),
      new Get({
        url: 'one/:id',
        modelClass: Band,
        readableColumnNames: ['musicians.name'],
        columnOverrides: { musicians: { limit: 1 } },
      }),
      new List({
        ...listed,
        url: 'labels',
        modelClass: Label,
        readableColumnNames: ['bands.musicians.name'],
      }),
      new SimpleSearch({
        ...listed,
        url: 'found',
        modelClass: Band,
        readableColumnNames: ['id'],
        searchableColumnNames: ['musicians.name', 'albums.producer.name'],
      }),
      new List({
        ...listed,
        url: 'albums',
        modelClass: Album,
        readableColumnNames: ['id', 'producer.name', 'producer.bands.name'],
      }),
      ...Object.entries({
        'where/secret': { where: ['producer.pin = 1234'] },
        'where/hidden': { where: ['producer.name = Bob'] },
        'where/shown': { where: ['producer.name = Ann'] },
        'where/none': { where: ['producer.id is null'] },
        'joins/path': { joins: ['producer'] },
      }).map(
        ([url, options]) =>
          new List({ ...listed, url, modelClass: Album, readableColumnNames: ['id'], ...options }),
      ),
      new Get({
        url: 'garages/:id',
        modelClass: Garage,
        readableColumnNames: [
          'vehicles.id',
          'vehicles.kind',
          'cars.id',
          'cars.seats',
          'drivers.seats',
          'driverIds',
        ],
      }),
      new List({ ...listed, url: 'cars', modelClass: Car, readableColumnNames: ['id', 'wheels.id'] }),
    ]),
    entities: [...studio, Garage, Vehicle, Car, Wheel],
  },
  everyDatabase,
);

contract('Related records that a default filter hides are not in a list', async (subject) => {
  await record(subject);
  const { request, em } = subject;
  const musicians = [{ name: 'Ann' }];
  expectAnswer(await request().get('/bands/1'), 200, success({ musicians, musician_ids: [ann] }));
  const [first] = (await request().get('/labels')).body.data;
  expect(first).toEqual({ bands: [{ musicians }, { musicians: [] }] });
  await em().nativeUpdate(Musician, ann, { retired: true });
  expectAnswer(await request().get('/bands/1'), 200, success({ musicians: [], musician_ids: [] }));
});

contract('Related records that a filter hides do not count for the limit', async (subject) => {
  await record(subject);
  const { request, em } = subject;
  await em().nativeUpdate(Musician, { name: 'Bob' }, { retired: false }, { filters: false });
  await em().nativeUpdate(Musician, ann, { retired: true });
  expectAnswer(await request().get('/one/1'), 200, success({ musicians: [{ name: 'Bob' }] }));
});

contract('A list under a parent that a filter hides is not shown', async (subject) => {
  await record(subject);
  const { body } = await subject.request().get('/albums');
  expect(body.data.slice(0, 2)).toEqual([
    { id: 1, producer: { name: 'Ann', bands: [{ name: 'Owls' }] } },
    { id: 2, producer: null },
  ]);
});

contract('A record is not found by related records that a filter hides', async (subject) => {
  await record(subject);
  const { request } = subject;
  const nothing = success([], { number_results: 0, limit: 50, next_page: {} });
  expectAnswer(await request().get('/found?musicians.name=Bob'), 200, nothing);
  expectAnswer(await request().get('/found?albums.producer.name=Bob'), 200, nothing);
  expect((await request().get('/found?musicians.name=Ann')).body.data).toEqual([{ id: 1 }]);
  expect((await request().get('/found?albums.producer.name=Ann')).body.data).toEqual([{ id: 1 }]);
});

contract(
  'A related record that a filter hides meets no where string and no relation path of joins',
  async (subject) => {
    await record(subject);
    const { request } = subject;
    const expected = { 'where/hidden': [], 'where/shown': [1], 'where/none': [2, 3, 4], 'joins/path': [1] };
    for (const [url, ids] of Object.entries(expected))
      expect([url, (await request().get(`/${url}`)).body.data]).toEqual([url, ids.map((id) => ({ id }))]);
  },
);

contract('A hidden column may be used in where', async (subject) => {
  await record(subject);
  expect((await subject.request().get('/where/secret')).body.data).toEqual([{ id: 1 }]);
});

contract('Filters of one request do not reach another', async (subject) => {
  await record(subject);
  const { request, em } = subject;
  const ask = async (): Promise<unknown> => (await request().get('/bands/1')).body.data.musician_ids;
  expect(await ask()).toEqual([ann]);
  await em().nativeUpdate(Musician, bob, { retired: false }, { filters: false });
  expect(await ask()).toEqual([ann, bob]);
  expect(await em().count(Musician, cid)).toBe(1);
});

contract(
  'A list of a child entity has records of its kind, one of the parent entity has all',
  async (subject) => {
    const { request, save } = subject;
    const garage = await save(Garage, { id: 1 });
    const car = await save(Car, { id: 2, seats: 4, garage, carport: garage });
    await save(Vehicle, { id: 3, garage });
    await save(Wheel, { id: 1, vehicle: car });
    const em = subject.em();
    const stored = await em.findOneOrFail(Garage, 1, { populate: ['drivers'] });
    stored.drivers.add(await em.findOneOrFail(Car, 2));
    await em.flush();
    const vehicles = [
      { id: 2, kind: 'car' },
      { id: 3, kind: 'vehicle' },
    ];
    const shown = { vehicles, cars: [{ id: 2, seats: 4 }], drivers: [{ seats: 4 }], driver_ids: [2] };
    expectAnswer(await request().get('/garages/1'), 200, success(shown));
    expect((await request().get('/cars')).body.data).toEqual([{ id: 2, wheels: [{ id: 1 }] }]);
  },
);
