import { expect } from '@jest/globals';
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import {
  AdvancedSearch,
  defineColumns,
  IntegerColumn,
  SimpleSearch,
  StringColumn,
} from '@nest-endpoints/core';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { everyDatabase, postgresqlOnly, service } from '../support/contract.js';

const Room = defineEntity({ name: 'Room', properties: { id: p.integer().primary(), floor: p.integer() } });

const Visit = defineEntity({
  name: 'Visit',
  properties: {
    id: p.integer().primary(),
    guest: p.string(),
    minutes: p.integer(),
    happy: p.boolean(),
    hours: p.integer().formula((columns) => `${columns['minutes']} / 60`),
    notes: p.json<{ mood?: string; rank?: number }>().default('{}'),
    room: () => p.manyToOne(Room),
  },
  indexes: [{ properties: ['guest'] }],
});

defineColumns(Visit, {
  'notes.mood': { type: new StringColumn() },
  'notes.rank': { type: new IntegerColumn() },
});

/** Makes the table large before the application is ready. */
@Injectable()
class Visits implements OnModuleInit {
  constructor(private readonly orm: MikroORM) {}

  async onModuleInit(): Promise<void> {
    const em = this.orm.em.fork() as unknown as SqlEntityManager;
    await em.execute('insert into room (id, floor) values (1, 1)');
    await em.execute(
      `insert into visit (id, guest, minutes, happy, room_id)
         select n, 'guest ' || n, n % 60, true, 1 from generate_series(1, 20000) n`,
    );
    await em.execute(
      `create index on visit ((case when jsonb_typeof((notes #> '{mood}')) = 'string' then notes #>> '{mood}' end))`,
    );
    await em.execute('analyze');
  }
}

const visits = new SimpleSearch({
  url: 'visits',
  modelClass: Visit,
  readableColumnNames: ['id'],
  sortableColumnNames: ['guest', 'minutes', 'room.floor'],
  searchableColumnNames: ['minutes', 'happy', 'roomId', 'hours'],
  defaultSortColumnName: 'id',
});

const noted = new AdvancedSearch({
  ...visits.options,
  url: 'noted',
  sortableColumnNames: ['notes.mood', 'notes.rank'] as never,
  searchableColumnNames: ['notes'],
});

const application = { entities: [Room, Visit], endpoints: [visits, noted], providers: [Visits] };
const onExpress = postgresqlOnly.filter(({ platform }) => platform === 'express');
const advised = service({ ...application, root: { adviseIndexes: true } }, onExpress);
const unadvised = service(application, onExpress);

const Stay = defineEntity({
  name: 'Stay',
  properties: {
    house: p.integer().primary(),
    id: p.integer().primary(),
    guest: p.string(),
    nights: p.integer(),
  },
  indexes: [{ properties: ['house', 'guest'] }],
});

/** Makes the table large before the application is ready. */
@Injectable()
class Stays implements OnModuleInit {
  constructor(private readonly orm: MikroORM) {}

  async onModuleInit(): Promise<void> {
    const em = this.orm.em.fork() as unknown as SqlEntityManager;
    await em.execute(
      `insert into stay (house, id, guest, nights) select 1, n, 'guest ' || n, 2 from generate_series(1, 20000) n`,
    );
    await em.execute('analyze');
  }
}

const stays = new SimpleSearch({
  url: 'stays',
  modelClass: Stay,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id', 'guest', 'nights'],
  searchableColumnNames: [],
  defaultSortColumnName: 'id',
});

const parted = service(
  {
    entities: [Stay],
    endpoints: [stays],
    providers: [Stays],
    root: { adviseIndexes: true, partition: { column: 'house', value: () => 1 } },
  },
  onExpress,
);

const about = (startLog: string) => startLog.split('\n').filter((line) => line.includes('no index begins'));

advised.contract(
  'adviseIndexes tells of each column of a large table that lists use without an index',
  ({ startLog }) => {
    const advice = (column: string, uses: string) =>
      `warn visit.${column} is ${uses} by, over some 20000 records, and no index begins with it: ` +
      `create index concurrently on "visit" ("${column}", "id") Endpoints`;
    expect(about(startLog)).toEqual([
      advice('minutes', 'sorted and searched'),
      advice('happy', 'searched'),
      advice('room_id', 'searched'),
      expect.stringMatching(
        /^warn visit\.notes\.rank is sorted by.*: create index concurrently on "visit" \(\(\(case when .* end\)\), "id"\) Endpoints$/,
      ),
      expect.stringMatching(
        /: create index concurrently on "visit" using gin \("notes" jsonb_path_ops\) Endpoints$/,
      ),
    ]);
  },
);

parted.contract(
  'An index that is advised begins with what says in which part of the table a record is, and so may one that helps',
  ({ startLog }) => {
    expect(about(startLog)).toEqual([
      'warn stay.nights is sorted by, over some 20000 records, and no index begins with it: ' +
        'create index concurrently on "stay" ("house", "nights", "id") Endpoints',
    ]);
  },
);

unadvised.contract('Without adviseIndexes nothing is told of indexes', ({ startLog }) => {
  expect(about(startLog)).toEqual([]);
});

// Of this file's process only, and read when the applications start.
process.env['NODE_ENV'] = 'production';
const keyset = { entities: [Room], endpoints: [new SimpleSearch({ ...roomList(), pagination: 'keyset' })] };
/** Replicas would have more to warn of. */
const warned = service({ ...keyset, route: 'direct' }, everyDatabase.slice(0, 1));
const secured = service(
  { ...keyset, root: { cursorSecret: 'b2f4e1d0c9a8b2f4e1d0c9a8b2f4e1d0' } },
  everyDatabase.slice(0, 1),
);

function roomList() {
  return {
    url: 'rooms',
    modelClass: Room,
    readableColumnNames: ['id'],
    sortableColumnNames: ['floor'],
    searchableColumnNames: ['floor'],
    defaultSortColumnName: 'floor',
  } as const;
}

warned.contract('Keyset pages without a cursorSecret are warned of in production', ({ startLog }) => {
  expect(startLog).toContain('warn Cursors of keyset pages are good in this process only');
});

secured.contract('Keyset pages with a cursorSecret are not warned of', ({ startLog }) => {
  expect(startLog).toContain('Endpoints');
  expect(startLog).not.toContain('Cursors');
});
