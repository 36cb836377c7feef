import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Callable, Cors, EndpointGroup, HealthCheck } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { fc } from '../support/property.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientError, expectAnswer } from '../support/answers.js';
import type { Application } from '../support/application.js';
import { startCluster, type Cluster, type Standby } from '../support/standby.js';
import { Letter, letters, portOf, startOn, stored } from './replicas.cluster.js';

let cluster: Cluster;
let standby: Standby;
let application: Application;
let primary: string;
let replica: string;

const secret = { cursorSecret: 'the same secret in every process' };
/** What browsers ask before, and what tells documents. */
const around = [
  new EndpointGroup({ url: 'open', securityHeaders: [new Cors('https://app.example')], endpoints: letters }),
  new Schema({ url: 'schema', wholeApplication: true }),
  new HealthCheck({ url: 'health' }),
  new Callable({ url: 'raw', requestMethods: ['POST'], returnStandardResponse: false, toCall: () => '' }),
  ...letters,
];

beforeAll(async () => {
  cluster = await startCluster();
  const [only] = cluster.standbys;
  if (only === undefined) throw new Error('the cluster has no standby');
  standby = only;
  primary = portOf(cluster.primary);
  replica = portOf(standby);
  application = await startOn(cluster, { endpoints: around, root: secret });
  await stored(application);
  await standby.caughtUp();
}, 120_000);

afterEach(() => standby.resume());
afterAll(async () => {
  await application.close();
  await cluster.stop();
});

const tokenOf = ({ headers }: { readonly headers: Readonly<Record<string, string>> }): string => {
  expect(headers).toHaveProperty('x-consistency');
  return headers['x-consistency'] ?? '';
};

/** Reads until somebody else than the primary answers, and never anything else than what was written. */
const readThere = async (get: () => Promise<{ status: number; body: { data: { server: string } } }>) => {
  for (;;) {
    const { status, body } = await get();
    expect(status).toBe(200);
    if (body.data.server === replica) return;
    await sleep(5);
  }
};

test('A client that sends X-Consistency back reads what it wrote, whatever replicas have', async () => {
  const { request } = application;
  await standby.pause();
  const created = await request().post('/letters').send({ text: 'mine' });
  const token = tokenOf(created);
  const path = `/letters/${created.body.data.id}`;
  const mine = await request().get(path).set('X-Consistency', token);
  expect([mine.status, mine.body.data.server]).toEqual([200, primary]);
  expect((await request().get(path)).status).toBe(404);

  await request().patch(path).send({ text: 'changed' }).set('X-Consistency', token);
  await request().delete(path);
  expect(tokenOf(await request().post('/letters/sent'))).not.toBe('');
});

test('A client that says who it is reads what it wrote, and nobody else is sent to the primary for it', async () => {
  const { request } = application;
  await standby.pause();
  const created = await request().post('/letters').send({ text: 'mine' }).set('X-User', 'ali');
  const path = `/letters/${created.body.data.id}`;
  const mine = await request().get(path).set('X-User', 'ali');
  expect([mine.status, mine.body.data.server]).toEqual([200, primary]);
  expect((await request().get(path).set('X-User', 'bob')).status).toBe(404);
  expect((await request().get('/letters/1').set('X-User', 'bob')).body.data.server).toBe(replica);
});

test('Once a replica has what a client wrote, the client reads there again', async () => {
  const { request } = application;
  await standby.pause();
  const created = await request().post('/letters').send({ text: 'mine' }).set('X-User', 'eve');
  const path = `/letters/${created.body.data.id}`;
  const byToken = () => request().get(path).set('X-Consistency', tokenOf(created));
  const bySubject = () => request().get(path).set('X-User', 'eve');
  for (const get of [byToken, bySubject]) expect((await get()).body.data.server).toBe(primary);
  await standby.resume();
  const begun = performance.now();
  for (const get of [byToken, bySubject]) await readThere(get);
  // The replica itself says how far it is: nobody waits for the ten seconds that serve where none can tell.
  expect(performance.now() - begun).toBeLessThan(5000);
});

test('Every kind of write answers X-Consistency, and nothing else does', async () => {
  const { request } = application;
  const created = await request().post('/letters').send({ text: 'mine' });
  const path = `/letters/${created.body.data.id}`;
  const writes = [
    created,
    await request().patch(path).send({ text: 'changed' }),
    await request().delete(path),
    await request().post('/letters/sent'),
  ];
  for (const answer of writes) expect(tokenOf(answer)).toMatch(/^[\w-]{60,200}$/);
  const others = [
    await request().get('/letters'),
    await request().get('/letters/1'),
    await request().post('/letters/search').send({}),
    await request().get('/letters/found'),
    await request().post('/letters').send({}),
    await request().patch('/letters/999999').send({ text: 'nowhere' }),
    await request().get('/health'),
  ];
  for (const { headers } of others) expect(headers).not.toHaveProperty('x-consistency');
});

const problem = 'The header X-Consistency must be what an earlier answer of this service said in it';
const refusal = clientError(problem);

test('A token that was not given here is a 400 on every method, and nothing is stored', async () => {
  const { request, em } = application;
  const token = tokenOf(await request().post('/letters').send({ text: 'mine' }));
  const count = () => em().count(Letter, {}, { connectionType: 'write' });
  const before = await count();
  const { next_page: page } = (await request().get('/letters').query({ limit: 1 })).body.pagination;
  const foreign = [
    '',
    'x',
    token.slice(1),
    token.slice(0, -1),
    `${token}A`,
    `${token}, ${token}`,
    `${page.start}`,
  ];
  for (const forged of foreign) {
    const sent = [
      request().post('/letters').send({ text: 'never' }),
      request().patch('/letters/1').send({ text: 'never' }),
      request().delete('/letters/1'),
      request().get('/letters/1'),
      request().get('/letters'),
      request().post('/letters/search').send({}),
      request().get('/letters/found'),
      request().post('/letters/sent'),
    ];
    for (const one of sent) expectAnswer(await one.set('X-Consistency', forged), 400, refusal);
  }
  expect(await count()).toBe(before);
});

test('A token that was changed anywhere is a 400', async () => {
  const { request } = application;
  const token = tokenOf(await request().post('/letters').send({ text: 'mine' }));
  const place = fc.nat({ max: token.length - 1 });
  const letter = fc.stringMatching(/^[\w-]$/);
  await fc.assert(
    fc.asyncProperty(place, letter, async (index, changed) => {
      fc.pre(token[index] !== changed);
      const forged = token.slice(0, index) + changed + token.slice(index + 1);
      expectAnswer(await request().get('/letters/1').set('X-Consistency', forged), 400, refusal);
    }),
    { numRuns: 50 },
  );
});

test('Who sends a token is asked first, and then whether it is one', async () => {
  const { request } = application;
  const { status } = await request().get('/letters').set('X-User', 'nobody').set('X-Consistency', 'forged');
  expect(status).toBe(401);
});

test('Another process with the same cursorSecret knows what a token says; one with another does not', async () => {
  const other = 'another secret that is long enough';
  const { request } = application;
  const token = tokenOf(await request().post('/letters').send({ text: 'mine' }));
  for (const [cursorSecret, status] of [
    [secret.cursorSecret, 200],
    [[other, secret.cursorSecret], 200],
    [[secret.cursorSecret, other], 200],
    [[other], 400],
    [other, 400],
    [undefined, 400],
  ] as const) {
    const other = await startOn(cluster, { root: cursorSecret === undefined ? {} : { cursorSecret } });
    expect((await other.request().get('/letters').set('X-Consistency', token)).status).toBe(status);
    await other.close();
  }
});

test('A token of another cluster holds for the promised time, because its position says nothing here', async () => {
  const elsewhere = await startCluster();
  const other = await startOn(elsewhere, { root: secret });
  const token = tokenOf(await other.request().post('/letters').send({ text: 'mine' }));
  await other.close();
  await elsewhere.stop();
  const hasty = await startOn(cluster, { root: { ...secret, readYourWrites: { seconds: 1 } } });
  await stored(hasty);
  await standby.caughtUp();
  await readThere(() => hasty.request().get('/letters/1').set('X-Consistency', token));
  await hasty.close();
});

test('A subject is remembered for the seconds of readYourWrites at most', async () => {
  const hasty = await startOn(cluster, { root: { readYourWrites: { seconds: 1 } } });
  await stored(hasty);
  await standby.caughtUp();
  await standby.pause();
  const get = () => hasty.request().get('/letters/1').set('X-User', 'ali');
  const times: number[] = [];
  // A machine that is busy for a while has another round; what is remembered too long is so in each.
  while (times.length < 5 && !times.some((time) => time < 1800)) {
    const begun = performance.now();
    await hasty.request().post('/letters').send({ text: 'mine' }).set('X-User', 'ali');
    expect((await get()).body.data.server).toBe(primary);
    await readThere(get);
    times.push(performance.now() - begun);
  }
  expect(Math.min(...times)).toBeGreaterThan(990);
  expect(Math.min(...times)).toBeLessThan(1800);
  await hasty.close();
});

test('Subjects of two issuers are two clients', async () => {
  const { request } = application;
  const of = (issuer: string) => `ali of https://${issuer}.example`;
  await standby.caughtUp();
  await standby.pause();
  await request().post('/letters').send({ text: 'mine' }).set('X-User', of('one'));
  const get = (issuer: string) => request().get('/letters/1').set('X-User', of(issuer));
  expect((await get('one')).body.data.server).toBe(primary);
  expect((await get('other')).body.data.server).toBe(replica);
});

test('With readYourWrites false nothing is promised, and X-Consistency means nothing', async () => {
  const hasty = await startOn(cluster, { root: { readYourWrites: false } });
  const created = await hasty.request().post('/letters').send({ text: 'mine' });
  expect(created.headers).not.toHaveProperty('x-consistency');
  await standby.caughtUp();
  const { status, body } = await hasty.request().get('/letters/1').set('X-Consistency', 'forged');
  expect([status, body.data.server]).toEqual([200, replica]);
  await hasty.close();
});

test('Browsers may send X-Consistency, and read it', async () => {
  const { request } = application;
  const asked = await request()
    .options('/open/letters')
    .set('Access-Control-Request-Headers', 'x-consistency');
  expect(asked.headers['access-control-allow-headers']).toContain('X-Consistency');
  const created = await request().post('/open/letters').send({ text: 'mine' });
  expect(created.headers['access-control-expose-headers']).toBe('Location, X-Consistency');
});

test('Documents tell of X-Consistency', async () => {
  const { paths } = (await application.request().get('/schema')).body;
  const parameter = expect.objectContaining({ name: 'X-Consistency', in: 'header', required: false });
  const { get, post } = paths['/letters'];
  for (const { parameters } of [get, post]) expect(parameters).toContainEqual(parameter);
  for (const answer of [post.responses['201'], paths['/raw'].post.responses['200']])
    expect(answer.headers).toHaveProperty('X-Consistency');
  expect(get.responses['200']).not.toHaveProperty('headers');
});

test('In production one warning names all that is good in one process only', async () => {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  const warnings = async (cursorSecret?: string) => {
    const started = await startOn(cluster, { root: cursorSecret === undefined ? {} : { cursorSecret } });
    await started.close();
    return started.startLog.split('\n').filter((line) => line.includes('in this process only'));
  };
  const unset = await warnings();
  const set = await warnings(secret.cursorSecret);
  process.env['NODE_ENV'] = NODE_ENV;
  expect(unset).toEqual([
    'warn Tokens of X-Consistency and memories of who has just written are good in this process only: ' +
      'give EndpointsModule.forRoot a cursorSecret; have clients send X-Consistency back, which all processes understand ' +
      'Endpoints',
  ]);
  expect(set).toEqual([
    expect.stringMatching(/^warn Memories of who has just written .* X-Consistency back/),
  ]);
});
