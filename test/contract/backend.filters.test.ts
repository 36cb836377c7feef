import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, AfterColumn, Backend, Update, type BackendCondition } from '@nest-endpoints/core';
import { clientError, expectAnswer, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { StationList } from './station.list.js';

const Buoy = defineEntity({
  name: 'Buoy',
  properties: { id: p.integer().primary(), callSign: p.string(), low: p.integer(), high: p.integer() },
});

/** Says nothing of what it can filter by. */
class BuoyList extends StationList {
  /** How often it still finds something. */
  finds = Infinity;

  override canFilter = Backend.prototype.canFilter.bind(this);

  override async find(conditions: readonly BackendCondition[]) {
    this.finds -= 1;
    return this.finds < 0 ? undefined : super.find(conditions);
  }
}

const buoys = new BuoyList();

const { contract } = service({
  entities: [Buoy],
  endpoints: [
    new AdvancedSearch({
      url: 'buoys/search',
      modelClass: Buoy,
      readableColumnNames: ['callSign'],
      sortableColumnNames: ['id'],
      searchableColumnNames: ['callSign'],
      defaultSortColumnName: 'id',
    }),
    new Update({
      url: 'buoys/:id',
      modelClass: Buoy,
      readableColumnNames: ['low', 'high'],
      writeableColumnNames: ['high'],
      columnOverrides: { high: { validators: [new AfterColumn('low')] } },
    }),
  ],
  root: { backends: [{ modelClass: Buoy, backend: buoys }] },
});

const oneBuoy = (): void => {
  buoys.records = [{ id: 1, callSign: 'A', low: 1, high: 2 }];
};

contract(
  'A backend that says nothing of its filters is asked for equal values alone',
  async ({ request }) => {
    oneBuoy();
    const search = (operator: string, value: unknown) =>
      request()
        .post('/buoys/search')
        .send({ where: [{ column: 'call_sign', operator, value }] });
    expect((await search('=', 'A')).body.data).toEqual([{ call_sign: 'A' }]);
    expectAnswer(await search('in', ['A']), 400, clientError(`'in' cannot be used on 'call_sign' here`));
  },
);

contract('A record that a backend loses while it is judged is Not Found', async ({ request }) => {
  oneBuoy();
  const update = () => request().patch('/buoys/1').send({ high: 3 });
  expectAnswer(await update(), 200, success({ low: 1, high: 3 }));
  buoys.finds = 1;
  expectAnswer(await update(), 404, notFound);
  buoys.finds = Infinity;
});
