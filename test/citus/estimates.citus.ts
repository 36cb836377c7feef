import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, Public } from '@nest-endpoints/core';
import { connectionOf } from '../support/catalogue.js';
import { once, service } from '../support/contract.js';
import { partedBy } from '../support/parted.tables.js';

const Reading = defineEntity({
  name: 'Reading',
  properties: { meter: p.integer().primary(), value: p.integer() },
});

const Sensor = defineEntity({
  name: 'Sensor',
  properties: { id: p.integer().primary(), kind: p.string().length(9) },
});

const searches = { count: 'estimated', defaultLimit: 10 } as const;

const { contract } = service(
  {
    entities: [Reading, Sensor],
    tables: partedBy('meter'),
    root: { authentication: new Public() },
    endpoints: [
      new AdvancedSearch({
        ...searches,
        url: 'readings',
        modelClass: Reading,
        readableColumnNames: ['value'],
        searchableColumnNames: ['value'],
        sortableColumnNames: ['value'],
        defaultSortColumnName: 'value',
      }),
      new AdvancedSearch({
        ...searches,
        url: 'sensors',
        modelClass: Sensor,
        readableColumnNames: ['kind'],
        searchableColumnNames: ['kind'],
        sortableColumnNames: ['kind'],
        defaultSortColumnName: 'kind',
      }),
    ],
  },
  once,
);

contract('An estimate of a distributed table is near the number of its records', async ({ orm, request }) => {
  const connection = connectionOf(orm);
  await connection.execute('insert into reading select n, n % 100 from generate_series(1, 20000) n');
  await connection.execute(`insert into sensor select n, 'kind ' || n % 10 from generate_series(1, 3000) n`);
  for (const table of ['reading', 'sensor']) await connection.execute(`analyze ${table}`);
  const total = async (path: string, where: object[] = []): Promise<number> => {
    const { body } = await request().post(path).send({ where });
    return body.pagination.number_results;
  };
  const near = (number: number, wanted: number) => {
    expect(number).toBeGreaterThan(wanted * 0.7);
    expect(number).toBeLessThan(wanted * 1.3);
  };
  near(await total('/readings'), 20_000);
  near(await total('/readings', [{ column: 'value', operator: '<', value: 50 }]), 10_000);
  near(await total('/sensors'), 3000);
});
