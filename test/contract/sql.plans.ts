import { AdvancedSearch, Get, List, SimpleSearch } from '@nest-endpoints/core';
import type { Subject } from '../support/contract.js';
import { Album, Band } from '../support/entities/studio.js';
import { studioWith } from './related.studio.js';

const albums = {
  modelClass: Album,
  readableColumnNames: ['title', 'year', 'band.name'],
  sortableColumnNames: ['id', 'title', 'year', 'band.name'],
  defaultSortColumnName: 'id',
} as const;
const searchable = {
  searchableColumnNames: ['id', 'title', 'year', 'bandId', 'band.name', 'band.label.name'],
} as const;

/** Endpoints for the plans below; what a request decides is there, what an endpoint decides here. */
export const planned = studioWith([
  new Get<Album>({ url: 'albums/:id', modelClass: Album, readableColumnNames: ['title', 'band.name'] }),
  new Get<Band>({ url: 'bands/:id', modelClass: Band, readableColumnNames: ['name', 'albums.title'] }),
  new List<Album>({ ...albums, url: 'albums' }),
  new List<Album>({ ...albums, url: 'uncounted', count: 'none' }),
  new List<Album>({ ...albums, url: 'estimated', count: 'estimated' }),
  new List<Album>({ ...albums, url: 'cursors', pagination: 'keyset' }),
  new List<Album>({ ...albums, url: 'groups', groupByColumnName: 'band.name' }),
  new List<Album>({ ...albums, url: 'some', where: ['year > 1990'] }),
  new SimpleSearch<Album>({ ...albums, ...searchable, url: 'simple' }),
  new AdvancedSearch<Album>({ ...albums, ...searchable, url: 'search', count: 'none' }),
]);

type Ask = (subject: Subject) => PromiseLike<unknown>;

const get =
  (path: string): Ask =>
  ({ request }) =>
    request().get(path).expect(200);

const search =
  (...conditions: readonly (readonly [column: string, operator: string, value?: unknown])[]): Ask =>
  ({ request }) =>
    request()
      .post('/search')
      .send({ where: conditions.map(([column, operator, value]) => ({ column, operator, value })) })
      .expect(200);

const behind =
  (sort: string): Ask =>
  async ({ request }) => {
    const { body } = await request().get('/cursors').query({ sort, limit: 1 }).expect(200);
    await request()
      .get('/cursors')
      .query({ sort, limit: 1, ...body.pagination.next_page })
      .expect(200);
  };

/** What is asked, under what it is about. */
export const plans = {
  'one record by its key': get('/albums/1'),
  'one record and what is related to it': get('/bands/1'),
  'a page and its count': get('/albums'),
  'a page in the order of a parent': get('/uncounted?sort=band.name&direction=desc'),
  'a page behind many records': get('/uncounted?start=5000'),
  'a page with an estimated count': get('/estimated'),
  'the first page of cursors, and the next': behind('id'),
  'a page behind a cursor of a nullable column': behind('year'),
  'one record per group': get('/groups'),
  'a condition of the endpoint': get('/some'),
  'one record by a unique value of a search': get('/simple?year=2001&id=1'),
  'equal values of a request': get('/simple?title=Night&year=2001'),
  'two words of a parent': get('/simple?band.name=Owls&band.label.name=Loud'),
  'another value': search(['title', '!=', 'Night']),
  'an order of numbers': search(['year', '>', 1990], ['year', '<=', 2001]),
  'a pattern of text': search(['title', 'like', 'N%']),
  'a list of values': search(['id', 'in', [1, 2, 3]]),
  'no value': search(['year', 'is null']),
  'any value of a parent': search(['band.label.name', 'is not null']),
} satisfies Record<string, Ask>;

export type PlanName = keyof typeof plans;
