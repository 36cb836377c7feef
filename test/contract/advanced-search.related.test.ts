import { expect } from '@jest/globals';
import { AdvancedSearch } from '@nest-endpoints/core';
import { everyDatabase, service } from '../support/contract.js';
import { stock, Ware } from '../support/entities/stock.js';
import { someWares, storeWares } from './stock.records.js';

const { contract } = service(
  {
    entities: stock,
    endpoints: [
      new AdvancedSearch({
        url: 'wares',
        modelClass: Ware,
        readableColumnNames: ['id'],
        sortableColumnNames: ['id'],
        searchableColumnNames: ['parts.count', 'tags.word'],
        defaultSortColumnName: 'id',
        maximumLimit: 0,
      }),
    ],
  },
  everyDatabase,
);

contract('A hundred conditions on related records are answered', async (subject) => {
  const wares = someWares(subject, 300, 7);
  await storeWares(subject, wares);
  const where = Array.from({ length: 100 }, (_, index) =>
    index % 2 === 0
      ? { column: 'tags.word', operator: '!=', value: `no tag ${index}` }
      : { column: 'parts.count', operator: '<', value: 100 + index },
  );
  const { status, body } = await subject.request().post('/wares').send({ where, limit: 1000 });
  const met = wares.filter(({ tags, parts }) => tags.length > 0 && parts.some(({ count }) => count !== null));
  expect([status, body.data]).toEqual([200, met.map(({ id }) => ({ id }))]);
});
