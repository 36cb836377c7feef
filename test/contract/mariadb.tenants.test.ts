import { expect } from '@jest/globals';
import { RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { mariaDbOnly, service } from '../support/contract.js';
import { as } from './tenants.js';
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
