import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MikroORM } from '@mikro-orm/core';
import { Webhooks } from '@nest-endpoints/events';
import type { Application, ApplicationOptions } from '../support/application.js';
import { unconnected } from '../support/database.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { during } from '../support/during.js';
import { fc } from '../support/property.js';
import { make, soon, sql } from './events.during.js';
import { depot, inner, of, operator, subscribe } from './events.parcels.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Functions of ours stand in front of those of PostgreSQL. */
const turned = (options: ApplicationOptions): ApplicationOptions => ({
  ...options,
  orm: { driverOptions: { options: '-c search_path=public,pg_catalog' } },
});

/** Gives the database a clock that tests turn. */
const giveClock = (application: Application): Promise<unknown> =>
  application
    .em()
    .getConnection()
    .executeDump(
      `create table turned_clock (ahead interval not null);
      insert into turned_clock values ('0');
      create function public.clock_timestamp() returns timestamptz language sql volatile as
        'select pg_catalog.clock_timestamp() + ahead from public.turned_clock'`,
    );

test('A clock that is set back by an hour holds nothing back', async () => {
  receiver.clear();
  let back = 0;
  receiver.answer = (_received, response) => {
    back = 3_600_000;
    response.writeHead(receiver.all().length === 1 ? 500 : 200).end();
  };
  const now = () => Date.now() - back;
  const webhooks = () => new Webhooks({ ...inner, schedule: [0, 1] }, { now });
  await during(
    depot({}, () => ({ deliver: webhooks() })),
    async (application) => {
      await subscribe(application, of(1), receiver.url);
      await make(application, 1);
      const [first, second] = await receiver.until(2);
      const timeOf = (one: typeof first) => Number(one?.headers['webhook-timestamp']);
      expect(timeOf(second) - timeOf(first)).toBeLessThan(-3000);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    },
  );
});

test('A clock of the database that is set back by an hour holds no delivery back', async () => {
  receiver.clear();
  const webhooks = () => new Webhooks({ ...inner, schedule: [1000] });
  await during(turned(depot({}, () => ({ deliver: webhooks() }))), async (application) => {
    await giveClock(application);
    await subscribe(application, of(1), receiver.url);
    // The clock was looked at before the first delivery.
    const [first] = await make(application, 1);
    await receiver.until(1);
    // As soon as it is said when the next one is due.
    await application.em().getConnection().executeDump(`
        create function set_back() returns trigger language plpgsql as
          $$ begin update turned_clock set ahead = '-1 hour'; return null; end $$;
        create trigger set_back after insert on webhook_delivery execute function set_back()`);
    const [second] = await make(application, 1);
    const all = await receiver.until(2);
    expect(all.map(({ event }) => event.data['id'])).toEqual([first, second]);
    const [row] = await sql(application, `select extract(epoch from ahead)::int as due from turned_clock`);
    expect(row?.due).toBe(-3600);
  });
});

test('A transaction that is open for long elsewhere in the server has events be late, and the health says so; none is lost', async () => {
  receiver.clear();
  const other = await MikroORM.init({ ...unconnected, clientUrl: String(process.env['TEST_DATABASE_URL']) });
  try {
    await during(turned(depot()), async (application) => {
      const { request } = application;
      await giveClock(application);
      await subscribe(application, of(1), receiver.url);
      const before = await make(application, 1);
      await receiver.until(1);
      const em = other.em.fork();
      await em.begin();
      await em.getConnection().execute('select pg_current_xact_id()', [], 'all', em.getTransactionContext());
      const meanwhile = await make(application, 2);
      expect((await request().get('/health/events')).status).toBe(200);
      await sql(application, `update turned_clock set ahead = '10 minutes'`);
      const last = await make(application, 1);
      expect((await request().get('/health/events')).status).toBe(500);
      const { body } = await request().get('/events/status').set(operator);
      expect(body.data.lag).toBeGreaterThanOrEqual(600_000);
      expect(receiver.all()).toHaveLength(1);
      await em.commit();
      const all = await receiver.until(4);
      const told = all.map(({ event }) => event.data['id']);
      expect(told.toSorted()).toEqual([...before, ...meanwhile, ...last]);
      expect((await request().get('/health/events')).status).toBe(200);
    });
  } finally {
    await other.close(true);
  }
});

test.each([
  [503, '0', 2800, 4320],
  [429, '99999999999', 86_000, 86_400],
])(
  'A receiver that says when to ask again has its tries no sooner than others, and within a day: %i, %s',
  async (status, retryAfter, least, most) => {
    receiver.clear();
    receiver.answer = (_received, response) =>
      response.writeHead(status, { 'retry-after': retryAfter }).end();
    await during(depot({ schedule: [0, 3_600_000] }), async (application) => {
      await subscribe(application, of(1), receiver.url);
      await make(application, 1);
      const row = await soon(
        async () =>
          (
            await sql(
              application,
              `select extract(epoch from due_at - now())::int as due from webhook_delivery where tries = 1`,
            )
          )[0],
      );
      expect(row.due).toBeGreaterThan(least);
      expect(row.due).toBeLessThanOrEqual(most);
    });
  },
);

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** The seconds of pauses before the next tries, the shortest first, once there are so many deliveries with so many tries. */
const pausesOf = (application: Application, count: number, tries: number): Promise<readonly number[]> =>
  soon(async () => {
    const rows = await sql(
      application,
      `select extract(epoch from due_at - created_at)::int as due from webhook_delivery where tries = ${tries} order by due_at`,
    );
    return rows.length === count ? rows.map(({ due = 0 }) => due) : undefined;
  });

test.each([
  ['A first try', [3_600_000], 0],
  ['A try after a failure', [0, 3_600_000], 1],
] as const)(
  '%s is put off by a time of its own, however chance falls: not all come at once',
  async (_what, schedule, tries) => {
    receiver.clear();
    receiver.answer = (_received, response) => response.writeHead(500).end();
    const drawn = fc.sample(chance, 40);
    let next = 0;
    const random = () => drawn[next++ % drawn.length] ?? 0;
    await during(
      depot({}, () => ({ deliver: new Webhooks({ ...inner, schedule }, { random }) })),
      async (application) => {
        await subscribe(application, of(1), receiver.url);
        await make(application, drawn.length);
        const pauses = await pausesOf(application, drawn.length, tries);
        const meant = drawn.map((one) => 3600 * (0.8 + 0.4 * one)).toSorted((one, other) => one - other);
        for (const [index, pause] of pauses.entries()) {
          // The way to the receiver and back takes a moment.
          expect(pause).toBeGreaterThan((meant[index] ?? 0) - 1);
          expect(pause).toBeLessThan((meant[index] ?? 0) + 30);
        }
      },
    );
  },
);
