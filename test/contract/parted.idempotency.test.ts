import { expect, test } from '@jest/globals';
import { p, type EntityName, type MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import {
  Batch,
  Create,
  CreateMany,
  IdempotencyRecord,
  partedIdempotencyRecord,
  Public,
} from '@nest-endpoints/core';
import { startApplication } from '../support/application.js';
import { connectionOf } from '../support/catalogue.js';
import { once, postgresqlOnly, service, sqliteOnly, type Subject } from '../support/contract.js';
import { KeptInParts, of, partedEntities, partedShop, Task } from './parted.shop.js';
import { stopped } from './stopped.js';

const tasks = {
  modelClass: Task,
  readableColumnNames: ['id', 'name'],
  writeableColumnNames: ['id', 'name'],
  idempotency: true,
} as const;

const endpoints = [
  new Create({ ...tasks, url: 'tasks' }),
  new CreateMany({ ...tasks, url: 'tasks/bulk' }),
  new Batch({ url: 'batch', idempotency: true, wholeApplication: true }),
];

const shop = {
  ...partedShop,
  root: { ...partedShop.root, authentication: new Public() },
  endpoints,
};

const { contract } = service(shop, [...postgresqlOnly, ...sqliteOnly]);

const post = ({ request }: Pick<Subject, 'request'>, path: string, tenant: string, body: object) =>
  request().post(path).set(of(tenant)).set('Idempotency-Key', 'key').send(body);

contract(
  'An answer is kept in the part of its record, whatever kind of endpoint it is of',
  async (subject) => {
    const bodies = [
      ['/tasks', { id: 1, name: 'one' }],
      ['/tasks/bulk', { records: [{ id: 2, name: 'two' }] }],
      ['/batch', { operations: [{ method: 'POST', path: '/tasks', body: { id: 3, name: 'three' } }] }],
    ] as const;
    for (const [path, body] of bodies)
      for (const tenant of ['a', 'b']) {
        const first = await post(subject, path, tenant, body);
        expect([path, first.status < 300, first.headers['idempotency-replayed']]).toEqual([
          path,
          true,
          undefined,
        ]);
        const again = await post(subject, path, tenant, body);
        expect([path, again.headers['idempotency-replayed'], again.text]).toEqual([path, 'true', first.text]);
      }
    const rows = await connectionOf(subject.orm).execute<{ tenant: string }[]>(
      'select tenant from idempotency_record order by tenant',
    );
    expect(rows.map(({ tenant }) => tenant)).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
    expect(await subject.count(Task)).toBe(6);
  },
);

const expire = (subject: Subject) =>
  subject
    .em()
    .nativeUpdate(KeptInParts as EntityName<{ expiresAt: Date }>, {}, { expiresAt: new Date('2001-01-01') });

contract('A key that has expired counts as none in its part', async (subject) => {
  expect((await post(subject, '/tasks', 'a', { id: 1, name: 'one' })).status).toBe(201);
  await expire(subject);
  const second = await post(subject, '/tasks', 'a', { id: 2, name: 'two' });
  expect([second.status, second.headers['idempotency-replayed']]).toEqual([201, undefined]);
  const again = await post(subject, '/tasks', 'a', { id: 2, name: 'two' });
  expect(again.headers['idempotency-replayed']).toBe('true');
});

contract('A request that names no part is refused, and nothing is created', async (subject) => {
  const { status } = await subject
    .request()
    .post('/batch')
    .set('Idempotency-Key', 'key')
    .send({ operations: [] });
  expect(status).toBeGreaterThanOrEqual(400);
  const sent = await subject
    .request()
    .post('/tasks')
    .set('Idempotency-Key', 'key')
    .send({ id: 1, name: 'one' });
  expect(sent.status).toBe(500);
  expect(await subject.count(Task)).toBe(0);
});

const swept = service({ ...shop, root: { ...shop.root, idempotencyKeyTime: 1000 } }, once);

swept.contract(
  'A sweep waits for no row that somebody else holds, and takes the rest of each part',
  async (subject) => {
    for (const tenant of ['a', 'b'])
      for (const id of [1, 2]) {
        const { status } = await subject
          .request()
          .post('/tasks')
          .set(of(tenant))
          .set('Idempotency-Key', `key-${id}`)
          .send({ id, name: `task ${id}` });
        expect(status).toBe(201);
      }
    await expire(subject);
    const left = async (): Promise<readonly string[]> => {
      const rows = await connectionOf(subject.orm).execute<{ tenant: string }[]>(
        'select tenant from idempotency_record',
      );
      return rows.map(({ tenant }) => tenant);
    };
    await subject.em().transactional(async (em) => {
      await (em as SqlEntityManager).execute(`select 1 from idempotency_record where tenant = 'a' and id in (
      select min(id) from idempotency_record where tenant = 'a') for update`);
      // A sweep comes every second.
      while ((await left()).length > 1);
      expect(await left()).toEqual(['a']);
    });
  },
);

const start = (entities: readonly object[], root: object = { partition: partedShop.root.partition }) =>
  stopped(() => new Create({ ...tasks, url: 'tasks' }), {
    entities: [...partedEntities, ...entities] as never,
    root: { authentication: new Public(), ...root },
  });

test('A table of kept answers that is whole, or in other parts than the records, stops the start', async () => {
  expect(await start([IdempotencyRecord])).toContain(
    "is in parts by 'tenant', and the answers would not be: take partedIdempotencyRecord({ tenant: … })",
  );
  expect(await start([partedIdempotencyRecord({ customer: p.string() })])).toContain(
    "partedIdempotencyRecord has the column 'customer', and that of `partition` is 'tenant'",
  );
  expect(await start([KeptInParts])).toBe('Error: the application started');
  for (const column of [{}, { a: p.string(), b: p.string() }, { status: p.string() }])
    expect(() => partedIdempotencyRecord(column)).toThrow('wants one column');
});

/** Starts with the table of kept answers as it was without parts, and with what is done to it. */
const startedOn = (sql: readonly string[]) =>
  startApplication('express', 'postgresql', {
    ...shop,
    tables: async (orm: MikroORM, database) => {
      await partedShop.tables(orm, database);
      const whole = `drop table idempotency_record; create table idempotency_record (id varchar(64) primary key,
        request varchar(64) not null, status smallint, data text, entity_tag text, record_key text,
        expires_at timestamptz not null)`;
      for (const statement of [...whole.split(';'), ...sql]) await connectionOf(orm).execute(statement);
    },
  });

test('A table of kept answers from before stops the start with the statements that bring it into parts', async () => {
  const error: unknown = await startedOn([]).catch((reason: unknown) => reason);
  const { message } = error as Error;
  expect(message).toContain(
    'partedIdempotencyRecord: tenant: the key of the table "idempotency_record" does not',
  );
  const [, sql = ''] = /and goes: (.*)$/.exec(message) ?? [];
  const application = await startedOn(sql.split(';'));
  try {
    expect((await post(application, '/tasks', 'a', { id: 1, name: 'one' })).status).toBe(201);
  } finally {
    await application.close();
  }
});
