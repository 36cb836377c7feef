import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { LibSqlDriver } from '@mikro-orm/libsql';
import { OwnRecords, TenantRecords } from '@nest-endpoints/auth';
import { EndpointGroup, List, type AuthorizationRule } from '@nest-endpoints/core';
import { once, service } from '../support/contract.js';
import { Claims } from './claims.js';
import { stopped } from './stopped.js';
import { Company, Country, Product, shopEntities, Tag } from './tenants.shop.js';

const Sheet = defineEntity({
  name: 'Sheet',
  uniques: [
    { name: 'sheet_code', properties: ['tenant', 'code'] },
    { name: 'sheet_place', properties: ['row', 'place'] },
  ],
  properties: {
    id: p.integer().primary(),
    tenant: p.string(),
    code: p.string(),
    row: p.integer(),
    place: p.integer(),
    label: p.string().unique(),
    data: p.json().nullable(),
  },
});

/** Who may not see a sheet is told so before anything is said of its lines. */
const Line = defineEntity({
  name: 'Line',
  uniques: [{ properties: ['sheet', 'number'] }],
  properties: {
    id: p.integer().primary(),
    tenant: p.string(),
    sheet: () => p.manyToOne(Sheet),
    number: p.integer(),
    cover: () => p.oneToOne(Sheet).owner(),
  },
});

const listed = {
  readableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const entities = [...shopEntities, Sheet, Line];
const started = 'Error: the application started';

const startOf = (modelClass: typeof Country | typeof Product | typeof Sheet, make: () => AuthorizationRule) =>
  stopped(
    () =>
      new List({
        ...listed,
        url: 'records',
        modelClass,
        authentication: new Claims(),
        authorization: make(),
      } as never),
    { entities },
  );

const tenantsWith = (options: unknown) => () => new TenantRecords(options as never);

test.each([
  [undefined, /TenantRecords.*options/],
  [{ claim: 'tenant' }, /TenantRecords.*columnName/],
  [{ columnName: 'tenantId' }, /TenantRecords.*claim/],
  [{ columnName: '', claim: 'tenant' }, /TenantRecords.*columnName/],
  [{ columnName: 'tenantId', claim: 5 }, /TenantRecords.*claim/],
  [
    { columnName: 'tenantId', claim: 'tenant', everyModelHasTenants: true },
    /everyModelHasTenants.*did you mean/,
  ],
  [{ columnName: 'tenantId', claim: 'tenant', everyModelHasTenant: 'yes' }, /everyModelHasTenant/],
  [{ columnName: 'tenantId', claim: 'tenant', everyModelHasTenant: { except: ['Country', 5] } }, /except/],
])('TenantRecords with wrong options stops the start: %j', async (options, message) => {
  expect(await startOf(Product, tenantsWith(options))).toMatch(message);
});

test('A tenant column that no entity has stops the start', async () => {
  const misspelt = tenantsWith({ columnName: 'tenentId', claim: 'tenant' });
  expect(await startOf(Product, misspelt)).toMatch(/List.*records.*no entity has the column 'tenentId'$/);
  const root = { partition: { column: 'tenentId', value: () => 5 } };
  const list = () => new List({ ...listed, url: 'records', modelClass: Product });
  expect(await stopped(list, { entities, root })).toMatch(/partition: no entity has the column 'tenentId'$/);
});

test('everyModelHasTenant stops the start for an entity without the column', async () => {
  const options = { columnName: 'tenantId', claim: 'tenant' };
  const every = (everyModelHasTenant: unknown) => tenantsWith({ ...options, everyModelHasTenant });
  expect(await startOf(Country, tenantsWith(options))).toBe(started);
  expect(await startOf(Country, every(false))).toBe(started);
  expect(await startOf(Country, every(true))).toMatch(
    /Country has no column 'tenantId'.*everyModelHasTenant.except/,
  );
  expect(await startOf(Country, every({ except: [Company] }))).toMatch(/Country has no column/);
  expect(await startOf(Country, every({ except: [Company, Country] }))).toBe(started);
  expect(await startOf(Product, every(true))).toBe(started);
});

test('everyModelHasIt stops the start for an entity without the column', async () => {
  const startWith = (everyModelHasIt: unknown) => {
    const partition = { column: 'tenantId', value: () => 5, everyModelHasIt } as never;
    const list = () => new List({ ...listed, url: 'records', modelClass: Country });
    return stopped(list, { entities, root: { partition } });
  };
  expect(await startWith(true)).toMatch(
    /partition: Country has no column 'tenantId'.*everyModelHasIt.except/,
  );
  expect(await startWith({ except: [Country] })).toBe(started);
  expect(await startWith(false)).toBe(started);
  expect(await startWith('yes')).toMatch(/everyModelHasIt/);
});

test('A tenant column that cannot be compared stops the start', async () => {
  const rule = tenantsWith({ columnName: 'data', claim: 'tenant' });
  expect(await startOf(Sheet, rule)).toMatch(/TenantRecords.*'data' is no plain column of Sheet/);
  const root = { partition: { column: 'data', value: () => 5 } } as const;
  const list = () => new List({ ...listed, url: 'records', modelClass: Sheet });
  expect(await stopped(list, { entities, root })).toMatch(/'data' is no plain column of Sheet/);
});

const sheets = (authorization: AuthorizationRule) =>
  new EndpointGroup({
    authentication: new Claims(),
    authorization,
    endpoints: [
      new List({ ...listed, url: 'sheets', modelClass: Sheet }),
      new List({ ...listed, url: 'more', modelClass: Sheet }),
      new List({ ...listed, url: 'lines', modelClass: Line }),
      new List({ ...listed, url: 'tags', modelClass: Tag }),
    ],
  });

const warnings = (startLog: string) => startLog.split('\n').filter((line) => line.includes('unique'));

const warned = service(
  {
    entities,
    endpoints: [sheets(new TenantRecords({ columnName: 'tenant', claim: 'tenant' }))],
  },
  once,
);

warned.contract('Unique columns and indexes without the tenant are warned of, once', ({ startLog }) => {
  const told = 'so that a refusal tells of records that the sender may not see; make';
  expect(warnings(startLog)).toEqual([
    `warn Sheet: label is unique across all values of 'tenant', ${told} ['tenant', 'label'] unique together Endpoints`,
    `warn Sheet: row, place is unique (sheet_place) across all values of 'tenant', ${told} ['tenant', 'row', 'place'] unique together Endpoints`,
  ]);
});

const unwarned = service({ entities, endpoints: [sheets(new OwnRecords('id', 'sub'))] }, once);

unwarned.contract('Where records stay in no tenant, unique columns are not warned of', ({ startLog }) => {
  expect(startLog).toContain('Endpoints');
  expect(warnings(startLog)).toEqual([]);
});

test('schemaOf stops the start on a database without schemas, and schemas by itself', async () => {
  const startWith = (root: object, orm: object = {}) =>
    stopped(() => new List({ ...listed, url: 'records', modelClass: Sheet }), { entities, root, orm });
  const schemaOf = (): string => 'ta';
  expect(await startWith({ schemaOf, schemas: ['t_*', 'public'] })).toBe(started);
  expect(await startWith({ schemaOf }, { driver: LibSqlDriver, dbName: ':memory:' })).toBe(
    'EndpointsModule.forRoot: schemaOf: this database has no schemas; PostgreSQL and PGlite have',
  );
  expect(await startWith({ schemas: ['t_*'] })).toMatch(/forRoot: schemas: .*schemaOf/);
  for (const schemas of [[], 'pa'])
    expect(await startWith({ schemaOf, schemas })).toMatch(/forRoot: schemas: .*allowed: a list of names/);
  for (const schemas of [['t-*'], ['T'], [''], ['a"b'], [5]])
    expect(await startWith({ schemaOf, schemas })).toMatch(
      /forRoot: schemas: entry 1: .*allowed: small letters/,
    );
  expect(await startWith({ schemaOf: 'ta' })).toMatch(/forRoot: schemaOf: /);
});
