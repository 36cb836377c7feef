import { afterAll, expect } from '@jest/globals';
import { recommendedOptions } from '@nest-endpoints/core';
import { expectAnswer, failure } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';
import { books } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { faultyWay } from '../support/faulty.proxy.js';

const { hostname, port } = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgresql://localhost:5432');
const way = await faultyWay({ host: hostname, port: Number(port) });
afterAll(() => way.close());

/** A statement is given up two seconds after the server should have ended it. */
const statementTimeout = 300;
const patience = statementTimeout + 2000;

const { contract } = service(
  {
    entities: library,
    endpoints: [books(), books({ url: 'hooked-books', afterSave: () => undefined })],
    orm: {
      ...recommendedOptions({ statementTimeout, poolWait: 500 }),
      pool: { min: 1, max: 1 },
      host: '127.0.0.1',
      port: way.port,
    },
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

contract(
  'A write to a server that hangs takes the time of one statement, and leaves nobody its connection',
  async (subject) => {
    const { request, save } = subject;
    const { id } = await save(Book, { title: 'Emma' });
    for (const path of [`/books/${id}`, `/hooked-books/${id}`]) {
      expect((await request().get(`/books/${id}`)).status).toBe(200);
      way.hang();
      const begun = performance.now();
      expectAnswer(
        await request().patch(path).send({ title: 'Sanditon' }),
        503,
        failure('Service Unavailable'),
      );
      expect(performance.now() - begun).toBeLessThan(1.5 * patience);
      way.mend();
      expect((await request().get(`/books/${id}`)).body.data.title).toBe('Emma');
    }
  },
);
