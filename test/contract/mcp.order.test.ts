import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { EndpointKind, PlainReply, type CompiledKind, type KindContext } from '@nest-endpoints/core/kinds';
import { Mcp } from '@nest-endpoints/mcp';
import { openApiDocument, Schema } from '@nest-endpoints/openapi';
import { once, service } from '../support/contract.js';
import { shownTo } from './mcp.fleet.js';

const Tour = defineEntity({
  name: 'Tour',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string(),
    halts: () => p.oneToMany(Halt).mappedBy('tour'),
  },
});

const Halt = defineEntity({
  name: 'Halt',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string(),
    tour: () => p.manyToOne(Tour),
  },
});

const lists = {
  sortableColumnNames: ['id'],
  searchableColumnNames: [],
  defaultSortColumnName: 'id',
} as const;

const tours = new RestfulApi({
  ...lists,
  url: 'tours',
  modelClass: Tour,
  readableColumnNames: ['id', 'title'],
  writeableColumnNames: ['title'],
  writeableRelations: { halts: { through: 'halts' } },
});

const halts = new RestfulApi({
  ...lists,
  url: 'halts',
  modelClass: Halt,
  readableColumnNames: ['id', 'title'],
  writeableColumnNames: ['title', 'tourId'],
});

/** A kind that knows what it answers once every provider is there. */
class Late extends EndpointKind {
  protected override readonly defaultMethods = ['GET'] as const;
  override readonly readsBody = false;

  override compile(context: KindContext): CompiledKind {
    let word: string | undefined;
    context.whenReady(() => {
      word = 'late';
    });
    return {
      handle: () => Promise.resolve(new PlainReply({})),
      describe: () => {
        if (word === undefined) throw new Error('asked for too early');
        return { verb: 'get', summary: word, answer: { kind: 'envelope', data: {} } };
      },
    };
  }
}

const schema = new Schema({ url: 'schema' });
const agents = new Mcp({ url: 'mcp', tools: 'all' });
const late = new Late({ url: 'late' });

/** Documents that somebody asked for before the application was initialised. */
const early: object[] = [];

const operationsOf = (paths: object): readonly string[] =>
  Object.entries(paths)
    .flatMap(([path, item]) => Object.keys(item as object).map((method) => `${method} ${path}`))
    .filter((operation) => operation.includes('tours'))
    .toSorted();

const { contract } = service(
  {
    entities: [Tour, Halt],
    endpoints: [
      new EndpointGroup({ url: 'before', endpoints: [schema, agents, tours, halts, late] }),
      new EndpointGroup({ url: 'behind', endpoints: [tours, halts, late, schema, agents] }),
    ],
  },
  once,
);

contract(
  'An Mcp offers what stands behind it as what stands before it, and documents have all of it',
  async (subject) => {
    const namesAt = async (group: string): Promise<readonly string[]> => {
      const names = await shownTo(subject, { path: `/${group}/mcp` });
      return names.map((name) => name.replace(group, 'group')).toSorted();
    };
    const shown = await namesAt('before');
    expect(shown).toEqual(await namesAt('behind'));
    expect(shown).toEqual(
      expect.arrayContaining(['create_group_tours', 'update_group_tours_by_id', 'get_group_late']),
    );
    const { body } = await subject.request().get('/before/schema');
    expect(operationsOf(body.paths)).toEqual([
      'delete /before/tours/{id}',
      'get /before/tours',
      'get /before/tours/{id}',
      'patch /before/tours/{id}',
      'post /before/tours',
    ]);
  },
);

const asked = service(
  {
    entities: [Tour, Halt],
    endpoints: [new EndpointGroup({ endpoints: [schema, tours, halts] })],
    configure: (app) => {
      early.push(openApiDocument(app).paths);
    },
  },
  once,
);

asked.contract(
  'Documents that are asked for before the application is initialised have all of it',
  (subject) => {
    const { paths } = openApiDocument(subject.app);
    expect(operationsOf(paths)).toHaveLength(5);
    expect(early.map(operationsOf)).toEqual([operationsOf(paths)]);
  },
);
