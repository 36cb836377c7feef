import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Delete, Restore, softDelete, softDeleteFilter } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { Claims } from './claims.js';

/** A mark of whole seconds. */
const mark = { deletedAt: p.datetime().length(0).nullable() } as const;

const Seat = defineEntity({
  name: 'Seat',
  properties: {
    id: p.integer().primary().autoincrement(),
    number: p.string().length(20),
    state: p
      .string()
      .default('new')
      .onUpdate(() => 'changed'),
    ...mark,
    coach: () => p.manyToOne(Coach).deleteRule('cascade'),
  },
  uniques: [{ name: 'seat_number_live', properties: ['number'], where: { deletedAt: null } }],
});

const Coach = defineEntity({
  name: 'Coach',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    ...mark,
    seats: () => p.oneToMany(Seat).mappedBy('coach'),
  },
});

const Wheel = defineEntity({
  name: 'Wheel',
  properties: {
    id: p.integer().primary().autoincrement(),
    deletedAt: p.datetime().nullable(),
    van: () => p.manyToOne(Van).deleteRule('cascade'),
  },
});

/** Comes back alone, and knows who deleted it by a number. */
const Van = defineEntity({
  name: 'Van',
  properties: {
    id: p.integer().primary().autoincrement(),
    deletedAt: p.datetime().nullable(),
    deletedBy: p.integer().nullable(),
    wheels: () => p.oneToMany(Wheel).mappedBy('van'),
  },
});

softDelete(Van, {
  columnName: 'deletedAt',
  byColumnName: 'deletedBy',
  children: { wheels: 'cascade' },
  restoreChildren: false,
});
softDelete(Wheel, { columnName: 'deletedAt' });
softDelete(Coach, { columnName: 'deletedAt', children: { seats: 'cascade' } });
softDelete(Seat, { columnName: 'deletedAt' });

const { contract } = service(
  {
    entities: [Coach, Seat, Van, Wheel],
    orm: { filters: { live: softDeleteFilter } },
    endpoints: [
      new Restore({ modelClass: Coach, url: 'coaches/trash/:id/restore', readableColumnNames: ['id'] }),
      new Delete({ modelClass: Coach, url: 'coaches/:id' }),
      new Restore({ modelClass: Van, url: 'vans/trash/:id/restore', readableColumnNames: ['id'] }),
      new Delete({ modelClass: Van, url: 'vans/:id', authentication: new Claims() }),
      new Restore({ modelClass: Seat, url: 'seats/trash/:id/restore', readableColumnNames: ['id'] }),
    ],
  },
  everyDatabase,
);

contract('A start warns of a mark by which deletions are not told apart', ({ startLog, database }) => {
  const told = startLog.match(/^warn .* may bring back more than went along: .*(?= keeps no milliseconds)/gm);
  const warning =
    "warn Restore 'coaches/trash/:id/restore' may bring back more than went along: 'deletedAt' of Coach";
  // SQLite keeps milliseconds, whatever a column says. Nothing goes along with a seat.
  expect(told).toEqual(database === 'sqlite' ? null : [warning]);
});

contract('A Restore says that what comes along has values of others by now', async (subject) => {
  const { request, save, em } = subject;
  const coach = await save(Coach, { name: 'night' });
  const other = await save(Coach, { name: 'day' });
  await save(Seat, { number: '1A', coach: coach.id });
  await request().delete(`/coaches/${coach.id}`).expect(200);
  await save(Seat, { number: '1A', coach: other.id });
  expectAnswer(
    await request().post(`/coaches/trash/${coach.id}/restore`),
    409,
    clientError('A record that was deleted along with this one has a value that another one has by now'),
  );
  const live = await em().fork().find(Coach, { deletedAt: null });
  expect(live.map(({ name }) => name)).toEqual(['day']);
});

const everything = { filters: false } as const;

contract('Columns that are set with each change are set in records that go along', async (subject) => {
  const { request, save, em } = subject;
  const coach = await save(Coach, { name: 'night' });
  const seat = await save(Seat, { number: '1A', coach: coach.id });
  const states: unknown[] = [];
  for (const asked of [
    request().delete(`/coaches/${coach.id}`),
    request().post(`/coaches/trash/${coach.id}/restore`),
  ]) {
    await em().nativeUpdate(Seat, seat.id, { state: 'old' }, everything);
    await asked.expect(200);
    const { state, deletedAt } = await em().fork().findOneOrFail(Seat, seat.id, everything);
    states.push(state, deletedAt !== null);
  }
  expect(states).toEqual(['changed', true, 'changed', false]);
});

contract('With restoreChildren false, what went along stays in the trash', async ({ request, save, em }) => {
  const van = await save(Van, {});
  const wheel = await save(Wheel, { van: van.id });
  await request().delete(`/vans/${van.id}`).set('X-Claims', '{}').expect(200);
  await request().post(`/vans/trash/${van.id}/restore`).expect(200);
  const found = async (entity: typeof Van | typeof Wheel, id: number) =>
    em()
      .fork()
      .count(entity as typeof Van, { id, deletedAt: null }, everything);
  expect([await found(Van, van.id), await found(Wheel, wheel.id)]).toEqual([1, 0]);
});

contract('The column of who deleted a record has what it can hold, else null', async (subject) => {
  const { request, save, em } = subject;
  const seen: unknown[] = [];
  for (const sub of [7, '8', 'bob', 1.5]) {
    const { id } = await save(Van, {});
    await request().delete(`/vans/${id}`).set('X-Claims', JSON.stringify({ sub })).expect(200);
    seen.push((await em().fork().findOneOrFail(Van, id, everything)).deletedBy);
  }
  expect(seen).toEqual([7, 8, null, null]);
});
