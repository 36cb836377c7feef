import { expect } from '@jest/globals';
import { Facets, type FacetsOptions } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Ware } from '../support/entities/stock.js';
import { Statements } from '../support/statements.js';
import { stockWith } from './advanced-search.wares.js';
import { answered, store } from './aggregate.stock.js';

const facets = (options: Partial<FacetsOptions<Ware>> = {}) =>
  new Facets<Ware>({
    url: 'facets',
    modelClass: Ware,
    facetColumnNames: ['state', 'fragile', 'depot.name', 'label', 'madeOn'],
    searchableColumnNames: ['state', 'fragile', 'depot.name', 'size', 'parts.count'],
    ...options,
  });

const { contract } = service(
  stockWith([
    facets(),
    facets({ url: 'own', ignoreOwnTerm: false, where: ['size >= 0'] }),
    facets({ url: 'needed', requiredColumnNames: ['state'] }),
    facets({ url: 'bare', withCounts: false, limit: 2, maximumLimit: 3, minimumGroupSize: 2 }),
  ]),
);

const states = [
  { value: 'new', count: 2 },
  { value: 'used', count: 2 },
  { value: null, count: 1 },
];

contract('Facets answer the values of columns, most frequent first, then by value', async (subject) => {
  const { request } = subject;
  expectAnswer(await request().get('/facets?facets=state,fragile'), 200, success({ state: [], fragile: [] }));
  await store(subject);
  const fragile = [
    { value: null, count: 3 },
    { value: false, count: 1 },
    { value: true, count: 1 },
  ];
  expectAnswer(await request().get('/facets?facets=fragile,state'), 200, success({ state: states, fragile }));
  const all = (await answered(subject, '/facets')) as Record<string, unknown[]>;
  expect(Object.keys(all)).toEqual(['state', 'fragile', 'depot.name', 'label', 'made_on']);
  expect(all['depot.name']).toEqual([
    { value: 'east', count: 2 },
    { value: 'west', count: 2 },
    { value: null, count: 1 },
  ]);
  expect(all['made_on']?.[0]).toEqual({ value: '2023-12-31', count: 1 });
  expect(await answered(subject, '/facets?facets=state&limit=1')).toEqual({ state: [states[0]] });
});

contract(
  'A facet is counted without the condition on its own column, and with it where the option says so',
  async (subject) => {
    await store(subject);
    expect(await answered(subject, '/facets?facets=state,depot.name&state=new')).toEqual({
      state: states,
      'depot.name': [{ value: 'east', count: 2 }],
    });
    expect(await answered(subject, '/own?facets=state,depot.name&state=new')).toEqual({
      state: [{ value: 'new', count: 2 }],
      'depot.name': [{ value: 'east', count: 2 }],
    });
    const where = [{ column: 'state', operator: '!=', value: 'used' }];
    const { body } = await subject
      .request()
      .post('/facets')
      .send({ facets: ['fragile', 'state'], where });
    expect(body.data).toEqual({
      state: states,
      fragile: [
        { value: false, count: 1 },
        { value: true, count: 1 },
      ],
    });
    expect(await answered(subject, '/facets?facets=state&parts.count=7')).toEqual({
      state: [{ value: 'new', count: 1 }],
    });
  },
);

contract('A condition on a required column is never left out', async (subject) => {
  await store(subject);
  const one = [{ value: 'new', count: 2 }];
  expect(await answered(subject, '/needed?facets=state,depot.name&state=new&depot.name=west')).toEqual({
    state: [],
    'depot.name': [{ value: 'east', count: 2 }],
  });
  expect(await answered(subject, '/needed?facets=state&state=new')).toEqual({ state: one });
  const where = [{ column: 'state', operator: '=', value: 'new' }];
  const { body } = await subject
    .request()
    .post('/needed')
    .send({ facets: ['state'], where });
  expect(body.data).toEqual({ state: one });
});

contract(
  'starts_with finds the values of a text that begin with it, in any case and to the letter',
  async (subject) => {
    await store(subject);
    const manager = subject.em();
    for (const [index, label] of ['Ab', 'a%', 'a_x', 'ba'].entries())
      manager.create(Ware, { id: 10 + index, label });
    await manager.flush();
    const found = async (text: string): Promise<unknown> => {
      const data = (await answered(
        subject,
        `/facets?facets=label&starts_with=${encodeURIComponent(text)}`,
      )) as {
        readonly label: readonly { readonly value: unknown }[];
      };
      return data.label.map(({ value }) => value);
    };
    expect(await found('aB')).toEqual(['Ab']);
    expect(await found('a%')).toEqual(['a%']);
    expect(await found('A_')).toEqual(['a_x']);
    expect(await found('a')).toEqual(expect.arrayContaining(['a', 'a%', 'a_x', 'Ab']));
    expect(await found('\\')).toEqual([]);
  },
);

contract('Without counts values come in their order; values of too few records do not', async (subject) => {
  await store(subject);
  expect(await answered(subject, '/bare?facets=state,depot.name')).toEqual({
    state: [{ value: 'new' }, { value: 'used' }],
    'depot.name': [{ value: 'east' }, { value: 'west' }],
  });
});

contract('Several facets are read at one moment, each with one statement', async (subject) => {
  await store(subject);
  const statements = await Statements.of(subject);
  const one = await statements.during(() => subject.request().get('/own?facets=made_on'));
  expect(one.filter((text) => /^\s*select/i.test(text))).toHaveLength(1);
  const three = await statements.during(() => subject.request().get('/own?facets=state,label,fragile'));
  expect(three.filter((text) => /^\s*select/i.test(text) && text.includes('group by'))).toHaveLength(3);
  const begin = three.find((text) => /^(?:begin|start transaction)/i.test(text));
  // The others have one session, which nobody else uses meanwhile.
  if (subject.database === 'postgresql') expect(begin).toMatch(/isolation level repeatable read/i);
  else expect(begin).toBeDefined();
});
