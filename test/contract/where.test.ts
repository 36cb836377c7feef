import { expect } from '@jest/globals';
import { AdvancedSearch, Delete, Get, RestfulApi, SimpleSearch, Update } from '@nest-endpoints/core';
import { expectAnswer, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Depot, Ware } from '../support/entities/stock.js';
import { idsOf, stockUp, stockWith, wares } from './where.stock.js';

/** A string, a filter object and two functions that say the same: wares of Kiel. */
const inKiel = {
  strings: ['depot.name = Kiel'],
  objects: [{ depot: { name: 'Kiel' } }],
  queries: [({ query }) => query.andWhere({ depot: { name: 'Kiel' } })],
  filters: [() => ({ depot: { name: 'Kiel' } })],
} satisfies Record<string, NonNullable<NonNullable<Parameters<typeof wares>[1]>['where']>>;
const ways = Object.keys(inKiel);

const shown = { modelClass: Ware, readableColumnNames: ['id', 'label'] } as const;
const listed = {
  ...shown,
  sortableColumnNames: ['id', 'label'],
  searchableColumnNames: ['id', 'size', 'label', 'parts.name'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  stockWith([
    ...Object.entries(inKiel).flatMap(([way, where]) => [
      wares(`${way}/list`, { where }),
      wares(`${way}/pages`, { where, pagination: 'keyset' }),
      new SimpleSearch({ ...listed, url: `${way}/simple`, where }),
      new AdvancedSearch({ ...listed, url: `${way}/advanced`, where }),
      new Get({ ...shown, url: `${way}/get/:id`, where }),
      new Get({ ...shown, url: `${way}/mapped/:id`, where, outputMap: ({ record }) => record }),
      new Update({ ...shown, url: `${way}/update/:id`, writeableColumnNames: ['label', 'depotId'], where }),
      new Delete({ modelClass: Ware, url: `${way}/delete/:id`, where }),
      new RestfulApi({
        ...listed,
        url: `${way}/wares`,
        writeableColumnNames: ['id', 'label', 'depotId'],
        where,
      }),
    ]),
    wares('all'),
  ]),
);

const anvil = { id: 1, label: 'anvil' };
const page = (data: readonly object[], pagination: object = {}) =>
  success(data, { number_results: data.length, limit: 50, next_page: {}, ...pagination });

contract('where narrows a List and its number_results', async (subject) => {
  await stockUp(subject);
  for (const way of ways)
    expectAnswer(await subject.request().get(`/${way}/list`), 200, page([{ id: 1 }, { id: 3 }]));
});

contract('where holds on every page', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  const next = { number_results: 2, limit: 1, next_page: { start: 1 } };
  for (const way of ways) {
    expectAnswer(await request().get(`/${way}/list?limit=1`), 200, page([{ id: 1 }], next));
    const last = { number_results: 2, limit: 1 };
    expectAnswer(await request().get(`/${way}/list?limit=1&start=1`), 200, page([{ id: 3 }], last));
    expectAnswer(await request().get(`/${way}/list?limit=1&start=2`), 200, page([], last));
  }
});

contract('where holds on keyset pages', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  for (const way of ways) {
    const first = await request().get(`/${way}/pages?limit=1&direction=desc`);
    expect([idsOf(first), first.body.pagination.number_results]).toEqual(['3', 2]);
    const next = await request()
      .get(`/${way}/pages?limit=1&direction=desc`)
      .query(first.body.pagination.next_page);
    expectAnswer(next, 200, page([{ id: 1 }], { number_results: 2, limit: 1 }));
  }
});

contract('A record must meet where and the search terms of a SimpleSearch', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  for (const way of ways) {
    expectAnswer(await request().get(`/${way}/simple?size=20`), 200, page([{ id: 3, label: 'a%b' }]));
    expectAnswer(await request().get(`/${way}/simple?id=2`), 200, page([]));
    expect(idsOf(await request().get(`/${way}/simple?parts.name=nut`))).toBe('1');
    expect(idsOf(await request().get(`/${way}/simple`))).toBe('1 3');
  }
});

contract('A record must meet where and the conditions of an AdvancedSearch', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  for (const way of ways) {
    const where = [{ column: 'size', operator: '>=', value: 10 }];
    const sort = [{ column: 'label', direction: 'asc' }];
    const answer = await request().post(`/${way}/advanced`).send({ where, sort });
    expectAnswer(answer, 200, page([{ id: 3, label: 'a%b' }, anvil]));
    expect(idsOf(await request().post(`/${way}/advanced`))).toBe('1 3');
  }
});

contract('A record outside where is Not Found by Get', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  for (const way of ways)
    for (const kind of ['get', 'mapped', 'wares']) {
      expectAnswer(await request().get(`/${way}/${kind}/1`), 200, success(anvil));
      for (const id of [2, 4, 9]) expectAnswer(await request().get(`/${way}/${kind}/${id}`), 404, notFound);
    }
});

contract('A record outside where is Not Found by Update, and is not updated', async (subject) => {
  await stockUp(subject);
  const { request, em } = subject;
  for (const way of ways)
    for (const kind of ['update', 'wares']) {
      const inside = await request().patch(`/${way}/${kind}/1`).send({ label: way });
      expectAnswer(inside, 200, success({ id: 1, label: way }));
      for (const id of [2, 4, 9])
        expectAnswer(await request().patch(`/${way}/${kind}/${id}`).send({ label: 'x' }), 404, notFound);
    }
  expect(await em().count(Ware, { label: 'x' })).toBe(0);
});

contract('A record outside where is Not Found by Delete, and is not deleted', async (subject) => {
  await stockUp(subject);
  const { request, em, count } = subject;
  for (const way of ways) {
    await subject.save(Ware, { id: 10, depot: em().getReference(Depot, 1) });
    await subject.save(Ware, { id: 11, depot: em().getReference(Depot, 1) });
    for (const [kind, inside] of [
      ['delete', 10],
      ['wares', 11],
    ] as const) {
      for (const id of [2, 4, 9])
        expectAnswer(await request().delete(`/${way}/${kind}/${id}`), 404, notFound);
      expectAnswer(await request().delete(`/${way}/${kind}/${inside}`), 200, success({}));
    }
    expect(await count(Ware)).toBe(5);
  }
});

contract('An Update that takes its record out of where answers it once more', async (subject) => {
  await stockUp(subject);
  const { request, em } = subject;
  for (const way of ways) {
    const answer = await request().patch(`/${way}/update/3`).send({ depot_id: 2 });
    expectAnswer(answer, 200, success({ id: 3, label: 'a%b' }));
    expectAnswer(await request().patch(`/${way}/update/3`).send({ depot_id: 1 }), 404, notFound);
    await em().nativeUpdate(Ware, 3, { depot: 1 });
  }
});

contract('The where of a RestfulApi narrows its list', async (subject) => {
  await stockUp(subject);
  for (const way of ways)
    expectAnswer(
      await subject.request().get(`/${way}/wares?sort=label`),
      200,
      page([{ id: 3, label: 'a%b' }, anvil]),
    );
});

contract('The where of a RestfulApi leaves create alone', async (subject) => {
  await stockUp(subject);
  const { request, em } = subject;
  for (const way of ways) {
    const answer = await request().post(`/${way}/wares`).send({ id: 20, depot_id: 2 });
    expectAnswer(answer, 201, success({ id: 20, label: null }));
    await em().nativeDelete(Ware, 20);
  }
});

contract('Bad input for a record outside where is answered before it is looked up', async (subject) => {
  await stockUp(subject);
  for (const way of ways) {
    const answer = await subject.request().patch(`/${way}/update/2`).send({ label: 5 });
    expect([answer.status, answer.body.input_errors]).toEqual([400, { label: 'value should be a string' }]);
  }
});

contract('A unique or parent question about a record outside where is not asked', async (subject) => {
  await stockUp(subject);
  for (const way of ways)
    expectAnswer(await subject.request().patch(`/${way}/update/2`).send({ depot_id: 99 }), 404, notFound);
});

contract('where leaves other endpoints of the model alone', async (subject) => {
  await stockUp(subject);
  expect(idsOf(await subject.request().get('/all'))).toBe('1 2 3 4 5');
});
