import { expect } from '@jest/globals';
import { expectAnswer, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { stockWith } from './advanced-search.wares.js';
import { Ware } from '../support/entities/stock.js';
import { aggregate, answered, store } from './aggregate.stock.js';

const { contract } = service(stockWith([aggregate()]));

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
