import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { CreateMany, DeleteMany, UpdateMany } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { Claims } from './claims.js';
import { as } from './tenants.js';

/** JSON has no length: what several records have of it may be longer than a text, so that write and answer are one transaction. */
const Sheet = defineEntity({
  name: 'Sheet',
  properties: {
    id: p.integer().primary(),
    tenant: p.string().length(5),
    rank: p.integer().unique(),
    facts: p.json<unknown>(),
  },
});

const shown = { modelClass: Sheet, readableColumnNames: ['id', 'rank'] } as const;
const written = { ...shown, readableColumnNames: ['id', 'rank', 'facts'] } as const;
const created = { ...written, writeableColumnNames: ['id', 'tenant', 'rank', 'facts'] } as const;
const met = { byConditions: true, searchableColumnNames: ['tenant', 'rank'] } as const;

const endpoints = () => [
  new CreateMany({ ...created, url: 'sheets' }),
  new CreateMany({ ...created, url: 'put', conflictColumnNames: ['rank'], onConflict: 'update' }),
  new UpdateMany({ ...written, ...met, writeableColumnNames: ['rank', 'facts'], url: 'sheets' }),
  new DeleteMany({ ...written, ...met, url: 'sheets' }),
];

const open = service({ entities: [Sheet], endpoints: endpoints() }, once);

const policies = service(
  {
    entities: [Sheet],
    root: {
      authentication: new Claims(),
      rowLevelSecurity: {
        variables: (identity: { readonly tenant: string } | undefined) => ({
          'app.tenant': identity?.tenant,
        }),
        role: 'nest_endpoints_long',
      },
    },
    endpoints: endpoints(),
  },
  once,
);

const protect = async ({ em }: Subject): Promise<void> => {
  await em().getConnection().executeDump(`
      do $$ begin
        create role nest_endpoints_long;
      exception when duplicate_object or unique_violation then null; end $$;
      grant all on sheet to nest_endpoints_long;
      alter table sheet enable row level security;
      drop policy if exists own on sheet;
      create policy own on sheet using (tenant = current_setting('app.tenant', true))`);
};

const sheet = (id: number, rank = id * 10) => ({ id, tenant: 'a', rank, facts: { rank } });

/** The answers of each kind, and what the table has after it. */
const walk = async (subject: Subject): Promise<void> => {
  const send = async (method: 'post' | 'patch' | 'delete', path: string, body: object) => {
    const { status, body: told } = await subject.request()[method](path).set(as('a')).send(body);
    return [
      status,
      told.status === 'success'
        ? Array.isArray(told.data)
          ? told.data.map(({ rank }: typeof told) => rank)
          : told.data
        : told.input_errors,
    ];
  };
  const stored = async () => {
    const rows: { readonly rank: number }[] = await subject
      .em()
      .getConnection()
      .execute('select rank from sheet order by rank');
    return rows.map(({ rank }) => rank);
  };
  const unique = "Invalid value for 'rank': the given value already exists, and must be unique.";
  expect(await send('post', '/sheets', { records: [sheet(1), sheet(2), sheet(3)] })).toEqual([
    201,
    [10, 20, 30],
  ]);
  expect(await stored()).toEqual([10, 20, 30]);
  expect(await send('post', '/sheets', { records: [sheet(4), sheet(5, 10)] })).toEqual([
    400,
    { 'records.1.rank': unique },
  ]);
  expect(await stored()).toEqual([10, 20, 30]);
  expect(await send('post', '/put', { records: [sheet(4), sheet(3)] })).toEqual([201, [40, 30]]);
  expect(await stored()).toEqual([10, 20, 30, 40]);
  const records = [1, 2].map((id) => ({ id, rank: id * 11 }));
  expect(await send('patch', '/sheets', { records })).toEqual([200, [11, 22]]);
  expect(
    await send('patch', '/sheets', {
      records: [
        { id: 1, rank: 5 },
        { id: 2, rank: 30 },
      ],
    }),
  ).toEqual([400, { 'records.1.rank': unique }]);
  expect(await stored()).toEqual([11, 22, 30, 40]);
  const where = [{ column: 'rank', operator: '>', value: 25 }];
  const changes = { facts: { changed: true } };
  expect(await send('patch', '/sheets', { where, changes, maximum: 9 })).toEqual([200, [30, 40]]);
  expect((await send('patch', '/sheets', { ids: [1, 77], changes }))[0]).toBe(400);
  expect(await subject.em().count(Sheet, { facts: { changed: true } })).toBe(2);
  expect(await send('delete', '/sheets', { ids: [1, 2] })).toEqual([200, {}]);
  expect(await send('delete', '/sheets', { where, maximum: 9 })).toEqual([200, {}]);
  expect(await stored()).toEqual([]);
};

open.contract(
  'Writes of values that have no length are kept with their answers, or neither',
  async (subject) => {
    await walk(subject);
    const statements = await Statements.of(subject);
    const sent = await statements.during(async () => {
      await subject
        .request()
        .post('/sheets')
        .send({ records: [sheet(1), sheet(2)] })
        .expect(201);
    });
    expect(sent.map((text) => text.split(' ', 1)[0])).toEqual(['begin', 'with', 'commit']);
  },
);

policies.contract('So are they within the session of row level security', async (subject) => {
  await protect(subject);
  await walk(subject);
});
