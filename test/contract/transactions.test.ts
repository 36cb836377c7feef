import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, List, Update } from '@nest-endpoints/core';
import { clientError, expectAnswer, failure, success } from '../support/answers.js';
import { everyDatabase, once, service } from '../support/contract.js';

const Account = defineEntity({
  name: 'Account',
  properties: { id: p.integer().primary(), balance: p.integer() },
});

/** What the functions around writes saw. */
let seen: string[] = [];
/** Lets a function fail the way the database does, so many times. */
let failures = 0;
let failing = '40001';

const fail = async ({ em }: { em: { execute(sql: string): Promise<unknown> } }): Promise<void> => {
  if (failures <= 0) return;
  failures -= 1;
  await em.execute(`do $$ begin raise exception 'of the test' using errcode = '${failing}'; end $$`);
};

const accounts = {
  modelClass: Account,
  readableColumnNames: ['id', 'balance'],
  writeableColumnNames: ['id', 'balance'],
} as const;

const watched = {
  ...accounts,
  beforeSave: () => void seen.push('before'),
  afterSave: async (context: { em: { execute(sql: string): Promise<unknown> } }) => {
    seen.push('after');
    await fail(context);
  },
  afterCommit: () => void seen.push('commit'),
};

const { contract } = service(
  {
    entities: [Account],
    endpoints: [
      new Create({ ...watched, url: 'watched' }),
      new Update({ ...watched, url: 'watched/:id' }),
      new Update({ ...accounts, url: 'accounts/:id' }),
      new List({
        ...accounts,
        url: 'accounts',
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ],
  },
  everyDatabase.filter(({ database }) => database !== 'sqlite'),
);

const begin = (times: number, code = '40001'): void => {
  seen = [];
  failures = times;
  failing = code;
};

contract(
  'A write that the database undid because of others is tried again up to three times',
  async (subject) => {
    for (const [id, code] of ['40001', '40P01'].entries()) {
      begin(3, code);
      const account = { id, balance: 10 };
      expectAnswer(await subject.request().post('/watched').send(account), 201, success(account));
    }
    expect(await subject.count(Account)).toBe(2);
  },
);

contract('A write that is undone each time is a 503 with Retry-After', async ({ request, count }) => {
  begin(4);
  const answer = await request().post('/watched').send({ id: 1, balance: 10 });
  expectAnswer(answer, 503, failure('Service Unavailable'));
  expect(answer.headers['retry-after']).toBe('1');
  expect([failures, await count(Account)]).toEqual([0, 0]);
});

contract('Functions around a write run again with it, those after the commit once', async (subject) => {
  begin(2);
  const { id } = await subject.save(Account, { id: 1, balance: 10 });
  const answer = await subject.request().patch(`/watched/${id}`).send({ balance: 11 });
  expectAnswer(answer, 200, success({ id: 1, balance: 11 }));
  expect(seen).toEqual(['before', 'after', 'before', 'after', 'before', 'after', 'commit']);
});

contract('What the database refuses for another reason is not tried again', async ({ request }) => {
  begin(1, '23514');
  const answer = await request().post('/watched').send({ id: 1, balance: 10 });
  expectAnswer(answer, 409, clientError('The database refuses these values'));
  expect(seen).toEqual(['before', 'after']);
});

const undone = service(
  { entities: [Account], endpoints: [new Update({ ...accounts, url: 'accounts/:id' })] },
  once,
);

undone.contract('A statement of its own that is undone is tried again', async (subject) => {
  await subject.save(Account, { id: 1, balance: 10 });
  const execute = (sql: string) => subject.em().getConnection().execute(sql);
  await execute('create sequence if not exists trials');
  await execute("select setval('trials', 1, false)");
  await execute(`create or replace function undo() returns trigger language plpgsql as $$ begin
    if nextval('trials') < 3 then raise exception 'of the test' using errcode = '40P01'; end if; return new; end $$`);
  await execute(
    'create or replace trigger undo before update on account for each row execute function undo()',
  );
  const answer = await subject.request().patch('/accounts/1').send({ balance: 11 });
  expectAnswer(answer, 200, success({ id: 1, balance: 11 }));
});
