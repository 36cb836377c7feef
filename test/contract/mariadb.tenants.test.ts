import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { mariaDbOnly, service } from '../support/contract.js';
import { as } from './tenants.js';
import { idsOf } from './scoped.look.js';
import { House, ofTenants, Room, rooms } from './tenants.rooms.js';

const { contract } = service(
  {
    entities: [House, Room],
    // No column of the house is answered, so that one statement writes the room.
    endpoints: [
      ofTenants([new RestfulApi({ ...rooms, url: 'rooms', readableColumnNames: ['id', 'name', 'houseId'] })]),
    ],
  },
  mariaDbOnly,
);

contract(
  'On MariaDB nobody refers to a parent of another tenant, nor writes its records',
  async (subject) => {
    const { em, request } = subject;
    const all = em();
    all.create(House, { id: 1, tenant: 'a', name: 'own' });
    all.create(House, { id: 101, tenant: 'b', name: 'foreign' });
    all.create(Room, { id: 1, tenant: 'a', name: 'kitchen' });
    all.create(Room, { id: 101, tenant: 'b', name: 'cellar' });
    await all.flush();

    const gone = inputErrors({ house_id: 'the given record does not exist' });
    const room = { id: 2, name: 'attic', house_id: 101 };
    expectAnswer(await request().post('/rooms').set(as('a')).send(room), 400, gone);
    expectAnswer(await request().patch('/rooms/1').set(as('a')).send({ house_id: 101 }), 400, gone);
    expect((await request().patch('/rooms/101').set(as('a')).send({ house_id: 1 })).status).toBe(404);
    expectAnswer(
      await request().patch('/rooms/1').set(as('a')).send({ house_id: 1 }),
      200,
      success({ id: 1, name: 'kitchen', house_id: 1 }),
    );
    const stored = await em().find(Room, {}, { orderBy: { id: 'asc' } });
    expect(stored.map(({ id, house }) => [id, house?.id ?? null])).toEqual([
      [1, 1],
      [101, null],
    ]);
  },
);

const Town = defineEntity({
  name: 'Town',
  properties: {
    code: p.string().length(20).collation('utf8mb4_general_ci').primary(),
    tenant: p.string().collation('utf8mb4_general_ci'),
  },
});

const Street = defineEntity({
  name: 'Street',
  properties: {
    id: p.integer().primary(),
    tenant: p.string().collation('utf8mb4_general_ci'),
    name: p.string(),
    town: () => p.manyToOne(Town),
  },
});

const streets = {
  modelClass: Street,
  readableColumnNames: ['id', 'name'],
  writeableColumnNames: ['id', 'name', 'townCode'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const ids = ({ data }: { readonly data: readonly { readonly id: number }[] }): number[] => idsOf(data);

const parted = service(
  {
    entities: [Town, Street],
    root: {
      partition: { column: 'tenant', value: ({ requestHeaders }) => requestHeaders['x-tenant'] },
    },
    endpoints: [
      new RestfulApi({ ...streets, url: 'plain' }),
      new RestfulApi({ ...streets, url: 'hooked', beforeSave: () => undefined }),
      new RestfulApi({ ...streets, url: 'towns/:townCode/streets', parent: 'town' }),
    ],
  },
  mariaDbOnly,
);

parted.contract(
  'On MariaDB a partition is another one by each letter, and a path names a parent as the collation has it',
  async ({ request, em }) => {
    const all = em();
    for (const [index, tenant] of ['acme', 'ACME'].entries()) {
      const town = all.create(Town, { code: `Town${index}`, tenant });
      all.create(Street, { id: index + 1, tenant, name: 'kept', town });
    }
    await all.flush();
    const of = (tenant: string) => ({ 'X-Tenant': tenant });
    for (const path of ['/plain', '/hooked']) {
      expect(ids((await request().get(path).set(of('acme'))).body)).toEqual([1]);
      expect(ids((await request().get(path).set(of('ACME'))).body)).toEqual([2]);
      const patched = await request().patch(`${path}/2`).set(of('acme')).send({ name: 'changed' });
      expect(patched.status).toBe(404);
      const referring = await request().patch(`${path}/1`).set(of('acme')).send({ town_code: 'Town1' });
      expect(referring.status).toBe(400);
    }
    for (const code of ['Town0', 'TOWN0'])
      expect(ids((await request().get(`/towns/${code}/streets`).set(of('acme'))).body)).toEqual([1]);
    expect((await request().get('/towns/Town1/streets').set(of('acme'))).status).toBe(404);
  },
);
