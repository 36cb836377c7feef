import { afterEach, expect, test } from '@jest/globals';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule, HealthCheck, recommendedOptions } from '@nest-endpoints/core';
import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import supertest from 'supertest';
import { failure } from '../support/answers.js';
import { freshDatabase, unconnected, type OrmOptions } from '../support/database.js';
import { books } from '../support/endpoints.js';
import { library } from '../support/entities/library.js';
import { log } from '../support/log.js';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

@Module({})
class Shop {}

/** Starts an application that asks nothing of its database while it starts. */
const started = async (orm: OrmOptions): Promise<INestApplication> => {
  log.lines = [];
  const app = await NestFactory.create(
    {
      module: Shop,
      imports: [
        MikroOrmModule.forRoot({ ...orm, entities: library }),
        EndpointsModule.forRoot(),
        EndpointsModule.forFeature([new HealthCheck({ url: 'health' }), books()]),
        EndpointsModule.forFeature([books({ url: 'others' })]),
      ],
    },
    new ExpressAdapter(),
    { logger: log, abortOnError: false },
  );
  undo.push(() => app.close());
  await app.listen(0, '127.0.0.1');
  return app;
};

/** A port of this machine where nobody listens any more. */
const deafPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Once somebody has been told: the application asks after it has begun to listen. */
const firstErrors = async (): Promise<string[]> => {
  while (errors().length === 0) await sleep(20);
  return errors();
};

const errors = (): string[] => log.lines.filter(({ level }) => level === 'error').map(({ text }) => text);
const told = (where: string, why: string): unknown =>
  expect.stringMatching(
    new RegExp(
      `^The database ${where} does not answer \\(.*${why}.*\\): ` +
        'requests that need it are answered 503 until it does',
    ),
  );

test('An application starts without its database, and one line of the log says which one does not answer', async () => {
  const port = await deafPort();
  const address = { dbName: 'shop', host: '127.0.0.1', port, ...recommendedOptions() };
  const url = await (await started({ ...unconnected, ...address })).getUrl();
  expect(await firstErrors()).toEqual([told(`'shop' at 127\\.0\\.0\\.1:${port}`, 'ECONNREFUSED')]);
  const { status, body } = await supertest(url).get('/books');
  expect([status, body]).toEqual([503, failure('Service Unavailable')]);
  expect((await supertest(url).get('/health')).status).toBe(200);
});

test('The address of a database that does not answer is told without its password', async () => {
  const port = await deafPort();
  const { driver } = unconnected;
  await started({ driver, clientUrl: `postgresql://clerk:s3cret@127.0.0.1:${port}/stall` });
  expect(await firstErrors()).toEqual([told(`'stall' at 127\\.0\\.0\\.1:${port}`, 'ECONNREFUSED')]);
  expect(log.text()).not.toContain('s3cret');
});

test('A database that says nothing does not keep an application from starting', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  silent.on('connection', (socket) => {
    socket.on('error', () => undefined);
    undo.push(() => socket.destroy());
  });
  undo.push(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  await started({ ...unconnected, dbName: 'mute', host: '127.0.0.1', port });
  expect(await firstErrors()).toEqual([
    told(`'mute' at 127\\.0\\.0\\.1:${port}`, 'no answer within 2000 ms'),
  ]);
});

test.each(['postgresql', 'pglite', 'sqlite'] as const)(
  'Nothing is told of a database on %s that answers, and that nobody has asked before',
  async (name) => {
    const { options, drop } = await freshDatabase(name);
    undo.push(drop);
    const app = await started(options);
    // What asks at the start has asked by the time that a request has.
    const { status } = await supertest(await app.getUrl()).get('/books');
    expect(status).toBe(500);
    expect(log.text()).not.toContain('does not answer');
  },
);
