import { expect, test } from '@jest/globals';
import { PgBossQueue } from '@nest-endpoints/events';
import type { Application } from '../support/application.js';
import { during } from '../support/during.js';
import { make, soon, sql } from './events.during.js';
import { depot, of } from './events.parcels.js';

/** Has the database note how many deliveries come with each statement. */
const noteSlices = (application: Application): Promise<unknown> =>
  application
    .em()
    .getConnection()
    .executeDump(
      `create table slice (id serial, tries int);
      create function note() returns trigger language plpgsql as
        $$ begin insert into slice (tries) select count(*) from added; return null; end $$;
      create trigger note after insert on webhook_delivery referencing new table as added
        for each statement execute function note()`,
    );

/** Makes subscriptions of the application. */
const subscriptions = (application: Application, count: number): Promise<unknown> =>
  sql(
    application,
    `insert into webhook_subscription (url, events, secrets, active, audience, created_at)
      select 'http://127.0.0.1:9/', '["parcel"]', '[]', true, 'application', now() from generate_series(1, ${count})`,
  );

/** The number of deliveries of each statement, once there are so many of them. */
const slices = (application: Application, all: number): Promise<readonly (number | undefined)[]> =>
  soon(async () => {
    const tries = (await sql(application, 'select tries from slice order by id')).map((one) => one.tries);
    return tries.reduce<number>((sum, one = 0) => sum + one, 0) >= all ? tries : undefined;
  });

test('Deliveries of one look are written a thousand at a time', async () => {
  await during(depot({ schedule: [3_600_000] }), async (application) => {
    await noteSlices(application);
    await subscriptions(application, 30);
    await make(application, 75);
    expect(await slices(application, 2250)).toEqual([1000, 1000, 250]);
    const [row] = await sql(
      application,
      `select count(distinct event_id)::int as tries from webhook_delivery where state = 'due' and tries = 0`,
    );
    expect(row?.tries).toBe(2250);
  });
});

test('Deliveries of one look are written 8 MiB at a time, and a longer one by itself', async () => {
  await during(depot({ schedule: [3_600_000] }), async (application) => {
    await noteSlices(application);
    await subscriptions(application, 4);
    await sql(
      application,
      `insert into change_record (at, transaction, model, record_id, operation, before, after)
        select clock_timestamp(), pg_current_xact_id(), 'Parcel', '1', 'updated', '{"name": "Books"}',
          jsonb_build_object('name', repeat('x', n * 1024 * 1024)) from unnest(array[3, 9]) n`,
    );
    expect(await slices(application, 8)).toEqual([2, 2, 1, 1, 1, 1]);
  });
});

test('Changes are read 8 MiB at a time, and a longer one by itself', async () => {
  const taken: number[] = [];
  const boss = {
    insert: (_name: string, jobs: readonly unknown[]) => {
      taken.push(jobs.length);
      return Promise.resolve();
    },
  };
  await during(
    depot({}, () => ({ deliver: new PgBossQueue(boss, 'parcels') })),
    async (application) => {
      await sql(
        application,
        `insert into change_record (at, transaction, model, record_id, operation, before, after)
          select clock_timestamp(), pg_current_xact_id(), 'Parcel', '1', 'updated', '{"name": "Books"}',
            jsonb_build_object('name', repeat('x', n * 1024 * 1024)) from unnest(array[3, 3, 3, 9, 1, 1, 9]) n`,
      );
      await soon(async () => {
        await application.request().get('/parcels').set(of(1));
        return taken.reduce((sum, one) => sum + one, 0) >= 7 ? true : undefined;
      });
      expect(taken).toEqual([2, 1, 1, 2, 1]);
    },
  );
});

test('More changes than can be handed over together are handed over in smaller parts, in order', async () => {
  const taken: number[][] = [];
  const boss = {
    insert: (_name: string, jobs: readonly { readonly data: { readonly data: object } }[]) => {
      if (jobs.length > 3) throw new Error('Too much at once');
      taken.push(jobs.map(({ data }) => (data.data as { readonly id: number }).id));
      return Promise.resolve();
    },
  };
  await during(
    depot({}, () => ({ deliver: new PgBossQueue(boss, 'parcels') })),
    async (application) => {
      const ids = await make(application, 12);
      await soon(async () => {
        await application.request().get('/parcels').set(of(1));
        return taken.flat().length >= ids.length ? true : undefined;
      });
      expect(taken.flat()).toEqual(ids);
      expect(taken.every(({ length }) => length <= 3)).toBe(true);
    },
  );
});
