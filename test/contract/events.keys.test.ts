import { afterAll, beforeAll, expect } from '@jest/globals';
import { OwnRecords } from '@nest-endpoints/auth';
import { Update } from '@nest-endpoints/core';
import { once, service } from '../support/contract.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { Claims } from './claims.js';
import { create } from './events.deliveries.js';
import { depot, of, operator, Parcel, subscribe } from './events.parcels.js';

const { contract } = service(
  {
    ...depot(),
    endpoints: [
      new Update({
        url: 'keyed/:id',
        modelClass: Parcel,
        readableColumnNames: ['id'],
        writeableColumnNames: ['id'],
        authentication: new Claims(),
        authorization: new OwnRecords('tenantId', 'tenant'),
      }),
    ],
  },
  once,
);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

contract(
  'A subscription never hears of a record whose key one of its own has taken since',
  async (subject) => {
    const { request, em } = subject;
    receiver.clear();
    await subscribe(subject, of(1), `${receiver.url}/one`);
    await subscribe(subject, of(2), `${receiver.url}/two`);
    const own = await create(subject, 2, 'Of two');
    await receiver.until(1);
    receiver.clear();
    // All of it is committed before any of it is handed on.
    const other = em().fork();
    await other.begin();
    await other.persist(other.create(Parcel, { name: 'Holds readers back', tenantId: 3 })).flush();
    const patch = (id: number, tenant: number, key: number) =>
      request().patch(`/keyed/${id}`).set(of(tenant)).send({ id: key });
    const moved = await create(subject, 1, 'Secret of one');
    expect((await patch(moved, 1, moved + 1000)).status).toBe(200);
    expect((await patch(own, 2, moved)).status).toBe(200);
    const gone = await create(subject, 1, 'Gone of one');
    expect((await request().delete(`/parcels/${gone}`).set(of(1))).status).toBe(200);
    expect((await patch(moved, 2, gone)).status).toBe(200);
    const held = async () => (await request().get('/events/status').set(operator)).body.data.held as boolean;
    while (!(await held()));
    expect(receiver.all()).toEqual([]);
    await other.commit();
    const last = await create(subject, 2, 'Last');
    await receiver.until(1, ({ event }) => event.data['id'] === last);
    await receiver.until(7);
    const heard = (path: string) =>
      receiver
        .all()
        .filter((one) => one.path === path)
        .map(({ event: { type, data } }) => [type, data['id'], data['name']].filter(Boolean).join(' '))
        .toSorted();
    expect(heard('/two')).toEqual(
      [
        `parcel.deleted ${own}`,
        `parcel.deleted ${moved}`,
        `parcel.created ${gone} Of two`,
        `parcel.created ${last} Last`,
      ].toSorted(),
    );
    expect(heard('/one')).toEqual(
      [
        `parcel.created ${moved + 1000} Secret of one`,
        `parcel.deleted ${moved}`,
        `parcel.deleted ${gone}`,
      ].toSorted(),
    );
  },
);
