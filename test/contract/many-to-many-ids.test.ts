import { expect } from '@jest/globals';
import { Create, Get, Import, RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Band, Genre } from '../support/entities/studio.js';
import { told } from './import.rows.js';
import { ann, bob, cid, record, studioWith } from './related.studio.js';

const { contract } = service(
  studioWith([
    new RestfulApi<Band>({
      url: 'bands',
      modelClass: Band,
      readableColumnNames: ['name', 'genreCodes', 'musicianIds', 'hobbyIds'],
      writeableColumnNames: ['name', 'genreCodes', 'musicianIds', 'hobbyIds'],
      sortableColumnNames: ['id'],
      searchableColumnNames: ['name'],
      defaultSortColumnName: 'id',
    }),
    new RestfulApi<Genre>({
      url: 'genres',
      modelClass: Genre,
      readableColumnNames: ['code', 'bandIds'],
      writeableColumnNames: ['code', 'name', 'bandIds'],
      sortableColumnNames: ['code'],
      searchableColumnNames: ['code'],
      defaultSortColumnName: 'code',
    }),
    new Get<Band>({
      url: 'both/:id',
      modelClass: Band,
      readableColumnNames: ['genreCodes', 'genres.name', 'hobbies.name'],
    }),
    new Create<Band>({
      url: 'snake',
      modelClass: Band,
      internalCasing: 'snake_case',
      readableColumnNames: ['hobby_ids', 'label_id'],
      writeableColumnNames: ['name', 'hobby_ids'],
    }),
    new Import<Band>({
      url: 'import',
      modelClass: Band,
      writeableColumnNames: ['name', 'genreCodes', 'musicianIds'],
    }),
    new Get<Band>({
      url: 'titled/:id',
      modelClass: Band,
      externalCasing: 'TitleCase',
      readableColumnNames: ['genreCodes'],
    }),
  ]),
  everyDatabase,
);

const owls = { name: 'Owls', genre_codes: ['rock', 'soul'], musician_ids: [ann], hobby_ids: [1] };
const fresh = { name: 'Larks', genre_codes: [], musician_ids: [], hobby_ids: [] };

/** What is stored of a band, hidden musicians included. */
const stored = async ({ em }: Subject, name: string): Promise<object> => {
  const populate = ['genres', 'musicians', 'hobbies'] as const;
  const band = await em().findOneOrFail(Band, { name }, { populate, filters: false });
  const sorted = (keys: readonly (string | number)[]) => [...keys].sort();
  return {
    genres: sorted(band.genres.getIdentifiers('code')),
    musicians: sorted(band.musicians.getIdentifiers('id')),
    hobbies: sorted(band.hobbies.getIdentifiers('id')),
  };
};

contract('A ManyToManyIds column shows the keys of the related records', async (subject) => {
  await record(subject);
  const { request } = subject;
  expectAnswer(await request().get('/bands/1'), 200, success(owls));
  const jays = { ...fresh, name: 'Jays', genre_codes: ['rock'] };
  const pagination = { number_results: 3, limit: 50, next_page: {} };
  expectAnswer(
    await request().get('/bands'),
    200,
    success([owls, jays, { ...fresh, name: 'Wren' }], pagination),
  );
});

contract('A ManyToManyIds column shows the keys of the inverse side', async (subject) => {
  await record(subject);
  expectAnswer(await subject.request().get('/genres/rock'), 200, success({ code: 'rock', band_ids: [1, 2] }));
});

contract('A ManyToManyIds column shows all keys, whatever the limit of nested lists', async (subject) => {
  await record(subject);
  const { request, em } = subject;
  const bands = Array.from({ length: 120 }, (_, index) => ({ name: `band ${index}`, updated: new Date() }));
  await em().insertMany(Band, bands);
  await em()
    .getConnection()
    .execute(`insert into band_genres (band_id, genre_code) select id, 'soul' from band where id > 3`);
  const { body } = await request().get('/genres/soul');
  expect(body.data.band_ids).toEqual([1, ...Array.from({ length: 120 }, (_, index) => index + 4)]);
});

contract('Create relates the record to those a ManyToManyIds column names', async (subject) => {
  await record(subject);
  const { request } = subject;
  const body = { name: 'Larks', genre_codes: ['soul', 'rock'], musician_ids: [cid, ann], hobby_ids: [2, 1] };
  const shown = { name: 'Larks', genre_codes: ['rock', 'soul'], musician_ids: [ann, cid], hobby_ids: [1, 2] };
  expectAnswer(await request().post('/bands').send(body), 201, success(shown));
  expect(await stored(subject, 'Larks')).toEqual({
    genres: ['rock', 'soul'],
    musicians: [ann, cid],
    hobbies: [1, 2],
  });
});

contract('Create without a ManyToManyIds column, or with an empty list, relates to none', async (subject) => {
  await record(subject);
  const { request } = subject;
  expectAnswer(await request().post('/bands').send({ name: 'Larks' }), 201, success(fresh));
  const empty = { name: 'Rooks', genre_codes: [], musician_ids: [], hobby_ids: [] };
  expectAnswer(await request().post('/bands').send(empty), 201, success(empty));
});

contract('Update replaces the related records by those it names', async (subject) => {
  await record(subject);
  const { request } = subject;
  const body = { genre_codes: ['soul'], musician_ids: [cid], hobby_ids: [2] };
  expectAnswer(await request().patch('/bands/1').send(body), 200, success({ name: 'Owls', ...body }));
  // Bob is hidden by a filter: no client could name him, so he stays.
  expect(await stored(subject, 'Owls')).toEqual({ genres: ['soul'], musicians: [bob, cid], hobbies: [2] });
  expect(await stored(subject, 'Jays')).toEqual({ genres: ['rock'], musicians: [], hobbies: [] });
});

contract('Update with an empty list leaves no related record', async (subject) => {
  await record(subject);
  const { request, count } = subject;
  const answer = await request().patch('/bands/1').send({ genre_codes: [] });
  expectAnswer(answer, 200, success({ ...owls, genre_codes: [] }));
  expect(await stored(subject, 'Owls')).toMatchObject({ genres: [], hobbies: [1] });
  expect(await count(Genre)).toBe(2);
});

contract('Update without a ManyToManyIds column leaves the related records alone', async (subject) => {
  await record(subject);
  const { request } = subject;
  expectAnswer(
    await request().patch('/bands/1').send({ name: 'Hawks' }),
    200,
    success({ ...owls, name: 'Hawks' }),
  );
  expect(await stored(subject, 'Hawks')).toEqual({
    genres: ['rock', 'soul'],
    musicians: [ann, bob],
    hobbies: [1],
  });
});

contract('A key that a ManyToManyIds column has twice counts once', async (subject) => {
  await record(subject);
  const { request } = subject;
  const body = {
    genre_codes: ['soul', 'soul'],
    musician_ids: [cid, cid.toUpperCase()],
    hobby_ids: [2, 2, 2],
  };
  const shown = { genre_codes: ['soul'], musician_ids: [cid], hobby_ids: [2] };
  expectAnswer(
    await request()
      .post('/bands')
      .send({ name: 'Larks', ...body }),
    201,
    success({ name: 'Larks', ...shown }),
  );
  expectAnswer(await request().patch('/bands/1').send(body), 200, success({ name: 'Owls', ...shown }));
});

contract('A ManyToManyIds column of the inverse side is written', async (subject) => {
  await record(subject);
  const { request } = subject;
  const answer = await request()
    .patch('/genres/soul')
    .send({ band_ids: [3, 2] });
  expectAnswer(answer, 200, success({ code: 'soul', band_ids: [2, 3] }));
  const created = await request()
    .post('/genres')
    .send({ code: 'folk', name: 'Folk', band_ids: [1] });
  expectAnswer(created, 201, success({ code: 'folk', band_ids: [1] }));
  expect(await stored(subject, 'Owls')).toMatchObject({ genres: ['folk', 'rock'] });
  expect(await stored(subject, 'Jays')).toMatchObject({ genres: ['rock', 'soul'] });
  const emptied = await request().patch('/genres/rock').send({ band_ids: [] });
  expectAnswer(emptied, 200, success({ code: 'rock', band_ids: [] }));
  expect(await stored(subject, 'Jays')).toMatchObject({ genres: ['soul'] });
});

contract('A ManyToManyIds column and the related records may be shown side by side', async (subject) => {
  await record(subject);
  const shown = {
    genre_codes: ['rock', 'soul'],
    genres: [{ name: 'Rock' }, { name: 'Soul' }],
    hobbies: [{ name: 'chess' }],
  };
  expectAnswer(await subject.request().get('/both/1'), 200, success(shown));
});

contract('A ManyToManyIds column is named and cased as every column is', async (subject) => {
  await record(subject);
  const { request } = subject;
  const answer = await request()
    .post('/snake')
    .send({ name: 'Larks', hobby_ids: [2] });
  expectAnswer(answer, 201, success({ hobby_ids: [2], label_id: null }));
  expect((await request().get('/titled/1')).body.Data).toEqual({ GenreCodes: ['rock', 'soul'] });
});

contract('Delete of a record with related keys leaves the related records', async (subject) => {
  await record(subject);
  const { request, count } = subject;
  await request()
    .patch('/bands/3')
    .send({ genre_codes: ['rock'], musician_ids: [ann] });
  expectAnswer(await request().delete('/bands/3'), 200, success({}));
  expectAnswer(await request().delete('/genres/soul'), 200, success({}));
  expect([await count(Band), await count(Genre)]).toEqual([2, 1]);
  expect(await stored(subject, 'Owls')).toMatchObject({ genres: ['rock'], musicians: [ann, bob] });
});

contract('Update that changes related records alone sets updated', async (subject) => {
  await record(subject);
  const { request, em } = subject;
  const long = new Date('2001-01-01T00:00:00Z');
  for (const column of ['genre_codes', 'musician_ids', 'hobby_ids']) {
    await em().nativeUpdate(Band, 1, { updated: long });
    expect(
      (
        await request()
          .patch('/bands/1')
          .send({ [column]: [] })
      ).status,
    ).toBe(200);
    expect((await em().findOneOrFail(Band, 1)).updated).not.toEqual(long);
  }
});

contract('Update with the related records as they are leaves updated alone', async (subject) => {
  await record(subject);
  const { request, em } = subject;
  const { updated } = await em().findOneOrFail(Band, 1);
  const body = { genre_codes: ['soul', 'rock'], hobby_ids: [1] };
  expectAnswer(await request().patch('/bands/1').send(body), 200, success(owls));
  expect(await em().findOneOrFail(Band, 1)).toMatchObject({ updated });
});

contract('A cell of an Import has a list of keys as JSON', async (subject) => {
  await record(subject);
  const rows = (cell: string) => `name,genre_codes,musician_ids\nFinches,"[""rock"",""soul""]",${cell}\n`;
  expect(await told(subject, '/import', rows(`"[""${ann}""]"`))).toMatchObject([{ data: { created: 1 } }]);
  expect(await stored(subject, 'Finches')).toEqual({
    genres: ['rock', 'soul'],
    musicians: [ann],
    hobbies: [],
  });
  for (const cell of ['[1', '1', '{}'])
    expect(await told(subject, '/import', rows(cell))).toMatchObject([
      { line: 2, input_errors: { musician_ids: 'value should be a list' } },
      { data: { created: 0, failed: 1 } },
    ]);
});
