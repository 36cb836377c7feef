import { afterEach, expect, test } from '@jest/globals';
import { EndpointsModule, EndpointGroup, Callable, endpointsFastifyOptions } from '@nest-endpoints/core';
import { expectToMatchSchema, recordTruth } from '@nest-endpoints/testing';
import type { INestApplication } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import request from 'supertest';

const numbers = (answer: unknown) =>
  new EndpointGroup({
    endpoints: [new Callable({ url: 'number', outputSchema: { type: 'integer' }, toCall: () => answer })],
  });

const moduleWith = (answer: unknown) =>
  Test.createTestingModule({
    imports: [EndpointsModule.forRoot({}), EndpointsModule.forFeature([numbers(answer)])],
  }).compile();

const running: INestApplication[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
});

/** As the documentation says it: nothing but `init`, and supertest opens a port for each request. */
const started = {
  express: async (answer: unknown): Promise<INestApplication> => {
    const app = (await moduleWith(answer)).createNestApplication();
    running.push(app);
    return app.init();
  },
  fastify: async (answer: unknown): Promise<INestApplication> => {
    const app = (await moduleWith(answer)).createNestApplication<NestFastifyApplication>(
      new FastifyAdapter(endpointsFastifyOptions()),
    );
    running.push(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    return app;
  },
} as const;

test.each(['express', 'fastify'] as const)(
  'On %s an application that is initialised and never listens is recorded, whatever port each request gets',
  async (platform) => {
    const app = await started[platform]('five');
    const recorder = recordTruth(app);
    const first = await request(app.getHttpServer()).get('/number');
    const second = await request(app.getHttpServer()).get('/number');
    expect(recorder.judged).toBe(2);
    for (const response of [first, second])
      await expect(expectToMatchSchema(response)).rejects.toThrow(/data must be integer/);
    expect(() => recorder.expectTruth()).toThrow(/data must be integer/);
  },
);

test('Each of two recorded applications is compared with its own document', async () => {
  const honest = await started.express(5);
  const liar = await started.express('five');
  recordTruth(honest);
  recordTruth(liar);
  await expectToMatchSchema(await request(honest.getHttpServer()).get('/number'));
  await expect(expectToMatchSchema(await request(liar.getHttpServer()).get('/number'))).rejects.toThrow(
    /data must be integer/,
  );
  await expectToMatchSchema(await request(honest.getHttpServer()).get('/number'));
});

test('A response of inject is compared with the document of the application that was recorded last', async () => {
  const app = (await started.fastify('five')) as NestFastifyApplication;
  recordTruth(app);
  const response = await app.inject({ method: 'GET', url: '/number' });
  await expect(expectToMatchSchema(response)).rejects.toThrow(/data must be integer/);
});

test('A response of an application that is not recorded is an error that says what to do', async () => {
  const recorded = await started.express(5);
  const other = await started.express(5);
  recordTruth(recorded);
  await recorded.listen(0);
  await other.listen(0);
  await expectToMatchSchema(await request(recorded.getHttpServer()).get('/number'));
  const response = await request(other.getHttpServer()).get('/number');
  await expect(expectToMatchSchema(response)).rejects.toThrow(
    /call recordTruth\(app\), or give the document/,
  );
});
