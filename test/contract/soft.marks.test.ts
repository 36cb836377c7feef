import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Delete, Restore, softDelete } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';

/** A mark of whole seconds. */
const mark = { deletedAt: p.datetime().length(0).nullable() } as const;

const Seat = defineEntity({
  name: 'Seat',
  properties: {
    id: p.integer().primary().autoincrement(),
    number: p.string().length(20),
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

softDelete(Coach, { columnName: 'deletedAt', children: { seats: 'cascade' } });
softDelete(Seat, { columnName: 'deletedAt' });

const { contract } = service(
  {
    entities: [Coach, Seat],
    endpoints: [
      new Restore({ modelClass: Coach, url: 'coaches/trash/:id/restore', readableColumnNames: ['id'] }),
      new Delete({ modelClass: Coach, url: 'coaches/:id' }),
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
