import { expect } from '@jest/globals';
import { Update } from '@nest-endpoints/core';
import { once, service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { books } from '../support/endpoints.js';

/** Cuts the connection that the write's transaction is on, as a restart of the database does. */
const cutOff = new Update({
  url: 'cut/:id',
  modelClass: Book,
  readableColumnNames: ['title'],
  writeableColumnNames: ['title'],
  inputValidationCallable: async ({ em }) => {
    const [row] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
    await em.fork().execute('select pg_terminate_backend(?)', [row?.pid]);
    return {};
  },
});

const { contract } = service(libraryWith([cutOff, books()], { orm: { pool: { max: 2 } } }), once);

contract(
  'A connection that is lost within a write is a 503 and leaves the pool',
  async ({ request, save }) => {
    const { id } = await save(Book, { title: 'Emma' });
    for (let times = 0; times < 5; times += 1) {
      const { status, headers, body } = await request().patch(`/cut/${id}`).send({ title: 'Lost' });
      expect([status, body.status, headers['retry-after']]).toEqual([503, 'failure', '1']);
    }
    expect((await request().get(`/books/${id}`)).body.data.title).toBe('Emma');
  },
);
