import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Callable, Get, List, RestfulApi, SimpleSearch } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';

const Person = defineEntity({
  name: 'Person',
  discriminatorColumn: 'kind',
  discriminatorValue: 'person',
  properties: { id: p.integer().primary(), kind: p.string().length(20), name: p.string() },
});
const Pilot = defineEntity({
  name: 'Pilot',
  extends: Person,
  discriminatorValue: 'pilot',
  properties: { hours: p.integer().nullable() },
});

const Level = defineEntity({
  name: 'Level',
  orderBy: { level: 'desc' },
  properties: {
    id: p.integer().primary(),
    level: p.integer(),
    flight: () => p.manyToOne(Flight).nullable(),
    author: () => p.manyToOne(Person).nullable(),
  },
});

/** Most of what MikroORM's metadata says of what is read. */
const Flight = defineEntity({
  name: 'Flight',
  properties: {
    id: p.integer().primary(),
    urgency: p.enum(['low', 'mid', 'high']).customOrder('low', 'mid', 'high').nullable(),
    log: p.text().lazy().nullable(),
    pilot: () => p.manyToOne(Pilot).nullable(),
    levels: () => p.oneToMany(Level).mappedBy('flight'),
    byAuthor: () =>
      p
        .oneToMany(Level)
        .mappedBy('flight')
        .orderBy({ author: { name: 'desc' } }),
    stops: () => p.manyToMany(Stop).fixedOrder(),
    latest: () =>
      p
        .manyToOne(Level)
        .through(() => Level)
        .orderBy({ level: 'desc' })
        .nullable(),
  },
});
const Stop = defineEntity({ name: 'Stop', properties: { id: p.integer().primary(), city: p.string() } });
/** MikroORM itself cannot find a record whose relation is narrowed like this. */
const Parcel = defineEntity({
  name: 'Parcel',
  properties: {
    id: p.integer().primary(),
    seal: () => p.oneToOne(Seal).mappedBy('parcel').where({ broken: false }).nullable(),
  },
});
const Seal = defineEntity({
  name: 'Seal',
  properties: {
    id: p.integer().primary(),
    broken: p.boolean(),
    parcel: () => p.oneToOne(Parcel).owner(),
  },
});

const entities = [Person, Pilot, Level, Flight, Stop, Parcel, Seal];
const listed = { sortableColumnNames: ['id'], defaultSortColumnName: 'id' } as const;
const urgent = {
  modelClass: Flight,
  readableColumnNames: ['id'],
  sortableColumnNames: ['urgency'],
  defaultSortColumnName: 'urgency',
} as const;

const { contract } = service(
  {
    entities,
    endpoints: [
      new SimpleSearch({
        ...listed,
        url: 'piloted',
        modelClass: Flight,
        readableColumnNames: ['id', 'pilotId', 'pilot.name'],
        searchableColumnNames: ['pilot.name'],
      }),
      new SimpleSearch({
        ...listed,
        url: 'parcels',
        modelClass: Parcel,
        readableColumnNames: ['seal.id'],
        searchableColumnNames: ['seal.id'],
      }),
      new Get({
        url: 'levels/:id',
        modelClass: Flight,
        readableColumnNames: ['levels.id', 'byAuthor.id'],
      }),
      new RestfulApi({
        ...listed,
        url: 'stops',
        modelClass: Flight,
        readableColumnNames: ['stops.city', 'stopIds'],
        writeableColumnNames: ['id', 'stopIds'],
        searchableColumnNames: [],
      }),
      new List({ ...urgent, url: 'urgent' }),
      new List({ ...urgent, url: 'keyset', pagination: 'keyset', readableColumnNames: ['id', 'urgency'] }),
      new Callable({
        url: 'logs',
        modelClass: Flight,
        readableColumnNames: ['id', 'log'],
        returnRecords: true,
        toCall: ({ em }) => em.find(Flight, {}, { orderBy: { id: 'asc' } }),
      }),
      new Callable({
        url: 'changed',
        modelClass: Flight,
        readableColumnNames: ['id', 'log'],
        toCall: async ({ em }) => Object.assign(await em.findOneOrFail(Flight, 1), { log: 'changed' }),
      }),
      new Get({ url: 'logs/:id', modelClass: Flight, readableColumnNames: ['log'] }),
      new List({ ...listed, url: 'latest', modelClass: Flight, readableColumnNames: ['id', 'latest.level'] }),
    ],
  },
  everyDatabase,
);

contract(
  'A parent of another kind than the relation leads to is no parent',
  async ({ request, save, em }) => {
    await save(Person, { id: 1, name: 'Ann', kind: 'person' });
    await save(Pilot, { id: 2, name: 'Bob' });
    await save(Flight, { id: 1 });
    await save(Flight, { id: 2, pilot: 2 });
    await em().getConnection().execute('update flight set pilot_id = 1 where id = 1');
    const { body } = await request().get('/piloted');
    expect(body.data).toEqual([
      { id: 1, pilot_id: 1, pilot: null },
      { id: 2, pilot_id: 2, pilot: { name: 'Bob' } },
    ]);
    expect((await request().get('/piloted?pilot.name=Ann')).body.data).toEqual([]);
    expect((await request().get('/piloted?pilot.name=Bob')).body.data).toHaveLength(1);
  },
);

contract('A one-to-one relation obeys its own where', async ({ request, save }) => {
  for (const [id, broken] of [
    [1, false],
    [2, true],
  ] as const) {
    await save(Parcel, { id });
    await save(Seal, { id, broken, parcel: id });
  }
  const found = async (path: string) => (await request().get(path)).body.data;
  expect(await found('/parcels')).toEqual([{ seal: { id: 1 } }, { seal: null }]);
  expect(await found('/parcels?seal.id=1')).toHaveLength(1);
  expect(await found('/parcels?seal.id=2')).toEqual([]);
});

contract('Related records come in the order of their relation, then of their entity', async (subject) => {
  const { request, save } = subject;
  await save(Flight, { id: 1 });
  await save(Person, { id: 1, name: 'Ann', kind: 'person' });
  await save(Person, { id: 2, name: 'Bob', kind: 'person' });
  await save(Level, { id: 1, level: 5, flight: 1, author: 1 });
  await save(Level, { id: 2, level: 9, flight: 1, author: 1 });
  await save(Level, { id: 3, level: 7, flight: 1, author: 2 });
  const { body } = await request().get('/levels/1');
  const ids = (list: { id: number }[]) => list.map(({ id }) => id);
  expect([ids(body.data.levels), ids(body.data.by_author)]).toEqual([
    [2, 3, 1],
    [3, 2, 1],
  ]);
});

contract(
  'A many-to-many relation with fixedOrder is shown and written in its order',
  async ({ request, save }) => {
    for (const [id, city] of ['Rome', 'Oslo', 'Bern'].entries()) await save(Stop, { id: id + 1, city });
    const shown = (...ids: number[]) => ({
      stops: ids.map((id) => ({ city: ['Rome', 'Oslo', 'Bern'][id - 1] })),
      stop_ids: ids,
    });
    expectAnswer(
      await request()
        .post('/stops')
        .send({ id: 1, stop_ids: [3, 1, 2] }),
      201,
      success(shown(3, 1, 2)),
    );
    expectAnswer(await request().get('/stops/1'), 200, success(shown(3, 1, 2)));
    expectAnswer(
      await request()
        .patch('/stops/1')
        .send({ stop_ids: [2, 3, 1] }),
      200,
      success(shown(2, 3, 1)),
    );
    expect((await request().get('/stops')).body.data).toEqual([shown(2, 3, 1)]);
  },
);

const urgencies = async ({ save }: Subject): Promise<void> => {
  for (const [id, urgency] of [null, 'high', 'low', 'mid', 'low', 'high'].entries())
    await save(Flight, { id: id + 1, urgency: urgency as 'low' | null });
};

contract('Records are sorted in the order that customOrder gives the values', async (subject) => {
  await urgencies(subject);
  const { request } = subject;
  const ids = async (path: string) =>
    (await request().get(path)).body.data.map(({ id }: { id: number }) => id) as number[];
  for (const url of ['urgent', 'keyset']) {
    expect([url, await ids(`/${url}`)]).toEqual([url, [3, 5, 4, 2, 6, 1]]);
    expect([url, await ids(`/${url}?direction=desc`)]).toEqual([url, [1, 2, 6, 4, 3, 5]]);
  }
  for (const direction of ['asc', 'desc'] as const) {
    const walked: number[] = [];
    let next: object = {};
    do {
      const { body } = await request()
        .get('/keyset')
        .query({ limit: 1, direction, ...next });
      walked.push(...(body.data as { id: number }[]).map(({ id }) => id));
      next = body.pagination.next_page;
    } while (Object.keys(next).length > 0);
    expect(walked).toEqual(await ids(`/keyset?direction=${direction}`));
  }
});

contract('A lazy property is shown, whoever has found the record', async ({ request, save }) => {
  await save(Flight, { id: 1, log: 'one' });
  await save(Flight, { id: 2 });
  expect((await request().get('/logs')).body.data).toEqual([
    { id: 1, log: 'one' },
    { id: 2, log: null },
  ]);
  expectAnswer(await request().get('/logs/1'), 200, success({ log: 'one' }));
  expect((await request().get('/changed')).body.data).toEqual({ id: 1, log: 'changed' });
});

contract('A relation through another entity leads where MikroORM says', async ({ request, save }) => {
  await save(Flight, { id: 1 });
  await save(Flight, { id: 2 });
  await save(Level, { id: 1, level: 5, flight: 1 });
  await save(Level, { id: 2, level: 9, flight: 1 });
  expect((await request().get('/latest')).body.data).toEqual([
    { id: 1, latest: { level: 9 } },
    { id: 2, latest: null },
  ]);
});
