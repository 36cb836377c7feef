import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Aggregate, defineColumns, Export, Import, IntegerColumn, RestfulApi } from '@nest-endpoints/core';
import type { OpenApiDocument } from '@nest-endpoints/openapi';
import { success } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { documented, operationAt } from '../support/documents.js';
import { end, told } from './import.rows.js';

const Land = defineEntity({
  name: 'Land',
  properties: { id: p.integer().primary(), name: p.string(), at: p.datetime() },
});

/** A record whose columns have the names that members of its parent and of its JSON have, too. */
const Trip = defineEntity({
  name: 'Trip',
  properties: {
    id: p.integer().primary(),
    name: p.string(),
    size: p.integer(),
    at: p.datetime(),
    traits: p.json<{ size?: { width?: unknown } }>().nullable(),
    land: () => p.manyToOne(Land).nullable(),
  },
});

defineColumns(Trip, { 'traits.size.width': { type: new IntegerColumn() } });

const trips = {
  modelClass: Trip,
  externalNames: { name: 'title', size: 'inhabitants', at: 'when', land: 'state', landId: 'state_id' },
} as const;

const counted = {
  groupableColumnNames: [
    'name',
    { column: 'at', buckets: ['day'] },
    { column: 'land.at', buckets: ['year'] },
  ],
  measurableColumnNames: { at: ['max'] },
} as const;

const own = ['id', 'name', 'size', 'at', 'landId'] as const;

const { contract } = service({
  entities: [Land, Trip],
  root: { internalCasing: 'camelCase' },
  endpoints: [
    documented([
      new Aggregate({ ...trips, ...counted, url: 'figures' }),
      new Aggregate({ ...trips, ...counted, url: 'titled', externalCasing: 'TitleCase' }),
      new Import({ ...trips, url: 'import', writeableColumnNames: own }),
      new Export({ ...trips, url: 'export', readableColumnNames: own, formulas: 'keep' }),
      new Export({
        ...trips,
        url: 'whole',
        readableColumnNames: ['id', 'name', 'land.name', 'traits.size.width', 'size'],
        searchableColumnNames: ['land.name', 'traits.size.width'],
      }),
      new RestfulApi({
        ...trips,
        url: 'trips',
        readableColumnNames: ['id', 'name', 'land.name', 'traits.size.width', 'size'],
        writeableColumnNames: own,
        sortableColumnNames: ['id'],
        searchableColumnNames: ['land.name', 'traits.size.width'],
        defaultSortColumnName: 'id',
        clientSelectsColumns: true,
        aggregate: counted,
        facets: { facetColumnNames: ['size'] },
      }),
    ]),
  ],
});

const store = async ({ save }: Subject): Promise<void> => {
  const land = await save(Land, { id: 1, name: 'Kent', at: new Date('2020-06-01T00:00:00Z') });
  const at = new Date('2024-02-03T04:05:06Z');
  await save(Trip, { id: 1, name: 'A', size: 3, at, traits: { size: { width: 7 } }, land });
  await save(Trip, { id: 2, name: 'B', size: 4, at, traits: null });
};

const csv = async ({ raw }: Subject, path: string): Promise<string> =>
  (await raw('GET', path, { headers: { accept: 'text/csv' } })).text;

contract(
  'A column has the name of its endpoint where it is grouped in spans, in the words of requests and in answers',
  async (subject) => {
    const { request, query } = subject;
    await store(subject);
    const groups = [{ when_day: '2024-02-03', when_max: '2024-02-03T04:05:06+00:00' }];
    const page = { limit: 100, next_page: {} };
    for (const path of ['/figures', '/trips/aggregate']) {
      const asked = await request().get(`${path}?group_by=when.day&measure=when.max&sort=when.day`);
      expect(asked.body).toEqual(success(groups, page));
      const both = await request().get(`${path}?group_by=title,state.at.year&sort=title`);
      expect(both.body.data).toEqual([
        { title: 'A', state: { at_year: '2020-01-01' }, count: 1 },
        { title: 'B', state: { at_year: null }, count: 1 },
      ]);
      for (const unknown of ['name', 'at.day', 'when_day', 'land.at.year', 'state.when.year'])
        await request().get(`${path}?group_by=${unknown}`).expect(400);
    }
    const sent = await query('/figures').send({ group_by: ['when.day'], measures: ['when.max'] });
    expect(sent.body.data).toEqual(groups);
    const titled = await request().get('/titled?GroupBy=when.Day');
    expect(titled.body).toMatchObject({ Data: [{ whenDay: '2024-02-03', Count: 2 }] });
  },
);

contract(
  'A column has the name of its endpoint in exported tables, where members of parents and of JSON keep theirs',
  async (subject) => {
    const { request, raw } = subject;
    await store(subject);
    const head = 'id,title,state.name,traits.size.width,inhabitants\r\n';
    expect(await csv(subject, '/whole')).toBe(`${head}1,A,Kent,7,3\r\n2,B,,,4\r\n`);
    const lines = (await raw('GET', '/whole')).text.split('\n');
    const first = {
      id: 1,
      title: 'A',
      state: { name: 'Kent' },
      traits: { size: { width: 7 } },
      inhabitants: 3,
    };
    expect(JSON.parse(lines[0] ?? '')).toEqual(first);
    expect((await request().get('/trips?limit=1')).body.data).toEqual([first]);
    for (const path of head.trimEnd().split(',')) await request().get(`/trips?fields=${path}`).expect(200);
    expect(await csv(subject, '/whole?state.name=Kent&traits.size.width=7')).toBe(`${head}1,A,Kent,7,3\r\n`);
  },
);

contract(
  'An Import reads what an Export writes under the names of the endpoint, as a table and as lines of JSON',
  async (subject) => {
    await store(subject);
    const table = await csv(subject, '/export');
    expect(table.slice(0, table.indexOf('\r\n'))).toBe('id,title,inhabitants,when,state_id');
    const { text } = await subject.raw('GET', '/export');
    for (const [body, type] of [
      [table, 'text/csv'],
      [text, 'application/x-ndjson'],
    ] as const) {
      await subject.em().nativeDelete(Trip, {});
      expect(await told(subject, '/import', body, type)).toEqual([end('success', 2)]);
      expect(await csv(subject, '/export')).toBe(table);
    }
  },
);

contract('Documents name the columns that an Export has, as its tables do', async ({ request }) => {
  const document = (await request().get('/schema')).body as OpenApiDocument;
  const content = operationAt(document, 'get', '/whole').responses['200']?.content;
  const columns = 'id, title, state.name, traits.size.width, inhabitants';
  expect(content).toMatchObject({
    'application/x-ndjson': {
      schema: {
        description: `An object of JSON on each line, with ${columns}; those of a parent are in an object of its own.`,
      },
    },
    'text/csv': {
      schema: {
        description: `A table with a column for each of ${columns}; those of a parent have its name in front, and a dot.`,
      },
    },
  });
});
