import { expect, jest } from '@jest/globals';
import { DeleteMany, EndpointGroup, Facets, UpdateMany } from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { fc } from '../support/property.js';
import { once, service } from '../support/contract.js';
import { bodyIn, operationAt, schemaIn, type Part } from '../support/documents.js';
import { Ware } from '../support/entities/stock.js';
import { Statements } from '../support/statements.js';
import { stockWith, refusal, wares, idsOf } from './advanced-search.wares.js';
import { aggregate } from './aggregate.stock.js';
import { treesOn } from './search.arbitrary.js';
import { usedHeap } from './used.heap.js';

jest.setTimeout(240_000);

const bulk = {
  modelClass: Ware,
  readableColumnNames: ['id'],
  byConditions: true,
  searchableColumnNames: ['id', 'size', 'label', 'parts.name'],
} as const;

const { contract } = service(
  {
    ...stockWith([
      wares(),
      wares({ url: 'few', maximumConditions: 3, maximumWildcards: 4 }),
      new EndpointGroup({ url: 'title', externalCasing: 'TitleCase', endpoints: [wares()] }),
      new UpdateMany({ ...bulk, url: 'bulk', writeableColumnNames: ['label'] }),
      new DeleteMany({ ...bulk, url: 'bulk' }),
      aggregate(),
      aggregate({ url: 'required', requiredColumnNames: ['state'] }),
      new Facets({
        url: 'facets',
        modelClass: Ware,
        facetColumnNames: ['state', 'size'],
        searchableColumnNames: ['state', 'size'],
      }),
    ]),
    orm: { pool: { min: 1, max: 1 } },
    route: 'direct',
  },
  once,
);

const size = { column: 'size', operator: '=', value: 1 };

/** An entry in so many groups. */
const nested = (depth: number, entry: object = size): object =>
  depth === 0 ? entry : { [depth % 2 === 0 ? 'any' : 'all']: [nested(depth - 1, entry)] };

contract('What is wrong within a group is told by its place in the body', async (subject) => {
  const wrong = { column: 'size', operator: '=', value: 'x' };
  const complaint = 'value should be an integer';
  const refusals: readonly (readonly [object, string])[] = [
    [{ any: [size, wrong] }, `where.0.any.1: ${complaint}`],
    [{ not: wrong }, `where.0.not: ${complaint}`],
    [{ not: { all: [size, { any: [wrong] }] } }, `where.0.not.all.1.any.0: ${complaint}`],
    [
      { some: 'parts', all: [{ column: 'size', operator: '=', value: 1 }] },
      'where.0.all.0: column must be one of: name, count',
    ],
    [
      { any: [{ column: 'size', operator: 'contains', value: 'x' }] },
      'where.0.any.0: operator must be one of: <=>, !=, <=, >=, >, <, =, in, is not null, is null, is not, is, not in, between',
    ],
    [{ any: [1] }, 'where.0.any.0 must be an object with column, operator, value'],
    [{ any: [{ x: 1 }] }, "where.0.any.0: 'x' is unknown; allowed: column, operator, value"],
    [{ any: [] }, 'where 1: any must have at least one entry'],
    [{ all: size }, 'where 1: all must be a list'],
    [{ any: [{ not: [size] }] }, 'where.0.any.0.not must be an object with column, operator, value'],
    [{ any: [size], column: 'size' }, "where 1: 'column' cannot stand beside any"],
    [{ any: [size], all: [size] }, "where 1: 'all' cannot stand beside any"],
    [{ some: 'parts', none: 'parts', all: [] }, "where 1: 'none' cannot stand beside some"],
    [{ some: 'parts' }, 'where 1: all is missing'],
    [{ some: 'wares', all: [] }, 'where 1: some must be one of: parts, tags'],
    [{ none: ['parts'], all: [] }, 'where 1: none must be one of: parts, tags'],
    [{ some: 'parts', all: [{ some: 'parts', all: [] }] }, 'where.0.all.0: some cannot be used here'],
    [{ column: 'size', operator: 'between', value: [1] }, 'where 1: value should be a list of two'],
    [
      { column: 'size', operator: 'between', value: [1, null] },
      "where 1: value should not be null; 'is null' finds those",
    ],
    [{ column: 'label', operator: 'contains', value: 1 }, 'where 1: value should be a string'],
    [
      { column: 'label', operator: 'contains', value: 'x'.repeat(10_001) },
      'where 1: value should be at most 10000 characters long',
    ],
    [nested(6), 'where.0.any.0.all.0.any.0.all.0.any.0: groups must not be nested more than 5 deep'],
  ];
  const told: unknown[] = [];
  for (const [where] of refusals) told.push(await refusal(subject, where));
  expect(told).toEqual(refusals.map(([, sentence]) => sentence));
  expect(
    (
      await subject
        .request()
        .post('/wares')
        .send({ where: [nested(5)] })
    ).status,
  ).toBe(200);
  const title = await subject
    .request()
    .post('/title/wares')
    .send({ Where: [{ Any: [{ Not: { X: 1 } }] }] });
  expect(title.body.Error).toBe("Where.0.Any.0.Not: 'X' is unknown; allowed: Column, Operator, Value");
});

contract('Conditions and wildcards are counted in groups, too', async (subject) => {
  const like = { column: 'label', operator: 'contains', value: 'x' };
  const sentences = [
    [{ any: [size, size] }, { not: { all: [size, size] } }],
    [{ any: [size, size] }, { some: 'parts', all: [] }, size],
    [{ any: [like, like] }, like],
  ].map(async (where) => (await subject.request().post('/few').send({ where })).body.error as unknown);
  expect(await Promise.all(sentences)).toEqual([
    "'where' must not have more than 3 conditions",
    "'where' must not have more than 3 conditions",
    "'where' must not have more than 4 wildcards",
  ]);
});

contract('Groups name the records of UpdateMany and DeleteMany, and of an Aggregate', async (subject) => {
  for (const id of [1, 2, 3]) await subject.save(Ware, { id, size: id, label: `ware ${id}`, state: 'new' });
  const either = [
    {
      any: [
        { ...size, value: 1 },
        { column: 'label', operator: 'ends with', value: '3' },
      ],
    },
  ];
  const request = subject.request();
  const counted = await request.post('/aggregate').send({ where: either });
  expect(counted.body.data).toEqual({ count: 2 });
  const updated = await request.patch('/bulk').send({ where: either, changes: { label: 'x' }, maximum: 5 });
  expect(idsOf(updated)).toEqual([1, 3]);
  const refused = await request.delete('/bulk').send({ where: [{ any: [1] }], maximum: 5 });
  expect(refused.body.error).toBe('where.0.any.0 must be an object with column, operator, value');
  const none = [
    {
      not: {
        any: [
          { column: 'label', operator: '=', value: 'x' },
          { some: 'parts', all: [] },
        ],
      },
    },
  ];
  expect((await request.delete('/bulk').send({ where: none, maximum: 5 })).status).toBe(200);
  expect(await subject.count(Ware)).toBe(2);
});

contract('A required column needs a condition in no group', async ({ request }) => {
  const state = { column: 'state', operator: '=', value: 'new' };
  const ask = async (where: object[]): Promise<unknown> =>
    (await request().post('/required').send({ where })).body.error as unknown;
  expect(await ask([{ any: [state] }])).toBe("'state' is required");
  expect(await ask([{ all: [state] }])).toBe("'state' is required");
  expect(await ask([state, { any: [size] }])).toBe('');
});

contract(
  'A facet is counted without groups about its own column alone, and with all others',
  async (subject) => {
    await subject.save(Ware, { id: 1, size: 1, state: 'new' });
    await subject.save(Ware, { id: 2, size: 2, state: 'used' });
    const state = (value: string): object => ({ column: 'state', operator: '=', value });
    const ask = async (where: object[]): Promise<unknown> => {
      const { body } = await subject
        .request()
        .post('/facets')
        .send({ facets: ['state'], where });
      return (body.data.state as { value: unknown; count: number }[]).map(
        ({ value, count }) => `${String(value)} ${count}`,
      );
    };
    const both = ['new 1', 'used 1'];
    expect(await ask([{ any: [state('new'), state('Broken')] }])).toEqual(both);
    expect(await ask([{ not: state('new') }])).toEqual(both);
    expect(await ask([{ any: [state('new'), { column: 'size', operator: '=', value: 9 }] }])).toEqual([
      'new 1',
    ]);
  },
);

contract('A document tells groups with a schema that refers to itself', ({ app }) => {
  const document = openApiDocument(app);
  const { where } = bodyIn(document, operationAt(document, 'post', '/few')).properties;
  const { $ref } = where.items;
  const entry = schemaIn(document, where.items);
  const group = (word: string): Part =>
    entry.anyOf.find(({ properties }: Part) => Object.hasOwn(properties, word));
  expect(group('any')).toMatchObject({
    properties: { any: { type: 'array', items: { $ref }, minItems: 1, maxItems: 3 } },
    required: ['any'],
    additionalProperties: false,
  });
  expect(group('not').properties.not).toEqual({ $ref });
  const { some, all } = group('some').properties;
  expect(some).toEqual({ type: 'string', enum: ['parts'] });
  const related = schemaIn(document, all.items);
  expect(related.anyOf[0].properties.column.enum).toEqual(['name']);
});

/** `TREES=20000` takes minutes. */
const trees = Number(process.env['TREES'] ?? 1500);

contract(
  'However many trees are searched with, memory and prepared statements stay as they are',
  async (subject) => {
    const bodies = fc
      .sample(treesOn('postgresql'), { numRuns: 3000, seed: 7 })
      .map((where) => JSON.stringify({ where }));
    const ask = async (from: number, to: number): Promise<void> => {
      for (let number = from; number < to; number += 20)
        await Promise.all(
          Array.from({ length: 20 }, async (_, index) => {
            const body = bodies[(number + index) % bodies.length] ?? '';
            const headers = { 'content-type': 'application/json' };
            const answer = await fetch(`${subject.url}/wares`, { method: 'POST', headers, body });
            expect(answer.status).toBe(200);
            await answer.arrayBuffer();
          }),
        );
    };
    const prepared = async (): Promise<number> => {
      const sql = `select count(*)::int as n from pg_prepared_statements where statement like '%"ware"%'`;
      const rows = await subject.em().getConnection().execute<{ n: number }[]>(sql);
      return rows[0]?.n ?? 0;
    };
    await ask(0, 1500);
    const heap = usedHeap();
    await ask(1500, 1500 + trees);
    // Fifty searches of a connection, and fifty lookups of an endpoint.
    expect(await prepared()).toBeLessThan(110);
    expect(usedHeap() - heap).toBeLessThan(6 * 2 ** 20);
  },
);

contract('Nothing that a client types in a group is in the text of a statement', async (subject) => {
  const typed = "Zz'); drop table ware; --";
  const where = [
    {
      any: ['contains', 'starts with', 'ends with', '=', 'like'].map((operator) => ({
        column: 'label',
        operator,
        value: typed,
      })),
    },
    { not: { some: 'parts', all: [{ column: 'name', operator: 'not in', value: [typed] }] } },
    { column: 'size', operator: 'between', value: [424_242, 535_353] },
  ];
  const sent = await (
    await Statements.of(subject)
  ).during(async () => {
    expect((await subject.request().post('/wares').send({ where })).status).toBe(200);
  });
  const texts = sent.join('\n');
  expect(texts).toMatch(/ilike/);
  expect(texts).not.toMatch(/Zz|424242|535353/);
});

contract('A hundred conditions in groups five deep are planned in under 30 ms', async (subject) => {
  const leaves = Array.from({ length: 100 }, (_, index) =>
    index % 4 === 3
      ? { column: 'parts.name', operator: 'starts with', value: `x${index}` }
      : [
          { column: 'size', operator: '>', value: index },
          { column: 'label', operator: 'contains', value: `x${index}` },
          { column: 'depot.region.title', operator: 'in', value: ['a', `x${index}`] },
        ][index % 4],
  );
  const deep = (entries: readonly unknown[], depth: number): object => {
    if (depth === 0) return { any: entries };
    const [first, last] = [entries.slice(0, entries.length / 2), entries.slice(entries.length / 2)];
    return { all: [deep(first, depth - 1), { not: deep(last, depth - 1) }] };
  };
  const where = [deep(leaves, 2)];
  const sent = await (
    await Statements.of(subject)
  ).during(async () => {
    expect((await subject.request().post('/wares').send({ where })).status).toBe(200);
  });
  const text = sent.find((one) => one.includes(' is not true')) ?? '';
  // The page and its count are one statement.
  expect(text.match(/exists/g)).toHaveLength(50);
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const rows: unknown = await subject
      .em()
      .getConnection()
      .execute(`explain (generic_plan, summary, format json) ${text.replaceAll('?', '??')}`);
    const [row = {}] = rows as readonly Readonly<Record<string, readonly { 'Planning Time': number }[]>>[];
    const [plan] = Object.values(row);
    times.push(plan?.[0]?.['Planning Time'] ?? Infinity);
  }
  expect(Math.min(...times)).toBeLessThan(30);
});
