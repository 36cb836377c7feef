import { expect } from '@jest/globals';
import { raw } from '@mikro-orm/core';
import { expectAnswer, failure } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';
import { Book } from '../support/entities/library.js';
import { cutting, expectPlaces, posted, titled, type Ends } from './cut.connections.js';

const ends: Ends = {
  own: 'select pg_backend_pid() as id',
  streaming: `select pid as id from pg_stat_activity where query like 'select%book%' and pid <> pg_backend_pid()`,
  end: (id) => `select pg_terminate_backend(${id})`,
};

const hidden = posted('hidden', (em) =>
  em.transactional(async (inner) => {
    titled(inner, 'Hidden');
    await inner.flush();
    try {
      for await (const { title } of inner.stream(Book, { where: raw('1 / (id - id) = 1') }))
        titled(inner, title);
    } catch {
      // What the transaction is not told.
    }
  }),
);

const { contract } = service(
  cutting(ends, hidden),
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

contract(
  'A transaction or a stream of own code whose connection is lost is a 503 at once, and leaves its place in the pool',
  (subject) => expectPlaces(subject, ends, 300),
);

contract('A stream that fails in a transaction undoes it, whoever hides that', async ({ request, save }) => {
  await save(Book, { title: 'Emma' });
  expectAnswer(await request().post('/hidden'), 500, failure('Internal Server Error'));
  expect((await request().get('/books?title=Hidden')).body.data).toEqual([]);
});
