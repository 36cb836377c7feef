import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Aggregate, EndpointGroup, PlainAnswers } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';

const Reading = defineEntity({
  name: 'Reading',
  properties: {
    id: p.integer().primary(),
    kind: p.string().nullable(),
    at: p.datetime(3).nullable(),
    total: p.bigint('string').nullable(),
    price: p.decimal('string').precision(20).scale(4).nullable(),
    level: p.double().nullable(),
    single: p.float().columnType('real').nullable(),
    a: p.boolean().nullable(),
    b: p.boolean().nullable(),
    c: p.boolean().nullable(),
    d: p.boolean().nullable(),
    e: p.boolean().nullable(),
    f: p.boolean().nullable(),
    g: p.boolean().nullable(),
  },
});

const flags = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;

const readings = {
  modelClass: Reading,
  groupableColumnNames: ['kind', ...flags, { column: 'at', buckets: ['hour', 'day', 'month'] }],
  measurableColumnNames: {
    total: ['sum', 'avg', 'max'],
    price: ['sum', 'avg', 'min'],
    level: ['sum', 'avg', 'max'],
    single: ['sum'],
  },
  searchableColumnNames: ['kind'],
} as const;

const { contract } = service(
  {
    entities: [Reading],
    endpoints: [
      new Aggregate({ ...readings, url: 'readings', clientSelectsTimeZone: true, maximumGroupings: 8 }),
      new Aggregate({ ...readings, url: 'paris', timeZone: 'Europe/Paris' }),
      new EndpointGroup({
        url: 'plain',
        answers: new PlainAnswers(),
        endpoints: [new Aggregate({ ...readings, url: 'readings', limit: 1, count: 'exact' })],
      }),
    ],
  },
  postgresqlOnly,
);

const save = async ({ em }: Subject, ...rows: readonly object[]): Promise<void> => {
  await em().insertMany(
    Reading,
    rows.map((row, index) => ({ id: index + 1, ...row })),
  );
};

const data = async ({ request }: Subject, path: string): Promise<unknown> => {
  const { status, body } = await request().get(path);
  expect([status, body.error]).toEqual([200, '']);
  return body.data;
};

contract('Days are those of the time zone, and an hour that a clock shows twice is two', async (subject) => {
  const hours = [
    '2024-10-26T22:30',
    '2024-10-27T00:10',
    '2024-10-27T01:10',
    '2024-10-27T02:10',
    '2024-10-27T23:30',
  ];
  await save(subject, ...hours.map((hour) => ({ at: new Date(`${hour}:00Z`) })));
  const at = (groups: unknown, bucket: string): unknown[] =>
    (groups as Record<string, unknown>[]).map((group) => [group[`at_${bucket}`], group['count']]);
  expect(at(await data(subject, '/paris?group_by=at.day'), 'day')).toEqual([
    ['2024-10-27', 4],
    ['2024-10-28', 1],
  ]);
  expect(at(await data(subject, '/readings?group_by=at.day&time_zone=UTC'), 'day')).toEqual([
    ['2024-10-26', 1],
    ['2024-10-27', 4],
  ]);
  expect(at(await data(subject, '/readings?group_by=at.hour&time_zone=Europe/Paris'), 'hour')).toEqual([
    ['2024-10-26T22:00:00+00:00', 1],
    ['2024-10-27T00:00:00+00:00', 1],
    ['2024-10-27T01:00:00+00:00', 1],
    ['2024-10-27T02:00:00+00:00', 1],
    ['2024-10-27T23:00:00+00:00', 1],
  ]);
  const half = await data(subject, '/readings?group_by=at.hour&time_zone=Asia/Kolkata');
  expect(at(half, 'hour')[0]).toEqual(['2024-10-26T22:30:00+00:00', 1]);
  const body = { group_by: ['at.month'], time_zone: 'Pacific/Auckland' };
  const { body: answer } = await subject.request().post('/readings').send(body);
  expect(at(answer.data, 'month')).toEqual([['2024-10-01', 5]]);
});

contract(
  'A day, or an hour, that a time zone moves out of the years 1 to 9999 is in the group of null',
  async (subject) => {
    const ends = ['0001-01-01T00:10:00Z', '9999-12-31T23:50:00Z'].map((text) => ({ at: new Date(text) }));
    await save(subject, { at: null }, ...ends);
    const groups = (bucket: string, zone: string) =>
      data(subject, `/readings?group_by=at.${bucket}&time_zone=${zone}`);
    expect(await groups('day', 'Asia/Tokyo')).toEqual([
      { at_day: '0001-01-01', count: 1 },
      { at_day: null, count: 2 },
    ]);
    expect(await groups('day', 'America/New_York')).toEqual([
      { at_day: '9999-12-31', count: 1 },
      { at_day: null, count: 2 },
    ]);
    expect(await groups('month', 'America/New_York')).toEqual([
      { at_month: '9999-12-01', count: 1 },
      { at_month: null, count: 2 },
    ]);
    // Its clock was 9:18:59 ahead in these years.
    expect(await groups('hour', 'Asia/Tokyo')).toEqual([
      { at_hour: '9999-12-31T23:00:00+00:00', count: 1 },
      { at_hour: null, count: 2 },
    ]);
    expect(await groups('day', 'UTC')).toEqual([
      { at_day: '0001-01-01', count: 1 },
      { at_day: '9999-12-31', count: 1 },
      { at_day: null, count: 1 },
    ]);
  },
);

contract('A time zone that the database does not know is a 400', async ({ request }) => {
  for (const zone of ['Mars/Olympus', 'europe/paris', '', "UTC'; drop table reading"])
    expectAnswer(
      await request().get(`/readings?group_by=at.day&time_zone=${encodeURIComponent(zone)}`),
      400,
      clientError("'time_zone' is not known"),
    );
  const body = { group_by: ['at.day'], time_zone: 1 };
  expectAnswer(await request().post('/readings').send(body), 400, clientError("'time_zone' is not known"));
});

contract('Sums are exact beyond 2^53, and means of decimals are text', async (subject) => {
  const total = '9223372036854775807';
  await save(
    subject,
    { kind: 'x', total, price: '0.1000', level: 0.5, single: 16_777_216 },
    { kind: 'x', total, price: '0.2000', level: 1, single: 1 },
    { kind: 'x', total: '1', price: '9999999999999999.9999', single: 1 },
    { kind: 'y', price: '0.5000' },
  );
  const measured = 'total.sum,total.max,price.sum,price.avg,price.min,level.sum,level.avg,single.sum';
  expect(await data(subject, `/readings?group_by=kind&measure=${measured}`)).toEqual([
    {
      kind: 'x',
      total_sum: '18446744073709551615',
      total_max: total,
      price_sum: '10000000000000000.2999',
      price_avg: '3333333333333333.4333',
      price_min: '0.1000',
      level_sum: 1.5,
      level_avg: 0.75,
      single_sum: 16_777_218,
    },
    {
      kind: 'y',
      total_sum: null,
      total_max: null,
      price_sum: '0.5000',
      price_avg: '0.5',
      price_min: '0.5000',
      level_sum: null,
      level_avg: null,
      single_sum: null,
    },
  ]);
  const having = [{ measure: 'total.sum', operator: '=', value: '18446744073709551615' }];
  const { body } = await subject
    .request()
    .post('/readings')
    .send({ group_by: ['kind'], having });
  expect(body.data).toEqual([{ kind: 'x', count: 3 }]);
});

contract(
  'NaN and the infinities of floats are null, and a sum beyond all doubles is a 400',
  async (subject) => {
    await save(subject, { kind: 'nan', id: 1 }, { kind: 'inf', id: 2 }, { kind: 'inf', id: 3 });
    const run = (sql: string) => subject.em().getConnection().execute(sql);
    await run(`update reading set level = 'NaN' where id = 1`);
    await run(`update reading set level = '-Infinity' where id = 2`);
    await run(`update reading set level = 'Infinity' where id = 3`);
    expect(await data(subject, '/readings?group_by=kind&measure=level.sum,level.max')).toEqual([
      { kind: 'inf', level_sum: null, level_max: null },
      { kind: 'nan', level_sum: null, level_max: null },
    ]);
    await run(`update reading set level = 1.7e308`);
    expectAnswer(
      await subject.request().get('/readings?measure=level.sum'),
      400,
      clientError('A number is out of the range of the database'),
    );
  },
);

contract('Every order of groupings and measures is one statement', async (subject) => {
  await save(subject, { a: true, b: false });
  const statements = await Statements.of(subject);
  const texts = new Set<string>();
  const names = ['kind', ...flags];
  for (let turn = 0; turn < 40; turn += 1) {
    const turned = names.map((_, index) => names[(index * ((turn % 4) * 2 + 1) + turn) % 8]);
    const measured = turn % 2 === 0 ? 'count,level.sum' : 'level.sum,count';
    const path = `/readings?group_by=${turned.join(',')}&measure=${measured}`;
    const sent = await statements.during(async () => {
      expect((await subject.request().get(path)).status).toBe(200);
    });
    for (const text of sent) if (text.includes('group by')) texts.add(text);
  }
  expect(texts.size).toBe(1);
});

contract('Plain answers are the groups, with links to the pages around', async (subject) => {
  await save(subject, { kind: 'x' }, { kind: 'y' });
  const { body, headers } = await subject.request().get('/plain/readings?group_by=kind&start=1');
  expect(body).toEqual([{ kind: 'y', count: 1 }]);
  expect([headers['x-total-count'], headers['link']]).toEqual([
    '2',
    '</plain/readings?group_by=kind>; rel="first", </plain/readings?group_by=kind&start=0>; rel="prev"',
  ]);
  expect((await subject.request().get('/plain/readings')).body).toEqual({ count: 2 });
  const second = await subject
    .request()
    .post('/plain/readings?start=1')
    .send({ group_by: ['kind'] });
  expect(second.body).toEqual([{ kind: 'y', count: 1 }]);
});
