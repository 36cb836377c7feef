import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  Create,
  CreateMany,
  Get,
  Import,
  RestfulApi,
  Update,
  UpdateMany,
  Upsert,
} from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, notFound } from '../support/answers.js';
import { connectionOf } from '../support/catalogue.js';
import { mariaDbOnly, service } from '../support/contract.js';
import { fc } from '../support/property.js';
import { asJson, linesOf, send } from './import.rows.js';

/** Columns of which MariaDB keeps less than their types say. */
const Ware = defineEntity({
  name: 'Ware',
  properties: {
    id: p.integer().primary().autoincrement(),
    label: p.string().columnType('varchar(20) character set utf8mb3').nullable().unique(),
    latin: p.string().columnType('varchar(20) character set latin1').nullable(),
    pieces: p.integer().unsigned().nullable(),
    tiny: p.integer().columnType('tinyint unsigned').nullable(),
    large: p.bigint('string').unsigned().nullable(),
    amount: p.decimal('string').columnType('decimal(6,2) unsigned').nullable(),
    ratio: p.float().nullable(),
    single: p.float().columnType('float').nullable(),
    day: p.date().nullable(),
    at: p.datetime().nullable(),
    stamp: p.datetime().columnType('timestamp(6) null').nullable(),
    note: p.text().columnType('tinytext').nullable(),
    story: p.text().nullable(),
    serial: p
      .string()
      .length(36)
      .unique()
      .onCreate(() => randomUUID()),
  },
});

const names = [
  ...(['label', 'latin', 'pieces', 'tiny', 'large', 'amount', 'ratio', 'day', 'at', 'stamp'] as const),
  ...(['note', 'story', 'single'] as const),
];
const shown = { modelClass: Ware, readableColumnNames: ['id', ...names] } as const;
const written = { ...shown, writeableColumnNames: names };
const beforeSave = (): undefined => undefined;
const searched = {
  ...shown,
  searchableColumnNames: ['id', ...names],
  sortableColumnNames: ['id', ...names],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Ware],
    endpoints: [
      new RestfulApi({ ...written, ...searched, url: 'wares' }),
      new Create({ ...written, url: 'hooked', beforeSave }),
      new Update({ ...written, url: 'changed/:id', beforeSave }),
      new Get({ ...shown, url: 'labels/:label', recordLookupColumnName: 'label' }),
      new CreateMany({ ...written, url: 'many', maximumRecords: 10_000 }),
      new CreateMany({ ...written, url: 'many/hooked', beforeSave }),
      new UpdateMany({ ...written, url: 'many' }),
      new UpdateMany({ ...written, url: 'many/hooked', beforeSave }),
      new Upsert({ ...written, url: 'upserted/:serial', recordLookupColumnName: 'serial' }),
      new Upsert({
        ...written,
        url: 'upserted/hooked/:serial',
        recordLookupColumnName: 'serial',
        beforeSave,
      }),
      new Import({ ...written, url: 'import' }),
      new Import({ ...written, url: 'import/hooked', beforeSave }),
      new Import({ ...written, url: 'import/chunks', mode: 'chunks' }),
      new AdvancedSearch({ ...searched, url: 'search', maximumInValues: 100_000 }),
    ],
    root: { bodyLimit: 20_000_000 },
  },
  mariaDbOnly,
);

const characters = 'value contains characters that cannot be stored';
const range = 'value is out of range';

/** Values that have the type of their column, and that MariaDB does not keep. */
const kept: readonly (readonly [name: (typeof names)[number], value: unknown, complaint: string])[] = [
  ['label', '😀', characters],
  ['latin', 'ł', characters],
  ['pieces', -1, range],
  ['tiny', 256, range],
  ['tiny', -1, range],
  ['large', '-1', range],
  ['amount', '-0.01', range],
  ['amount', '10000', range],
  ['stamp', '1969-12-31T23:59:59Z', range],
  ['stamp', '1970-01-01T00:00:00Z', range],
  ['stamp', '2038-01-19T03:14:08Z', range],
  ['day', '0000-00-00', 'given value did not appear to be a valid date'],
  ['day', '2026-00-01', 'given value did not appear to be a valid date'],
  ['at', '0000-00-00T00:00:00Z', 'given value did not appear to be a valid date'],
  ['note', 'x'.repeat(256), 'value is too long'],
];

type Values = Readonly<Record<string, unknown>>;
type Way = 'post' | 'patch' | 'put';

/** All ways to write a record, each with what stands before its columns in `input_errors`. */
const writes = (id: number, values: Values): readonly (readonly [Way, string, object, string])[] => [
  ['post', '/wares', values, ''],
  ['post', '/hooked', values, ''],
  ['patch', `/wares/${id}`, values, ''],
  ['patch', `/changed/${id}`, values, ''],
  ...['seventh', 'new', 'hooked/seventh', 'hooked/new'].map(
    (serial) => ['put', `/upserted/${serial}`, values, ''] as const,
  ),
  ...['/many', '/many/hooked'].flatMap((path) => [
    ['post', path, { records: [{ story: 'good' }, values] }, 'records.1.'] as const,
    ['patch', path, { records: [{ id, ...values }] }, 'records.0.'] as const,
    ['patch', path, { ids: [id], changes: values }, 'changes.'] as const,
  ]),
];

contract(
  'On MariaDB a value that its column cannot keep is input_errors on the column, and changes nothing',
  async (subject) => {
    const { request, versions } = subject;
    const { id } = (await request().post('/wares').send({ label: 'first' })).body.data;
    await request().put('/upserted/seventh').send({ label: 'seventh' });
    const before = await versions('ware');
    for (const [name, value, complaint] of kept) {
      for (const [way, path, body, prefix] of writes(id, { [name]: value }))
        expectAnswer(
          await request()[way](path).send(body),
          400,
          inputErrors({ [`${prefix}${name}`]: complaint }),
        );
      for (const path of ['/import', '/import/hooked', '/import/chunks']) {
        const { body } = await send(subject, path, asJson([{ [name]: value }]), 'application/x-ndjson');
        expect([path, linesOf(body)[0]]).toEqual([path, { line: 1, input_errors: { [name]: complaint } }]);
      }
    }
    expect(await versions('ware')).toEqual(before);
  },
);

contract(
  'On MariaDB values at the edge of what their columns keep are stored, answered and found as they were sent',
  async ({ request }) => {
    for (const values of [
      { label: 'ſtraße', latin: 'ß', pieces: 0, tiny: 255, large: '9223372036854775807' },
      { amount: '9999.99', ratio: 16777217, day: '0001-01-01', at: '0001-01-01T00:00:00+00:00' },
      { ratio: 0.1, day: '0999-12-31', at: '0999-12-31T23:59:59+00:00' },
      { ratio: -8.271460366681208e-14, day: '9999-12-31', at: '9999-12-31T23:59:59+00:00' },
      { stamp: '1970-01-01T00:00:01+00:00', note: 'x'.repeat(255), ratio: 1e38 },
      { stamp: '2038-01-19T03:14:07+00:00', note: '😀'.repeat(63) },
    ]) {
      const created = await request().post('/wares').send(values);
      expect([created.status, created.body.data]).toEqual([201, expect.objectContaining(values)]);
      const { id } = created.body.data;
      const found = await request().get('/wares').query(values);
      expect(found.body.data).toEqual([expect.objectContaining({ id, ...values })]);
    }
  },
);

contract(
  'On MariaDB a number with a floating point is the same by every way to read it',
  async ({ request, em, orm }) => {
    const property = fc.asyncProperty(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), async (drawn) => {
      const ratio = drawn + 0;
      const created = await request().post('/wares').send({ ratio });
      const { id } = created.body.data;
      const hooked = await request().post('/hooked').send({ ratio });
      const found = await request().get(`/wares/${id}`);
      const { ratio: loaded } = await em().findOneOrFail(Ware, { id });
      const [whole] = await connectionOf(orm).execute<{ ratio: number }[]>(
        'select ratio from ware where id = ?',
        [id],
      );
      const answered = [created, hooked, found].map(({ body }) => body.data.ratio);
      expect([...answered, loaded, whole?.ratio]).toEqual(Array.from({ length: 5 }, () => ratio));
    });
    await fc.assert(property, { numRuns: 100, examples: [[975.5614013671875], [975.5614013671876]] });
  },
);

contract(
  'On MariaDB an instant of any year is the same by every way to read it, and may be written again',
  async ({ request, em }) => {
    const calendar = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') };
    const property = fc.asyncProperty(fc.date({ ...calendar, noInvalidDate: true }), async (date) => {
      const at = `${date.toISOString().slice(0, 19)}+00:00`;
      const { id } = (await request().post('/wares').send({ at })).body.data;
      const found = await request().get(`/wares/${id}`);
      const { at: loaded } = await em().findOneOrFail(Ware, { id });
      const again = await request().patch(`/changed/${id}`).send({ at });
      const seen = [found.body.data.at, again.status, again.body.data.at, loaded?.getTime()];
      expect(seen).toEqual([at, 200, at, Date.parse(at)]);
    });
    const examples = ['0001-01-01', '0031-05-09', '0050-12-31', '0099-12-31', '0100-01-01'];
    await fc.assert(property, {
      numRuns: 100,
      examples: examples.map((day) => [new Date(`${day}T04:00:22Z`)]),
    });
  },
);

contract(
  'On MariaDB a number of single precision is answered with six digits, on both ways',
  async ({ request }) => {
    for (const [sent, answered] of [
      [0.1, 0.1],
      [16777216, 16777200],
      [-2.7182817, -2.71828],
    ]) {
      const created = await request().post('/wares').send({ single: sent });
      expect([created.status, created.body.data.single]).toEqual([201, answered]);
      const got = await request().get(`/wares/${created.body.data.id}`);
      expect([got.status, got.body.data.single]).toEqual([200, answered]);
    }
  },
);

contract('On MariaDB a search for text that its column cannot have is a 400', async ({ request, log }) => {
  await request().post('/wares').send({ label: 'first', latin: 'first' });
  const refused = clientError('The database refuses a value of the search');
  for (const [column, value] of [
    ['label', '😀'],
    ['latin', 'ł'],
  ] as const) {
    expectAnswer(
      await request()
        .get('/wares')
        .query({ [column]: value }),
      400,
      refused,
    );
    for (const operator of ['=', '!=', '<', 'in', 'like', 'contains']) {
      const where = [{ column, operator, value: operator === 'in' ? [value] : value }];
      expectAnswer(await request().post('/search').send({ where }), 400, refused);
    }
  }
  expectAnswer(await request().get(`/labels/${encodeURIComponent('😀')}`), 404, notFound);
  expect(log.text('error')).toBe('');
});

contract('On MariaDB more values than a prepared statement has are searched for', async ({ request }) => {
  const { id } = (await request().post('/wares').send({ story: 'x' })).body.data;
  const value = Array.from({ length: 70_000 }, (_, index) => index);
  const { status, body } = await request()
    .post('/search')
    .send({ where: [{ column: 'id', operator: 'in', value }] });
  expect([status, body.data.map((ware: { id: number }) => ware.id)]).toEqual([200, [id]]);
});

contract('On MariaDB more values than a prepared statement has are created', async ({ request, count }) => {
  const ware = { latin: 'x', pieces: 1, tiny: 2, large: '3', amount: '1.00', day: '2026-01-01', note: 'n' };
  const records = Array.from({ length: 10_000 }, (_, index) => ({ ...ware, label: `l${index}` }));
  expect((await request().post('/many').send({ records })).status).toBe(201);
  expect(await count(Ware)).toBe(10_000);
});

/** The server closes the connection of who sends more, and its answer may be lost with that. */
contract('On MariaDB who sends more than a packet of the server is refused alone', async ({ request }) => {
  const story = 'x'.repeat(17_000_000);
  const search = { where: [{ column: 'story', operator: '=', value: story }] };
  expect([400, 503]).toContain((await request().post('/search').send(search)).status);
  expect([409, 503]).toContain((await request().post('/wares').send({ story })).status);
  expect((await request().get('/wares')).body).toMatchObject({ status: 'success', data: [] });
});
