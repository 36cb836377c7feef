import { expect } from '@jest/globals';
import { AdvancedSearch, Delete, Get, RestfulApi, SimpleSearch, Update } from '@nest-endpoints/core';
import { expectAnswer, notFound, success } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Part, Ware } from '../support/entities/stock.js';
import { idsOf, stockUp, stockWith, wares } from './where.stock.js';

interface Case {
  readonly joins: readonly string[];
  readonly where?: readonly string[];
  readonly ids: string;
}

const parts = 'JOIN part AS p ON p.ware_id=ware.id';
const withoutParts = { joins: ['LEFT JOIN part AS p ON p.ware_id=ware.id'], where: ['p.id is null'] };

const tables = {
  paths: [
    { joins: ['depot'], ids: '1 2 3 5' },
    { joins: ['depot.region'], ids: '1 2 3' },
    { joins: ['depot', 'depot.region'], ids: '1 2 3' },
  ],
  'to-many paths': [
    { joins: ['parts'], ids: '1 2' },
    { joins: ['tags'], ids: '1 2' },
    { joins: ['parts', 'tags', 'depot'], ids: '1 2' },
    { joins: ['parts'], where: ['parts.name = bolt'], ids: '1' },
  ],
  inner: [
    { joins: ['JOIN part ON part.ware_id=ware.id'], ids: '1 2' },
    { joins: ['INNER JOIN part AS p ON p.ware_id=ware.id'], ids: '1 2' },
    { joins: ['INNER JOIN part p ON ware.id = p.ware_id'], ids: '1 2' },
    { joins: ['JOIN depot ON depot.id=ware.depot_id'], ids: '1 2 3 5' },
    { joins: ['JOIN depot d ON d.id=ware.depot_id', 'JOIN region r ON r.id=d.region_id'], ids: '1 2 3' },
    { joins: ['JOIN ware_tags wt ON wt.ware_id=ware.id'], ids: '1 2' },
  ],
  spelling: [
    { joins: ['join part as p on p.ware_id = ware.id'], where: ['p.name = bolt'], ids: '1' },
    { joins: ['  Inner   Join\npart\tAs p On p.ware_id=ware.id '], where: ['p.name = bolt'], ids: '1' },
    { joins: ['JOIN "part" AS "p" ON "p"."ware_id" = "ware"."id"'], where: ['p.name = bolt'], ids: '1' },
    { joins: ['JOIN part p ON (p.ware_id = ware.id)'], where: ['p.name = bolt'], ids: '1' },
    { joins: ['LEFT OUTER JOIN part p ON p.ware_id = ware.id'], where: ['p.id is null'], ids: '3 4 5' },
    { joins: ['JOIN depot AS d ON d.id = ware.depotId'], where: ['d.name = Graz'], ids: '2' },
  ],
  left: [
    { joins: ['LEFT JOIN part AS p ON p.ware_id=ware.id'], ids: '1 2 3 4 5' },
    { ...withoutParts, ids: '3 4 5' },
    { joins: withoutParts.joins, where: ['p.name = bolt'], ids: '1' },
    { joins: withoutParts.joins, where: ['p.name is null'], ids: '2 3 4 5' },
  ],
  conditions: [
    { joins: [parts], where: ['p.name = nut'], ids: '1 2' },
    { joins: [parts], where: ['p.count > 1', 'p.name = nut'], ids: '1' },
    { joins: [parts], where: ['p.count=2', 'p.name=nut'], ids: '' },
    { joins: [parts], where: ['p.name in (bolt, nut)', 'size = 20'], ids: '2' },
    { joins: [parts], where: [`p.name = 'nut'' or 1=1 --'`], ids: '' },
    { joins: [`${parts} AND p.id=ware.id`], ids: '1' },
    { joins: ['JOIN ware AS other ON other.size=ware.size'], where: ['other.state = used'], ids: '2 3' },
    {
      joins: ['JOIN ware_tags wt ON wt.ware_id=ware.id', 'JOIN mark m ON m.id=wt.mark_id'],
      where: ['m.word = blue'],
      ids: '1',
    },
  ],
} satisfies Record<string, readonly Case[]>;

const cases: readonly Case[] = Object.values(tables).flat();
const shown = { modelClass: Ware, readableColumnNames: ['id'] } as const;
const listed = {
  ...shown,
  sortableColumnNames: ['id', 'label'],
  searchableColumnNames: ['size', 'parts.name'],
  defaultSortColumnName: 'id',
} as const;
const bolted = { joins: [parts], where: ['p.name = bolt'] };

const { contract } = service(
  stockWith([
    ...cases.map(({ joins, where = [] }, index) => wares(`case-${index}`, { joins, where })),
    wares('offset', { joins: ['parts'] }),
    wares('keyset', { joins: [parts], pagination: 'keyset' }),
    new SimpleSearch({ ...listed, url: 'simple', joins: [parts] }),
    new AdvancedSearch({ ...listed, url: 'advanced', joins: [parts] }),
    new Get({ ...shown, ...bolted, url: 'bolted/:id' }),
    new Update({ ...shown, ...bolted, url: 'bolted/:id', writeableColumnNames: ['label'] }),
    new Delete({ modelClass: Ware, ...withoutParts, url: 'bare/:id' }),
    new RestfulApi({ ...listed, ...bolted, url: 'api', writeableColumnNames: ['id', 'label'] }),
  ]),
  everyDatabase,
);

const found = async (table: readonly Case[], { request }: Subject): Promise<Case[]> => {
  const shownBy: Case[] = [];
  for (const one of table) {
    const answer = await request().get(`/case-${cases.indexOf(one)}`);
    const total: unknown = answer.body.pagination?.number_results;
    expect([answer.status, total]).toEqual([200, answer.body.data.length]);
    shownBy.push({ ...one, ids: idsOf(answer) });
  }
  return shownBy;
};

contract('A relation path in joins keeps the records that have such a parent', async (subject) => {
  await stockUp(subject);
  expect(await found(tables.paths, subject)).toEqual(tables.paths);
});

contract('A to-many path in joins keeps the records that have such a one, each once', async (subject) => {
  await stockUp(subject);
  expect(await found(tables['to-many paths'], subject)).toEqual(tables['to-many paths']);
});

contract(
  'A join string without a kind or with INNER keeps the records it meets, each once',
  async (subject) => {
    await stockUp(subject);
    expect(await found(tables.inner, subject)).toEqual(tables.inner);
  },
);

contract('A join string may be in any letter case, with spaces, quotes and parentheses', async (subject) => {
  await stockUp(subject);
  expect(await found(tables.spelling, subject)).toEqual(tables.spelling);
});

contract('A LEFT JOIN keeps every record, and where may ask for those that meet none', async (subject) => {
  await stockUp(subject);
  expect(await found(tables.left, subject)).toEqual(tables.left);
});

contract('where strings about an alias are about one row of the joined table', async (subject) => {
  await stockUp(subject);
  expect(await found(tables.conditions, subject)).toEqual(tables.conditions);
});

contract('Pages of a joined list repeat no record', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  for (const url of ['/offset', '/keyset']) {
    const first = await request().get(`${url}?limit=1`);
    const { next_page, ...pagination } = first.body.pagination;
    expect([idsOf(first), pagination]).toEqual(['1', { number_results: 2, limit: 1 }]);
    const last = await request().get(`${url}?limit=1`).query(next_page);
    const end = { number_results: 2, limit: 1, next_page: {} };
    expectAnswer(last, 200, success([{ id: 2 }], end));
  }
});

contract('A record must meet the joins and what a search asks for', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expect(idsOf(await request().get('/simple'))).toBe('1 2');
  expect(idsOf(await request().get('/simple?size=20'))).toBe('2');
  expect(idsOf(await request().get('/simple?parts.name=bolt'))).toBe('1');
  const where = [{ column: 'size', operator: '>', value: 10 }];
  expect(idsOf(await request().post('/advanced').send({ where }))).toBe('2');
});

contract('A record that joins leave out is Not Found by Get', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  for (const url of ['/bolted', '/api']) {
    expectAnswer(await request().get(`${url}/1`), 200, success({ id: 1 }));
    for (const id of [2, 3, 9]) expectAnswer(await request().get(`${url}/${id}`), 404, notFound);
  }
});

contract('A record that joins leave out is not updated', async (subject) => {
  await stockUp(subject);
  const { request, em } = subject;
  for (const url of ['/bolted', '/api']) {
    expectAnswer(await request().patch(`${url}/1`).send({ label: 'x' }), 200, success({ id: 1 }));
    for (const id of [2, 3, 9])
      expectAnswer(await request().patch(`${url}/${id}`).send({ label: 'x' }), 404, notFound);
  }
  expect(await em().find(Ware, { label: 'x' }, { fields: ['id'] })).toMatchObject([{ id: 1 }]);
});

contract('A record that joins leave out is not deleted', async (subject) => {
  await stockUp(subject);
  const { request, em } = subject;
  await em().nativeDelete(Part, { ware: 2 });
  expectAnswer(await request().delete('/bare/1'), 404, notFound);
  expectAnswer(await request().delete('/api/3'), 404, notFound);
  expectAnswer(await request().delete('/bare/2'), 200, success({}));
  expect((await em().find(Ware, {}, { orderBy: { id: 'asc' } })).map(({ id }) => id)).toEqual([1, 3, 4, 5]);
});
