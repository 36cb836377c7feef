import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  Authorization,
  Callable,
  EndpointGroup,
  IdempotencyRecord,
  List,
  RestfulApi,
  type AuthorizationRequest,
} from '@nest-endpoints/core';
import { expectAnswer, failure, notFound, success } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { as } from './tenants.js';

const Crew = defineEntity({
  name: 'Crew',
  properties: {
    id: p.integer().primary(),
    name: p.string().unique(),
    ships: () => p.oneToMany(Ship).mappedBy('crew'),
  },
});

const Port = defineEntity({
  name: 'Port',
  properties: { id: p.integer().primary(), name: p.string() },
});

const Ship = defineEntity({
  name: 'Ship',
  filters: { afloat: { name: 'afloat', cond: { crew: { name: { $ne: 'nobody' } } }, default: false } },
  properties: {
    id: p.integer().primary(),
    name: p.string().unique(),
    kind: p.string().length(5).default('boat'),
    crew: () => p.manyToOne(Crew).nullable(),
    ports: () => p.manyToMany(Port),
  },
});

/** Its schema is always a request's. */
const Buoy = defineEntity({
  name: 'Buoy',
  schema: '*',
  properties: { id: p.integer().primary(), name: p.string().unique() },
});

const schemas = ['public', 'ta', 'tb'] as const;

/** Chooses the schema of the tenant. */
class OfSchema extends Authorization<object, { tenant: string }> {
  override gate({ tenant }: { tenant: string }, { em }: AuthorizationRequest): boolean {
    em.schema = tenant;
    return true;
  }
}

const ships = {
  modelClass: Ship,
  readableColumnNames: ['id', 'name', 'kind', 'crewId', 'crew.name', 'ports.name', 'portIds'],
  searchableColumnNames: ['name', 'crew.name', 'ports.name'],
  sortableColumnNames: ['id', 'name'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Crew, Ship, Port, Buoy, IdempotencyRecord],
    endpoints: [
      new EndpointGroup({
        authentication: new Claims(),
        authorization: new OfSchema(),
        endpoints: [
          new RestfulApi({
            ...ships,
            url: 'ships',
            writeableColumnNames: ['id', 'name', 'kind', 'crewId', 'portIds'],
            idempotency: true,
          }),
          new AdvancedSearch({ ...ships, url: 'searched' }),
          new List({ ...ships, url: 'estimated', count: 'estimated' }),
          new List({ ...ships, url: 'manned', where: ["crew.name != 'nobody'"] }),
          new List({ ...ships, url: 'objects', where: [{ crew: { name: { $like: '%' } } }] }),
          new List({ ...ships, url: 'called', where: [() => ({ crew: { name: { $like: '%' } } })] }),
          new List({ ...ships, url: 'joined', joins: ['INNER JOIN crew ON crew.id = ship.crew_id'] }),
          new List({
            ...ships,
            url: 'mapped',
            outputMap: ({ record, entity }) => ({
              name: record.name,
              crew: (entity as { crew?: { name: string } }).crew?.name,
            }),
          }),
          new RestfulApi({
            url: 'crews',
            modelClass: Crew,
            readableColumnNames: ['id', 'name', 'ships.name'],
            writeableColumnNames: ['id', 'name'],
            searchableColumnNames: ['name', 'ships.name'],
            sortableColumnNames: ['id'],
            defaultSortColumnName: 'id',
          }),
          new RestfulApi({
            url: 'buoys',
            modelClass: Buoy,
            readableColumnNames: ['id', 'name'],
            writeableColumnNames: ['id', 'name'],
            searchableColumnNames: ['name'],
            sortableColumnNames: ['id'],
            defaultSortColumnName: 'id',
          }),
          new Callable({
            url: 'found',
            modelClass: Ship,
            readableColumnNames: ships.readableColumnNames,
            returnRecords: true,
            toCall: ({ em }) => em.find(Ship, { crew: { name: { $like: '%' } } }, { orderBy: { id: 'asc' } }),
          }),
        ],
      }),
    ],
  },
  postgresqlOnly,
);

/** A crew is in its own schema alone, so that a join to another finds nobody. */
const crewOf = (schema: string): number => 1 + 10 * ['public', 'ta', 'tb'].indexOf(schema);

const tables = ['crew', 'ship', 'port', 'ship_ports', 'idempotency_record'];

/** The same tables in each schema, and a ship, its crew and its ports, named by the schema. */
const prepare = async (subject: Subject): Promise<void> => {
  const connection = subject.em().getConnection();
  const made = schemas.slice(1).map(
    (schema) => `
    drop schema if exists ${schema} cascade;
    create schema ${schema};
    ${tables.map((table) => `create table ${schema}.${table} (like public.${table} including all);`).join('')}
    alter table ${schema}.ship add foreign key (crew_id) references ${schema}.crew;`,
  );
  const filled = schemas.map(
    (schema) => `
    create table if not exists ${schema}.buoy (id int primary key, name varchar(255) unique);
    truncate ${schema}.buoy;
    insert into ${schema}.buoy values (1, 'buoy ${schema}');
    insert into ${schema}.crew (id, name) values (${crewOf(schema)}, 'crew ${schema}');
    insert into ${schema}.port (id, name) values (1, 'port ${schema}'), (2, 'other ${schema}');
    insert into ${schema}.ship (id, name, kind, crew_id) values (1, 'ship ${schema}', 'boat', ${crewOf(schema)});
    insert into ${schema}.ship_ports (ship_id, port_id) values (1, 1);`,
  );
  await connection.executeDump([...made, ...filled].join(''));
};

const shipOf = (schema: string) => ({
  id: 1,
  name: `ship ${schema}`,
  kind: 'boat',
  crew_id: crewOf(schema),
  crew: { name: `crew ${schema}` },
  ports: [{ name: `port ${schema}` }],
  port_ids: [1],
});

contract('A schema that a guard chooses holds for every read', async (subject) => {
  await prepare(subject);
  const { request } = subject;
  for (const schema of [...schemas, ...schemas]) {
    const get = (path: string) => request().get(path).set(as(schema));
    const post = (path: string) => request().post(path).set(as(schema));
    expectAnswer(await get('/ships/1'), 200, success(shipOf(schema)));
    for (const path of ['ships', 'estimated', 'manned', 'objects', 'called', 'joined', 'found'])
      expect({ path, data: (await get(`/${path}`)).body.data }).toEqual({ path, data: [shipOf(schema)] });
    expect((await get('/mapped')).body.data).toEqual([{ name: `ship ${schema}`, crew: `crew ${schema}` }]);
    expect((await get(`/crews/${crewOf(schema)}`)).body.data).toEqual({
      id: crewOf(schema),
      name: `crew ${schema}`,
      ships: [{ name: `ship ${schema}` }],
    });
    expect((await get('/buoys/1')).body.data).toEqual({ id: 1, name: `buoy ${schema}` });
    for (const column of ['name', 'crew.name', 'ports.name']) {
      const value = `${column === 'name' ? 'ship' : column.split('.')[0]?.replace(/s$/, '')} ${schema}`;
      const where = [{ column, operator: '=', value }];
      const found = await post('/searched').send({ where });
      expect({ column, data: found.body.data }).toEqual({ column, data: [shipOf(schema)] });
    }
  }
});

contract('A schema that a guard chooses holds for every write and its questions', async (subject) => {
  await prepare(subject);
  const { request } = subject;
  const rows = (sql: string) => subject.em().getConnection().execute(sql);
  const patched = await request()
    .patch('/ships/1')
    .set(as('ta'))
    .send({ kind: 'raft', port_ids: [2] });
  expectAnswer(
    patched,
    200,
    success({ ...shipOf('ta'), kind: 'raft', ports: [{ name: 'other ta' }], port_ids: [2] }),
  );
  expect(await rows('select ship_id, port_id from ta.ship_ports')).toEqual([{ ship_id: 1, port_id: 2 }]);
  expect((await request().get('/ships/1').set(as('public'))).body.data).toEqual(shipOf('public'));
  expect((await request().get('/ships/1').set(as('tb'))).body.data).toEqual(shipOf('tb'));

  const create = (body: object) => request().post('/ships').set(as('tb')).send(body);
  expect((await create({ id: 2, name: 'ship ta', crew_id: 21, port_ids: [1, 2] })).body.data).toMatchObject({
    name: 'ship ta',
    crew: { name: 'crew tb' },
    ports: [{ name: 'port tb' }, { name: 'other tb' }],
  });
  expect((await create({ id: 3, name: 'ship tb', crew_id: 21 })).body.input_errors).toHaveProperty('name');
  await rows("insert into ta.crew (id, name) values (7, 'only ta')");
  expect((await create({ id: 4, name: 'new', crew_id: 7 })).body.input_errors).toHaveProperty('crew_id');
  expect(await rows('select count(*)::int as n from public.ship_ports')).toEqual([{ n: 1 }]);

  expectAnswer(await request().delete('/ships/2').set(as('ta')), 404, notFound);
  expect((await request().delete('/ships/2').set(as('tb'))).status).toBe(200);
  expect(await rows('select id from tb.ship')).toEqual([{ id: 1 }]);
  const late = { id: 9, name: 'too late', kind: 'too long' };
  expect((await request().post('/ships').set(as('ta')).send(late)).body.input_errors).toHaveProperty('kind');
});

contract('A schema that a guard chooses keeps the answers of its own keys', async (subject) => {
  await prepare(subject);
  const create = (schema: string) =>
    subject
      .request()
      .post('/ships')
      .set({ ...as(schema), 'Idempotency-Key': '"one"' })
      .send({ id: 5, name: 'once' });
  // The senders are two, and their keys are in two tables.
  expect((await create('ta')).status).toBe(201);
  expect((await create('ta')).headers['idempotency-replayed']).toBe('true');
  expect((await create('tb')).status).toBe(201);
  const connection = subject.em().getConnection();
  for (const [schema, n] of [
    ['public', 0],
    ['ta', 1],
    ['tb', 1],
  ] as const) {
    const [row] = await connection.execute<{ n: number }[]>(
      `select count(*)::int as n from ${schema}.idempotency_record`,
    );
    expect({ schema, n: row?.n }).toEqual({ schema, n });
  }
});

contract('A schema that cannot be is a failure, and no answer of another', async (subject) => {
  await prepare(subject);
  for (const schema of ['missing', 'ta"', 'ta.ship', "ta'", ''])
    expectAnswer(
      await subject.request().get('/ships/1').set(as(schema)),
      500,
      failure('Internal Server Error'),
    );
});
