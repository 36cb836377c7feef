import { expect } from '@jest/globals';
import { defineEntity, p, raw } from '@mikro-orm/core';
import { AdvancedSearch, List } from '@nest-endpoints/core';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';

/** Counts how often somebody looks at one of its records. */
const Seen = defineEntity({
  name: 'Seen',
  filters: { seen: { name: 'seen', cond: () => ({ [raw(`nextval('looks')`)]: { $gt: 0 } }), default: true } },
  properties: { id: p.integer().primary(), name: p.string() },
});

const seen = {
  modelClass: Seen,
  readableColumnNames: ['name'],
  searchableColumnNames: ['name'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  defaultLimit: 4,
} as const;

const { contract } = service(
  {
    entities: [Seen],
    endpoints: [
      new List({ ...seen, url: 'list' }),
      new AdvancedSearch({ ...seen, url: 'keyset', pagination: 'keyset' }),
      new List({ ...seen, url: 'uncounted', count: 'none' }),
    ],
  },
  postgresqlOnly,
);

/** How many records were looked at for a page, and what it says of their number. */
const looks = async ({ request, em }: Subject, path: string): Promise<unknown> => {
  const connection = em().getConnection();
  await connection.execute(`select setval('looks', 1, false)`);
  const { status, body } = await request().get(path);
  expect(status).toBe(200);
  const [row] = await connection.execute<{ n: number }[]>(`select nextval('looks')::int - 1 as n`);
  return [row?.n, body.pagination.number_results];
};

contract('The records are not counted where the page tells their number', async (subject) => {
  await subject.em().getConnection().execute('create sequence if not exists looks');
  const records = Array.from({ length: 4 }, (_, id) => ({ id, name: 'seen' }));
  await subject.em().insertMany(Seen, records);
  for (const path of ['/list', '/keyset', '/list?limit=5'])
    expect(await looks(subject, path)).toEqual([4, 4]);
  expect(await looks(subject, '/uncounted')).toEqual([4, undefined]);
  // An index may put them in order, so that the page looks at no more than three; the count looks at all of them.
  expect([
    [7, 4],
    [8, 4],
  ]).toContainEqual(await looks(subject, '/list?limit=2'));
  expect(await looks(subject, '/list?start=2')).toEqual([4, 4]);
});
