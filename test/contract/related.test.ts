import { expect } from '@jest/globals';
import { Create, Get, List, RestfulApi, Update } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { Album, Band, Genre, Label, Track } from '../support/entities/studio.js';
import { record, studioWith } from './related.studio.js';

const listed = { sortableColumnNames: ['id'], defaultSortColumnName: 'id' } as const;
const names = ['name', 'albums.title', 'albums.year', 'deal.signedOn', 'genres.name'] as const;

const { contract } = service(
  studioWith([
    new RestfulApi<Band>({
      ...listed,
      url: 'bands',
      modelClass: Band,
      readableColumnNames: names,
      writeableColumnNames: ['name', 'labelId'],
      searchableColumnNames: ['name', 'albums.title'],
    }),
    new Get<Band>({
      url: 'mapped/:id',
      modelClass: Band,
      readableColumnNames: ['name', 'albums.title'],
      outputMap: ({ record: { name, albums } }) => ({ name, albums }),
    }),
    new List<Album>({
      ...listed,
      url: 'albums',
      modelClass: Album,
      readableColumnNames: ['title', 'producer.name', 'tracks.name', 'band.name', 'band.genres.name'],
    }),
    new List<Label>({
      ...listed,
      url: 'labels',
      modelClass: Label,
      readableColumnNames: [
        'name',
        'bands.name',
        'bands.deal.signedOn',
        'bands.label.name',
        'bands.albums.title',
        'bands.albums.tracks.name',
      ],
    }),
    new List({
      ...listed,
      url: 'tracks',
      modelClass: Track,
      readableColumnNames: ['name', 'album.band.genres.name'],
    }),
    new Get<Genre>({ url: 'genres/:code', modelClass: Genre, readableColumnNames: ['name', 'bands.name'] }),
    new List<Band>({
      ...listed,
      url: 'keys',
      modelClass: Band,
      readableColumnNames: ['albums.id', 'albums.producerId', 'deal.id', 'genres.code'],
    }),
    new List<Band>({
      ...listed,
      url: 'titled',
      modelClass: Band,
      externalCasing: 'TitleCase',
      readableColumnNames: ['deal.signedOn', 'albums.tracks.playTime'],
    }),
    new Create<Band>({
      url: 'made',
      modelClass: Band,
      readableColumnNames: ['name', 'label.bands.name'],
      writeableColumnNames: ['name', 'labelId'],
    }),
    new Update<Band>({
      url: 'made/:id',
      modelClass: Band,
      readableColumnNames: ['name', 'label.bands.name'],
      writeableColumnNames: ['labelId'],
    }),
  ]),
  everyDatabase,
);

const owls = {
  name: 'Owls',
  albums: [
    { title: 'Eve', year: null },
    { title: 'Day', year: 2003 },
    { title: 'Night', year: 2001 },
  ],
  deal: { signed_on: '2001-02-03' },
  genres: [{ name: 'Rock' }, { name: 'Soul' }],
};
const jays = {
  name: 'Jays',
  albums: [{ title: 'Nest', year: 1999 }],
  deal: null,
  genres: [{ name: 'Rock' }],
};
const wren = { name: 'Wren', albums: [], deal: null, genres: [] };

const page = (data: readonly object[], pagination: object = {}) =>
  success(data, { number_results: data.length, limit: 50, next_page: {}, ...pagination });

contract('Get shows related records as lists of nested objects', async (subject) => {
  await record(subject);
  expectAnswer(await subject.request().get('/bands/1'), 200, success(owls));
  expectAnswer(await subject.request().get('/bands/2'), 200, success(jays));
});

contract('A record without related records has empty lists, and null for a HasOne', async (subject) => {
  await record(subject);
  expectAnswer(await subject.request().get('/bands/3'), 200, success(wren));
});

contract('A list shows the related records of each of its records', async (subject) => {
  await record(subject);
  expectAnswer(await subject.request().get('/bands'), 200, page([owls, jays, wren]));
  const last = { number_results: 3, limit: 1 };
  expectAnswer(await subject.request().get('/bands?limit=1&start=2'), 200, page([wren], last));
  expectAnswer(await subject.request().get('/bands?name=Nobody'), 200, page([]));
});

contract('A search over a to-many path shows all related records of what it finds', async (subject) => {
  await record(subject);
  expectAnswer(await subject.request().get('/bands?albums.title=Day'), 200, page([owls]));
});

contract('Create and Update answer with related records', async (subject) => {
  await record(subject);
  const { request } = subject;
  const created = await request().post('/bands').send({ name: 'Larks' });
  expectAnswer(created, 201, success({ ...wren, name: 'Larks' }));
  expectAnswer(
    await request().patch('/bands/1').send({ name: 'Hawks' }),
    200,
    success({ ...owls, name: 'Hawks' }),
  );
});

contract('Create and Update answer with the related records of their new parent', async (subject) => {
  await record(subject);
  const { request } = subject;
  const [first, second, fourth] = [{ name: 'Owls' }, { name: 'Jays' }, { name: 'Larks' }];
  const created = await request().post('/made').send({ name: 'Larks', label_id: 1 });
  expectAnswer(created, 201, success({ name: 'Larks', label: { bands: [first, second, fourth] } }));
  const moved = await request().patch('/made/1').send({ label_id: 2 });
  expectAnswer(moved, 200, success({ name: 'Owls', label: { bands: [first] } }));
  const alone = await request().patch('/made/1').send({ label_id: null });
  expectAnswer(alone, 200, success({ name: 'Owls', label: null }));
});

contract('output_map sees related records', async (subject) => {
  await record(subject);
  const albums = ['Eve', 'Day', 'Night'].map((title) => ({ title }));
  expectAnswer(await subject.request().get('/mapped/1'), 200, success({ name: 'Owls', albums }));
});

contract('The inverse side of a many-to-many relation is a list too', async (subject) => {
  await record(subject);
  const answer = await subject.request().get('/genres/rock');
  expectAnswer(answer, 200, success({ name: 'Rock', bands: [{ name: 'Owls' }, { name: 'Jays' }] }));
});

contract('Related records may show keys only', async (subject) => {
  await record(subject);
  const { body } = await subject.request().get('/keys');
  expect(body.data).toEqual([
    {
      albums: [
        { id: 3, producer_id: null },
        { id: 2, producer_id: '00000000-0000-4000-8000-000000000002' },
        { id: 1, producer_id: '00000000-0000-4000-8000-000000000001' },
      ],
      deal: { id: 7 },
      genres: [{ code: 'rock' }, { code: 'soul' }],
    },
    { albums: [{ id: 4, producer_id: null }], deal: null, genres: [{ code: 'rock' }] },
    { albums: [], deal: null, genres: [] },
  ]);
});

contract('A parent, a list beside it and a list under it may be shown together', async (subject) => {
  await record(subject);
  const { body } = await subject.request().get('/albums');
  const both = { name: 'Owls', genres: [{ name: 'Rock' }, { name: 'Soul' }] };
  expect(body.data).toEqual([
    { title: 'Night', producer: { name: 'Ann' }, tracks: [{ name: 'Moon' }, { name: 'Dark' }], band: both },
    { title: 'Day', producer: null, tracks: [], band: both },
    { title: 'Eve', producer: null, tracks: [], band: both },
    {
      title: 'Nest',
      producer: null,
      tracks: [{ name: 'Twig' }],
      band: { name: 'Jays', genres: [{ name: 'Rock' }] },
    },
  ]);
});

contract('Parents and lists are nested inside the records of a list', async (subject) => {
  await record(subject);
  const { body } = await subject.request().get('/labels');
  const label = { name: 'Loud' };
  expect(body.data).toEqual([
    {
      name: 'Loud',
      bands: [
        {
          name: 'Owls',
          deal: { signed_on: '2001-02-03' },
          label,
          albums: [
            { title: 'Eve', tracks: [] },
            { title: 'Day', tracks: [] },
            { title: 'Night', tracks: [{ name: 'Moon' }, { name: 'Dark' }] },
          ],
        },
        { name: 'Jays', deal: null, label, albums: [{ title: 'Nest', tracks: [{ name: 'Twig' }] }] },
      ],
    },
    { name: 'Mute', bands: [] },
  ]);
});

contract('A list may stand under a parent of a parent', async (subject) => {
  await record(subject);
  const { body } = await subject.request().get('/tracks');
  const both = [{ name: 'Rock' }, { name: 'Soul' }];
  expect(body.data).toEqual([
    { name: 'Moon', album: { band: { genres: both } } },
    { name: 'Dark', album: { band: { genres: both } } },
    { name: 'Twig', album: { band: { genres: [{ name: 'Rock' }] } } },
  ]);
});

contract('The keys of related records are cased like those of records', async (subject) => {
  await record(subject);
  const { body } = await subject.request().get('/titled?limit=1');
  expect(body.Data).toEqual([
    {
      Deal: { SignedOn: '2001-02-03' },
      Albums: [{ Tracks: [] }, { Tracks: [] }, { Tracks: [{ PlayTime: 200 }, { PlayTime: 100 }] }],
    },
  ]);
});
