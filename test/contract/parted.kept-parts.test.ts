import { expect, test } from '@jest/globals';
import { p, type MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Create, IdempotencyRecord, partedIdempotencyRecord, Public } from '@nest-endpoints/core';
import { startApplication } from '../support/application.js';
import { connectionOf } from '../support/catalogue.js';
import { once, service } from '../support/contract.js';
import { expire, post, shop, tasks } from './parted.keeping.js';
import { KeptInParts, of, partedEntities, partedShop } from './parted.shop.js';
import { stopped } from './stopped.js';

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
