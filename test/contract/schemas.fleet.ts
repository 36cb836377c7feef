import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  Aggregate,
  Batch,
  Callable,
  ChangeRecord,
  Create,
  EndpointGroup,
  Export,
  Facets,
  IdempotencyRecord,
  Import,
  List,
  Public,
  recordChanges,
  RestfulApi,
  SimpleSearch,
  softDelete,
  Update,
  Upsert,
} from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import { connectionOf } from '../support/catalogue.js';
import type { Subject } from '../support/contract.js';
import { Claims } from './claims.js';

/** In a schema of its own, whoever asks. */
const Flag = defineEntity({
  name: 'Flag',
  schema: 'shared',
  properties: { code: p.string().primary(), name: p.string() },
});

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
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string().length(40).unique(),
    name: p.string(),
    kind: p.enum(['boat', 'raft']).nativeEnumName('ship_kind').default('boat'),
    crew: () => p.manyToOne(Crew).nullable(),
    flag: () => p.manyToOne(Flag).nullable(),
    ports: () => p.manyToMany(Port),
    deletedAt: p.datetime().nullable(),
    version: p.integer().version(),
  },
});

softDelete(Ship, { columnName: 'deletedAt', uniqueAmong: 'all' });
recordChanges(Ship, { keepFor: 'forever' });

const ships = {
  modelClass: Ship,
  readableColumnNames: ['id', 'code', 'name', 'kind', 'crew.name', 'flag.name', 'ports.name'],
  searchableColumnNames: ['id', 'code', 'name', 'crew.name', 'ports.name'],
  sortableColumnNames: ['id', 'crew.name'],
  defaultSortColumnName: 'id',
} as const;

const written = {
  modelClass: Ship,
  readableColumnNames: ['id', 'code', 'name', 'kind', 'crew.name'],
  writeableColumnNames: ['code', 'name', 'kind', 'crewId'],
} as const;

/** @param history whether there is one: policies would need to be told of */
export const fleetEndpoints = (history: boolean) => [
  new List({ ...ships, url: 'open', authentication: new Public() }),
  new EndpointGroup({
    authentication: new Claims(),
    endpoints: [
      new RestfulApi({
        ...ships,
        url: 'ships',
        writeableColumnNames: ['code', 'name', 'kind', 'crewId', 'flagCode', 'portIds'],
        bulk: true,
        trash: { purge: true },
        history,
        idempotency: true,
      }),
      new RestfulApi({
        ...written,
        url: 'plain',
        searchableColumnNames: ['name'],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
        bulk: true,
        byConditions: true,
      }),
      new RestfulApi({
        url: 'crews',
        modelClass: Crew,
        readableColumnNames: ['id', 'name', 'ships.name'],
        writeableColumnNames: ['id', 'name'],
        searchableColumnNames: ['ships.name'],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
      // Nothing restricts or records it, so that its statements depend on the schema alone.
      new Update({
        url: 'ports/:id',
        modelClass: Port,
        readableColumnNames: ['name'],
        writeableColumnNames: ['name'],
      }),
      new Upsert({ ...written, url: 'upserted/:code', recordLookupColumnName: 'code' }),
      new Create({
        ...written,
        url: 'hooked',
        beforeSave: async ({ em, record }) => {
          record.name = `${await em.count(Crew)} crews, ${record.name}`;
        },
      }),
      new SimpleSearch({ ...ships, url: 'simple' }),
      new AdvancedSearch({ ...ships, url: 'searched', pagination: 'keyset' }),
      new List({ ...ships, url: 'estimated', count: 'estimated' }),
      new List({
        ...ships,
        url: 'manned',
        where: ["crew.name != 'nobody'", { crew: { name: { $like: '%' } } }],
      }),
      new List({ ...ships, url: 'joined', joins: ['INNER JOIN crew ON crew.id = ship.crew_id'] }),
      new Aggregate({
        url: 'totals',
        modelClass: Ship,
        groupableColumnNames: ['crew.name'],
        measurableColumnNames: { name: ['min'] },
      }),
      new Facets({ url: 'facets', modelClass: Ship, facetColumnNames: ['name', 'crew.name'] }),
      new Export({ ...ships, url: 'export', readableColumnNames: ['id', 'name', 'crew.name'] }),
      new Import({ ...written, url: 'import' }),
      new Callable({
        url: 'found',
        returnRecords: true,
        modelClass: Ship,
        readableColumnNames: ships.readableColumnNames,
        toCall: ({ em }) => em.find(Ship, {}),
      }),
      new Callable({
        url: 'served',
        returnRecords: true,
        modelClass: Ship,
        readableColumnNames: ships.readableColumnNames,
        inject: { orm: MikroORM },
        // The entity manager that services inject leads to that of the request.
        toCall: ({ orm }) =>
          orm.em.find(
            Ship,
            { crew: { name: { $like: '%' } } },
            { populate: ['ports'], orderBy: { id: 'asc' } },
          ),
      }),
      new Batch({ url: 'batch', wholeApplication: true }),
    ],
  }),
];

/** An application whose tenants have a schema each. */
export const fleet: ApplicationOptions = {
  entities: [Flag, Crew, Port, Ship, IdempotencyRecord, ChangeRecord],
  endpoints: fleetEndpoints(true),
  root: {
    schemaOf: (identity) => (identity as { readonly tenant?: string }).tenant,
    // Prepared statements are many: one for each schema.
    gatherReads: true,
  },
};

export const tenants = ['ta', 'tb', 'tc'] as const;

/** Makes the tables of the application in schemas, and a fleet in each. All of them have the same keys. */
export const build = async ({ orm }: Subject, schemas: readonly string[] = tenants): Promise<void> => {
  const made = await orm.schema.getCreateSchemaSQL({ wrap: false });
  const own = made
    .split(';\n')
    .filter((statement) => !/^(?:create schema|create table "shared")/.test(statement.trim()));
  const connection = connectionOf(orm);
  await connection.executeDump(`
    ${schemas.map((schema) => `drop schema if exists ${schema} cascade; create schema ${schema};`).join('')}
    insert into shared.flag values ('F', 'shared flag') on conflict do nothing;`);
  for (const schema of schemas === tenants ? ['public', ...tenants] : schemas)
    await connection.executeDump(`
      begin;
      set local search_path = ${schema};
      ${schema === 'public' ? '' : `${own.join(';\n')};`}
      insert into crew values (1, 'crew of ${schema}');
      insert into port values (1, 'port of ${schema}');
      insert into ship (code, name, crew_id, flag_code)
        values ('one of ${schema}', 'first of ${schema}', 1, 'F'), ('two of ${schema}', 'second of ${schema}', 1, null);
      insert into ship_ports values (1, 1), (2, 1);
      commit;`);
};

/** All rows of a schema, table by table. */
export const rowsOf = async ({ orm }: Subject, schema: string): Promise<unknown> => {
  const connection = connectionOf(orm);
  const tables = await connection.execute<{ name: string }[]>(
    `select table_name as name from information_schema.tables where table_schema = '${schema}' order by 1`,
  );
  const rows: Record<string, unknown> = {};
  for (const { name } of tables)
    rows[name] = await connection.execute(`select to_jsonb(t) as row from ${schema}.${name} t order by 1`);
  return rows;
};
