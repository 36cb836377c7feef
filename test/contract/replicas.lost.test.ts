import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Get, List } from '@nest-endpoints/core';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Application } from '../support/application.js';
import { faultyProxy } from '../support/faulty.proxy.js';
import { log } from '../support/log.js';
import { startCluster, type Cluster, type Standby } from '../support/standby.js';
import { portOf, startOn, stored, ways } from './replicas.cluster.js';

let cluster: Cluster;
let standby: Standby;
let primary: string;
let replica: string;

beforeAll(async () => {
  cluster = await startCluster();
  const [only] = cluster.standbys;
  if (only === undefined) throw new Error('the cluster has no standby');
  standby = only;
  primary = portOf(cluster.primary);
  replica = portOf(standby);
}, 120_000);

afterAll(() => cluster.stop());

const linesAbout = (words: string) => log.lines.filter(({ text }) => text.includes(words));

/** Reads until a server answers; everything until then is answered, too. */
const untilFrom = async ({ request }: Application, server: string): Promise<void> => {
  for (;;) {
    const { status, body } = await request().get('/letters/1');
    expect(status).toBe(200);
    if (body.data.server === server) return;
    await sleep(20);
  }
};

describe.each(ways)('%s', (way) => {
  test('While a replica is gone the primary is asked, and the log says so once each way', async () => {
    const application = await startOn(cluster, { way });
    await stored(application);
    await standby.caughtUp();
    await untilFrom(application, replica);
    log.lines = [];

    await standby.kill();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        application.request().get(index % 2 === 0 ? '/letters/1' : '/letters/mapped'),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await application.request().get('/letters/1')).body.data.server).toBe(primary);
    expect(linesAbout('is not asked until it answers again')).toHaveLength(1);

    await standby.start();
    await untilFrom(application, replica);
    expect(linesAbout('answers again')).toHaveLength(2);
    await application.close();
  }, 60_000);

  test('A replica that hangs keeps no request longer than the time limits of the database', async () => {
    const proxy = await faultyProxy(standby.url);
    const application = await startOn(cluster, { way, replicas: [proxy.url], limit: 500 });
    await stored(application);
    await standby.caughtUp();
    await untilFrom(application, replica);

    proxy.hang();
    const begun = performance.now();
    const answers = await Promise.all([1, 2, 3].map(() => application.request().get('/letters/1')));
    expect(answers.map(({ body }) => body.data.server)).toEqual([primary, primary, primary]);
    expect(performance.now() - begun).toBeLessThan(2500);

    proxy.mend();
    await untilFrom(application, replica);
    await application.close();
    await proxy.close();
  }, 60_000);
});

/** The connections to a replica, which a test can take. */
interface Pool {
  connect(): Promise<{ release(): void }>;
}

test.each([
  ['A read that gives a replica up while it waits for a connection takes none', true],
  ['A read that is sent for itself and gives a replica up takes no connection', false],
])(
  '%s',
  async (_sentence, gatherReads) => {
    const application = await startOn(cluster, {
      root: { gatherReads },
      // Without a limit of their own, waits for connections end with the whole read.
      orm: { pool: { min: 1, max: 1 }, driverOptions: { statement_timeout: 100 } },
    });
    await stored(application);
    await standby.caughtUp();
    await untilFrom(application, replica);

    const connection = application.orm.driver.getConnection('read') as unknown as {
      getNativeClient(): Promise<Pool>;
    };
    const taken = await (await connection.getNativeClient()).connect();
    expect((await application.request().get('/letters/1')).body.data.server).toBe(primary);
    taken.release();
    await untilFrom(application, replica);
    await application.close();
  },
  60_000,
);

const Ticket = defineEntity({
  name: 'Ticket',
  properties: {
    id: p.integer().primary().autoincrement(),
    number: p.bigint('string').formula(() => `nextval('ticket_id_seq')`),
  },
});

test('A read that writes is asked of the primary, and the replica is asked on', async () => {
  const tickets = new List({
    url: 'tickets',
    modelClass: Ticket,
    readableColumnNames: ['number'],
    sortableColumnNames: ['id'],
    defaultSortColumnName: 'id',
  });
  const application = await startOn(cluster, { entities: [Ticket], endpoints: [tickets] });
  await application.em().insert(Ticket, {});
  await standby.caughtUp();
  log.lines = [];
  const { status, body } = await application.request().get('/tickets');
  expect([status, body.data]).toEqual([200, [{ number: expect.any(String) }]]);
  expect(linesAbout('is not asked')).toEqual([]);
  await application.close();
});

/** Fails on the replica with the SQLSTATE that its code is; what is loaded is refused by a hook of ours. */
const Judged = defineEntity({
  name: 'Judged',
  hooks: {
    onLoad: [
      ({ entity }) => {
        if (Reflect.get(entity, 'code') === 'hook') throw new Error('a mistake of a hook');
      },
    ],
  },
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string(),
    judged: p.string().formula((columns) => `judge(${columns['code']})`),
    server: p.string().formula(() => `current_setting('port')`),
  },
});

const judged = { modelClass: Judged, readableColumnNames: ['id', 'judged', 'server'] } as const;

const startJudging = async (way: (typeof ways)[number], codes: readonly string[]): Promise<Application> => {
  const application = await startOn(cluster, {
    way,
    entities: [Judged],
    endpoints: [
      new Get({ ...judged, url: 'judged/:id' }),
      new Get({ ...judged, url: 'mapped/:id', outputMap: ({ entity }) => ({ server: entity.server }) }),
    ],
  });
  const em = application.em() as SqlEntityManager;
  await em.execute(`create function judge(code text) returns text language plpgsql as $$ begin
    if pg_is_in_recovery() and code ~ '^[0-9A-Z]{5}$' then raise using errcode = code; end if; return code; end $$`);
  for (const code of codes) await em.insert(Judged, { code });
  await standby.caughtUp();
  log.lines = [];
  return application;
};

describe.each(ways)('%s', (way) => {
  test('What one statement or one hook fails for keeps no replica from being asked', async () => {
    const codes = ['53400', '53200', '54001', '58030', 'XX000', '40001'];
    const application = await startJudging(way, ['fine', ...codes, 'hook']);
    for (const path of ['judged', 'mapped'])
      for (const [index, code] of codes.entries()) {
        const { status, body } = await application.request().get(`/${path}/${index + 2}`);
        expect([code, status, body.data.server]).toEqual([code, 200, primary]);
      }
    expect((await application.request().get(`/mapped/${codes.length + 2}`)).status).toBe(500);
    expect((await application.request().get('/judged/1')).body.data.server).toBe(replica);
    expect(linesAbout('is not asked')).toEqual([]);
    await application.close();
  });
});

test('A replica that fails again soon rests longer', async () => {
  const application = await startJudging('direct', ['fine', '57P01']);
  const rests: number[] = [];
  for (const _time of [1, 2]) {
    const begun = performance.now();
    expect((await application.request().get('/judged/2')).body.data.server).toBe(primary);
    for (;;) {
      const { body } = await application.request().get('/judged/1');
      if (body.data.server === replica) break;
      await sleep(20);
    }
    rests.push(performance.now() - begun);
  }
  expect(linesAbout('is not asked')).toHaveLength(2);
  expect(rests[1]).toBeGreaterThan(1900);
  await application.close();
}, 30_000);

test('An application starts without its replicas', async () => {
  const nowhere = 'postgresql://postgres:postgres@127.0.0.1:1/postgres';
  const application = await startOn(cluster, { replicas: [nowhere] });
  await stored(application);
  expect((await application.request().get('/letters/1')).body.data.server).toBe(primary);
  await application.close();
});
