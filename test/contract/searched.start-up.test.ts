import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { LibSqlDriver } from '@mikro-orm/libsql';
import {
  AdvancedSearch,
  Aggregate,
  defineColumns,
  FullTextColumn,
  Get,
  List,
  PointColumn,
  SimilarColumn,
  Update,
  VectorColumn,
  type ColumnType,
} from '@nest-endpoints/core';
import { startApplication, startUpError, type ApplicationOptions } from '../support/application.js';
import { Article, searched, withExtensions } from './searched.articles.js';

const entities = [Article];
const refusal = (endpoint: object, more: object = {}): Promise<string> =>
  startUpError({ entities, endpoints: [endpoint as never], ...more });

test('A search column has no value: it is neither read, written, grouped nor sorted by alone', async () => {
  const readable = { modelClass: Article, readableColumnNames: ['id'] } as const;
  for (const [endpoint, problem] of [
    [
      new Get({ ...readable, url: 'a/:id', readableColumnNames: ['text'] }),
      /readableColumnNames: 'text' has no value/,
    ],
    [
      new Update({ ...readable, url: 'a/:id', writeableColumnNames: ['like'] }),
      /writeableColumnNames: 'like' cannot be written: a Similar column has no value/,
    ],
    [
      new List({ ...readable, url: 'a', sortableColumnNames: ['text'], defaultSortColumnName: 'id' }),
      /sortableColumnNames: 'text' can be sorted by only beside a condition on it: add it to searchableColumnNames/,
    ],
    [
      new List({ ...readable, url: 'a', sortableColumnNames: [], defaultSortColumnName: 'text' }),
      /defaultSortColumnName: 'text' cannot be sorted by/,
    ],
    [
      new AdvancedSearch({ ...searched, url: 'a', groupByColumnName: 'text' }),
      /groupByColumnName: 'text' has no value/,
    ],
    [
      new Aggregate({ url: 'a', modelClass: Article, groupableColumnNames: ['text'] }),
      /groupableColumnNames: 'text' has no value/,
    ],
    [
      new Get({ ...readable, url: 'a/:id', columnOverrides: { text: { message: 'no' } } }),
      /columnOverrides: text: a virtual column is the same everywhere/,
    ],
    [
      new Get({
        ...readable,
        url: 'a/:id',
        columnOverrides: { title: { type: new SimilarColumn({ of: 'title' }) } },
      }),
      /a Similar column is not possible here: it is of no property: define it under a name of its own/,
    ],
  ] as const)
    expect(await refusal(endpoint)).toMatch(problem);
});

test.each([
  [
    () => new FullTextColumn({ of: [], configuration: 'english' }),
    /FullTextColumn: of: must name at least one column/,
  ],
  [
    () => new FullTextColumn({ of: { title: 'E' as 'A' }, configuration: 'english' }),
    /'title': 'E' is no weight; allowed: A, B, C, D/,
  ],
  [
    () => new FullTextColumn({ of: 'title', configuration: `x'; drop` }),
    /'x'; drop' is not the name of a text search configuration/,
  ],
  [
    () => new FullTextColumn({ of: 'title', configuration: 'simple', storedIn: '' }),
    /storedIn: must be the name of a property/,
  ],
  [
    () => new FullTextColumn({ of: 'title', configuration: 'simple', prefix: 1 as never }),
    /prefix: must be true or false/,
  ],
  [() => new SimilarColumn({ of: '' }), /SimilarColumn: of: must name a column/],
  [
    () => new SimilarColumn({ of: 'title', threshold: 0 }),
    /threshold: 0 is not a number above 0 and up to 1/,
  ],
  [() => new SimilarColumn({ of: 'title', threshold: NaN }), /threshold: NaN is not a number/],
  [
    () => new SimilarColumn({ of: 'title', mode: 'all' as 'whole' }),
    /mode: 'all' is unknown; allowed: word, whole/,
  ],
  [
    () => new PointColumn({ latitude: 'a', longitude: '' }),
    /PointColumn: longitude: must be the name of a property/,
  ],
  [
    () => new PointColumn({ latitude: 'a', longitude: 'b', over: 'gis' as 'postgis' }),
    /over: 'gis' is unknown; allowed: earthdistance, postgis/,
  ],
  [() => new VectorColumn(0), /VectorColumn: dimensions: 0 is not a whole number from 1 to 16000/],
  [
    () => new VectorColumn(3, { metric: 'dot' as 'inner' }),
    /metric: 'dot' is unknown; allowed: cosine, l2, inner/,
  ],
  [() => new VectorColumn(3, { embed: 'x' as never }), /embed: must be a function/],
])('A mistake in the options of a search column stops the start (%#)', (make, problem) => {
  expect(make).toThrow(problem);
});

const Owner = defineEntity({ name: 'Owner', properties: { id: p.integer().primary(), title: p.string() } });

/** An application with one entity that has this search column. */
const having = (name: string, type: ColumnType): ApplicationOptions => {
  const Item = defineEntity({
    name: 'Item',
    properties: {
      id: p.integer().primary(),
      title: p.string(),
      size: p.integer(),
      distance: p.double().nullable(),
      shout: p.string().formula((columns) => `upper(${columns['title']})`),
      owner: () => p.manyToOne(Owner).nullable(),
    },
  });
  defineColumns(Item, { [name]: { type } });
  const readableColumnNames = ['id', 'distance'] as const;
  return {
    entities: [Item, Owner],
    endpoints: [new Get({ url: 'items/:id', modelClass: Item, readableColumnNames })],
  };
};

test.each([
  [
    'text',
    new SimilarColumn({ of: 'size' }),
    `'size' is none of the entity's own columns of text; allowed: title`,
  ],
  ['text', new SimilarColumn({ of: 'shout' }), `'shout' is none of the entity's own columns of text`],
  [
    'text',
    new SimilarColumn({ of: 'owner.title' }),
    `'owner.title' is none of the entity's own columns of text`,
  ],
  [
    'text',
    new FullTextColumn({ of: ['title', 'no'], configuration: 'simple' }),
    `'no' is none of the entity's own`,
  ],
  [
    'text',
    new FullTextColumn({ of: 'title', configuration: 'simple', storedIn: 'title' }),
    `'title' is none of the entity's own generated columns of the type tsvector`,
  ],
  [
    'text',
    new PointColumn({ latitude: 'title', longitude: 'size' }),
    `'title' is none of the entity's own columns of numbers`,
  ],
  [
    'title',
    new SimilarColumn({ of: 'title' }),
    'a Similar column is not possible here: it is of no property',
  ],
  ['title', new VectorColumn(3), 'the property is no vector(3) of pgvector'],
])('A search column over what it cannot search stops the start: %s %#', async (name, type, problem) => {
  expect(await startUpError(having(name, type))).toContain(problem);
});

test('Elsewhere than on PostgreSQL and PGlite a search column stops the start', async () => {
  const orm = { driver: LibSqlDriver, dbName: ':memory:' };
  expect(
    await refusal(new Get({ url: 'a/:id', modelClass: Article, readableColumnNames: ['id'] }), { orm }),
  ).toMatch(/defineColumns\(Article\): text: a FullText column needs PostgreSQL or PGlite/);
});

test('An extension or a text search configuration that the database has not stops the start', async () => {
  const starting = async (
    name: string,
    type: ColumnType,
    more: Partial<ApplicationOptions> = {},
  ): Promise<string> => {
    try {
      const started = await startApplication('express', 'postgresql', { ...having(name, type), ...more });
      await started.close();
      return 'started';
    } catch (error) {
      return String(error);
    }
  };
  const klingon = new FullTextColumn({ of: 'title', configuration: 'klingon' });
  expect(await starting('like', new SimilarColumn({ of: 'title' }))).toContain(
    'defineColumns(Item): like: the database needs the extension pg_trgm: create extension pg_trgm',
  );
  expect(await starting('place', new PointColumn({ latitude: 'size', longitude: 'size' }))).toContain(
    'create extension earthdistance',
  );
  expect(await starting('text', klingon)).toContain(
    `defineColumns(Item): text: the database has no text search configuration 'klingon'`,
  );
  const providers = [withExtensions('pg_trgm')];
  expect(await starting('like', new SimilarColumn({ of: 'title' }), { providers })).toBe('started');
  const known = new FullTextColumn({ of: 'title', configuration: 'pg_catalog.Simple' });
  expect(await starting('text', known)).toBe('started');
});
