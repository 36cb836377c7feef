import { expect } from '@jest/globals';
import { Batch, EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import {
  EndpointKind,
  InputJudge,
  LifeCycle,
  recordOutput,
  recordWrites,
  type Handler,
  type KindContext,
} from '@nest-endpoints/core/kinds';
import { everyDatabase, service } from '../support/contract.js';
import { Voyage } from './batch.voyages.js';

const voyages = {
  modelClass: Voyage,
  readableColumnNames: ['id', 'title'],
  writeableColumnNames: ['title'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

/** A kind of the user's own that does not take no for an answer: it takes the first title that is free. */
class FirstFree extends EndpointKind {
  protected override readonly defaultMethods = ['POST'] as const;
  override readonly repliesPlainly = false;
  override readonly readsBody = false;
  override readonly effect = 'writes';

  override compile(context: KindContext): Handler {
    const model = context.model(voyages);
    const judge = new InputJudge(context, model, voyages, false);
    const output = recordOutput(context, model, voyages);
    const lifeCycle = new LifeCycle(context, model, 'create', {});
    const { writes } = recordWrites(context, model, {}, { judge, lifeCycle, output });
    const answer = output.answering(201);
    return (request) => {
      const create = (title: string) =>
        writes.create(request, judge.read(new Map([['title', title]]), request), answer);
      return create('taken').catch(() => create('free'));
    };
  }
}

const { contract } = service(
  {
    entities: [Voyage],
    endpoints: [
      new EndpointGroup({
        endpoints: [
          new Batch({ url: 'batch' }),
          new RestfulApi({ ...voyages, url: 'voyages' }),
          new FirstFree({ url: 'first-free' }),
        ],
      }),
    ],
  },
  everyDatabase,
);

contract(
  'A kind of the user’s own that goes on after the database refused a write keeps nothing past the batch',
  async (subject) => {
    const { request, save, count } = subject;
    await save(Voyage, { title: 'taken' });
    const first = { method: 'POST', path: '/voyages', body: { title: 'before' } };
    const operations = [first, { method: 'POST', path: '/first-free' }];
    const { status } = await request().post('/batch').send({ operations });
    const kept = (await subject.em().find(Voyage, {}, { orderBy: { id: 'asc' } })).map(({ title }) => title);
    expect([status, kept]).toEqual([200, ['taken', 'before', 'free']]);
    expect(await count(Voyage)).toBe(3);
  },
);
