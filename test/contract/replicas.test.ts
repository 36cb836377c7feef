import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Application } from '../support/application.js';
import { startCluster, type Cluster } from '../support/standby.js';
import { portOf, startOn, stored, ways } from './replicas.cluster.js';

let cluster: Cluster;
let primary: string;
let replica: string;

beforeAll(async () => {
  cluster = await startCluster();
  primary = portOf(cluster.primary);
  replica = portOf(standby());
}, 120_000);

afterAll(async () => {
  await cluster.stop();
});

const standby = () => {
  const [one] = cluster.standbys;
  if (one === undefined) throw new Error('the cluster has no standby');
  return one;
};

describe.each(ways)('%s', (way) => {
  let application: Application;

  beforeAll(async () => {
    application = await startOn(cluster, { way });
    await stored(application);
    await standby().caughtUp();
  }, 60_000);

  afterAll(async () => {
    await application.close();
  });

  test('Get, List, SimpleSearch and AdvancedSearch read from a replica', async () => {
    const { request } = application;
    const answers = [
      await request().get('/letters'),
      await request().get('/letters').query({ text: 'stored' }),
      await request().post('/letters/search').send({}),
    ];
    expect(answers.map(({ body }) => body.data[0].server)).toEqual([replica, replica, replica]);
    const { body } = await request().get('/letters/1');
    expect(body.data.server).toBe(replica);
  });

  test('What an outputMap gets is read from a replica, too', async () => {
    const { request } = application;
    expect((await request().get('/letters/mapped')).body.data[0].server).toBe(replica);
    expect((await request().get('/letters/mapped/1')).body.data.server).toBe(replica);
  });

  test('What a write asks and answers is read from the primary', async () => {
    const { request } = application;
    await standby().pause();
    const sent = { code: `only one ${way}`, text: 'new' };
    const { body } = await request().post('/letters').send(sent);
    expect(body.data.server).toBe(primary);
    const { id } = body.data;
    const again = await request().post('/letters').send(sent);
    const changed = await request().patch(`/letters/${id}`).send({ text: 'newer' });
    const deleted = await request().delete(`/letters/${id}`);
    await standby().resume();
    expect(again.body.input_errors).toHaveProperty('code');
    expect([changed.body.data.server, deleted.status]).toEqual([primary, 200]);
  });

  test('Functions of the user read from the primary, and from a replica where they ask for it', async () => {
    const { request } = application;
    expect((await request().get('/letters/found')).body.data.server).toBe(primary);
    expect((await request().get('/letters/found-there')).body.data.server).toBe(replica);
  });

  test('An Export of one moment reads all of its pages in one transaction of a replica', async () => {
    const { request, em } = application;
    await em()
      .getConnection()
      .execute(`insert into letter (text) select 'many' from generate_series(1, 2500)`);
    await standby().caughtUp();
    const { status, text } = await request().get('/letters/export');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; server: string; begun: string });
    await em().getConnection().execute(`delete from letter where text = 'many'`);
    await standby().caughtUp();
    expect([status, lines.length > 2500]).toEqual([200, true]);
    expect(new Set(lines.map(({ server }) => server))).toEqual(new Set([replica]));
    expect(new Set(lines.map(({ begun }) => begun)).size).toBe(1);
  });

  test('An Export of one moment that a replica cannot answer is read from the primary', async () => {
    // A database that has no letters.
    const bare = { clientUrl: cluster.primary.url };
    const other = await startOn(cluster, { way, replicas: [], orm: { replicas: [bare] } });
    try {
      await stored(other);
      const { status, text } = await other.request().get('/letters/export');
      expect([status, text.trimEnd().split('\n').length]).toEqual([200, 1]);
    } finally {
      await other.close();
    }
  });

  test('A request reads what it has written itself', async () => {
    const { request } = application;
    await standby().pause();
    const sent = await request().post('/letters/sent');
    const marked = await request().get('/letters/marked');
    await standby().resume();
    expect(sent.body.data.server).toBe(primary);
    expect(marked.body.data.at(-1)).toMatchObject({ text: 'marked', server: primary });
  });

  test('What a replica does not know yet is asked of the primary', async () => {
    await standby().pause();
    const newer = await startOn(cluster, { way });
    const { status, body } = await newer.request().get('/letters');
    await standby().resume();
    await newer.close();
    expect([status, body.data]).toEqual([200, []]);
  });
});

test('Replicas are asked in turn', async () => {
  const application = await startOn(cluster, { replicas: [standby().url, cluster.primary.url] });
  try {
    await stored(application);
    await standby().caughtUp();
    const { request } = application;
    const eight = async (): Promise<string[]> => {
      const servers: string[] = [];
      for (let times = 0; times < 8; times += 1)
        servers.push((await request().get('/letters/1')).body.data.server);
      return servers;
    };
    // On a busy machine one may rest for a moment, because it did not answer in time: then once more.
    const inTurn = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? replica : primary));
    const rounds = [await eight(), await eight(), await eight()].map(([first, ...rest]) =>
      first === replica ? [first, ...rest] : [...rest, String(first)],
    );
    expect(rounds).toContainEqual(inTurn);
  } finally {
    await application.close();
  }
});
