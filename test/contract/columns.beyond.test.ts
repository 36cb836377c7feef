import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, defineColumns, JsonColumn, RestfulApi, StringColumn } from '@nest-endpoints/core';
import { bothPostgresql, service, type Subject } from '../support/contract.js';

/** What other programs may store in it, and JSON has no word for. */
const Lease = defineEntity({
  name: 'Lease',
  properties: {
    id: p.integer().primary().autoincrement(),
    note: p.string().nullable(),
    day: p.date().nullable(),
    until: p.datetime(3).nullable(),
    local: p.datetime().columnType('timestamp(6)').nullable(),
    rent: p.decimal('string').columnType('numeric').nullable(),
    area: p.double().nullable(),
    share: p.float().columnType('real').nullable(),
    rooms: p.integer().array().nullable(),
    names: p.array().nullable(),
    version: p.integer().version(),
  },
});

/** A json column keeps the text that it got. */
const Memo = defineEntity({
  name: 'Memo',
  properties: { id: p.integer().primary(), data: p.json().columnType('json') },
});
defineColumns(Memo, { data: { type: new JsonColumn() }, 'data.said': { type: new StringColumn() } });

const names = ['day', 'until', 'local', 'rent', 'area', 'share', 'rooms', 'names'] as const;
const leases = {
  modelClass: Lease,
  readableColumnNames: ['id', 'note', ...names],
  writeableColumnNames: ['note', ...names],
  sortableColumnNames: ['id', 'day', 'until', 'rent'],
  searchableColumnNames: ['id', 'day', 'until'],
  defaultSortColumnName: 'id',
  pagination: 'keyset',
  bulk: true,
} as const;

const { contract } = service(
  {
    entities: [Lease, Memo],
    endpoints: [
      new RestfulApi({
        ...leases,
        url: 'leases',
        export: true,
        aggregate: {
          groupableColumnNames: [
            { column: 'day', buckets: ['day', 'month', 'quarter', 'year'] },
            { column: 'until', buckets: ['hour', 'day', 'week'] },
            { column: 'local', buckets: ['day', 'year'] },
            'day',
            'rent',
          ],
          measurableColumnNames: { rent: ['sum', 'max'], day: ['min', 'max'], until: ['min', 'max'] },
        },
      }),
      new RestfulApi({ ...leases, url: 'hooked', beforeSave: () => undefined }),
      new AdvancedSearch({
        url: 'memos',
        modelClass: Memo,
        readableColumnNames: ['id', 'data.said'] as never,
        searchableColumnNames: ['data.said'] as never,
        sortableColumnNames: ['id', 'data.said'] as never,
        defaultSortColumnName: 'data.said' as never,
      }),
    ],
  },
  bothPostgresql,
);

/** The texts of PostgreSQL for what JSON, or our types, cannot tell. */
const untold = {
  day: ['infinity', '-infinity', '0044-03-15 BC', '10000-01-01', '5874897-12-31', '4713-11-24 BC'],
  until: [
    'infinity',
    '-infinity',
    '0044-03-15 00:00:00+00 BC',
    '10000-01-01 00:00:00+00',
    '294276-12-31 23:59:59.999999+00',
    '4713-11-24 00:00:00+00 BC',
  ],
  local: ['infinity', '-infinity', '0001-12-31 23:59:59 BC', '10000-01-01 00:00:00', '294276-12-31 23:59:59'],
  rent: ['NaN', 'Infinity', '-Infinity'],
  area: ['NaN', 'Infinity', '-Infinity'],
  share: ['NaN', 'Infinity', '-Infinity'],
  rooms: ['{{1,2},{3,4}}'],
  names: ['{{a,NULL},{"b,\\"",c}}'],
} as const;

const cases = names.flatMap((name) => untold[name].map((text) => ({ name, text })));

/** Stores what no client may send. */
const store = async ({ em }: Subject): Promise<void> => {
  for (const [index, { name, text }] of cases.entries())
    await em()
      .getConnection()
      .execute(`insert into lease (id, version, ${name}) values (${index + 1}, 1, '${text}')`);
};

const stored = async ({ em }: Subject): Promise<readonly Record<string, unknown>[]> =>
  em()
    .getConnection()
    .execute(
      `select version, ${names.map((name) => `${name}::text`).join(', ')} from lease where id <= ${cases.length} order by id`,
    );

const empty = Object.fromEntries([...names, 'note'].map((name) => [name, null]));

/** Of an array of several dimensions that there are items. */
const told = (name: string): object => (name === 'rooms' || name === 'names' ? { [name]: [null, null] } : {});

contract('What a database holds and its type cannot tell is null', async (subject) => {
  await store(subject);
  const { body } = await subject.request().get('/leases?limit=100');
  expect(body.data).toEqual(cases.map(({ name }, index) => ({ id: index + 1, ...empty, ...told(name) })));
  const exported = await subject.request().get('/leases/export?format=csv');
  const scalars = cases.filter(({ name }) => !'rooms names'.includes(name));
  expect(exported.text.split('\r\n').slice(1, scalars.length + 1)).toEqual(
    scalars.map((_, index) => `${index + 1},,,,,,,,,`),
  );
});

contract('Values at the ends of what a type tells are told', async (subject) => {
  const { em, request } = subject;
  const run = (sql: string) => em().getConnection().execute(sql);
  await run(
    `insert into lease (version, day, until, rent) values (1, '0001-01-01', '0001-01-01 00:00:00+00', 1e20)`,
  );
  await run(`insert into lease (version, day, until) values (1, '9999-12-31', '9999-12-31 23:59:59.999+00')`);
  const { body } = await request().get('/leases?limit=100');
  expect(body.data).toMatchObject([
    { day: '0001-01-01', until: '0001-01-01T00:00:00+00:00', rent: '100000000000000000000' },
    { day: '9999-12-31', until: '9999-12-31T23:59:59+00:00' },
  ]);
});

contract('An Update of another column leaves what its type cannot tell as it is', async (subject) => {
  await store(subject);
  const before = await stored(subject);
  for (const [index, { name, text }] of cases.entries()) {
    const id = index + 1;
    const path = index % 2 === 0 ? 'leases' : 'hooked';
    const one = await subject.request().patch(`/hooked/${id}`).send({ note: 'x' });
    expect([name, text, one.status]).toEqual([name, text, 200]);
    const many = await subject
      .request()
      .patch(`/${path}/bulk`)
      .send({ records: [{ id, note: 'y' }] });
    expect([name, text, many.status]).toEqual([name, text, 200]);
    const hooked = await subject
      .request()
      .patch('/hooked/bulk')
      .send({ records: [{ id, note: 'z' }] });
    expect([name, text, hooked.status]).toEqual([name, text, 200]);
  }
  expect(await stored(subject)).toEqual(before.map((row) => ({ ...row, version: 4 })));
  for (const id of cases.keys())
    expect(
      (
        await subject
          .request()
          .patch(`/hooked/${id + 1}`)
          .send({ note: 'z' })
      ).status,
    ).toBe(200);
  expect(await stored(subject)).toEqual(before.map((row) => ({ ...row, version: 4 })));
});

contract(
  'Spans of time are of the days and instants that are told, others are in the group of null',
  async (subject) => {
    await store(subject);
    await subject.em().getConnection().execute(`insert into lease (id, version, day, until, local)
    values (100, 1, '2026-05-17', '2026-05-17 10:20:30+00', '2026-05-17 10:20:30')`);
    const groups = async (query: string): Promise<unknown> => {
      const { status, body } = await subject.request().get(`/leases/aggregate?${query}`);
      expect([query, status, body.error]).toEqual([query, 200, '']);
      return body.data;
    };
    for (const [bucket, day] of [
      ['day.day', '2026-05-17'],
      ['day.month', '2026-05-01'],
      ['day.quarter', '2026-04-01'],
      ['day.year', '2026-01-01'],
      ['until.hour', '2026-05-17T10:00:00+00:00'],
      ['until.day', '2026-05-17'],
      ['until.week', '2026-05-11'],
      ['local.day', '2026-05-17'],
      ['local.year', '2026-01-01'],
    ] as const) {
      const name = bucket.replace('.', '_');
      expect(await groups(`group_by=${bucket}`)).toEqual([
        { [name]: day, count: 1 },
        { [name]: null, count: cases.length },
      ]);
    }
    expect(await groups('measure=rent.sum,rent.max,day.min,day.max,until.min,until.max')).toEqual({
      ...{ rent_sum: null, rent_max: null },
      ...{ day_min: null, day_max: null, until_min: null, until_max: null },
    });
  },
);

contract('What answers cannot tell is in one group, that of null', async (subject) => {
  const { em, request } = subject;
  await store(subject);
  await em()
    .getConnection()
    .execute(`insert into lease (id, version, day, rent) values (100, 1, '2024-01-01', 1.50)`);
  for (const [name, value] of [
    ['day', '2024-01-01'],
    ['rent', '1.50'],
  ] as const) {
    const { body } = await request().get(`/leases/aggregate?group_by=${name}&sort=count`);
    expect(body.data).toEqual([
      { [name]: value, count: 1 },
      { [name]: null, count: cases.length },
    ]);
  }
});

contract(
  'A json text that jsonb cannot have is a member less, and stops no list',
  async ({ em, request }) => {
    for (const [id, data] of [
      [1, String.raw`{"said":"a\u0000b"}`],
      [2, String.raw`{"said":"a\\u0000b"}`],
      [3, '{"said":"plain"}'],
    ] as const)
      await em().getConnection().execute('insert into memo (id, data) values (?, ?)', [id, data]);
    const { body } = await request().post('/memos').send({ limit: 3 });
    expect(body.data).toEqual([
      { id: 2, data: { said: String.raw`a\u0000b` } },
      { id: 3, data: { said: 'plain' } },
      { id: 1, data: { said: null } },
    ]);
  },
);
