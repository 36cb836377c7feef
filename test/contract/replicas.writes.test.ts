import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/sql';
import {
  Authorization,
  Batch,
  Callable,
  Create,
  EndpointGroup,
  Get,
  List,
  type AuthorizationRequest,
} from '@nest-endpoints/core';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { log } from '../support/log.js';
import { startCluster, type Cluster, type Standby } from '../support/standby.js';
import { Letter, letters, portOf, startOn, stored } from './replicas.cluster.js';

let cluster: Cluster;
let standby: Standby;

beforeAll(async () => {
  cluster = await startCluster();
  const [only] = cluster.standbys;
  if (only === undefined) throw new Error('the cluster has no standby');
  standby = only;
}, 120_000);

// A test that fails half-way must not fail the others as well.
afterEach(() => standby.resume());
afterAll(() => cluster.stop());

const shown = { modelClass: Letter, readableColumnNames: ['id', 'text', 'server'] } as const;

test('A committed write is answered as such, though the primary cannot say where its log stands', async () => {
  const connection = Promise.withResolvers<SqlEntityManager>();
  const application = await startOn(cluster, {
    endpoints: [
      new Create({
        ...shown,
        url: 'letters',
        writeableColumnNames: ['text'],
        // Takes the only connection, so that nothing can be asked after the commit.
        afterCommit: async ({ em }) => {
          const taken = em.fork();
          await taken.begin();
          connection.resolve(taken);
        },
      }),
      new List({
        ...shown,
        url: 'letters',
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ],
    orm: { pool: { min: 0, max: 1 } },
    limit: 500,
  });
  await standby.caughtUp();
  await standby.pause();
  log.lines = [];
  const created = await application.request().post('/letters').send({ text: 'mine' }).set('X-User', 'ali');
  await (await connection.promise).rollback();
  expect([created.status, created.body.data.text]).toEqual([201, 'mine']);
  expect(log.text('warn')).toContain('The primary did not say where a write stands');

  const token = created.headers['x-consistency'] ?? '';
  for (const mine of [{ 'X-Consistency': token }, { 'X-User': 'ali' }]) {
    const { body } = await application.request().get('/letters').set(mine);
    expect(body.data).toEqual([expect.objectContaining({ text: 'mine', server: portOf(cluster.primary) })]);
  }
  expect((await application.request().get('/letters')).body.data).toEqual([]);
  await standby.resume();
  await application.close();
}, 30_000);

class Reading extends Authorization {
  override async gate(_who: unknown, { em }: AuthorizationRequest): Promise<boolean> {
    await em.find(Letter, {}, { connectionType: 'read' });
    return true;
  }
}

test('A gate that reads keeps no client from what it wrote', async () => {
  const authorization = new Reading();
  const application = await startOn(cluster, {
    endpoints: [
      new Create({ ...shown, url: 'letters', writeableColumnNames: ['text'] }),
      new Get({ ...shown, url: 'letters/:id', authorization }),
      new Get({
        ...shown,
        url: 'mapped/:id',
        authorization,
        outputMap: ({ entity }) => ({ text: entity.text }),
      }),
    ],
  });
  await standby.caughtUp();
  await standby.pause();
  const created = await application.request().post('/letters').send({ text: 'mine' });
  const { id } = created.body.data;
  const token = created.headers['x-consistency'] ?? '';
  for (const path of [`/letters/${id}`, `/mapped/${id}`]) {
    const { status, body } = await application.request().get(path).set('X-Consistency', token);
    expect([status, body.data?.text]).toEqual([200, 'mine']);
    expect((await application.request().get(path)).status).toBe(404);
  }
  await standby.resume();
  await application.close();
});

class Asking extends Authorization {
  override async gate(_who: unknown, { em }: AuthorizationRequest): Promise<boolean> {
    return (await em.count(Letter)) > 0;
  }
}

test('A gate that asks the primary has the request read there', async () => {
  const application = await startOn(cluster, {
    endpoints: [
      new Get({ ...shown, url: 'asked/:id', authorization: new Asking() }),
      new Get({ ...shown, url: 'letters/:id' }),
    ],
  });
  await standby.caughtUp();
  await standby.pause();
  const id = await stored(application);
  expect((await application.request().get(`/asked/${id}`)).body.data?.server).toBe(portOf(cluster.primary));
  expect((await application.request().get(`/letters/${id}`)).status).toBe(404);
  await standby.resume();
  await application.close();
});

test('What streams the answer to a write hears at once that its client has gone', async () => {
  const aborted = Promise.withResolvers<boolean>();
  const closed = Promise.withResolvers<boolean>();
  const application = await startOn(cluster, {
    endpoints: [
      new Callable({
        url: 'flow',
        requestMethods: ['POST'],
        returnStandardResponse: false,
        toCall: async function* ({ em, signal }) {
          signal.addEventListener('abort', () => {
            aborted.resolve(true);
          });
          try {
            yield 'first\n';
            await em.execute('set statement_timeout = 0; select pg_sleep(600)');
            yield 'second\n';
          } finally {
            closed.resolve(true);
          }
        },
      }),
    ],
  });
  await stored(application);
  const sent = httpRequest(`${application.url}/flow`, { method: 'POST' }).end();
  sent.on('error', () => undefined);
  const [response] = (await once(sent, 'response')) as [Readable];
  response.on('error', () => undefined);
  expect(response).toHaveProperty('headers.x-consistency');
  await once(response, 'data');
  sent.destroy();
  expect([await aborted.promise, await closed.promise]).toEqual([true, true]);
  await application.close();
}, 20_000);

test('A Batch reads from the primary, and says once what was written', async () => {
  const create = new Create({ ...shown, url: 'letters', writeableColumnNames: ['text'] });
  const list = new List({
    ...shown,
    url: 'letters',
    sortableColumnNames: ['id'],
    defaultSortColumnName: 'id',
  });
  const application = await startOn(cluster, {
    endpoints: [new EndpointGroup({ endpoints: [new Batch({ url: 'batch' }), create, list] })],
  });
  await standby.caughtUp();
  await standby.pause();
  const answer = await application
    .request()
    .post('/batch')
    .send({
      operations: [
        { method: 'POST', path: '/letters', body: { text: 'mine' } },
        { method: 'GET', path: '/letters' },
      ],
    });
  expect(answer.body.data[1].data).toMatchObject([{ text: 'mine' }]);
  const token = answer.headers['x-consistency'] ?? '';
  expect(token).toMatch(/^[\w-]+$/);
  const { body } = await application.request().get('/letters').set('X-Consistency', token);
  expect(body.data).toMatchObject([{ text: 'mine' }]);
  await application.close();
});

test('Who sent a write that failed reads where it may have been written', async () => {
  const half = new Callable({
    url: 'half',
    requestMethods: ['POST'],
    toCall: async ({ em }) => {
      await em.insert(Letter, { text: 'half' });
      throw new Error('of the test');
    },
  });
  const letters = new Get({ ...shown, url: 'letters/:id' });
  const application = await startOn(cluster, { endpoints: [half, letters] });
  await standby.caughtUp();
  await standby.pause();
  const by = { 'X-User': 'ali' };
  expect((await application.request().post('/half').set(by)).status).toBe(500);
  const { body } = await application.request().get('/letters/1').set(by);
  expect(body.data).toEqual({ id: 1, text: 'half', server: portOf(cluster.primary) });
  expect((await application.request().get('/letters/1')).status).toBe(404);
  await standby.resume();
  await application.close();
});

test('Who imports records reads them, though the answer began before they were written', async () => {
  const application = await startOn(cluster, { endpoints: letters });
  await stored(application);
  const { request, url } = application;
  const by = { 'X-User': 'ida' };
  const headers = { ...by, 'Content-Type': 'application/x-ndjson' };
  const sent = httpRequest(`${url}/letters/import`, { method: 'POST', headers });
  sent.write('{"text": "imported"}\n');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  // By now replicas have whatever the log had when the answer began, and the service has heard of it.
  await standby.caughtUp();
  for (let times = 0; times < 20; times += 1) await request().get('/letters').set(by);
  await standby.pause();
  sent.end('{"text": "imported, too"}\n');
  expect((await answer.setEncoding('utf8').toArray()).join('')).toContain('"status":"success"');
  const server = portOf(cluster.primary);
  for (const text of ['imported', 'imported, too']) {
    const found = await request().get('/letters').query({ text }).set(by);
    expect(found.body.data).toEqual([{ id: expect.any(Number), text, server }]);
  }
  await application.close();
});
