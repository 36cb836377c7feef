import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { MikroOrmModule, type MikroOrmModuleSyncOptions } from '@mikro-orm/nestjs';
import { EndpointsModule, IdempotencyRecord } from '@nest-endpoints/core';
import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import supertest from 'supertest';
import { startApplication, type Application } from '../support/application.js';
import { everyDatabase, service } from '../support/contract.js';
import { isMariaDb } from '../support/database.js';
import { Order, shop } from './orders.js';

jest.setTimeout(120_000);

const { contract } = service(shop(), everyDatabase);

contract('Of many concurrent retries one creates, the others get its answer', async ({ request, count }) => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, async () =>
      request().post('/orders').set('Idempotency-Key', 'key').send({ item: 'tea' }),
    ),
  );
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  const first = answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined);
  expect([first.length, await count(Order)]).toEqual([1, 1]);
});

contract(
  'Of concurrent requests with one key and two bodies one creates, and the others are refused or get its answer',
  async ({ request, count }) => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        request()
          .post('/orders')
          .set('Idempotency-Key', 'key')
          .send({ item: index % 2 === 0 ? 'tea' : 'coffee' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(15);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15);
    expect(await count(Order)).toBe(1);
  },
);

@Module({})
class SecondInstance {}

/** Another instance of the service, on the database of the first. */
const besides = async (first: Application): Promise<INestApplication> => {
  const { entities, endpoints = [], root = {} } = shop();
  const { driver, dbName, clientUrl, user, driverOptions } = first.orm.config.getAll();
  const database = { driver, dbName, clientUrl, user, driverOptions, entities: [...entities] };
  const module = {
    module: SecondInstance,
    imports: [
      MikroOrmModule.forRoot(database as MikroOrmModuleSyncOptions),
      EndpointsModule.forRoot(root),
      EndpointsModule.forFeature(endpoints),
    ],
  };
  const app = await NestFactory.create(module, { logger: false });
  await app.listen(0, '127.0.0.1');
  return app;
};

let first: Application;
let second: INestApplication;

beforeAll(async () => {
  first = await startApplication('fastify', isMariaDb ? 'mariadb' : 'postgresql', shop());
  second = await besides(first);
});

afterAll(async () => {
  await second.close();
  await first.close();
});

test('200 retried creates with 20 keys over two instances make exactly 20 records', async () => {
  await first.clean();
  const instances = [first.url, await second.getUrl()];
  const sent = Array.from({ length: 200 }, (_, index) => index % 20);
  const answers = await Promise.all(
    sent.map(async (key, index) => {
      const answer = await supertest(instances[(index + Math.floor(index / 20)) % 2] ?? '')
        .post('/orders')
        .set('Idempotency-Key', `"key ${key}"`.replace(' ', '-'))
        .send({ item: `item ${key}` });
      return { key, status: answer.status, text: answer.text };
    }),
  );
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  expect(new Set(answers.map(({ key, text }) => `${key} ${text}`)).size).toBe(20);
  expect(await first.em().count(Order)).toBe(20);
  expect(await first.em().count(IdempotencyRecord)).toBe(20);
});

test('Retries of a CreateMany at two instances at once make its records once', async () => {
  await first.clean();
  const instances = [first.url, await second.getUrl()];
  const records = Array.from({ length: 20 }, (_, index) => ({ item: `item ${index}` }));
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, index) =>
      supertest(instances[index % 2] ?? '')
        .post('/orders/bulk')
        .set('Idempotency-Key', `"many-${index % 5}"`)
        .send({ records }),
    ),
  );
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(5);
  expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(5);
  expect(await first.em().count(Order)).toBe(100);
});
