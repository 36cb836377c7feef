import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  ChangeRecord,
  eraseChanges,
  Get,
  partedChangeRecord,
  pruneChanges,
  Public,
  readChanges,
  recordChanges,
  RestfulApi,
  Upsert,
} from '@nest-endpoints/core';
import { startApplication } from '../support/application.js';
import { connectionOf } from '../support/catalogue.js';
import { once, postgresqlOnly, service, type Subject } from '../support/contract.js';
import { partedBy } from '../support/parted.tables.js';
import { Statements } from '../support/statements.js';
import { of, partedShop } from './parted.shop.js';
import { stopped } from './stopped.js';

const tenant = () => p.string().length(20).primary();

const properties = () => ({
  tenant: tenant(),
  id: p.integer().primary(),
  text: p.string(),
  rank: p.integer().default(0),
  version: p.integer().version(),
});

const Memo = defineEntity({ name: 'Memo', properties: properties() });
const Passing = defineEntity({ name: 'Passing', properties: properties() });
recordChanges(Memo, { keepFor: 'forever' });
recordChanges(Passing, { keepFor: 1000 });

const Log = partedChangeRecord({ tenant: p.string().length(20) });

const memos = {
  modelClass: Memo,
  readableColumnNames: ['id', 'text', 'rank'],
  writeableColumnNames: ['id', 'text', 'rank'],
} as const;

const api = {
  ...memos,
  searchableColumnNames: ['text'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  bulk: true,
} as const;

const shop = {
  entities: [Memo, Passing, Log],
  tables: partedBy('tenant'),
  root: { ...partedShop.root, authentication: new Public() },
  endpoints: [
    new RestfulApi({ ...api, url: 'flat', history: { readableColumnNames: ['text', 'rank'] } }),
    new RestfulApi({ ...api, url: 'hooked', afterSave: () => undefined, afterDelete: () => undefined }),
    new Upsert({ ...memos, url: 'kept/:id' }),
    new Get({ ...memos, url: 'past/:id', timeTravel: true }),
  ],
} as const;

const { contract } = service(shop, postgresqlOnly);

/** Writes the same records for two tenants, each by all ways. */
const written = async ({ request }: Subject): Promise<void> => {
  for (const [url, from] of [
    ['flat', 0],
    ['hooked', 10],
  ] as const)
    for (const who of ['a', 'b']) {
      const [one, two, three] = [from + 1, from + 2, from + 3];
      const sent = [
        ['post', `/${url}`, { id: one, text: `${who} ${one}` }],
        ['patch', `/${url}/${one}`, { rank: 1 }],
        [
          'post',
          `/${url}/bulk`,
          {
            records: [
              { id: two, text: 'x' },
              { id: three, text: 'y' },
            ],
          },
        ],
        [
          'patch',
          `/${url}/bulk`,
          {
            records: [
              { id: two, rank: 2 },
              { id: three, text: 'z' },
            ],
          },
        ],
        ['delete', `/${url}/bulk`, { ids: [three] }],
        ['put', `/kept/${two}`, { text: 'kept' }],
        ['delete', `/${url}/${two}`, undefined],
      ] as const;
      for (const [method, path, body] of sent) {
        const { status } = await request()[method](path).set(of(who)).send(body);
        expect([path, status < 300]).toEqual([path, true]);
      }
    }
};

const told = async ({ em }: Pick<Subject, 'em'>) => {
  const changes = await readChanges(em());
  return changes.map(({ part, recordId, operation, before, after }) => [
    part,
    recordId,
    operation,
    { ...before, version: undefined },
    { ...after, version: undefined },
  ]);
};

contract(
  'Changes are told in the part of their records, by whichever way they are written',
  async (subject) => {
    await written(subject);
    const all = await told(subject);
    for (const who of ['a', 'b'])
      for (const from of [0, 10]) {
        const own = all.filter(([part, id]) => part === who && Number(id) > from && Number(id) < from + 10);
        const [one, two, three] = [1, 2, 3].map((id) => String(from + id));
        const made = (id: string | undefined, text: string) => ({
          tenant: who,
          id: Number(id),
          text,
          rank: 0,
        });
        expect(own).toEqual([
          [who, one, 'created', {}, made(one, `${who} ${one}`)],
          [who, one, 'updated', { rank: 0 }, { rank: 1 }],
          [who, two, 'created', {}, made(two, 'x')],
          [who, three, 'created', {}, made(three, 'y')],
          [who, two, 'updated', { rank: 0 }, { rank: 2 }],
          [who, three, 'updated', { text: 'y' }, { text: 'z' }],
          [who, three, 'deleted', made(three, 'z'), {}],
          [who, two, 'updated', { text: 'x' }, { text: 'kept' }],
          [who, two, 'deleted', { ...made(two, 'kept'), rank: 2 }, {}],
        ]);
      }
  },
);

contract('A history and a record as it was are those of the tenant', async (subject) => {
  const { request, em } = subject;
  await written(subject);
  for (const who of ['a', 'b']) {
    const { body } = await request().get('/flat/1/history').set(of(who));
    expect(body.data.map(({ operation, changes }: Record<string, unknown>) => [operation, changes])).toEqual([
      ['updated', { rank: { before: 0, after: 1 } }],
      ['created', { text: { after: `${who} 1` }, rank: { after: 0 } }],
    ]);
  }
  const [created = 0, updated = 0] = (await readChanges(em()))
    .filter(({ part, recordId }) => part === 'b' && recordId === '1')
    .map(({ at }) => at.getTime());
  await request().patch('/flat/1').set(of('a')).send({ text: 'later' });
  const asOf = new Date(Math.ceil((created + updated) / 2)).toISOString();
  const { body } = await request().get(`/past/1?as_of=${asOf}`).set(of('b'));
  expect(body.data).toEqual({ id: 1, text: 'b 1', rank: 0 });
});

contract('Changes of one record are emptied, and old ones deleted, part by part', async (subject) => {
  const { em } = subject;
  await written(subject);
  expect(await eraseChanges(em(), Memo, ['a', 1])).toBe(2);
  await expect(eraseChanges(em(), Memo, 1)).rejects.toThrow('the key of the record is [part, id]');
  const own = (await told(subject)).filter(([, id]) => id === '1');
  expect(own.map(([part, , , , after]) => [part, Object.keys(after as object).length > 1])).toEqual([
    ['a', false],
    ['a', false],
    ['b', true],
    ['b', true],
  ]);
  const later = em();
  for (const who of ['a', 'b']) later.create(Passing, { tenant: who, id: 1, text: 'x' });
  await later.flush();
  await connectionOf(subject.orm).execute(
    `update change_record set at = '2001-01-01' where model = 'Passing'`,
  );
  // A transaction of another test on the same server may hold readers back.
  const passed = async () => (await readChanges(em())).filter(({ model }) => model === 'Passing');
  while ((await passed()).length < 2);
  expect(await pruneChanges(em())).toBe(2);
});

const { contract: direct } = service(shop, once);

direct('A recorded write of a record in parts is one statement', async (subject) => {
  const statements = await Statements.of(subject);
  const { request } = subject;
  const post = (id: number) => request().post('/flat').set(of('a')).send({ id, text: 'x' });
  await post(1);
  expect(await statements.during(() => post(2))).toHaveLength(1);
  expect(await statements.during(() => request().delete('/flat/2').set(of('a')))).toHaveLength(1);
});

const Whole = defineEntity({ name: 'Whole', properties: { id: p.integer().primary(), text: p.string() } });
const Triggered = defineEntity({ name: 'Triggered', properties: properties() });
recordChanges(Whole, { keepFor: 'forever' });
recordChanges(Triggered, { keepFor: 'forever', capture: 'trigger' });

test('A log in other parts than the records stops the start, and so does what it cannot tell', async () => {
  const start = (entities: readonly object[]) =>
    stopped(() => new RestfulApi({ ...api, url: 'flat' }), {
      entities: entities as never,
      root: { ...partedShop.root, authentication: new Public() },
    });
  expect(await start([Memo, ChangeRecord])).toContain('needs partedChangeRecord instead of ChangeRecord');
  expect(await start([Memo, partedChangeRecord({ customer: p.string() })])).toContain(
    "Memo has no key of 'customer' and an id",
  );
  expect(await start([Memo, Whole, Log])).toContain("Whole has no key of 'tenant' and an id");
  expect(await start([Memo, Triggered, Log])).toContain("'trigger' records no table in parts");
  expect(() => partedChangeRecord({})).toThrow('wants one column');
});

test('A log from before stops the start with the statements that bring it into parts', async () => {
  const startedOn = (sql: readonly string[]) =>
    startApplication('express', 'postgresql', {
      ...shop,
      tables: async (orm, database) => {
        await shop.tables(orm, database);
        const whole = `drop table change_record; create table change_record (id bigserial primary key, transaction xid8,
          at timestamptz(6) not null, model text not null, record_id text not null, operation varchar(16) not null,
          before jsonb, after jsonb, withheld jsonb, actor text, request_id text, endpoint text, context jsonb)`;
        for (const statement of [...whole.split(';'), ...sql]) await connectionOf(orm).execute(statement);
      },
    });
  const error: unknown = await startedOn([]).catch((reason: unknown) => reason);
  const [, sql = ''] = /^partedChangeRecord: tenant: .* and goes: (.*)$/.exec((error as Error).message) ?? [];
  const { request, em, close } = await startedOn(sql.split(';'));
  try {
    await request().post('/flat').set(of('a')).send({ id: 1, text: 'x' });
    expect((await readChanges(em())).map(({ part }) => part)).toEqual(['a']);
  } finally {
    await close();
  }
});
