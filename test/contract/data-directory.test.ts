import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MikroORM, defineEntity, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import { DirectoryInUse, DirectoryLock, EndpointsModule, RestfulApi } from '@nest-endpoints/core';
import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import type { App } from 'supertest/types.js';
import { command } from '../support/command-line/command.js';

const Note = defineEntity({
  name: 'Note',
  properties: { id: p.integer().primary().autoincrement(), text: p.string().length(100) },
});

let place: string;
let directory: string;
let lock: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'nest-endpoints-directory-'));
  directory = join(place, 'data');
  lock = join(directory, 'nest-endpoints.lock');
});
afterEach(() => {
  rmSync(place, { recursive: true, force: true });
});

/** An application whose PGlite has its files where `options` says. */
const start = async (options: object = { dbName: directory }): Promise<INestApplication<App>> => {
  class NotesModule {
    readonly name = 'notes';
  }
  Module({
    imports: [
      MikroOrmModule.forRoot({ driver: PgliteDriver, entities: [Note], ...options }),
      EndpointsModule.forRoot(),
      EndpointsModule.forFeature([
        new RestfulApi({
          url: 'notes',
          modelClass: Note,
          readableColumnNames: ['id', 'text'],
          writeableColumnNames: ['text'],
          sortableColumnNames: ['id'],
          searchableColumnNames: [],
          defaultSortColumnName: 'id',
        }),
      ]),
    ],
  })(NotesModule);
  const app: INestApplication<App> = await NestFactory.create(NotesModule, {
    logger: false,
    abortOnError: false,
  });
  return app.init();
};

const holder = { pid: process.ppid, host: hostname(), startedAt: new Date().toISOString() };

/** Leaves a lock in the directory, as a process does. */
const lockedBy = (text: string): void => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(lock, text);
};

test('The directory of a PGlite is for one application at a time, until it is closed', async () => {
  const first = await start();
  await first.get(MikroORM).schema.update();
  await supertest(first.getHttpServer()).post('/notes').send({ text: 'kept' }).expect(201);
  const refused = `The data in ${directory} is in use by process ${String(process.pid)}, started at `;
  await expect(start()).rejects.toThrow(refused);
  await expect(start({ driverOptions: { dataDir: directory }, dbName: 'postgres' })).rejects.toThrow(refused);
  await expect(start({ dbName: `file://${directory}` })).rejects.toThrow(DirectoryInUse);
  await supertest(first.getHttpServer()).get('/notes/1').expect(200);
  await first.close();
  expect(existsSync(lock)).toBe(false);
  const second = await start();
  const { body } = await supertest(second.getHttpServer()).get('/notes/1').expect(200);
  expect(body.data).toEqual({ id: 1, text: 'kept' });
  await second.close();
}, 60_000);

test('A directory that another process has open stops the start, and says which one that is', async () => {
  lockedBy(JSON.stringify(holder));
  await expect(start()).rejects.toThrow(
    `The data in ${directory} is in use by process ${String(holder.pid)}, started at ${holder.startedAt}: ` +
      'one process at a time may open it. Stop that one first.',
  );
  lockedBy(JSON.stringify({ ...holder, pid: 1, host: 'elsewhere' }));
  await expect(start()).rejects.toThrow(
    `in use by process 1 on elsewhere, started at ${holder.startedAt}: one process at a time may open it. ` +
      `If that one has ended, delete ${lock}.`,
  );
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ host: 'elsewhere' });
});

test('The lock of a process that ended without giving it back is taken over', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const left = [
    JSON.stringify({ ...holder, pid }),
    JSON.stringify({ ...holder, pid: process.pid, startedAt: '2020-01-01T00:00:00.000Z' }),
    // Its pid is somebody else's since the machine was started anew.
    JSON.stringify({ ...holder, startedAt: '2020-01-01T00:00:00.000Z' }),
    '{"pid":',
    '',
  ];
  for (const text of left) {
    lockedBy(text);
    const taken = DirectoryLock.acquire(directory);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    expect(() => DirectoryLock.acquire(directory)).toThrow(DirectoryInUse);
    taken.release();
    expect(existsSync(lock)).toBe(false);
  }
});

test('A lock that another process has taken over stays', () => {
  mkdirSync(directory);
  const taken = DirectoryLock.acquire(directory);
  lockedBy(JSON.stringify(holder));
  taken.release();
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual(holder);
});

test('A database in memory, and a PGlite of the application, leave no lock', async () => {
  for (const options of [{ dbName: 'memory://' }, { dbName: directory, driverOptions: { pglite: {} } }]) {
    const app = await start(options);
    expect(existsSync(directory)).toBe(false);
    await app.close();
  }
});

test('A command beside a running application on the same directory writes nothing, and says why', async () => {
  mkdirSync(directory);
  const held = DirectoryLock.acquire(directory);
  const { code, output, errors } = await command(['notes', '-d', '{"text": "lost"}'], {
    application: 'directory',
    environment: { DATA_DIR: directory },
  });
  held.release();
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toMatch(/^The data in .* is in use by process \d+, started at [^\n]*\n$/);
  expect(errors).toContain(`process ${String(process.pid)},`);
  expect(readdirSync(directory)).toEqual([]);
});
