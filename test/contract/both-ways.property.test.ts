import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  CreateMany,
  DatetimeColumn,
  defineColumns,
  DeleteMany,
  RestfulApi,
  UpdateMany,
} from '@nest-endpoints/core';
import { fc } from '../support/property.js';
import { startApplication, type Application } from '../support/application.js';
import { isMariaDb } from '../support/database.js';

const database = isMariaDb ? 'mariadb' : 'postgresql';

/** Writes that answer with columns of parents are MikroORM's on MariaDB. */
const ofParents = isMariaDb ? [] : (['owner.name'] as const);

const sixItems = isMariaDb
  ? `insert into item (id, name, is_active, revision) select seq, concat('n', seq), seq > 3, 1 from seq_1_to_6`
  : `insert into item (id, name, is_active, revision) select n, 'n' || n, n > 3, 1 from generate_series(1, 6) n`;

const Owner = defineEntity({
  name: 'Owner',
  properties: { id: p.integer().primary().autoincrement(), name: p.string().length(20) },
});

const Item = defineEntity({
  name: 'Item',
  properties: {
    // Not from a sequence, whose numbers a refused insert uses up.
    id: p.integer().primary(),
    code: p.string().length(8).nullable().unique(),
    name: p.string().length(20).default('nobody'),
    owner: () => p.manyToOne(Owner).nullable(),
    amount: p.decimal().precision(8).scale(2).nullable(),
    large: p.bigint().nullable(),
    ratio: p.double().nullable(),
    level: p.smallint().nullable(),
    day: p.date().nullable(),
    at: p.datetime(6).nullable(),
    isActive: p.boolean().default(true),
    data: p.json().nullable(),
    tags: p.array().nullable(),
    revision: p
      .integer()
      .onUpdate(() => 7)
      .default(1),
  },
});

defineColumns(Item, { at: { type: new DatetimeColumn({ precision: 'milliseconds' }) } });

const sent = [
  'code',
  'name',
  'ownerId',
  'amount',
  'large',
  'ratio',
  'level',
  'day',
  'at',
  'isActive',
  'data',
  'tags',
] as const;

const columns = {
  modelClass: Item,
  readableColumnNames: ['id', ...sent, 'revision', ...ofParents],
  writeableColumnNames: ['id', ...sent],
} as const;

const byConditions = {
  byConditions: true,
  searchableColumnNames: ['code', 'isActive', 'owner.name'],
} as const;

const options = {
  entities: [Owner, Item],
  endpoints: [
    new CreateMany({ ...columns, url: 'items/bulk' }),
    new UpdateMany({ ...columns, ...byConditions, url: 'items/bulk', writeableColumnNames: sent }),
    new DeleteMany({ ...byConditions, url: 'items/bulk', modelClass: Item, answer: 'ids' }),
    new RestfulApi({
      url: 'items',
      modelClass: Item,
      readableColumnNames: ['id', ...sent, 'revision', ...ofParents],
      writeableColumnNames: ['id', ...sent],
      sortableColumnNames: ['id', 'code', 'ratio', 'at', 'owner.name'],
      searchableColumnNames: ['code', 'isActive', 'owner.name'],
      defaultSortColumnName: 'id',
    }),
  ],
};

/** The same service twice: its statements go past MikroORM in one, and are MikroORM's in the other. */
const services: Application[] = [];

beforeAll(async () => {
  for (const orm of [{}, { onReserveConnection: () => Promise.resolve() }])
    services.push(await startApplication('express', database, { ...options, orm }));
}, 60_000);

afterAll(async () => {
  for (const service of services) await service.close();
});

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 6 }));
const instant = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const wrong = fc.constantFrom<unknown>(null, '', ' ', 'x', 1.5, -1, [], {}, true);

/** Mostly values that columns accept, and few, so that the same ones meet again. */
const values = {
  code: fc.oneof(fc.constantFrom('a', 'b', 'c', 'A'), text),
  name: text,
  owner_id: fc.constantFrom<unknown>(1, 2, 3, null),
  amount: fc.constantFrom<unknown>('1.5', '1.50', 2, '-0.005', '99999.99', null),
  large: fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String), fc.constant(5)),
  ratio: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, -0, 1, 1e-7, 1e21, 0.1),
  ),
  level: fc.constantFrom<unknown>(0, 1, -32768, 32767, 40000, null),
  day: fc.constantFrom<unknown>('2026-02-28', '0001-01-01', '9999-12-31', '2026-02-30', null),
  at: fc.oneof(instant, fc.constantFrom<unknown>('2026-01-02T03:04:05.678+02:00', '2026-01-02T03:04Z', null)),
  is_active: fc.boolean(),
  data: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>({ a: 1 }, { a: 1.0 }, 'text', 0)),
  tags: fc.oneof(fc.array(text, { maxLength: 3 }), fc.constantFrom<unknown>(null, [], ['NULL', '', '"'])),
};

const body = fc
  .record(values, { requiredKeys: [] })
  .chain((right) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant<Record<string, unknown>>(right) },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(values)), wrong, { maxKeys: 3 }) },
    ),
  );
const created = fc.tuple(fc.integer({ min: 1, max: 8 }), body).map(([id, rest]) => ({ id, ...rest }));
const path = fc.integer({ min: 1, max: 8 }).map((id) => `/items/${id}`);
const none = fc.constant(undefined);
const list = fc.constantFrom(
  '',
  '?sort=ratio',
  '?sort=owner.name&direction=desc&limit=2',
  '?is_active=true',
  '?code=a',
);

/** Several records at once: mostly distinct ones. */
const ids = fc.oneof(
  { weight: 4, arbitrary: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 5 }) },
  { weight: 1, arbitrary: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 4 }) },
);
/** Of many values, most must be right, or hardly anything is ever written. */
const right = fc.record(
  {
    code: fc.constantFrom<unknown>(null, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    name: fc.constantFrom('x', ' y', 'NULL', '"\\{'),
    owner_id: fc.constantFrom<unknown>(1, 2, null),
    amount: fc.constantFrom<unknown>('1.5', '1.50', '-0.01', null),
    large: fc.constantFrom<unknown>('9223372036854775807', 5, null),
    ratio: fc.constantFrom<unknown>(0.1, 1e21, null),
    at: fc.oneof(instant, fc.constant(null)),
    is_active: fc.boolean(),
    data: fc.oneof(fc.constant({ a: 1.0 }), fc.constant(['"', null]), fc.constant(null)),
    tags: fc.constantFrom<unknown>(null, [], ['NULL', '', '"', 'a,b']),
  },
  { requiredKeys: [] },
);
const either = fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: body });
const records = ids.chain((all) =>
  fc.tuple(...all.map((id) => either.map((rest) => ({ id, ...rest })))).map((list) => ({ records: list })),
);
/** Behind those that are there from the start. */
const fresh = records.map((sentBody) => ({
  records: sentBody.records.map((one) => ({ ...one, id: one.id + 6 })),
}));
const where = fc
  .constantFrom<readonly [string, string, unknown]>(
    ['code', '=', 'a'],
    ['is_active', '=', true],
    ['owner.name', '=', 'Ann'],
    ['code', 'is null', undefined],
  )
  .map(([column, operator, value]) => [{ column, operator, value }]);
const maximum = fc.integer({ min: 1, max: 4 });
const bulk = (method: 'post' | 'patch' | 'delete', sentBody: fc.Arbitrary<Record<string, unknown>>) =>
  fc.tuple(fc.constant(method), fc.constant('/items/bulk'), sentBody);

const request = fc.oneof(
  { weight: 3, arbitrary: bulk('post', fresh) },
  { weight: 3, arbitrary: bulk('patch', records) },
  { weight: 2, arbitrary: bulk('patch', fc.record({ ids, changes: either })) },
  { weight: 1, arbitrary: bulk('patch', fc.record({ where, maximum, changes: either })) },
  { weight: 1, arbitrary: bulk('delete', fc.oneof(fc.record({ ids }), fc.record({ where, maximum }))) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('post' as const), fc.constant('/items'), created) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('patch' as const), path, body) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('delete' as const), path, none) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('get' as const), path, none) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('get' as const),
      list.map((query) => `/items${query}`),
      none,
    ),
  },
);

describe(`express, ${database}`, () => {
  test('Both ways answer the same bytes', async () => {
    const property = fc.asyncProperty(
      fc.array(request, { minLength: 5, maxLength: 25 }),
      async (requests) => {
        for (const service of services) {
          await service.clean();
          await service.em().insertMany(Owner, [{ name: 'Ann' }, { name: 'Ben' }]);
          await service.em().getConnection().execute(sixItems);
        }
        for (const [method, url, sentBody] of requests) {
          const answers = await Promise.all(
            services.map(async (service) => {
              const answer = await service.request()[method](url).send(sentBody);
              return { method, url, sentBody, status: answer.status, text: answer.text };
            }),
          );
          expect(answers[0]).toEqual(answers[1]);
          expect(answers[0]?.status).toBeLessThan(500);
        }
      },
    );
    await fc.assert(property, {
      numRuns: Number(process.env['RUNS'] ?? 150),
      endOnFailure: true,
    });
  }, 180_000);
});
