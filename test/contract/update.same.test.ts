import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, Get, RestfulApi } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';

/** Values that are stored in other words than a client sends. */
const Medal = defineEntity({
  name: 'Medal',
  properties: {
    id: p.integer().primary().autoincrement(),
    single: p.float().nullable(),
    double: p.double().nullable(),
    facts: p.json<unknown>().nullable(),
    parts: p.json<unknown[]>().nullable(),
    minted: p.datetime(0).unique().nullable(),
    struck: p.datetime(2).nullable(),
    worth: p.decimal('string').precision(30).scale(2).nullable(),
    bare: p.decimal('string').columnType('numeric').nullable(),
    version: p.integer().version(),
  },
});

const names = ['single', 'double', 'facts', 'parts', 'minted', 'struck', 'worth', 'bare'] as const;
const searched = ['id', 'minted', 'struck', 'worth', 'bare'] as const;
const medals = {
  modelClass: Medal,
  readableColumnNames: ['id', ...names],
  writeableColumnNames: names,
  sortableColumnNames: ['id'],
  searchableColumnNames: searched,
  defaultSortColumnName: 'id',
  bulk: true,
} as const;
const { writeableColumnNames: _names, bulk: _bulk, ...read } = medals;

const { contract } = service(
  {
    entities: [Medal],
    endpoints: [
      new RestfulApi({ ...medals, url: 'medals' }),
      new RestfulApi({ ...medals, url: 'hooked', beforeSave: () => undefined }),
      new AdvancedSearch({ ...read, url: 'found', requestMethods: ['POST'] }),
      new Get({
        modelClass: Medal,
        readableColumnNames: ['id'],
        url: 'minted/:minted',
        recordLookupColumnName: 'minted',
      }),
    ],
  },
  everyDatabase,
);

const versions = async ({ em }: Subject): Promise<unknown> =>
  em().getConnection().execute('select version from medal order by id');

/** Sends values, and those of the answer, to every endpoint that writes, with and without a hook. */
const expectNoChange = async (subject: Subject, values: object): Promise<void> => {
  const { request } = subject;
  const { status, body } = await request().post('/medals').send(values);
  expect([values, status, body.input_errors]).toEqual([values, 201, {}]);
  const { id, ...shown } = body.data as Record<string, unknown>;
  const before = await versions(subject);
  const answered = Object.fromEntries(Object.keys(values).map((name) => [name, shown[name]]));
  for (const sent of [values, answered])
    for (const url of ['medals', 'hooked']) {
      const one = await request()
        .patch(`/${url}/${String(id)}`)
        .send(sent);
      const many = await request()
        .patch(`/${url}/bulk`)
        .send({ records: [{ id, ...sent }] });
      expect([url, sent, one.status, many.status]).toEqual([url, sent, 200, 200]);
      expect([url, sent, await versions(subject)]).toEqual([url, sent, before]);
    }
};

contract(
  'Numbers that are sent again are no change, whatever the digits of the database',
  async (subject) => {
    for (const single of [0.1, 1e-45, 3.4e38, 16777217, -0]) await expectNoChange(subject, { single });
    for (const double of [0.1, 5e-324, 1.7976931348623157e308]) await expectNoChange(subject, { double });
    for (const worth of ['1.5', '1.505', '-0.00', '12345678901234.56'])
      await expectNoChange(subject, { worth });
    for (const bare of ['1', '12', '1.10', '0.6']) await expectNoChange(subject, { bare });
  },
);

contract('JSON that is sent again is no change, in the order of the database neither', async (subject) => {
  const isPostgresql = subject.database === 'postgresql' || subject.database === 'pglite';
  const facts = { b: 1, a: [null, 'x', { d: 1.5, c: {} }] };
  await expectNoChange(subject, { facts });
  await expectNoChange(subject, { facts: 'x' });
  await expectNoChange(subject, { parts: ['x', 1, { a: 1 }] });
  if (!isPostgresql) return;
  await expectNoChange(subject, { facts: { z: 1, a: 2, longer: { b: 1, a: 2 } } });
  await expectNoChange(subject, { parts: [{ z: 1, a: 2 }, 'x'] });
  await subject
    .request()
    .patch('/hooked/1')
    .send({ facts: { ...facts, b: 2 } });
  expect((await subject.request().get('/medals/1')).body.data.facts).toEqual({ ...facts, b: 2 });
});

contract('An instant is kept as it is written: what is finer than its column is cut', async (subject) => {
  const { request } = subject;
  for (const minted of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01.6Z', '1960-01-01T23:59:59.999Z'])
    await expectNoChange(subject, { minted });
  for (const struck of ['2026-01-01T00:00:00.996Z', '1960-01-01T23:59:59.999Z'])
    await expectNoChange(subject, { struck });
  const minted = '2026-03-01T12:00:00.6Z';
  const { body } = await request().post('/medals').send({ minted, struck: '2026-03-01T12:00:00.999Z' });
  const { id } = body.data;
  expect(body.data).toMatchObject({
    minted: '2026-03-01T12:00:00+00:00',
    struck: '2026-03-01T12:00:00+00:00',
  });
  expect((await request().get(`/minted/${encodeURIComponent(minted)}`)).body.data).toEqual({ id });
  for (const [operator, value] of [
    ['=', minted],
    ['in', [minted]],
    ['>=', minted],
  ] as const) {
    const where = [{ column: 'minted', operator, value }];
    const found = await request().post('/found').send({ where });
    expect([operator, found.body.data.map((one: { id: unknown }) => one.id)]).toEqual([operator, [id]]);
  }
});
