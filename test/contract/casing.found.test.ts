import { expect } from '@jest/globals';
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { getMikroORMToken, MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Callable, Create, EndpointsModule, List } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { once, service } from '../support/contract.js';
import { pgliteSnapshot } from '../support/pglite.snapshot.js';

const Harbour = defineEntity({
  name: 'Harbour',
  properties: {
    id: p.integer().primary().autoincrement(),
    fullName: p.string(),
    country: p.string().nullable(),
  },
});

/** Only its parent shows a casing. */
const Pier = defineEntity({
  name: 'Pier',
  properties: {
    id: p.integer().primary().autoincrement(),
    mark: p.string(),
    harbour: () => p.manyToOne(Harbour),
  },
});

/** Every name is in every casing. */
const Crane = defineEntity({
  name: 'Crane',
  properties: {
    id: p.integer().primary().autoincrement(),
    mark: p.string(),
  },
});

/** In another casing, and with no relation to the others. */
const Parcel = defineEntity({
  name: 'Parcel',
  properties: { id: p.integer().primary().autoincrement(), street_name: p.string() },
});

/** In the second database, whose entities are all in snake_case, or of one word. */
const Sheet = defineEntity({
  name: 'Sheet',
  properties: {
    id: p.integer().primary().autoincrement(),
    mark: p.string(),
    folder: () => p.manyToOne(Folder).nullable(),
  },
});
const Folder = defineEntity({
  name: 'Folder',
  properties: { id: p.integer().primary().autoincrement(), mark: p.string() },
});
const Label = defineEntity({
  name: 'Label',
  properties: { id: p.integer().primary().autoincrement(), short_text: p.string() },
});

@Module({
  imports: [
    MikroOrmModule.forRoot({
      contextName: 'archive',
      driver: PgliteDriver,
      dbName: 'memory://',
      driverOptions: { loadDataDir: pgliteSnapshot },
      entities: [Sheet, Folder, Label],
    }),
  ],
})
class ArchiveModule implements OnApplicationBootstrap {
  constructor(@Inject(getMikroORMToken('archive')) private readonly orm: MikroORM) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.orm.schema.create();
  }
}

const told = {
  returnStandardResponse: true,
  inputValidationCallable: () => ({ fullName: 'no' }),
  toCall: () => undefined,
} as const;

const archived = [
  new Create({
    url: 'sheets',
    modelClass: Sheet,
    readableColumnNames: ['mark', 'folder_id'],
    writeableColumnNames: ['mark', 'folder_id'],
  }),
  new Callable({ url: 'archive/told', ...told, inputValidationCallable: () => ({ full_name: 'no' }) }),
];

const { contract } = service(
  {
    entities: [Harbour, Pier, Crane],
    imports: [ArchiveModule, EndpointsModule.forFeature(archived, { contextName: 'archive' })],
    endpoints: [
      new Create({
        url: 'harbours',
        modelClass: Harbour,
        readableColumnNames: ['id', 'fullName'],
        writeableColumnNames: ['fullName'],
      }),
      new Create({
        url: 'piers',
        modelClass: Pier,
        readableColumnNames: ['mark', 'harbourId', 'harbour.fullName'],
        writeableColumnNames: ['mark', 'harbourId'],
      }),
      new List({
        url: 'cranes',
        modelClass: Crane,
        readableColumnNames: ['id', 'mark'],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
        externalCasing: 'TitleCase',
      }),
      new Callable({ url: 'told', ...told }),
    ],
  },
  once,
);

contract(
  'An endpoint has the casing of its own entity and of those that its relations lead to',
  async ({ request }) => {
    const harbour = await request().post('/harbours').send({ full_name: 'Kiel' });
    expectAnswer(harbour, 201, success({ id: 1, full_name: 'Kiel' }));
    const pier = await request().post('/piers').send({ mark: 'A', harbour_id: 1 });
    expectAnswer(pier, 201, success({ mark: 'A', harbour_id: 1, harbour: { full_name: 'Kiel' } }));
  },
);

contract('Names of one word are in every casing', async ({ request, save }) => {
  await save(Crane, { mark: 'A' });
  const { body } = await request().get('/cranes');
  expect([body.Status, body.Data]).toEqual(['Success', [{ Id: 1, Mark: 'A' }]]);
});

contract(
  'An endpoint without an entity has the casing of all entities of its connection',
  async ({ request }) => {
    expectAnswer(await request().get('/told'), 400, inputErrors({ full_name: 'no' }));
    expectAnswer(await request().get('/archive/told'), 400, inputErrors({ full_name: 'no' }));
  },
);

contract('Each connection has a casing of its own', async ({ request }) => {
  const answer = await request().post('/sheets').send({ mark: 'A', folder_id: null });
  expectAnswer(answer, 201, success({ mark: 'A', folder_id: null }));
});

const mixed = service(
  {
    entities: [Harbour, Pier, Parcel],
    endpoints: [
      new Create({
        url: 'piers',
        modelClass: Pier,
        readableColumnNames: ['mark', 'harbour.fullName'],
        writeableColumnNames: ['mark', 'harbourId'],
      }),
      new Create({
        url: 'parcels',
        modelClass: Parcel,
        readableColumnNames: ['street_name'],
        writeableColumnNames: ['street_name'],
      }),
      new Callable({ url: 'told', ...told }),
    ],
  },
  once,
);

mixed.contract(
  'Entities without a relation between them may be in two casings',
  async ({ request, save }) => {
    const { id } = await save(Harbour, { fullName: 'Kiel' });
    const pier = await request().post('/piers').send({ mark: 'A', harbour_id: id });
    expect([pier.status, pier.body.data]).toEqual([201, { mark: 'A', harbour: { full_name: 'Kiel' } }]);
    const parcel = await request().post('/parcels').send({ street_name: 'High' });
    expectAnswer(parcel, 201, success({ street_name: 'High' }));
    // An endpoint without an entity has the contract's then.
    expectAnswer(await request().get('/told'), 400, inputErrors({ fullName: 'no' }));
  },
);
