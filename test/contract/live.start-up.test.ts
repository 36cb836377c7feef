import { describe, expect, test } from '@jest/globals';
import { LibSqlDriver } from '@mikro-orm/libsql';
import { defineEntity, p } from '@mikro-orm/core';
import { ChangeRecord, Get, List, recordChanges, SimpleSearch } from '@nest-endpoints/core';
import { LiveLists, type LiveListsOptions } from '@nest-endpoints/live';
import { Slip } from './live.board.js';
import { stopped } from './stopped.js';

const Plain = defineEntity({
  name: 'Plain',
  properties: { id: p.integer().primary(), text: p.text(), snapshot: p.text() },
});
const Partly = defineEntity({
  name: 'Partly',
  properties: { id: p.integer().primary(), text: p.text(), snapshot: p.text() },
});
recordChanges(Partly, { keepFor: 'forever', columns: ['text'] });
const Whole = defineEntity({
  name: 'Whole',
  properties: { id: p.integer().primary(), text: p.text(), snapshot: p.text() },
});
recordChanges(Whole, { keepFor: 'forever' });

const Shared = defineEntity({
  name: 'Shared',
  schema: 'shared',
  properties: { id: p.integer().primary(), text: p.text() },
});
recordChanges(Shared, { keepFor: 'forever' });

const entities = [Plain, Partly, Whole, Slip, ChangeRecord];
const listed = {
  url: 'x',
  readableColumnNames: ['id', 'text'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  live: true,
} as const;
const options = { entities, root: { live: new LiveLists() } };

test('A start without the streams, or without a log that tells all of it, stops', async () => {
  const whole = { ...listed, modelClass: Whole };
  expect(await stopped(() => new List(whole), { entities })).toContain(
    "List 'x': live: needs `live` of EndpointsModule.forRoot: new LiveLists()",
  );
  expect(await stopped(() => new List({ ...listed, modelClass: Plain }), options)).toContain(
    'live: changes of Plain are not recorded; call recordChanges(Plain, …)',
  );
  expect(await stopped(() => new List({ ...listed, modelClass: Partly }), options)).toContain(
    'live: recordChanges(Partly) must record all columns',
  );
  const separate = {
    ...options,
    entities: [Shared, ChangeRecord],
    root: { ...options.root, schemaOf: () => 'ta' },
  };
  expect(await stopped(() => new List({ ...listed, modelClass: Shared }), separate)).toContain(
    'live: with schemaOf Shared and ChangeRecord need both a schema of their own, or none',
  );
  const sqlite = { ...options, orm: { driver: LibSqlDriver, dbName: ':memory:' } };
  expect(await stopped(() => new List(whole), sqlite)).toContain(
    'live: the log of changes is read on PostgreSQL alone',
  );
});

test('What a stream cannot show stops the start', async () => {
  const whole = { ...listed, modelClass: Whole };
  expect(await stopped(() => new List({ ...whole, readableColumnNames: ['text'] }), options)).toContain(
    "readableColumnNames: must have 'id', by which clients know the records of a stream",
  );
  expect(await stopped(() => new List({ ...whole, groupByColumnName: 'text' }), options)).toContain(
    'live: which record of a group is shown depends on the others of it',
  );
  const get = { modelClass: Whole, url: 'x/:id', readableColumnNames: ['id'], live: true } as const;
  expect(await stopped(() => new Get({ ...get, outputMap: ({ record }) => record }), options)).toContain(
    'live: outputMap shows what it gives to each client: leave one of the two out',
  );
  const searched = { ...whole, searchableColumnNames: ['snapshot'] } as const;
  expect(await stopped(() => new SimpleSearch(searched), options)).toContain(
    "searchableColumnNames: 'snapshot': live reads it as a control",
  );
  // Without live it is a column as any other.
  expect(await stopped(() => new SimpleSearch({ ...searched, live: false }), options)).toBe(
    'Error: the application started',
  );
});

describe.each([
  ['interval', 99],
  ['interval', 10_001],
  ['maximumKeys', 0],
  ['heartbeat', 999],
  ['maximumAge', 999],
  ['maximumStreams', 0],
  ['maximumStreamsEach', 100_001],
  ['judgeEvery', 600_001],
  ['port', 1],
])('%s, %s', (name, value) => {
  test('An option of live lists that is not allowed is refused', () => {
    const wrong: LiveListsOptions = { [name]: value };
    expect(() => new LiveLists(wrong)).toThrow(expect.objectContaining({ owner: 'LiveLists', option: name }));
  });
});
