import { expect, test } from '@jest/globals';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/sql';
import { OwnRecords } from '@nest-endpoints/auth';
import { Authorization } from '@nest-endpoints/core';
import { EventPosition, PgBossQueue, WebhookDelivery, Webhooks } from '@nest-endpoints/events';
import { openApiDocument } from '@nest-endpoints/openapi';
import { startUpError } from '../support/application.js';
import { once, service } from '../support/contract.js';
import { depot, of, operator, Parcel, subscribe } from './events.parcels.js';

const { contract } = service(depot(), once);

/** An entity whose changes nobody records. */
const Untold = defineEntity({ name: 'Untold', properties: { id: p.integer().primary() } });

/** A rule that does not say by which columns it narrows. */
class Unsaid extends Authorization<InferEntity<typeof Parcel>, { tenant: number }> {
  override filterModel(query: QueryBuilder<InferEntity<typeof Parcel>>, { tenant }: { tenant: number }) {
    return query.andWhere({ tenantId: tenant });
  }
}

contract('Documents tell receivers what they get', (subject) => {
  const { webhooks } = openApiDocument(subject.app) as unknown as {
    webhooks: Record<string, { post: { requestBody: { content: object } } }>;
  };
  expect(Object.keys(webhooks)).toEqual([
    'parcel.created',
    'parcel.updated',
    'parcel.deleted',
    'parcel.restored',
    'audit.deleted',
  ]);
  expect(JSON.stringify(webhooks['parcel.updated'])).toContain('"changed"');
  expect(openApiDocument(subject.app, { schemaFormat: 'openapi3.0' })['webhooks']).toBeUndefined();
});

contract(
  'Dead deliveries, and those that wait for their next try, cost those that are due nothing',
  async (subject) => {
    const { em } = subject;
    await subscribe(subject, of(1), 'http://127.0.0.1:1/');
    const sql = (text: string) => em().getConnection().execute<{ query: string }[]>(text);
    await sql(`insert into webhook_delivery (subscription_id, event_id, type, model, record_id, body, state, tries, due_at,
      created_at, ended_at) select 1, gen_random_uuid(), 'parcel.created', 'Parcel', n::text, '{}', state, 4,
      now() + interval '1 hour', now(), case state when 'dead' then now() end
    from generate_series(1, 100000) n, unnest(array['dead', 'due']) state`);
    await sql('analyze webhook_delivery');
    const find = async () =>
      (
        await sql(
          `select query from pg_stat_activity where application_name = 'nest-endpoints-events' and query like 'select p.* from (select d.*, s.url%'`,
        )
      )[0]?.query;
    let text = await find();
    while (text === undefined) text = await find();
    const connection = em().fork();
    const took: number[] = [];
    await connection.transactional(async (tx) => {
      const run = (statement: string) =>
        tx
          .getConnection()
          .execute<Record<string, unknown>[]>(statement, [], 'all', tx.getTransactionContext());
      await run(`prepare looked as ${String(text)}`);
      for (let count = 0; count < 5; count += 1) {
        const [row] = await run(`explain (analyze, format json) execute looked(32, 4, '{}', '{}', 16)`);
        const [plan] = Object.values(row ?? {})[0] as { 'Execution Time': number }[];
        took.push(plan?.['Execution Time'] ?? Infinity);
      }
      await run('deallocate looked');
    });
    expect(Math.min(...took)).toBeLessThan(5);
    expect((await subject.request().get('/events/status').set(operator)).body.data).toMatchObject({
      dead: 100_000,
      due: 100_000,
    });
  },
);

test('Mistakes in events stop the start', async () => {
  const told = { model: Parcel, show: ['id'], authorization: new OwnRecords('tenantId', 'tenant') };
  const cases: [more: object, message: string][] = [
    [
      { events: { parcel: { ...told, authorization: undefined } } },
      'events.parcel.authorization: is required',
    ],
    [{ events: { parcel: { ...told, show: ['secret'] } } }, "show: 'secret' is hidden"],
    [{ events: { parcel: { ...told, show: ['size'] } } }, "show: 'size' is no column of Parcel itself"],
    [{ events: { parcel: { ...told, model: Untold } } }, 'changes of Untold are not recorded'],
    [{ events: { parcel: { ...told, on: ['read'] } } }, "'read' is unknown"],
    [{ events: { Parcel: told } }, "events: 'Parcel' is not allowed"],
    [{ events: { parcel: { ...told, authorization: new Unsaid() } } }, 'narrowedBy: is required'],
    [
      { events: { parcel: { ...told, authorization: new Unsaid(), narrowedBy: ['secret'] } } },
      "the log has no values of 'secret'",
    ],
    [{ interval: 100 }, 'interval: 100 is not allowed'],
    [{ clock: { now: Date.now } }, 'clock: '],
    [{ format: 'xml' }, "format: 'xml' is unknown"],
    [{ deliver: {} }, 'deliver: '],
    [{ deliver: undefined }, 'deliver: is required'],
  ];
  for (const [more, message] of cases) {
    const { entities, ...rest } = depot({}, () => more);
    const said = await startUpError({ ...rest, entities: [...entities, Untold] });
    expect(said).toContain(message);
  }
  const { entities, ...rest } = depot();
  for (const missing of [EventPosition, WebhookDelivery]) {
    const said = await startUpError({ ...rest, entities: entities.filter((one) => one !== missing) });
    expect(said).toContain('EventsModule: entities: MikroORM does not know');
  }
  const { root } = depot();
  expect(await startUpError({ ...depot(), root: { ...root, schemaOf: () => 'ta' } })).toContain(
    'EventsModule: events: cannot be told where tenants have schemas (schemaOf)',
  );
  expect(() => new Webhooks({ schedule: [] })).toThrow('schedule');
  expect(() => new Webhooks({ signature: 'none' as never })).toThrow('signature');
  expect(() => new PgBossQueue({} as never, 'q')).toThrow('is no pg-boss');
});
