import { expect } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Delete, Get, SimpleSearch, Update } from '@nest-endpoints/core';
import { expectAnswer, failure, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Depot, Part, Ware } from '../support/entities/stock.js';
import { idsOf, stockUp, stockWith, wares } from './where.stock.js';

type Where = NonNullable<NonNullable<Parameters<typeof wares>[1]>['where']>[number];

/** The depot a caller works for, as the header says. */
const authentication = {
  allowedHeaders: [],
  authenticate: ({ headers }: { headers: NodeJS.Dict<string | string[]> }) => ({
    depot: Number(headers['x-depot']),
  }),
};
const ownDepot: Where = ({ authorizationData }) => ({
  depot: (authorizationData as { depot: number }).depot,
});
const shown = { modelClass: Ware, readableColumnNames: ['id'] } as const;
const own = { authentication, where: [ownDepot] };

/** Asks the database itself. */
const ofBusiestDepot: Where = async ({ em, query }) => {
  const [row] = await em.execute<{ id: number }[]>(
    'select depot_id as id from ware where depot_id is not null group by depot_id order by count(*) desc, depot_id limit 1',
  );
  return query.andWhere({ depot: row?.id ?? 0 });
};

const wrong: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  text: 'size = 10',
  truth: true,
  number: 1,
  date: new Date(),
  map: new Map([['size', 10]]),
};

const { contract } = service(
  stockWith([
    wares('adjusted', { where: [({ query }) => query.andWhere({ size: { $gte: 20 } })] }),
    wares('filtered', { where: [() => ({ size: { $gte: 20 } })] }),
    wares('async/adjusted', {
      where: [async ({ query }) => Promise.resolve(query.andWhere({ size: { $gte: 20 } }))],
    }),
    wares('async/filtered', { where: [() => Promise.resolve({ size: { $gte: 20 } })] }),
    wares('joined', {
      where: [({ query }) => query.join('parts', 'p').andWhere({ 'p.name': 'nut' } as object)],
    }),
    wares('open', { where: [({ query }) => query, () => ({})] }),
    wares('depots/:depot/wares', { where: [({ routingData }) => ({ depot: Number(routingData['depot']) })] }),
    new SimpleSearch({
      ...shown,
      url: 'heard',
      sortableColumnNames: ['id'],
      searchableColumnNames: ['label'],
      defaultSortColumnName: 'id',
      where: [
        ({ queryParameters: { label }, requestHeaders }) =>
          label === undefined ? { label: requestHeaders['x-label'] as string } : {},
      ],
    }),
    wares('busiest', { where: [ofBusiestDepot] }),
    wares('own', own),
    new Get({ ...shown, ...own, url: 'own/:id' }),
    new Update({ ...shown, ...own, url: 'own/:id', writeableColumnNames: ['label'] }),
    new Delete({ modelClass: Ware, ...own, url: 'own/:id' }),
    wares('undone', {
      where: ['size = 20', () => ({ depot: 1 }), ({ query }) => query.where({}).orWhere({ size: 10 })],
    }),
    wares('limited', {
      where: [({ query }) => query.andWhere({ size: 20 }).orderBy({ id: 'desc' }).limit(1)],
    }),
    wares('selected', { where: [({ query }) => query.select(['label', 'size']).andWhere({ size: 20 })] }),
    wares('another', { where: [({ em }) => em.createQueryBuilder(Part).where({ count: 5 })] }),
    wares('unknown', { where: [() => ({ siez: 1 }) as object] }),
    wares('thrown', {
      where: [
        () => {
          throw new Error('secret select');
        },
      ],
    }),
    wares('rejected', { where: [() => Promise.reject(new Error('secret select'))] }),
    ...Object.keys(wrong).map((name) => wares(`wrong/${name}`, { where: [(() => wrong[name]) as Where] })),
    new Update({
      ...shown,
      url: 'wrong-update/:id',
      writeableColumnNames: ['label'],
      where: [(() => undefined) as never],
    }),
    new Delete({ modelClass: Ware, url: 'wrong-delete/:id', where: [(() => undefined) as never] }),
  ]),
);

const broken = failure('Internal Server Error');

contract('A callable of where may adjust the query or give a filter object', async (subject) => {
  await stockUp(subject);
  for (const url of ['/adjusted', '/filtered']) expect(idsOf(await subject.request().get(url))).toBe('2 3 5');
  expect(idsOf(await subject.request().get('/open'))).toBe('1 2 3 4 5');
});

contract('A callable of where may be async', async (subject) => {
  await stockUp(subject);
  for (const url of ['/async/adjusted', '/async/filtered'])
    expect(idsOf(await subject.request().get(url))).toBe('2 3 5');
});

contract('A callable of where may join, and no record is repeated', async (subject) => {
  await stockUp(subject);
  await subject.save(Part, { id: 9, ware: subject.em().getReference(Ware, 1), name: 'nut' });
  const answer = await subject.request().get('/joined');
  const pagination = { number_results: 2, limit: 50, next_page: {} };
  expectAnswer(answer, 200, success([{ id: 1 }, { id: 2 }], pagination));
});

contract('A callable of where sees the path parameters', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expect(idsOf(await request().get('/depots/1/wares'))).toBe('1 3');
  expect(idsOf(await request().get('/depots/2/wares'))).toBe('2');
});

contract('A callable of where sees query parameters and request headers', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expect(idsOf(await request().get('/heard').set('x-label', 'anvil'))).toBe('1');
  expect(idsOf(await request().get('/heard?label=a%25b').set('x-label', 'anvil'))).toBe('3');
  expect(idsOf(await request().get('/heard').set('x-label', `' or 1=1 --`))).toBe('');
});

contract('A callable of where may ask the database', async (subject) => {
  await stockUp(subject);
  expect(idsOf(await subject.request().get('/busiest'))).toBe('1 3');
});

contract('A callable of where sees what authentication found', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  for (const [depot, ids] of [
    ['1', '1 3'],
    ['2', '2'],
    ['3', '5'],
    ['1', '1 3'],
    ['9', ''],
  ] as const)
    expect(idsOf(await request().get('/own').set('x-depot', depot))).toBe(ids);
});

contract("Requests at the same time see their own callable's records only", async (subject) => {
  await stockUp(subject);
  const depots = Array.from({ length: 12 }, (_, index) => (index % 3) + 1);
  const answers = await Promise.all(
    depots.map((depot) => Promise.resolve(subject.request().get('/own').set('x-depot', String(depot)))),
  );
  expect(answers.map((answer) => idsOf(answer))).toEqual(depots.map((depot) => ['1 3', '2', '5'][depot - 1]));
});

contract('A callable of where keeps Get, Update and Delete from what it hides', async (subject) => {
  await stockUp(subject);
  const { request, em } = subject;
  const sent = { label: 'new' };
  expectAnswer(await request().get('/own/2').set('x-depot', '1'), 404, notFound);
  expectAnswer(await request().patch('/own/2').set('x-depot', '1').send(sent), 404, notFound);
  expectAnswer(await request().delete('/own/2').set('x-depot', '1'), 404, notFound);
  expect(await em().findOne(Ware, 2)).toMatchObject({ label: 'bowl, deep' });
  expectAnswer(await request().get('/own/3').set('x-depot', '1'), 200, success({ id: 3 }));
  expectAnswer(await request().patch('/own/3').set('x-depot', '1').send(sent), 200, success({ id: 3 }));
  expectAnswer(await request().delete('/own/3').set('x-depot', '1'), 200, success({}));
});

contract('A callable of where cannot undo what other entries ask for', async (subject) => {
  await stockUp(subject);
  expect(idsOf(await subject.request().get('/undone'))).toBe('');
  await subject.em().nativeUpdate(Ware, 3, { size: 20 });
  await subject.save(Ware, { id: 8, size: 10, depot: subject.em().getReference(Depot, 1) });
  expect(idsOf(await subject.request().get('/undone'))).toBe('');
});

contract('What a callable of where selects is no matter, and its limit keeps its order', async (subject) => {
  await stockUp(subject);
  expect(idsOf(await subject.request().get('/selected'))).toBe('2 3');
  expect(idsOf(await subject.request().get('/limited'))).toBe('3');
});

contract('A callable of where that gives anything else is a failure without details', async (subject) => {
  await stockUp(subject);
  const answers: [string, number, object][] = [];
  for (const name of Object.keys(wrong)) {
    const { status, body } = await subject.request().get(`/wrong/${name}`);
    answers.push([name, status, body]);
  }
  expect(answers).toEqual(Object.keys(wrong).map((name) => [name, 500, broken]));
});

contract('A callable of where that gives the query of another model is a failure', async (subject) => {
  await stockUp(subject);
  expectAnswer(await subject.request().get('/another'), 500, broken);
});

contract('A callable of where that throws is a failure without details', async (subject) => {
  await stockUp(subject);
  for (const url of ['/thrown', '/rejected']) expectAnswer(await subject.request().get(url), 500, broken);
  expect(subject.log.text('error')).toContain('secret select');
});

contract(
  'An unknown property in the filter object of a callable is a failure without details',
  async (subject) => {
    await stockUp(subject);
    expectAnswer(await subject.request().get('/unknown'), 500, broken);
  },
);

contract('A callable of where that fails keeps Update and Delete from writing', async (subject) => {
  await stockUp(subject);
  const { request, em } = subject;
  expectAnswer(await request().patch('/wrong-update/1').send({ label: 'x' }), 500, broken);
  expectAnswer(await request().delete('/wrong-delete/1'), 500, broken);
  expect(await (em() as SqlEntityManager).findOne(Ware, 1)).toMatchObject({ label: 'anvil' });
});
