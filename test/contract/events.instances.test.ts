import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MikroORM } from '@mikro-orm/core';
import type { INestApplication } from '@nestjs/common';
import supertest from 'supertest';
import type { Application } from '../support/application.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { during } from '../support/during.js';
import { besides, soon, sql } from './events.during.js';
import { depot, of, operator, subscribe } from './events.parcels.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Runs work with a database that outlives its instances. */
const withDatabase = async (
  work: (database: Application, start: () => Promise<INestApplication>) => Promise<void>,
): Promise<void> => {
  const { entities, root } = depot();
  const started: INestApplication[] = [];
  await during({ entities, root: root ?? {} }, async (database) => {
    try {
      await work(database, async () => {
        const instance = await besides(database, depot());
        started.push(instance);
        return instance;
      });
    } finally {
      for (const instance of started) await instance.close();
    }
  });
};

const requestOf = async (instance: INestApplication) => {
  const address = await instance.getUrl();
  return () => supertest(address);
};

const holderOf = async (database: Application) =>
  (await sql(database, 'select holder as state from event_position'))[0]?.state ?? undefined;

test('A delivery that is under way when its process ends is not sent a second time by the next one', async () => {
  receiver.clear();
  let answer: (() => void) | undefined;
  receiver.answer = ({ event }, response) => {
    if (event.data['name'] === 'slow') answer = () => response.writeHead(200).end();
    else response.writeHead(200).end();
  };
  await withDatabase(async (database, start) => {
    const first = await start();
    const before = await holderOf(database);
    const second = await start();
    const request = await requestOf(second);
    await subscribe({ request }, of(1), receiver.url);
    const make = async (name: string) => {
      await request().post('/parcels').set(of(1)).send({ name, tenant_id: 1 }).expect(201);
      await receiver.until(1, ({ event }) => event.data['name'] === name);
    };
    await make('slow');
    const closed = first.close();
    await soon(async () => {
      const now = await holderOf(database);
      return now === before ? undefined : now;
    });
    // The other one looks for what is due, and sends it.
    await make('next');
    answer?.();
    await closed;
    await make('last');
    expect(receiver.all().map(({ event }) => event.data['name'])).toEqual(['slow', 'next', 'last']);
    const rows = await soon(async () => {
      const all = await sql(
        database,
        `select state || ' ' || tries as state from webhook_delivery order by id`,
      );
      return all.every(({ state }) => state !== 'due 0') ? all : undefined;
    });
    expect(rows.map(({ state }) => state)).toEqual(['delivered 1', 'delivered 1', 'delivered 1']);
  });
});

test('A process that waits for the relay opens no connection each time that it looks', async () => {
  await withDatabase(async (database, start) => {
    await start();
    await start();
    const seen = new Set<string>();
    const looks = async () => {
      const rows = await sql(
        database,
        `select pid || ' ' || backend_start as state, (query like 'select holder, beat%')::int as due, state_change::text as last_error
          from pg_stat_activity where application_name = 'nest-endpoints-events' and datname = current_database()`,
      );
      for (const { state } of rows) seen.add(String(state));
      return rows.filter(({ due }) => due === 1).map(({ last_error }) => last_error);
    };
    const times = new Set<unknown>();
    await soon(async () => {
      for (const time of await looks()) times.add(time);
      return times.size > 12 ? true : undefined;
    });
    // The one that has it has a session, and sends beside that; and a connection may break.
    expect(seen.size).toBeLessThanOrEqual(6);
  });
});

test('Applications in schemas of their own of one database each hand on their events', async () => {
  receiver.clear();
  const options = (schema: string) => ({ ...depot(), orm: { schema } });
  await withDatabase(async (database, start) => {
    await start();
    const holder = await soon(() => holderOf(database));
    const other = await MikroORM.init({
      ...database.orm.config.getAll(),
      schema: 'other',
      entities: [...depot().entities],
    } as never);
    await other.schema.create();
    await other.close();
    const second = await besides(database, options('other'));
    try {
      const request = await requestOf(second);
      await subscribe({ request }, of(1), receiver.url);
      await request().post('/parcels').set(of(1)).send({ name: 'other', tenant_id: 1 }).expect(201);
      await receiver.until(1);
      expect(await holderOf(database)).toBe(holder);
    } finally {
      await second.close();
    }
  });
});

test('A position of another server, whose data were restored, is told of, and events go on from a moment that is named', async () => {
  receiver.clear();
  await withDatabase(async (database, start) => {
    await sql(
      database,
      `insert into event_position (name, transaction, change_id, at, beat) values ('events', '900000000000', '5', now(), 0)`,
    );
    const instance = await start();
    const request = await requestOf(instance);
    await subscribe({ request }, of(1), receiver.url);
    const post = (name: string) =>
      request().post('/parcels').set(of(1)).send({ name, tenant_id: 1 }).expect(201);
    for (const name of ['handed on before', 'waiting']) await post(name);
    // As they came with the data of the other server, which had not handed on the second one.
    await sql(
      database,
      `update event_position set change_id = (select min(id)::text from change_record);
      update change_record set transaction = '900000000000'`,
    );
    const [moment] = await sql(database, 'select clock_timestamp()::text as state');
    await post('after');
    expect((await request().get('/health/events')).status).toBe(500);
    const from = encodeURIComponent(new Date(String(moment?.state)).toISOString());
    await request().post(`/events/replay?from=${from}`).set(operator).expect(200);
    await receiver.until(2);
    await soon(async () => ((await request().get('/health/events')).status === 200 ? true : undefined));
    expect(receiver.all().map(({ event }) => event.data['name'])).toEqual(['waiting', 'after']);
  });
});
