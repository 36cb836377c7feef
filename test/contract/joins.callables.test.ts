import { expect } from '@jest/globals';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Delete, Get, List, Update } from '@nest-endpoints/core';
import { expectAnswer, failure, notFound, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { stock, Ware } from '../support/entities/stock.js';
import { idsOf, stockUp, stockWith, wares } from './where.stock.js';

type Options = NonNullable<Parameters<typeof wares>[1]>;
type Join = NonNullable<Options['joins']>[number];

/** A chain: each step has one before it, and one that repeats it. */
const Step = defineEntity({
  name: 'Step',
  properties: {
    id: p.integer().primary(),
    before: () => p.manyToOne(Step).nullable(),
    again: () => p.manyToOne(Step).nullable(),
  },
});
type Step = InferEntity<typeof Step>;

const steps = (url: string, options: Partial<ConstructorParameters<typeof List<Step>>[0]>) =>
  new List<Step>({
    url,
    modelClass: Step,
    readableColumnNames: ['id'],
    sortableColumnNames: ['id'],
    defaultSortColumnName: 'id',
    ...options,
  });

const innerParts: Join = ({ query }) => query.join('parts', 'p');
const leftParts: Join = ({ query }) => query.leftJoin('parts', 'p');
const named =
  (name: string) =>
  ({ query }: Parameters<Extract<Join, (...given: never[]) => unknown>>[0]) =>
    query.andWhere({ 'p.name': name } as object);
const shown = { modelClass: Ware, readableColumnNames: ['id'] } as const;
const bolted: Pick<Options, 'joins' | 'where'> = { joins: [innerParts], where: [named('bolt')] };

const { contract } = service(
  {
    ...stockWith([
      wares('inner', { joins: [innerParts] }),
      wares('left', { joins: [leftParts] }),
      wares('async', { joins: [({ query }) => Promise.resolve(query.join('parts', 'p'))] }),
      wares('named', { joins: [innerParts], where: [named('nut')] }),
      wares('named/left', {
        joins: [leftParts],
        where: [({ query }) => query.andWhere({ 'p.id': null } as object)],
      }),
      wares('on', {
        joins: [
          ({ query, queryParameters }) =>
            query.join('parts', 'p', { name: queryParameters['limit'] === '1' ? 'bolt' : 'nut' }),
        ],
      }),
      wares('several', {
        joins: [innerParts, ({ query }) => query.join('p.ware' as 'parts', 'w')],
        where: [named('nut'), named('bolt'), ({ query }) => query.andWhere({ 'w.size': 10 } as object)],
      }),
      wares('path', {
        joins: ['depot'],
        where: [({ query }) => query.andWhere({ 'depot.name': 'Kiel' } as object)],
      }),
      wares('long', {
        joins: ['depot.region'],
        where: [({ query }) => query.andWhere({ 'region.title': 'south', 'depot.name': 'Graz' } as object)],
      }),
      wares('mixed', {
        joins: [innerParts, 'JOIN depot AS d ON d.id=ware.depot_id'],
        where: ['d.name = Graz', named('nut')],
      }),
      new Get({ ...shown, ...bolted, url: 'bolted/:id' }),
      new Update({ ...shown, ...bolted, url: 'bolted/:id', writeableColumnNames: ['label'] }),
      new Delete({ modelClass: Ware, ...bolted, url: 'bolted/:id' }),
      wares('nothing', { joins: [(() => undefined) as never] }),
      wares('object', { joins: [(() => ({ size: 10 })) as never] }),
      wares('thrown', {
        joins: [
          () => {
            throw new Error('secret select');
          },
        ],
      }),
      steps('alike', { joins: ['before', 'before.before'], where: [() => ({ again: { $ne: null } })] }),
      steps('apart', { joins: ['before.again', 'again'], where: [() => ({})] }),
    ]),
    entities: [...stock, Step],
  },
  everyDatabase,
);

const broken = failure('Internal Server Error');

contract('A callable of joins keeps the records its inner join meets, each once', async (subject) => {
  await stockUp(subject);
  const pagination = { number_results: 2, limit: 50, next_page: {} };
  for (const url of ['/inner', '/async'])
    expectAnswer(await subject.request().get(url), 200, success([{ id: 1 }, { id: 2 }], pagination));
});

contract('A callable of joins with a left join keeps every record, each once', async (subject) => {
  await stockUp(subject);
  expect(idsOf(await subject.request().get('/left'))).toBe('1 2 3 4 5');
});

contract('The aliases of a callable of joins are there for callables of where', async (subject) => {
  await stockUp(subject);
  expect(idsOf(await subject.request().get('/named'))).toBe('1 2');
  expect(idsOf(await subject.request().get('/named/left'))).toBe('3 4 5');
});

contract('A callable of joins sees the request', async (subject) => {
  await stockUp(subject);
  expect(idsOf(await subject.request().get('/on?limit=1'))).toBe('1');
  expect(idsOf(await subject.request().get('/on?limit=2'))).toBe('1 2');
});

contract('Each callable of where has the joins to itself', async (subject) => {
  await stockUp(subject);
  expect(idsOf(await subject.request().get('/several'))).toBe('1');
});

contract(
  "A relation path of joins is there for callables of where under its last part's name",
  async (subject) => {
    await stockUp(subject);
    expect(idsOf(await subject.request().get('/path'))).toBe('1 3');
    expect(idsOf(await subject.request().get('/long'))).toBe('2');
  },
);

contract('Join strings and callables may stand side by side', async (subject) => {
  await stockUp(subject);
  expect(idsOf(await subject.request().get('/mixed'))).toBe('2');
});

contract('A callable of joins narrows Get, Update and Delete', async (subject) => {
  await stockUp(subject);
  const { request, em } = subject;
  expectAnswer(await request().get('/bolted/1'), 200, success({ id: 1 }));
  expectAnswer(await request().patch('/bolted/1').send({ label: 'x' }), 200, success({ id: 1 }));
  for (const method of ['get', 'patch', 'delete'] as const)
    expectAnswer(await request()[method]('/bolted/2').send({ label: 'x' }), 404, notFound);
  expect(await em().findOne(Ware, 2)).toMatchObject({ label: 'bowl, deep' });
});

contract('A callable of joins that gives no query is a failure without details', async (subject) => {
  for (const url of ['/nothing', '/object', '/thrown'])
    expectAnswer(await subject.request().get(url), 500, broken);
});

contract('Relation paths that end alike may be joined beside a callable', async ({ request, save }) => {
  const first = await save(Step, { id: 1 });
  const second = await save(Step, { id: 2, before: first, again: first });
  await save(Step, { id: 3, before: second, again: second });
  expect(idsOf(await request().get('/alike'))).toBe('3');
  expect(idsOf(await request().get('/apart'))).toBe('3');
});
