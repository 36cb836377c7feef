import { expect } from '@jest/globals';
import { EndpointGroup, Facets } from '@nest-endpoints/core';
import { clientError, expectAnswer, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Ware } from '../support/entities/stock.js';
import { stockWith } from './advanced-search.wares.js';
import { aggregate, store } from './aggregate.stock.js';

const few = {
  groupableColumnNames: ['state', 'depot.name', { column: 'soldAt', buckets: ['month', 'year'] }],
  measurableColumnNames: { size: ['sum', 'count_distinct'] },
  searchableColumnNames: ['state', 'size'],
} as const;

const facets = new Facets<Ware>({
  url: 'facets',
  modelClass: Ware,
  facetColumnNames: ['state', 'label', 'depot.name'],
  searchableColumnNames: ['size'],
});

const { contract } = service(
  stockWith([
    aggregate({ ...few, maximumGroupings: 2 }),
    facets,
    aggregate({
      url: 'narrow',
      groupableColumnNames: ['state'],
      measurableColumnNames: { label: ['min'] },
      searchableColumnNames: ['label'],
      maximumConditions: 3,
      maximumWildcards: 3,
    }),
    new EndpointGroup({ url: 'camel', externalCasing: 'camelCase', endpoints: [aggregate(few)] }),
    new EndpointGroup({ url: 'title', externalCasing: 'TitleCase', endpoints: [aggregate(few)] }),
  ]),
);

const groups = 'state, depot.name, sold_at.month, sold_at.year';
const measures = 'count, size.sum, size.count_distinct';

contract('What a query string asks wrongly of an Aggregate is a 400 that names it', async ({ request }) => {
  const sentences = {
    'group_by=password': `'group_by' must be of: ${groups}`,
    'group_by=soldAt.month': `'group_by' must be of: ${groups}`,
    'group_by=State': `'group_by' must be of: ${groups}`,
    'group_by=state.': `'group_by' must be of: ${groups}`,
    'group_by=sold_at': `'group_by' must be of: ${groups}`,
    'group_by=': `'group_by' must be of: ${groups}`,
    'group_by=__proto__': `'group_by' must be of: ${groups}`,
    'group_by=state,state': "'group_by' names 'state' twice",
    'group_by=state,depot.name,sold_at.year': "'group_by' must not have more than 2 columns",
    'measure=size.avg': `'measure' must be of: ${measures}`,
    'measure=price.sum': `'measure' must be of: ${measures}`,
    'sort=state': "'sort' must be of what is grouped or measured",
    'group_by=state&sort=size.sum': "'sort' must be of what is grouped or measured",
    'group_by=state&direction=up': "'direction' must be asc or desc",
    'limit=1001': "'limit' must be between 1 and 1000",
    'limit=0': "'limit' must be between 1 and 1000",
    'start=-1': "'start' must be a whole number from 0",
    'after=x': "Unknown parameter 'after' in the query string",
    'having=x': "Unknown parameter 'having' in the query string",
    'time_zone=UTC': "Unknown parameter 'time_zone' in the query string",
    'fragile=true': "Unknown parameter 'fragile' in the query string",
    'size=1&size=2': "'size' is given more than once in the query string",
  };
  for (const [query, sentence] of Object.entries(sentences))
    expect([query, (await request().get(`/aggregate?${query}`)).body]).toEqual([
      query,
      clientError(sentence),
    ]);
});

contract('What a body asks wrongly of an Aggregate is a 400 that names it', async ({ request }) => {
  const having = (...entries: unknown[]) => ({ group_by: ['state'], having: entries });
  const sentences = [
    [{ group_by: 'state' }, "'group_by' must be a list"],
    [{ group_by: [1] }, `'group_by' must be of: ${groups}`],
    [{ measures: ['size'] }, `'measures' must be of: ${measures}`],
    [{ measure: ['count'] }, "Unknown parameter 'measure' in the body"],
    [{ sort: ['count'] }, "'sort' must be of what is grouped or measured"],
    [
      { where: [{ column: 'label', operator: '=', value: 'x' }] },
      'where 1: column must be one of: state, size',
    ],
    [{ having: [{ measure: 'count', operator: '>', value: 1 }] }, "'having' needs 'group_by'"],
    [{ group_by: ['state'], having: {} }, "'having' must be a list"],
    [having(1), 'having 1 must be an object with measure, operator, value'],
    [having({ column: 'count' }), "having 1: 'column' is unknown; allowed: measure, operator, value"],
    [having({ operator: '>', value: 1 }), `having 1: measure must be one of: ${measures}`],
    [
      having({ measure: 'price.sum', operator: '>', value: 1 }),
      `having 1: measure must be one of: ${measures}`,
    ],
    [
      having({ measure: 'count', operator: 'like', value: 'x' }),
      'having 1: operator must be one of: <=>, !=, <=, >=, >, <, =, in, is not null, is null, is not, is, not in, between',
    ],
    [having({ measure: 'count', operator: '>' }), 'having 1: value is missing'],
    [having({ measure: 'count', operator: '>', value: 'x' }), 'having 1: value should be an integer'],
    [
      having(
        { measure: 'count', operator: '>', value: 1 },
        { measure: 'size.sum', operator: '>', value: null },
      ),
      "having 2: value should not be null; 'is null' finds those",
    ],
    [
      having({ measure: 'size.sum', operator: '>', value: 'x' }),
      'having 1: value should be a decimal number',
    ],
    [having(...Array<number>(101).fill(1)), "'having' must not have more than 100 conditions"],
  ] as const;
  for (const [body, sentence] of sentences)
    expectAnswer(await request().post('/aggregate').send(body), 400, clientError(sentence));
  expectAnswer(
    await request().post('/aggregate?group_by=state').send({}),
    400,
    clientError("Unknown parameter 'group_by' in the query string: this search takes a JSON body"),
  );
});

contract('What is asked wrongly of Facets is a 400 that names it', async ({ request }) => {
  const sentences = {
    'facets=size': "'facets' must be of: state, label, depot.name",
    'facets=state,state': "'facets' names 'state' twice",
    'starts_with=a': "'starts_with' needs exactly one facet of text: label, depot.name",
    'facets=label,state&starts_with=a': "'starts_with' needs exactly one facet of text: label, depot.name",
    'facets=state&starts_with=a': "'starts_with' needs exactly one facet of text: label, depot.name",
    'facets=label&starts_with=': "'starts_with' must be a text that is not empty",
    'facets=label&starts_with=a%00': "'starts_with' has characters that no text may have",
    'limit=201': "'limit' must be between 1 and 200",
    'start=1': "Unknown parameter 'start' in the query string",
    'sort=state': "Unknown parameter 'sort' in the query string",
    'direction=asc': "Unknown parameter 'direction' in the query string",
  };
  for (const [query, sentence] of Object.entries(sentences))
    expect([query, (await request().get(`/facets?${query}`)).body]).toEqual([query, clientError(sentence)]);
});

contract('Names of groups and measures have the casing of the wire', async (subject) => {
  await store(subject);
  const { request } = subject;
  const camel = await request().get(
    '/camel/aggregate?groupBy=depot.name,soldAt.year&measure=size.countDistinct&limit=1',
  );
  expect(camel.body.data).toEqual([
    { depot: { name: 'east' }, soldAtYear: '2024-01-01', sizeCountDistinct: 2 },
  ]);
  const title = await request()
    .post('/title/aggregate')
    .send({
      GroupBy: ['SoldAt.Year'],
      Measures: ['Count'],
      Having: [{ Measure: 'Count', Operator: '>', Value: 1 }],
    });
  expect(title.body.Data).toEqual([{ SoldAtYear: '2024-01-01', Count: 4 }]);
  expect((await request().get('/camel/aggregate?group_by=sold_at.year')).body.error).toBe(
    "'group_by' must be of: state, depot.name, soldAt.month, soldAt.year",
  );
  expectAnswer(await request().get('/aggregate?limit=5'), 200, success({ count: 5 }));
});

contract(
  'Conditions and wildcards of `where` and of `having` have one limit together',
  async ({ request }) => {
    const like = (value: string) => ({ operator: 'like', value });
    const send = (where: readonly string[], having: readonly string[]) =>
      request()
        .post('/narrow')
        .send({
          group_by: ['state'],
          where: where.map((value) => ({ column: 'label', ...like(value) })),
          having: having.map((value) => ({ measure: 'label.min', ...like(value) })),
        });
    expect((await send(['a%'], ['%b%'])).status).toBe(200);
    expect((await send(['a'], ['b', 'c'])).status).toBe(200);
    for (const [where, having, sentence] of [
      [['a%', 'b%'], ['%c%'], "'having' must not have more than 1 wildcards"],
      [[], ['%'.padEnd(9, 'a%')], "'having' must not have more than 3 wildcards"],
      [['a', 'b'], ['c', 'd'], "'having' must not have more than 1 conditions"],
      [[], ['a', 'b', 'c', 'd'], "'having' must not have more than 3 conditions"],
    ] as const)
      expectAnswer(await send(where, having), 400, clientError(sentence));
  },
);
