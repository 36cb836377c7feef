import { expect } from '@jest/globals';
import { Create, RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, failure, success } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { heard, Note, shown, Trip, trips } from './life-cycle.trips.js';

const observed = {
  ...trips,
  afterSave: () => {
    heard.push('afterSave');
  },
  // A statement of its own sees what is committed; on PGlite it would wait for an open transaction.
  afterCommit: async ({ em }: { em: Reader }) => {
    const [row] = await em.fork().execute('select count(*)::int as n from trip');
    heard.push(`afterCommit ${row?.n} ${em.isInTransaction()}`);
  },
} as const;

interface Reader {
  isInTransaction(): boolean;
  fork(): Reader;
  execute(statement: string): Promise<{ n: number }[]>;
}

/** Refuses one title, but not before the commit. */
const deferRefusal = async ({ orm }: Subject): Promise<void> => {
  await orm.em.getConnection().executeDump(`
    create or replace function refuse() returns trigger language plpgsql as $$
      begin if new.title = 'deferred' then raise exception 'a secret of the trigger'; end if; return null; end $$;
    drop trigger if exists refusing on trip;
    create constraint trigger refusing after insert on trip deferrable initially deferred
      for each row execute function refuse();`);
};

const applications = [
  service(
    {
      entities: [Trip, Note],
      endpoints: [new RestfulApi({ ...observed, url: 'trips' })],
    },
    postgresqlOnly,
  ),
  service(
    {
      entities: [Trip, Note],
      root: { rowLevelSecurity: { variables: () => ({ 'app.user': 'me' }) } },
      endpoints: [new RestfulApi({ ...observed, url: 'trips' }), new Create({ ...observed, url: 'created' })],
    },
    postgresqlOnly,
  ),
];

for (const { contract } of applications) {
  contract(
    'afterCommit sees the record committed, whatever transaction the request is in',
    async ({ request }) => {
      heard.length = 0;
      expectAnswer(await request().post('/trips').send({ title: 'Nice' }), 201, success(shown('Nice')));
      expect(heard).toEqual(['afterSave', 'afterCommit 1 false']);
    },
  );

  contract('afterCommit does not run when the commit itself fails', async (subject) => {
    await deferRefusal(subject);
    heard.length = 0;
    const answer = await subject.request().post('/trips').send({ title: 'deferred' });
    expectAnswer(answer, 500, failure('Internal Server Error'));
    expect(heard).toEqual(['afterSave']);
    expect(await subject.count(Trip)).toBe(0);
  });
}
