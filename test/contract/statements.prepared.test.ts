import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';

const names = Array.from({ length: 30 }, (_, index) => `n${index}`);

const Wide = defineEntity({
  name: 'Wide',
  properties: {
    id: p.integer().primary(),
    ...Object.fromEntries(names.map((name) => [name, p.integer().nullable()])),
  },
});

const { contract } = service(
  {
    entities: [Wide],
    endpoints: [
      new AdvancedSearch({
        url: 'wide',
        modelClass: Wide,
        readableColumnNames: ['id'],
        searchableColumnNames: ['id'],
        sortableColumnNames: names as never,
        defaultSortColumnName: 'id',
        count: 'none',
      }),
    ],
    orm: { pool: { min: 1, max: 1 } },
    // A pooler prepares for itself.
    route: 'direct',
  },
  once,
);

const prepared = async ({ em }: Subject): Promise<number> => {
  const connection = em().getConnection();
  const rows = await connection.execute<{ n: number }[]>(
    'select count(*)::int as n from pg_prepared_statements',
  );
  return rows[0]?.n ?? 0;
};

/** All orders by two columns: statements that are worth being prepared, and of which a client chooses one. */
const orders = names.flatMap((one) =>
  names
    .filter((name) => name !== one)
    .flatMap((other) => [
      [
        { column: one, direction: 'asc' },
        { column: other, direction: 'desc' },
      ],
      [
        { column: one, direction: 'desc' },
        { column: other, direction: 'asc' },
      ],
    ]),
);

contract('A connection keeps 1,000 prepared statements at most, whatever is asked', async (subject) => {
  await subject.em().insert(Wide, { id: 1 });
  for (const [index, sort] of orders.slice(0, 1500).entries()) {
    const { status, body } = await subject.request().post('/wide').send({ sort });
    expect([index, status, body.data]).toEqual([index, 200, [{ id: 1 }]]);
    if (index === 199) expect(await prepared(subject)).toBeGreaterThanOrEqual(200);
  }
  const count = await prepared(subject);
  expect([count, count <= 1000]).toEqual([count, true]);
});
