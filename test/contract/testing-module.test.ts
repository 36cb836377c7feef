import { afterEach, describe, expect, test } from '@jest/globals';
import { MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import type { INestApplication } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { EndpointsModule, endpointsFastifyOptions } from '@nest-endpoints/core';
import supertest from 'supertest';
import { clientError, expectAnswer, notFound, success } from '../support/answers.js';
import { books } from '../support/endpoints.js';
import { library } from '../support/entities/library.js';
import { pgliteSnapshot } from '../support/pglite.snapshot.js';

const titles = { readableColumnNames: ['title'], writeableColumnNames: ['title'] } as const;

/** In a testing module the providers are made before there is an HTTP adapter. */
const testingModule = () =>
  Test.createTestingModule({
    imports: [
      MikroOrmModule.forRoot({
        driver: PgliteDriver,
        dbName: 'memory://',
        driverOptions: { loadDataDir: pgliteSnapshot },
        entities: library,
      }),
      EndpointsModule.forRoot(),
      EndpointsModule.forFeature([books(titles)]),
    ],
  }).compile();

const adapters = {
  express: undefined,
  fastify: () => new FastifyAdapter(endpointsFastifyOptions()),
} as const;

describe.each(['express', 'fastify'] as const)('%s', (platform) => {
  let app: INestApplication | undefined;
  afterEach(() => app?.close());

  test('An application made by a testing module answers like any other', async () => {
    const module = await testingModule();
    const adapter = adapters[platform];
    app = adapter === undefined ? module.createNestApplication() : module.createNestApplication(adapter());
    await app.get(MikroORM).schema.create();
    await app.listen(0);
    const request = supertest(app.getHttpServer());
    expectAnswer(await request.post('/books').send({ title: 'Emma' }), 201, success({ title: 'Emma' }));
    expectAnswer(
      await request.post('/books').type('json').send('{'),
      400,
      clientError('The request body is not valid JSON'),
    );
    const missing = await request.get('/nowhere');
    expectAnswer(missing, 404, notFound);
    expect(missing.headers['content-type']).toBe('application/json; charset=UTF-8');
  });
});
