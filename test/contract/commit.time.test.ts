import { expect } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { books } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';

/** Shorter than the commit takes, and longer than what comes before it. */
const timeout = 500;

const { contract } = service(
  {
    entities: library,
    endpoints: [books({ timeout, afterSave: () => undefined })],
    tables: async (orm) => {
      await orm.schema.create();
      await orm.em.getConnection().execute(`
        create function slow_commit() returns trigger language plpgsql as
          $$ begin perform pg_sleep(1.2); return null; end $$`);
      await orm.em.getConnection().execute(`
        create constraint trigger slow_commit after insert or update on book
          deferrable initially deferred for each row when (new.title like 'Slow%') execute function slow_commit()`);
    },
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

const titles = async ({ em }: Subject): Promise<readonly string[]> =>
  (await (em() as SqlEntityManager).find(Book, {})).map(({ title }) => title);

contract(
  'A request whose time ends while its transaction is committed is answered with what became of it',
  async (subject) => {
    const { request } = subject;
    const created = await request().post('/books').send({ title: 'Slow Emma' });
    expect([created.status, created.body.data.title]).toEqual([201, 'Slow Emma']);
    const changed = await request().patch(`/books/${created.body.data.id}`).send({ title: 'Slower Emma' });
    expect([changed.status, changed.body.data.title]).toEqual([200, 'Slower Emma']);
    expect(await titles(subject)).toEqual(['Slower Emma']);
  },
);
