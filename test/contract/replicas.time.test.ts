import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { LibSqlDriver } from '@mikro-orm/libsql';
import { RestfulApi, type ConsistencyOptions } from '@nest-endpoints/core';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApplication, type Application } from '../support/application.js';
import { between } from '../support/waits.js';
import { Named } from './replicas.cluster.js';

const Note = defineEntity({
  name: 'Note',
  properties: { id: p.integer().primary().autoincrement(), text: p.string() },
});

const notes = new RestfulApi({
  url: 'notes',
  modelClass: Note,
  readableColumnNames: ['id', 'text'],
  writeableColumnNames: ['text'],
  searchableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
});

let directory: string;
let application: Application;
let usual: Application;

/** A replica that never gets anything: what it shows was there from the beginning. */
const makeReplica = async (dbName: string) => {
  const orm = await MikroORM.init({ driver: LibSqlDriver, dbName, entities: [Note] });
  await orm.schema.create();
  await orm.em.fork().insert(Note, { text: 'on the replica' });
  await orm.close();
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'nest-endpoints-replicas-'));
  const dbName = join(directory, 'replica.sqlite');
  await makeReplica(dbName);
  const start = (primary: string, options: ConsistencyOptions) =>
    startApplication('express', 'sqlite', {
      entities: [Note],
      endpoints: [notes],
      root: { ...options, authentication: new Named() },
      // Its connections read `dbName` of the primary, whatever a replica has.
      orm: { dbName: join(directory, primary), replicas: [{ driverOptions: { url: dbName } }] },
    });
  application = await start('hasty.sqlite', { readYourWrites: { seconds: 1 } });
  usual = await start('usual.sqlite', {});
});

afterAll(async () => {
  await application.close();
  await usual.close();
  await rm(directory, { recursive: true });
});

test('Where a database does not tell what replicas have, time alone decides', async () => {
  const { request } = application;
  const textFor = async (headers: Readonly<Record<string, string>>): Promise<string> =>
    (await request().get('/notes/1').set(headers)).body.data.text;
  const created = await request().post('/notes').send({ text: 'on the primary' }).set('X-User', 'ali');
  expect([created.status, created.body.data.id]).toEqual([201, 1]);
  const token = { 'X-Consistency': created.headers['x-consistency'] ?? '' };
  expect(await textFor(token)).toBe('on the primary');
  expect(await textFor({ 'X-User': 'ali' })).toBe('on the primary');
  expect(await textFor({ 'X-User': 'bob' })).toBe('on the replica');
  for (const mine of [token, { 'X-User': 'ali' }])
    while ((await textFor(mine)) !== 'on the replica') await sleep(20);
});

test('A subject is remembered for ten seconds unless readYourWrites says otherwise', async () => {
  const mine = { 'X-User': 'ali' };
  const isThere = async (): Promise<boolean> =>
    (await usual.request().get('/notes/1').set(mine)).body.data.text === 'on the replica';
  await usual.request().post('/notes').send({ text: 'on the primary' }).set(mine);
  const there = async (): Promise<void> => {
    while (!(await isThere())) await sleep(20);
  };
  await between(5000, 20_000, there());
  expect(await isThere()).toBe(true);
});
