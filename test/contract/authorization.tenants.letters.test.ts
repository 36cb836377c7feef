import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { OwnRecords, TenantRecords } from '@nest-endpoints/auth';
import {
  DeleteMany,
  EndpointGroup,
  RestfulApi,
  UpdateMany,
  type AuthorizationRule,
} from '@nest-endpoints/core';
import { postgresqlOnly, service, sqliteOnly, type Combination } from '../support/contract.js';
import { Claims } from './claims.js';
import { as, expectOthers, Objects, Overridden } from './tenants.letters.js';

/** A collation of PostgreSQL for which capital letters are small ones. PGlite has none of ICU. */
const loose = "create collation ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)";

const Chest = defineEntity({
  name: 'Chest',
  properties: {
    id: p.integer().primary(),
    extension: p.string().columnType('citext'),
    collated: p.string().collation('ci'),
    filled: p.character().length(6).collation('ci'),
    name: p.string(),
  },
});

const Drawer = defineEntity({
  name: 'Drawer',
  properties: { id: p.integer().primary(), collated: p.string().collation('nocase'), name: p.string() },
});

/** Endpoints by each rule about a column. */
const endpoints = (modelClass: typeof Chest, columnName: string): readonly EndpointGroup[] => {
  const shown = { modelClass, readableColumnNames: ['id', 'name'], writeableColumnNames: ['name'] } as const;
  const listed = {
    ...shown,
    sortableColumnNames: ['id'],
    searchableColumnNames: ['id'],
    defaultSortColumnName: 'id',
  } as const;
  const rules: Readonly<Record<string, AuthorizationRule>> = {
    tenants: new TenantRecords({ columnName, claim: 'tenant' }),
    owners: new OwnRecords(columnName, 'tenant'),
    overridden: new Overridden({ columnName, claim: 'tenant' }),
    objects: new Objects(columnName),
  };
  return Object.entries(rules).map(
    ([name, authorization]) =>
      new EndpointGroup({
        url: `${columnName}/${name}`,
        authorization,
        endpoints: [
          new RestfulApi({ ...listed, url: 'plain' }),
          new RestfulApi({
            ...listed,
            url: 'hooked',
            beforeSave: () => undefined,
            beforeDelete: () => undefined,
          }),
          new UpdateMany({ ...shown, url: 'many' }),
          new DeleteMany({ modelClass, url: 'many' }),
        ],
      }),
  );
};

const isPostgres = ({ database }: Combination): boolean => database === 'postgresql';

const services = [
  [
    'citext, and of collations that PostgreSQL lets take letters for the same,',
    ['extension', 'collated', 'filled'],
    service(
      {
        entities: [Chest],
        root: { authentication: new Claims() },
        tables: async (orm) => {
          await orm.em.getConnection().execute(`create extension citext`);
          await orm.em.getConnection().execute(loose);
          await orm.schema.create();
        },
        endpoints: ['extension', 'collated', 'filled'].flatMap((column) => endpoints(Chest, column)),
      },
      postgresqlOnly.filter(isPostgres),
    ),
  ],
  [
    "SQLite's collation nocase",
    ['collated'],
    service(
      {
        entities: [Drawer],
        root: { authentication: new Claims() },
        endpoints: endpoints(Drawer as unknown as typeof Chest, 'collated'),
      },
      sqliteOnly,
    ),
  ],
] as const;

for (const [types, columns, { contract }] of services)
  contract(`Tenants and owners in columns of ${types} are others by each letter`, async (subject) => {
    const { request, save, em, database } = subject;
    const entity = (database === 'sqlite' ? Drawer : Chest) as typeof Chest;
    for (const [index, tenant] of ['acme', 'ACME'].entries()) {
      const values = Object.fromEntries(columns.map((column) => [column, tenant]));
      await save(entity, { id: index + 1, name: 'kept', ...values } as never);
    }
    for (const column of columns)
      for (const rule of ['tenants', 'owners', 'overridden', 'objects']) {
        const url = `/${column}/${rule}`;
        for (const path of [`${url}/plain`, `${url}/hooked`]) {
          for (const [tenant, seen] of [
            ['acme', [1]],
            ['ACME', [2]],
            ['Acme', []],
          ] as const) {
            const { body } = await request().get(path).set(as(tenant));
            expect([path, tenant, body.data.map(({ id }: { id: number }) => id)]).toEqual([
              path,
              tenant,
              seen,
            ]);
          }
          const own = await request().patch(`${path}/1`).set(as('acme')).send({ name: 'kept' });
          expect([path, own.status]).toEqual([path, 200]);
        }
        await expectOthers(subject, url);
      }
    const records = await em().find(entity, {});
    expect(records.map(({ name }) => name)).toEqual(['kept', 'kept']);
  });

services[0][2].contract('A tenant that is longer than its column is refused', async ({ request }) => {
  const status = async (tenant: string) =>
    (await request().get('/filled/tenants/plain').set(as(tenant))).status;
  expect([await status('sixsix'), await status('sixsix7')]).toEqual([200, 403]);
});
