import { setImmediate } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { Batch, Callable, Update, type RequestContext } from '@nest-endpoints/core';
import { once, service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { books } from '../support/endpoints.js';

/** The turns of the event loop from a cut to the next statement. */
let turns = 0;

/** Cuts the connection that a transaction is on, as a restart of the database does. */
const cut = async ({ em }: Pick<RequestContext, 'em'>): Promise<Record<string, never>> => {
  const [row] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
  await em.fork().execute('select pg_terminate_backend(?)', [row?.pid]);
  for (let left = turns; left > 0; left -= 1) await setImmediate();
  return {};
};

const cutOff = new Update({
  url: 'cut/:id',
  modelClass: Book,
  readableColumnNames: ['title'],
  writeableColumnNames: ['title'],
  inputValidationCallable: cut,
});

const others = [
  new Callable({ url: 'cut', requestMethods: ['POST'], toCall: cut }),
  new Batch({ url: 'batch', wholeApplication: true }),
];

const { contract } = service(libraryWith([cutOff, ...others, books()], { orm: { pool: { max: 2 } } }), once);

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

contract(
  'A connection that is lost between parts of a Batch is a 503, however much of its end was heard before',
  async ({ request }) => {
    const operations = [
      { method: 'POST', path: '/cut', body: {} },
      // The first write asks the catalogue about its table, where the transaction is.
      { method: 'POST', path: '/books', body: { title: 'Emma' } },
    ];
    // The server says that it ends the connection, and ends it: each may come before the next statement, or behind it.
    for (turns = 0; turns < 20; turns += 1) {
      const { status, body } = await request().post('/batch').send({ operations });
      expect([status, body.status, turns]).toEqual([503, 'failure', turns]);
    }
  },
);

let cannotPrepare = false;

const preparing = service(
  libraryWith([books()], {
    orm: {
      pool: { max: 2 },
      onReserveConnection: () =>
        cannotPrepare ? Promise.reject(new Error('not prepared')) : Promise.resolve(),
    },
  }),
  once,
);

preparing.contract(
  'A connection that cannot be prepared is a 503 and leaves the pool',
  async ({ request }) => {
    cannotPrepare = true;
    for (let times = 0; times < 3; times += 1) expect((await request().get('/books')).status).toBe(503);
    cannotPrepare = false;
    expect((await request().get('/books')).status).toBe(200);
  },
);
