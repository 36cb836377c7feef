import { afterAll, expect } from '@jest/globals';
import { expectAnswer, failure } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';
import { books } from '../support/endpoints.js';
import { library } from '../support/entities/library.js';
import { faultyWay } from '../support/faulty.proxy.js';

const { hostname, port } = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgresql://localhost:5432');
const way = await faultyWay({ host: hostname, port: Number(port) });
afterAll(() => way.close());

/** The time that an answer of the database is waited for, in milliseconds. */
const limit = 1000;

const { contract } = service(
  {
    entities: library,
    endpoints: [books()],
    orm: { driverOptions: { query_timeout: limit }, pool: { max: 2 }, host: '127.0.0.1', port: way.port },
  },
  // Past MikroORM a read that keeps others waiting is asked alone before.
  postgresqlOnly.filter(({ database, way: by }) => database === 'postgresql' && by === 'mikro-orm'),
);

contract('A read that no answer comes to in time is not asked again', async ({ request }) => {
  expect((await request().get('/books')).status).toBe(200);
  const held = way.hold(/from "book"/);
  const begun = performance.now();
  expectAnswer(await request().get('/books'), 503, failure('Service Unavailable'));
  expect(performance.now() - begun).toBeGreaterThan(limit - 1);
  await held;
  expect((await request().get('/books')).status).toBe(200);
});
