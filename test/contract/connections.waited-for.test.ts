import { expect } from '@jest/globals';
import { Create, Get } from '@nest-endpoints/core';
import { once as onceOf } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectAnswer, failure } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const hasty = { modelClass: Book, timeout: 100, readableColumnNames: ['title'] } as const;

/** One connection, for which everybody waits. PGlite has no pool. */
const { contract } = service(
  libraryWith(
    [
      books(),
      new Get({ ...hasty, url: 'hasty/:id' }),
      new Get({ ...hasty, url: 'patient/:id', timeout: 0 }),
      new Create({ ...hasty, url: 'hasty', writeableColumnNames: ['title'] }),
    ],
    { orm: { pool: { min: 1, max: 1 }, driverOptions: { connectionTimeoutMillis: 2000 } } },
  ),
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

/** Does something while the only connection is somebody else's. */
const whileTaken = async ({ em }: Subject, work: () => Promise<unknown>): Promise<void> => {
  const holder = em();
  await holder.begin();
  try {
    await work();
  } finally {
    await holder.rollback();
  }
};

const unavailable = failure('Service Unavailable');

contract('A request whose time is up while it waits for a connection takes none', async (subject) => {
  const { request, save, count } = subject;
  const { id } = await save(Book, { title: 'Emma' });
  await whileTaken(subject, async () => {
    for (const _time of [1, 2, 3]) expectAnswer(await request().get(`/hasty/${id}`), 503, unavailable);
    expectAnswer(await request().post('/hasty').send({ title: 'Sanditon' }), 503, unavailable);
  });
  expect((await request().get(`/books/${id}`)).status).toBe(200);
  expect((await request().patch(`/books/${id}`).send({ title: 'Persuasion' })).status).toBe(200);
  expect(await count(Book)).toBe(1);
});

contract('A request whose client leaves while it waits for a connection takes none', async (subject) => {
  const { request, save, url, log } = subject;
  const { id } = await save(Book, { title: 'Emma' });
  await whileTaken(subject, async () => {
    const sent = httpRequest(`${url}/patient/${id}`).end();
    sent.on('error', () => undefined);
    await onceOf(sent, 'finish');
    // What comes later has waited no shorter.
    expectAnswer(await request().get(`/hasty/${id}`), 503, unavailable);
    sent.destroy();
    while (!log.text().includes('the client has gone')) await sleep(10);
  });
  expect((await request().get(`/books/${id}`)).status).toBe(200);
});
