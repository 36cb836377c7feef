import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { defineColumns, Get, List, SimpleSearch } from '@nest-endpoints/core';
import { Band, Musician, studio } from '../support/entities/studio.js';
import { stopped } from './stopped.js';

type GetOptions = ConstructorParameters<typeof Get<typeof Band>>[0];

const get = (readableColumnNames: readonly string[], columnOverrides: object = {}) =>
  stopped(
    () =>
      new Get({
        url: 'bands/:id',
        modelClass: Band,
        readableColumnNames,
        columnOverrides,
      } as unknown as GetOptions),
    { entities: studio },
  );

const sorted = {
  url: 'bands',
  modelClass: Band,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

test('The bare name of a to-many relation without named columns stops the start', async () => {
  for (const name of ['albums', 'genres', 'deal'])
    expect(await get(['id', name])).toMatch(
      new RegExp(`Get 'bands/:id': readableColumnNames: '${name}' .*${name}\\.`),
    );
});

test('An unknown column of a related record stops the start', async () => {
  for (const name of ['albums.titel', 'albums.tracks.nme', 'genres.cod', 'albums.band.nme', 'deal.on'])
    expect(await get([name])).toMatch(
      /Get 'bands\/:id': readableColumnNames: unknown column '.+'( \(did you mean '.+'\?\))?; allowed: .*id/,
    );
});

test('An unknown column in readableParentColumnNames stops the start', async () => {
  const albums = { readableParentColumnNames: ['titel'] };
  expect(await get(['albums'], { albums })).toMatch(/Get 'bands\/:id': .*'titel'.*allowed: .*title/);
});

test('A hidden column of a related record as readable stops the start', async () => {
  for (const name of ['musicians.pin', 'albums.producer.pin', 'genres.bands.musicians.pin'])
    expect(await get([name])).toMatch(/Get 'bands\/:id': readableColumnNames: '.*pin' is hidden/);
  const musicians = { readableParentColumnNames: ['pin'] };
  expect(await get(['musicians'], { musicians })).toMatch(/Get 'bands\/:id': .*'pin' is hidden/);
});

test('A hidden to-many relation as readable stops the start', async () => {
  const Safe = defineEntity({
    name: 'Safe',
    properties: {
      id: p.integer().primary(),
      coins: () => p.oneToMany(Coin).mappedBy('safe').hidden(),
      keepers: () => p.manyToMany(Musician).hidden(),
    },
  });
  const Coin = defineEntity({
    name: 'Coin',
    properties: { id: p.integer().primary(), safe: () => p.manyToOne(Safe) },
  });
  for (const name of ['coins.id', 'keepers.name', 'keeperIds'] as const) {
    const hidden = () => new Get({ url: 'safes/:id', modelClass: Safe, readableColumnNames: [name] });
    const message = await stopped(hidden, { entities: [...studio, Safe, Coin] });
    expect(message).toMatch(/Get 'safes\/:id': readableColumnNames: '.+' is hidden/);
  }
});

test('A hidden column of a related record as searchable stops the start', async () => {
  const search = () => new SimpleSearch({ ...sorted, searchableColumnNames: ['musicians.pin'] });
  expect(await stopped(search, { entities: studio })).toMatch(
    /searchableColumnNames: 'musicians.pin' is hidden/,
  );
});

test('A to-many path as sortable stops the start', async () => {
  for (const name of ['albums.title', 'genres.name', 'albums.tracks.name', 'genreCodes'] as const) {
    const list = () => new List({ ...sorted, sortableColumnNames: [name] });
    const message = await stopped(list, { entities: studio });
    expect(message).toMatch(new RegExp(`List 'bands': sortableColumnNames: '${name}' cannot be sorted by`));
    const first = () => new List({ ...sorted, defaultSortColumnName: name });
    expect(await stopped(first, { entities: studio })).toMatch(
      new RegExp(`List 'bands': defaultSortColumnName: '${name}' cannot be sorted by`),
    );
  }
});

test('A limit of related records that is no whole number stops the start', async () => {
  for (const limit of [-1, 1.5, Number.NaN, '5'])
    expect(await get(['albums.title'], { albums: { limit } })).toMatch(/albums.*limit.*whole number/);
});

test('A sort column of related records that is unknown or has no order stops the start', async () => {
  for (const sortColumnName of ['titel', 'tracks.name', 'band'])
    expect(await get(['albums.title'], { albums: { sortColumnName } })).toMatch(
      new RegExp(`Get 'bands/:id': .*albums.*'?${sortColumnName}`),
    );
});

test('A sort direction of related records that does not exist stops the start', async () => {
  expect(await get(['albums.title'], { albums: { sortColumnName: 'title', sortDirection: 'up' } })).toMatch(
    /albums.*sortDirection.*'up'.*ASC, DESC/,
  );
});

test('An unknown relation in defineColumns stops the start', async () => {
  const Crate = defineEntity({ name: 'Crate', properties: { id: p.integer().primary() } });
  defineColumns(Crate, { ['lids' as 'id']: { readableParentColumnNames: ['id'] } });
  const crates = () => new Get({ url: 'crates/:id', modelClass: Crate, readableColumnNames: ['id'] });
  expect(await stopped(crates, { entities: [Crate] })).toMatch(/defineColumns\(Crate\).*lids/);
});
