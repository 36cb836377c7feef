import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  ChangeRecord,
  DatetimeColumn,
  IdempotencyRecord,
  recordChanges,
  RestfulApi,
  softDelete,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { everyDatabase, postgresqlOnly, service, type Subject } from '../support/contract.js';

const [first, second] = ['2026-01-01T00:00:00+00:00', '2026-01-02T00:00:00+00:00'] as const;
const pathOf = (url: string, at: string) => `/${url}/${encodeURIComponent(at)}`;
/** Entities whose keys are instants, without a version and with one. */
const kinds = [
  ['', {}],
  [' beside a version', { version: p.integer().version() }],
] as const;

for (const [beside, version] of kinds) {
  const Slot = defineEntity({
    name: 'Slot',
    properties: {
      at: p.datetime(3).primary(),
      name: p.string(),
      code: p.string().length(50).nullable().unique(),
      from: p.integer().nullable(),
      ...version,
      seats: () => p.oneToMany(Seat).mappedBy('slot'),
    },
  });
  const Seat = defineEntity({
    name: 'Seat',
    properties: {
      id: p.integer().primary().autoincrement(),
      row: p.integer(),
      slot: () => p.manyToOne(Slot).nullable(),
    },
  });
  const slots = {
    modelClass: Slot,
    readableColumnNames: ['at', 'name', 'seats.row'],
    writeableColumnNames: ['at', 'name'],
    writeableRelations: { seats: { through: 'seats' } },
    searchableColumnNames: ['at'],
    sortableColumnNames: ['at'],
    defaultSortColumnName: 'at',
    bulk: true,
    upsert: true,
    idempotency: true,
  } as const;

  const { contract } = service(
    {
      entities: [Slot, Seat, IdempotencyRecord],
      endpoints: [
        new RestfulApi({ ...slots, url: 'slots' }),
        new RestfulApi({ ...slots, url: 'hooked', beforeSave: () => undefined }),
        new RestfulApi({
          ...slots,
          url: 'fine',
          columnOverrides: { at: { type: new DatetimeColumn({ precision: 'milliseconds' }) } },
        }),
        new RestfulApi({
          url: 'named',
          modelClass: Slot,
          idColumnName: 'code',
          bulkUrl: '~bulk',
          readableColumnNames: ['code', 'from'],
          writeableColumnNames: ['code', 'from'],
          searchableColumnNames: ['code'],
          sortableColumnNames: ['at'],
          defaultSortColumnName: 'at',
          bulk: true,
        }),
        new RestfulApi({
          url: 'seats',
          modelClass: Seat,
          readableColumnNames: ['row', 'slotAt'],
          writeableColumnNames: ['row', 'slotAt'],
          searchableColumnNames: ['slotAt'],
          sortableColumnNames: ['id'],
          defaultSortColumnName: 'id',
        }),
      ],
    },
    everyDatabase,
  );

  const two = async ({ request }: Subject, url: string): Promise<void> => {
    const records = [first, second].map((at) => ({ at, name: 'n' }));
    expect((await request().post(`/${url}/bulk`).send({ records })).status).toBe(201);
  };

  for (const url of ['slots', 'hooked']) {
    if ('version' in version)
      contract(`The version of a record of /${url} whose key is a Datetime is demanded`, async (subject) => {
        const { request } = subject;
        await two(subject, url);
        const { headers } = await request().get(pathOf(url, first));
        const if_match = String(headers['etag']).replaceAll('"', '');
        const records = [{ at: first, if_match, name: 'x' }];
        for (const status of [200, 412])
          expect((await request().patch(`/${url}/bulk`).send({ records })).status).toBe(status);
      });

    contract(`A record of /${url} whose key is a Datetime is updated${beside}`, async (subject) => {
      const { request } = subject;
      await two(subject, url);
      const patch = (body: object) => request().patch(pathOf(url, first)).send(body);
      for (const body of [
        { name: 'm' },
        { name: 'm' },
        { at: first, name: 'k' },
        { at: '2026-01-01T01:00:00+01:00' },
      ])
        expectAnswer(await patch(body), 200, success({ at: first, name: body.name ?? 'k', seats: [] }));
      const taken = "Invalid value for 'at': the given value already exists, and must be unique.";
      expectAnswer(await patch({ at: second }), 400, inputErrors({ at: taken }));
      const put = await request().put(pathOf(url, first)).send({ name: 'p' });
      expectAnswer(put, 200, success({ at: first, name: 'p', seats: [] }));
      expect((await request().delete(pathOf(url, first))).status).toBe(200);
      expect(await subject.count(Slot)).toBe(1);
    });

    contract(`Records of /${url} whose keys are Datetimes are updated together${beside}`, async (subject) => {
      const { request } = subject;
      await two(subject, url);
      const bulk = (body: object) => request().patch(`/${url}/bulk`).send(body);
      const records = [second, first].map((at) => ({ at, name: `of ${at.slice(8, 10)}` }));
      const updated = records.map((one) => ({ ...one, seats: [] }));
      expectAnswer(await bulk({ records }), 200, success(updated));
      const changes = { ids: [first, second], changes: { name: 'same' } };
      expect((await bulk(changes)).body.data).toMatchObject([{ name: 'same' }, { name: 'same' }]);
      expect(
        (
          await request()
            .delete(`/${url}/bulk`)
            .send({ ids: [first, second] })
        ).status,
      ).toBe(200);
    });

    contract(`Related records of /${url} refer to a key that is a Datetime${beside}`, async ({ request }) => {
      const post = request().post(`/${url}`).set('Idempotency-Key', '"k"');
      const created = await post.send({ at: first, name: 'n', seats: [{ row: 1 }] });
      expectAnswer(created, 201, success({ at: first, name: 'n', seats: [{ row: 1 }] }));
      const more = { seats: { create: [{ row: 2 }] } };
      const patched = await request().patch(pathOf(url, first)).send(more);
      expectAnswer(patched, 200, success({ at: first, name: 'n', seats: [{ row: 1 }, { row: 2 }] }));
      expect((await request().post('/seats').send({ row: 3, slot_at: first })).status).toBe(201);
      expect((await request().post('/seats').send({ row: 4, slot_at: second })).status).toBe(400);
      const found = await request().get(`/seats?slot_at=${encodeURIComponent(first)}`);
      expect(found.body.data).toEqual([1, 2, 3].map((row) => ({ row, slot_at: first })));
    });
  }

  contract(
    `Keys within a second are told apart where they are written with milliseconds${beside}`,
    async ({ request }) => {
      const times = ['000', '001', '500'].map((one) => `2026-01-01T00:00:00.${one}+00:00`);
      const records = times.map((at, index) => ({ at, name: String(index) }));
      const made = await request().post('/fine/bulk').send({ records });
      expectAnswer(made, 201, success(records.map((one) => ({ ...one, seats: [] }))));
      // MikroORM takes them for one: nothing is written rather than the last alone.
      const changes = { ids: times, changes: { name: 'x' } };
      expect((await request().patch('/fine/bulk').send(changes)).status).toBe(500);
      const [at = ''] = times.slice(1);
      const patched = await request().patch(pathOf('fine', at)).send({ at, name: 'm' });
      expectAnswer(patched, 200, success({ at, name: 'm', seats: [] }));
    },
  );

  contract(
    `A record is the one that was found, whose key is within a second of another${beside}`,
    async (subject) => {
      const { request, save } = subject;
      for (const code of ['000', '500'])
        await save(Slot, { at: new Date(`2026-01-01T00:00:00.${code}Z`), name: 'n', code });
      for (const [from, code] of ['000', '500'].entries())
        expectAnswer(await request().patch(`/named/${code}`).send({ from }), 200, success({ code, from }));
      const found = await request().get('/named');
      expect(found.body.data).toEqual(['000', '500'].map((code, from) => ({ code, from })));
    },
  );
}

const Kept = defineEntity({
  name: 'KeptSlot',
  properties: { at: p.datetime(3).primary(), name: p.string(), deletedAt: p.datetime(3).nullable() },
});
softDelete(Kept, { columnName: 'deletedAt' });
recordChanges(Kept, { keepFor: 'forever' });

const { contract: kept } = service(
  {
    entities: [Kept, ChangeRecord],
    endpoints: [
      new RestfulApi({
        url: 'kept',
        modelClass: Kept,
        readableColumnNames: ['at', 'name'],
        writeableColumnNames: ['at', 'name'],
        searchableColumnNames: ['at'],
        sortableColumnNames: ['at'],
        defaultSortColumnName: 'at',
        history: true,
        trash: { purge: true },
      }),
    ],
  },
  postgresqlOnly,
);

kept('A record whose key is a Datetime has a history, and comes back', async ({ request }) => {
  expect((await request().post('/kept').send({ at: first, name: 'n' })).status).toBe(201);
  expect((await request().patch(pathOf('kept', first)).send({ name: 'm' })).status).toBe(200);
  const history = await request().get(`${pathOf('kept', first)}/history`);
  expect([history.status, history.body.data.length]).toEqual([200, 2]);
  const trash = pathOf('kept/trash', first);
  expect((await request().delete(pathOf('kept', first))).status).toBe(200);
  expect((await request().post(`${trash}/restore`)).status).toBe(200);
  expect((await request().delete(pathOf('kept', first))).status).toBe(200);
  expect((await request().delete(trash)).status).toBe(200);
});

const Day = defineEntity({
  name: 'Day',
  properties: { at: p.datetime(3).primary(), name: p.string() },
});
const Meal = defineEntity({
  name: 'Meal',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    day: () => p.manyToOne(Day),
    version: p.integer().version(),
  },
});

const { contract: referring } = service(
  {
    entities: [Day, Meal],
    endpoints: [
      new RestfulApi({
        url: 'meals',
        modelClass: Meal,
        readableColumnNames: ['name', 'dayAt'],
        writeableColumnNames: ['name', 'dayAt'],
        searchableColumnNames: ['name'],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
        bulk: true,
        beforeSave: () => undefined,
      }),
    ],
  },
  everyDatabase,
);

referring(
  'A record that refers to a key which is a Datetime is not written where nothing changes',
  async ({ request, save }) => {
    for (const at of [first, second]) await save(Day, { at: new Date(at), name: 'n' });
    expect((await request().post('/meals').send({ name: 'a', day_at: first })).status).toBe(201);
    for (const body of [{ name: 'a' }, { day_at: first }, { day_at: '2026-01-01T01:00:00+01:00' }]) {
      expect((await request().patch('/meals/1').send(body)).headers['etag']).toBe('"1"');
      expect(
        (
          await request()
            .patch('/meals/bulk')
            .send({ ids: [1], changes: body })
        ).status,
      ).toBe(200);
    }
    const moved = await request().patch('/meals/1').send({ day_at: second });
    expect([moved.headers['etag'], moved.body.data]).toEqual(['"2"', { name: 'a', day_at: second }]);
  },
);
