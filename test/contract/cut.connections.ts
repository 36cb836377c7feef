import { setImmediate } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Callable } from '@nest-endpoints/core';
import type { Application, ApplicationOptions } from '../support/application.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

/** The way of a database to end connections. */
export interface Ends {
  /** Tells the connection that asks, as `id`. */
  readonly own: string;
  /** Tells those that send books, as `id`, but not the one that asks. */
  readonly streaming: string;
  /** Ends one. */
  end(id: number): string;
}

/** Fewer than the times that each is cut: a place that is lost is missing at the end. */
const places = 2;

/** The turns of the event loop from a cut to what comes next. */
let turns = 0;

type Work = (em: SqlEntityManager) => Promise<unknown>;

/** An endpoint of a user's own code. */
export const posted = (url: string, work: Work) =>
  new Callable({
    url,
    requestMethods: ['POST'],
    toCall: async ({ em }) => {
      await work(em);
      return {};
    },
  });

export const titled = (em: SqlEntityManager, title: string): void => {
  em.persist(em.create(Book, { title }));
};

/** Reads books, and does something behind the first one. */
const streamed = async (em: SqlEntityManager, after: Work): Promise<void> => {
  let count = 0;
  for await (const { title } of em.stream(Book)) {
    if (title !== '') count += 1;
    if (count === 1) await after(em);
  }
};

const worksOf = ({ own, streaming, end }: Ends): Readonly<Record<string, Work>> => {
  const cutAll = async (em: SqlEntityManager, which: readonly { readonly id: number }[]): Promise<void> => {
    for (const { id } of which) await em.fork().execute(end(id));
    for (let left = turns; left > 0; left -= 1) await setImmediate();
  };
  const cut: Work = async (em) => cutAll(em, await em.execute(own));
  const cutStream: Work = async (em) => cutAll(em, await em.fork().execute(streaming));
  return {
    'before-commit': (em) => em.transactional(cut),
    'before-flush': (em) =>
      em.transactional(async (inner) => {
        await cut(inner);
        titled(inner, 'Lost');
      }),
    'before-statement': (em) =>
      em.transactional(async (inner) => {
        await cut(inner);
        await inner.execute('select 1');
      }),
    'before-part': (em) =>
      em.transactional(async (inner) => {
        await cut(inner);
        await inner.transactional(() => Promise.resolve());
      }),
    'before-end-of-part': (em) => em.transactional((inner) => inner.transactional((part) => cut(part))),
    stream: (em) => streamed(em, cutStream),
    'stream-within': (em) => em.transactional((inner) => streamed(inner, cutStream)),
  };
};

/** A service whose own code loses its connection. */
export const cutting = (ends: Ends, ...more: readonly Callable[]): ApplicationOptions =>
  libraryWith([...Object.entries(worksOf(ends)).map(([url, work]) => posted(url, work)), ...more, books()], {
    orm: { pool: { max: places } },
  });

/** @param many the number of books, which must be more than a connection hands over at once */
export const expectPlaces = async ({ request, em }: Application, ends: Ends, many: number): Promise<void> => {
  const own = em() as SqlEntityManager;
  for (let index = 0; index < many; index += 1) titled(own, `book ${index}`);
  await own.flush();
  for (const url of Object.keys(worksOf(ends)))
    for (turns = 0; turns < 20; turns += 5) {
      const { status, body } = await request().post(`/${url}`).timeout(10_000);
      expect([url, turns, status, body.status]).toEqual([url, turns, 503, 'failure']);
    }
  expect((await request().get('/books?title=Lost')).body.data).toEqual([]);
  expect((await request().get('/books')).status).toBe(200);
};
