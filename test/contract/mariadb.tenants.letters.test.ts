import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/sql';
import { OwnRecords, TenantRecords } from '@nest-endpoints/auth';
import {
  anyOf,
  Callable,
  DeleteMany,
  EndpointGroup,
  RestfulApi,
  UpdateMany,
  type AuthorizationRule,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { mariaDbOnly, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { as, expectOthers, Objects, Overridden } from './tenants.letters.js';

/** MariaDB's usual collation, which takes other letters for the same, and blanks at the end for none. */
const usual = 'utf8mb4_general_ci';

const Crate = defineEntity({
  name: 'Crate',
  properties: {
    id: p.integer().primary(),
    tenant: p.string().collation(usual),
    latin: p.string().columnType('varchar(20) character set latin1'),
    name: p.string(),
    number: p.integer(),
  },
});

const Parcel = defineEntity({
  name: 'Parcel',
  properties: {
    id: p.integer().primary(),
    tenant: p.string().collation(usual),
    latin: p.string().columnType('varchar(20) character set latin1'),
    short: p.character().length(6).collation(usual),
    number: p.integer(),
    isOpen: p.boolean(),
    code: p.uuid(),
    name: p.string(),
    crate: () => p.manyToOne(Crate),
    others: () => p.manyToMany(Crate),
  },
});

class OverriddenOwn extends OwnRecords {
  override filterModel(query: QueryBuilder<object>, identity: unknown) {
    return super.filterModel(query, identity);
  }
}

const options = {
  modelClass: Parcel,
  readableColumnNames: ['id', 'name'],
  writeableColumnNames: ['name', 'crateId', 'otherIds'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const under = (url: string, authorization: AuthorizationRule): EndpointGroup =>
  new EndpointGroup({
    url,
    authorization,
    endpoints: [
      new RestfulApi({ ...options, url: 'plain' }),
      new RestfulApi({
        ...options,
        url: 'hooked',
        beforeSave: () => undefined,
        beforeDelete: () => undefined,
      }),
      new RestfulApi({
        ...options,
        url: 'moved',
        writeableColumnNames: ['name', 'tenant'],
        beforeSave: ({ record }) => {
          record.tenant = record.tenant.toUpperCase();
        },
      }),
      new UpdateMany({ ...options, writeableColumnNames: ['name'], url: 'many' }),
      new DeleteMany({ modelClass: Parcel, url: 'many' }),
      new Callable({
        url: 'scoped',
        modelClass: Parcel,
        toCall: async ({ em, scoped }) => {
          const parcels = await scoped(Parcel);
          return (await em.find(Parcel, parcels.where(), { orderBy: { id: 'asc' } })).map(({ id }) => ({
            id,
          }));
        },
      }),
    ],
  });

const tenants = new TenantRecords({ columnName: 'tenant', claim: 'tenant' });

/** The rules that say whose the records are. */
const rules = {
  tenants,
  owners: new OwnRecords('tenant', 'tenant'),
  latin: new TenantRecords({ columnName: 'latin', claim: 'tenant' }),
  short: new TenantRecords({ columnName: 'short', claim: 'tenant' }),
  any: anyOf(tenants, new OwnRecords('tenant', 'tenant')),
  path: new OwnRecords('crate.tenant', 'tenant'),
  overridden: new Overridden({ columnName: 'tenant', claim: 'tenant' }),
  overriddenOwn: new OverriddenOwn('tenant', 'tenant'),
  objects: new Objects('tenant'),
} as const;

const { contract } = service(
  {
    entities: [Crate, Parcel],
    root: { authentication: new Claims() },
    endpoints: [
      ...Object.entries(rules).map(([url, rule]) => under(url, rule)),
      under('number', new Objects('number')),
      under('open', new Objects('isOpen')),
      under('code', new Objects('code')),
      under('overriddenNumber', new Overridden({ columnName: 'number', claim: 'tenant' })),
    ],
  },
  mariaDbOnly,
);

/** The tenants of the records 1, 2, …: the last ones are numbers in letters. */
const stored = ['acme', 'ACME', 'acmé', 'b'];

/** A UUID that begins with no digit. */
const code = 'aaaaaaaa-0000-4000-8000-000000000000';

const save = async ({ em }: Subject): Promise<void> => {
  const all = em();
  for (const [index, tenant] of stored.entries()) {
    const id = index + 1;
    const values = { id, tenant, latin: tenant, name: 'kept', number: id };
    const crate = all.create(Crate, values);
    all.create(Parcel, { ...values, short: tenant, isOpen: id === 1, code, crate });
  }
  await all.flush();
};

const ids = (body: unknown): unknown => (body as { data: { id: number }[] }).data.map(({ id }) => id);

contract(
  'On MariaDB a tenant and an owner are others by each letter, accent and blank that a collation takes for the same',
  async (subject) => {
    const { request } = subject;
    await save(subject);
    for (const url of Object.keys(rules)) {
      // What char(n) has at its end are no blanks of the value.
      const padded = url === 'short' ? [1] : [];
      for (const [tenant, seen] of [
        ['acme', [1]],
        ['ACME', [2]],
        ['acmé', [3]],
        ['Acme', []],
        ['acme ', padded],
      ] as const) {
        for (const path of ['plain', 'hooked', 'scoped']) {
          const answer = await request().get(`/${url}/${path}`).set(as(tenant));
          expect([url, path, tenant, answer.status, ids(answer.body)]).toEqual([
            url,
            path,
            tenant,
            200,
            seen,
          ]);
        }
      }
      await expectOthers(subject, `/${url}`);
    }
    const parcels = await subject.em().find(Parcel, {}, { orderBy: { id: 'asc' } });
    expect(parcels.map(({ name }) => name)).toEqual(stored.map(() => 'kept'));
  },
);

contract(
  'On MariaDB a record refers to no record of a tenant that a collation takes for the same, and is moved to none',
  async (subject) => {
    const { request } = subject;
    await save(subject);
    for (const url of ['/tenants/plain/1', '/tenants/hooked/1'])
      for (const body of [{ crate_id: 2 }, { other_ids: [2] }]) {
        const { status, body: answer } = await request().patch(url).set(as('acme')).send(body);
        expect([status, answer.input_errors]).toEqual([400, expect.anything()]);
      }
    const moved = (body: object) => request().patch('/tenants/moved/1').set(as('acme')).send(body);
    expect((await moved({ name: 'changed' })).status).toBe(404);
    expectAnswer(await moved({ tenant: 'ACME' }), 400, inputErrors({ tenant: 'must be your own' }));
    expect(await subject.em().findOne(Parcel, 1)).toMatchObject({ tenant: 'acme', name: 'kept' });
  },
);

contract('On MariaDB a claim that is no text compares with a text as its letters', async (subject) => {
  const { request } = subject;
  await save(subject);
  for (const url of [...Object.keys(rules), 'code'])
    for (const tenant of [0, false, true])
      for (const path of ['plain', 'hooked', 'scoped']) {
        const answer = await request().get(`/${url}/${path}`).set(as(tenant));
        const isRefused = answer.status === 403;
        expect([url, path, tenant, isRefused || ids(answer.body)]).toEqual([
          url,
          path,
          tenant,
          answer.status === 200 ? [] : true,
        ]);
      }
});

contract('On MariaDB a claim that a column of numbers cannot hold lets nobody in', async (subject) => {
  const { request } = subject;
  await save(subject);
  for (const url of ['number', 'overriddenNumber'])
    for (const tenant of ['1 and more', '1x', true]) {
      const { status } = await request().get(`/${url}/plain`).set(as(tenant));
      expect([url, tenant, status]).toEqual([url, tenant, 403]);
    }
  expect((await request().get('/open/plain').set(as('no'))).status).toBe(403);
  for (const url of ['number', 'overriddenNumber'])
    expect(ids((await request().get(`/${url}/plain`).set(as(2))).body)).toEqual([2]);
});
