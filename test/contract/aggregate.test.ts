import { expect } from '@jest/globals';
import { Facets } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { stockWith } from './advanced-search.wares.js';
import { Ware } from '../support/entities/stock.js';
import { aggregate, answered, store } from './aggregate.stock.js';

const { contract } = service(
  stockWith([aggregate(), new Facets({ url: 'facets', modelClass: Ware, facetColumnNames: ['madeOn'] })]),
);

contract('Without group_by an Aggregate answers one object, of no records too', async (subject) => {
  const { request } = subject;
  expectAnswer(await request().get('/aggregate'), 200, success({ count: 0 }));
  const all = '/aggregate?measure=size.sum,size.avg,size.min,size.max,size.count,count,label.max';
  const none = { size_sum: null, size_avg: null, size_min: null, size_max: null, size_count: 0 };
  expect(await answered(subject, all)).toEqual({ ...none, label_max: null, count: 0 });
  await store(subject);
  const some = { size_sum: '10', size_avg: 2.5, size_min: -1, size_max: 4, size_count: 4 };
  expect(await answered(subject, all)).toEqual({ ...some, label_max: 'b', count: 5 });
  expectAnswer(await request().post('/aggregate').send({}), 200, success({ count: 5 }));
  expectAnswer(
    await request()
      .post('/aggregate')
      .send({ where: [{ column: 'size', operator: '>', value: 3 }], measures: ['size.count_distinct'] }),
    200,
    success({ size_count_distinct: 1 }),
  );
});

contract('The mean of whole numbers has every digit of a Float', async (subject) => {
  await subject.em().insertMany(Ware, [
    { id: 1, size: 1, state: 'new' },
    { id: 2, size: 2, state: 'new' },
    { id: 3, size: 2, state: 'new' },
    { id: 4, state: 'used' },
  ]);
  const size = { size_avg: 1.6666666666666667 };
  expect(await answered(subject, '/aggregate?measure=size.avg')).toEqual(size);
  expect(await answered(subject, '/aggregate?group_by=state&measure=size.avg')).toEqual([
    { state: 'new', ...size },
    { state: 'used', size_avg: null },
  ]);
});

contract('An Aggregate answers a group for each value, null too, in the order asked for', async (subject) => {
  await store(subject);
  const { request } = subject;
  const groups = [
    { state: 'new', count: 2 },
    { state: 'used', count: 2 },
    { state: null, count: 1 },
  ];
  const page = { limit: 100, next_page: {} };
  expectAnswer(await request().get('/aggregate?group_by=state'), 200, success(groups, page));
  expect(await answered(subject, '/aggregate?group_by=state&direction=desc')).toEqual(groups.toReversed());
  expect(await answered(subject, '/aggregate?group_by=state&sort=count')).toEqual([
    groups[2],
    groups[0],
    groups[1],
  ]);
  expect(
    await answered(subject, '/aggregate?group_by=state&measure=size.sum&sort=size.sum&direction=desc'),
  ).toEqual([
    { state: 'new', size_sum: '7' },
    { state: 'used', size_sum: '4' },
    { state: null, size_sum: '-1' },
  ]);
  expect(await answered(subject, '/aggregate?group_by=fragile&measure=size.sum,weight.sum')).toEqual([
    { fragile: false, size_sum: '4', weight_sum: 1.5 },
    { fragile: true, size_sum: '3', weight_sum: 0.5 },
    { fragile: null, size_sum: '3', weight_sum: 2 },
  ]);
});

contract(
  'Columns of parents are groups, and a record without a parent is in the group null',
  async (subject) => {
    await store(subject);
    expect(
      await answered(
        subject,
        '/aggregate?group_by=depot.region.title,depot.name,depot_id&measure=count,depot.rank.sum',
      ),
    ).toEqual([
      { depot_id: 1, depot: { name: 'east', region: { title: 'south' }, rank_sum: '6' }, count: 2 },
      { depot_id: 2, depot: { name: 'west', region: { title: null }, rank_sum: null }, count: 2 },
      { depot_id: null, depot: { name: null, region: { title: null }, rank_sum: null }, count: 1 },
    ]);
  },
);

contract(
  'Buckets are the first days of their spans, an hour its beginning; a week begins on Monday',
  async (subject) => {
    await store(subject);
    const firsts = async (bucket: string, column = 'sold_at'): Promise<unknown[]> => {
      const groups = (await answered(subject, `/aggregate?group_by=${column}.${bucket}`)) as Record<
        string,
        unknown
      >[];
      return groups.map((group) => group[`${column}_${bucket}`]);
    };
    expect(await firsts('hour')).toEqual([
      '2023-12-31T01:00:00+00:00',
      '2024-01-01T00:00:00+00:00',
      '2024-02-29T23:00:00+00:00',
      '2024-03-03T12:00:00+00:00',
      '2024-12-31T10:00:00+00:00',
    ]);
    for (const column of ['sold_at', 'made_on']) {
      expect(await firsts('day', column)).toEqual([
        '2023-12-31',
        '2024-01-01',
        '2024-02-29',
        '2024-03-03',
        '2024-12-31',
      ]);
      expect(await firsts('week', column)).toEqual(['2023-12-25', '2024-01-01', '2024-02-26', '2024-12-30']);
      expect(await firsts('month', column)).toEqual([
        '2023-12-01',
        '2024-01-01',
        '2024-02-01',
        '2024-03-01',
        '2024-12-01',
      ]);
      expect(await firsts('quarter', column)).toEqual(['2023-10-01', '2024-01-01', '2024-10-01']);
      expect(await firsts('year', column)).toEqual(['2023-01-01', '2024-01-01']);
    }
  },
);

contract('The least and the greatest value are written as the column is', async (subject) => {
  await store(subject);
  expect(
    await answered(
      subject,
      '/aggregate?measure=made_on.min,sold_at.max,serial.max,label.min,weight.avg,weight.max',
    ),
  ).toEqual({
    weight_avg: 4 / 3,
    weight_max: 2,
    label_min: 'a',
    made_on_min: '2023-12-31',
    sold_at_max: '2024-12-31T10:00:00+00:00',
    serial_max: '9007199254740993',
  });
});

contract(
  'A condition over a to-many relation that a record meets three times counts it once',
  async (subject) => {
    await store(subject);
    expect(await answered(subject, '/aggregate?parts.count=7&measure=count,size.sum')).toEqual({
      size_sum: '3',
      count: 1,
    });
    expect(await answered(subject, '/aggregate?parts.count=7&group_by=state')).toEqual([
      { state: 'new', count: 1 },
    ]);
  },
);

/** Days and times that other programs may store, in the words of each database. */
const untold = {
  postgresql: [
    ['infinity', 'infinity'],
    ['0044-03-15 BC', '0044-03-15 00:00:00+00 BC'],
    ['10000-01-01', '10000-01-01 00:00:00+00'],
  ],
  sqlite: [
    ['-0044-03-15', -63_517_000_000_000],
    ['0000-12-31', -62_135_596_800_001],
    ['10000-01-01', 253_402_300_800_000],
  ],
  mariadb: [
    ['0000-00-00', '0000-00-00 00:00:00'],
    ['2024-00-05', '0000-05-05 01:02:03'],
    ['0000-12-31', '0000-12-31 23:59:59'],
  ],
} as const;

contract('Days and times that answers cannot tell are in one group, that of null', async (subject) => {
  const { em, database } = subject;
  await em().insertMany(Ware, [
    { id: 1, madeOn: '0001-01-01', soldAt: new Date('0001-01-01T00:00:00Z') },
    { id: 2, madeOn: '9999-12-31', soldAt: new Date('9999-12-31T23:59:59Z') },
    { id: 3 },
  ]);
  const rows = untold[database === 'pglite' ? 'postgresql' : database];
  for (const [index, [day, time]] of rows.entries()) {
    const insert = `insert into ware (id, made_on, sold_at) values (${10 + index}, '${day}', ${typeof time === 'number' ? time : `'${time}'`})`;
    const written = database === 'mariadb' ? `set statement sql_mode = '' for ${insert}` : insert;
    await em().getConnection().execute(written);
  }
  for (const [name, first, last] of [
    ['made_on.day', '0001-01-01', '9999-12-31'],
    ['made_on.week', '0001-01-01', '9999-12-27'],
    ['made_on.quarter', '0001-01-01', '9999-10-01'],
    ['sold_at.hour', '0001-01-01T00:00:00+00:00', '9999-12-31T23:00:00+00:00'],
    ['sold_at.day', '0001-01-01', '9999-12-31'],
    ['sold_at.week', '0001-01-01', '9999-12-27'],
    ['sold_at.year', '0001-01-01', '9999-01-01'],
  ] as const) {
    const member = name.replace('.', '_');
    expect(await answered(subject, `/aggregate?group_by=${name}`)).toEqual([
      { [member]: first, count: 1 },
      { [member]: last, count: 1 },
      { [member]: null, count: 4 },
    ]);
  }
  const facet = (await answered(subject, '/facets')) as Record<string, unknown>;
  expect(facet['made_on']).toEqual([
    { value: null, count: 4 },
    { value: '0001-01-01', count: 1 },
    { value: '9999-12-31', count: 1 },
  ]);
});
