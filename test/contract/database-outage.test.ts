import { afterAll, expect } from '@jest/globals';
import { HealthCheck, recommendedOptions, type RequestContext } from '@nest-endpoints/core';
import { expectAnswer, failure } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { books } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { startRelay } from '../support/relay.js';

const relay = await startRelay(String(process.env['TEST_DATABASE_URL']));
afterAll(() => relay.close());

const { driverOptions } = recommendedOptions();
const { contract } = service(
  {
    entities: library,
    endpoints: [
      new HealthCheck({ url: 'health' }),
      new HealthCheck({ url: 'ready', callables: [({ em }: RequestContext) => em.execute('select 1')] }),
      books(),
    ],
    orm: { driverOptions: { ...driverOptions, host: '127.0.0.1', port: relay.port }, pool: { max: 5 } },
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

const whileCut = async (ask: () => Promise<void>): Promise<void> => {
  relay.cut();
  try {
    await ask();
  } finally {
    relay.mend();
  }
};

/** Asks until the answer is a success; the time limit of the test ends it otherwise. */
const untilServed = async ({ request }: Subject): Promise<{ took: number; asking: number }> => {
  const begun = performance.now();
  let asked = 1;
  while ((await request().get('/books')).status !== 200) asked += 1;
  const took = performance.now() - begun;
  return { took, asking: took / asked };
};

contract('While the database is away, answers are 503 at once, and it is not stormed', async (subject) => {
  const { request, save } = subject;
  await save(Book, { title: 'Emma' });
  await whileCut(async () => {
    const begun = performance.now();
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => request().get('/books')));
      for (const answer of answers) {
        expectAnswer(answer, 503, failure('Service Unavailable'));
        expect(answer.headers['retry-after']).toBe('1');
      }
    }
    const elapsed = performance.now() - begun;
    // One every 100 ms; those that began side by side before the first failed are as many as the pool has places.
    expect(relay.attempts).toBeLessThanOrEqual(elapsed / 100 + 5 + 1);
    expect(elapsed).toBeLessThan(10_000);
    expect((await request().get('/health')).status).toBe(200);
    expect((await request().get('/ready')).status).toBe(500);
    expectAnswer(await request().post('/books').send({ title: 'Lost' }), 503, failure('Service Unavailable'));
  });
});

contract('Once the database is back, it is asked again within two seconds', async (subject) => {
  await subject.save(Book, { title: 'Emma' });
  await whileCut(async () => {
    expect((await subject.request().get('/books')).status).toBe(503);
  });
  const { took, asking } = await untilServed(subject);
  expect(took).toBeLessThan(2000 + 10 * asking);
  expect((await subject.request().post('/books').send({ title: 'Persuasion' })).status).toBe(201);
});
