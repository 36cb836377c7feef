import { expect } from '@jest/globals';
import { RestfulApi } from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { once, service } from '../support/contract.js';
import { bodyIn, dataIn, documented, operationAt, schemaIn } from '../support/documents.js';
import { Ware } from '../support/entities/stock.js';
import { stockWith } from './advanced-search.wares.js';
import { aggregate } from './aggregate.stock.js';

const shown = {
  groupableColumnNames: ['state', 'depot.name', { column: 'madeOn', buckets: ['month'] }],
  measurableColumnNames: { size: ['sum', 'avg'] },
} as const;

const { contract } = service(
  stockWith([
    documented([
      aggregate({ ...shown, clientSelectsTimeZone: true }),
      new RestfulApi<Ware>({
        url: 'wares',
        modelClass: Ware,
        readableColumnNames: ['id'],
        writeableColumnNames: ['label'],
        sortableColumnNames: ['id'],
        searchableColumnNames: ['state'],
        defaultSortColumnName: 'id',
        access: { list: 'public' },
        aggregate: shown,
        facets: { facetColumnNames: ['state', 'depot.name'] },
      }),
    ]),
  ]),
  once,
);

contract('Documents list what can be grouped and measured, in the query string between commas', ({ app }) => {
  const document = openApiDocument(app);
  const { parameters, summary } = operationAt(document, 'get', '/aggregate');
  const named = (name: string): unknown => parameters.find((one: { name: string }) => one.name === name);
  const groups = ['state', 'depot.name', 'made_on.month'];
  const measures = ['count', 'size.sum', 'size.avg'];
  expect(summary).toBe('Aggregate Ware records');
  expect(named('group_by')).toMatchObject({
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { enum: groups }, maxItems: 4 },
  });
  expect(named('measure')).toMatchObject({ explode: false, schema: { items: { enum: measures } } });
  expect(named('sort')).toMatchObject({ schema: { enum: [...groups, ...measures] } });
  expect(named('time_zone')).toBeDefined();
  const posted = operationAt(document, 'post', '/aggregate');
  expect(posted.parameters).toEqual([]);
  expect(Object.keys(bodyIn(document, posted).properties).sort()).toEqual([
    'direction',
    'group_by',
    'having',
    'limit',
    'measures',
    'sort',
    'start',
    'time_zone',
    'where',
  ]);
});

contract('Documents have one schema of groups, whose members are optional', ({ app }) => {
  const document = openApiDocument(app);
  const data = dataIn(document, operationAt(document, 'get', '/aggregate'));
  const [list, one] = data.anyOf;
  expect(list.items).toEqual(one);
  const group = schemaIn(document, one);
  expect(group.required).toBeUndefined();
  expect(Object.keys(group.properties)).toEqual([
    'state',
    'depot',
    'made_on_month',
    'count',
    'size_sum',
    'size_avg',
  ]);
  expect(group.properties.made_on_month).toEqual({ type: ['string', 'null'], format: 'date' });
  expect(group.properties.size_avg).toEqual({ type: ['number', 'null'] });
  expect(group.properties.size_sum.type).toEqual(['string', 'null']);
});

contract('A RestfulApi documents its aggregate and facets', ({ app }) => {
  const document = openApiDocument(app);
  expect(operationAt(document, 'get', '/wares/aggregate').summary).toBe('Aggregate Ware records');
  const facets = schemaIn(document, dataIn(document, operationAt(document, 'get', '/wares/facets')));
  expect(Object.keys(facets.properties)).toEqual(['state', 'depot.name']);
  expect(facets.properties.state.items.required).toEqual(['value', 'count']);
});
