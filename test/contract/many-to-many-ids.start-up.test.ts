import { expect, test } from '@jest/globals';
import { Get, List, SimpleSearch, Update } from '@nest-endpoints/core';
import { Band, studio } from '../support/entities/studio.js';
import { stopped } from './stopped.js';

const listed = {
  url: 'bands',
  modelClass: Band,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

test('Only a many-to-many relation has a ManyToManyIds column', async () => {
  for (const name of ['albumIds', 'dealIds', 'labelIds', 'genresCodes', 'genreIds', 'hobbieIds']) {
    const get = () =>
      new Get({ url: 'bands/:id', modelClass: Band, readableColumnNames: [name as 'genreCodes'] });
    expect(await stopped(get, { entities: studio })).toMatch(
      new RegExp(`Get 'bands/:id': readableColumnNames: unknown column '${name}'.*genreCodes.*hobbyIds`),
    );
  }
});

test('A to-many relation as writeable stops the start', async () => {
  for (const name of ['albums', 'genres', 'genres.name', 'albums.title'] as const) {
    const update = () =>
      new Update({
        url: 'bands/:id',
        modelClass: Band,
        readableColumnNames: ['id'],
        writeableColumnNames: [name as 'name'],
      });
    expect(await stopped(update, { entities: studio })).toMatch(
      new RegExp(`Update 'bands/:id': writeableColumnNames: .*'${name}'`),
    );
  }
});

test('A ManyToManyIds column as searchable or sortable stops the start', async () => {
  const search = () => new SimpleSearch({ ...listed, searchableColumnNames: ['genreCodes'] });
  expect(await stopped(search, { entities: studio })).toMatch(
    /SimpleSearch 'bands': searchableColumnNames: 'genreCodes'/,
  );
  const list = () => new List({ ...listed, sortableColumnNames: ['genreCodes'] });
  expect(await stopped(list, { entities: studio })).toMatch(
    /List 'bands': sortableColumnNames: 'genreCodes'/,
  );
});

test('A where string about a ManyToManyIds column stops the start', async () => {
  for (const where of ['genreCodes = rock', 'genreCodes in (rock)', 'genreCodes is null']) {
    const list = () => new List({ ...listed, where: [where] });
    expect(await stopped(list, { entities: studio })).toMatch(/List 'bands': where: 'genreCodes/);
  }
});
