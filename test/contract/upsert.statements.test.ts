import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Upsert } from '@nest-endpoints/core';
import { clientError, expectAnswer, success } from '../support/answers.js';
import { once, postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { Claims } from './claims.js';
import { Item, Stock, upserting, Warehouse } from './upserted.stock.js';

const put = ({ request }: Subject, path: string, body: object, headers: Record<string, string> = {}) =>
  request().put(path).set(headers).send(body);

const as = (claims: object) => ({ 'X-Claims': JSON.stringify(claims) });

const direct = service({ ...upserting(), route: 'direct' }, once);

/** The first words of what is sent, and whether it is told what to do where a record is there. */
const shortened = (statements: readonly string[]) =>
  statements.map(
    (text) => `${/\b(insert|update|select)\b/.exec(text)?.[0]}${text.includes('on conflict') ? '!' : ''}`,
  );

direct.contract(
  'Past MikroORM an Upsert is one statement, and a read more where nothing changed',
  async (subject) => {
    const statements = await Statements.of(subject);
    const sent = async (body: object, status: number, headers: Record<string, string> = {}) =>
      shortened(
        await statements.during(async () => {
          expect((await put(subject, '/alike/A', body, headers)).status).toBe(status);
        }),
      );
    // The first write asks the catalogue about the table, and about the index.
    await put(subject, '/alike/warm', { name: 'One' });
    expect(await sent({ name: 'One' }, 200)).toEqual(['insert!']);
    expect(await sent({ name: 'Two' }, 200)).toEqual(['insert!']);
    expect(await sent({ name: 'Two' }, 200)).toEqual(['insert!', 'select']);
    expect(await sent({ name: 'Three' }, 200, { 'If-Match': '"2"' })).toEqual(['update']);
    expect(await sent({ name: 'Four' }, 200, { 'If-Match': '*' })).toEqual(['update']);
    expect(await subject.count(Item)).toBe(2);
  },
);

direct.contract(
  'The one statement of an Upsert shows parents, and who made and changed a record',
  async (subject) => {
    await subject.save(Warehouse, { id: 1, name: 'West' });
    const path = '/warehouses/1/stocks';
    for (const [amount, status, sub] of [
      [1, 201, 'ann'],
      [2, 200, 'bea'],
      [2, 200, 'cid'],
    ] as const) {
      const answer = await put(subject, path, { sku: 'A', amount }, as({ sub }));
      expectAnswer(answer, status, success({ sku: 'A', warehouse: { name: 'West' }, amount }));
    }
    expect(await subject.em().findAll(Stock)).toMatchObject([{ madeBy: 'ann', changedBy: 'bea' }]);
  },
);

/** Keeps codes apart as people do, not as letters. */
const insensitive = async ({ em }: Subject): Promise<void> => {
  await em()
    .getConnection()
    .execute(
      `create collation if not exists ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      alter table item alter column code type varchar(20) collate ci`,
    );
};

const collated = service(upserting(), once);

collated.contract(
  'A key that a collation takes for the same is the same record, and stays as it was',
  async (subject) => {
    await insensitive(subject);
    for (const url of ['items', 'hooked']) {
      await subject.save(Item, { code: `FR-${url}`, name: 'One' });
      const answer = await put(subject, `/${url}/fr-${url.toUpperCase()}`, { name: 'Two' });
      expect([answer.status, answer.body.data.code]).toEqual([200, `FR-${url}`]);
      const second = await put(subject, `/${url}/fr-${url}`, { name: 'Two' });
      expect([second.status, second.headers['etag']]).toEqual([200, '"2"']);
    }
    expect(await subject.count(Item)).toBe(2);
  },
);

collated.contract(
  'Where the database has no such unique index any more, an Upsert is a 500 and writes nothing',
  async (subject) => {
    const run = (sql: string) => subject.em().getConnection().execute(sql);
    await run('alter table warehouse rename to warehouse_kept; create table warehouse (id int, name text)');
    expect((await put(subject, '/warehouses/1', { name: 'One' })).status).toBe(500);
    expect(await run('select * from warehouse')).toEqual([]);
    await run('drop table warehouse; alter table warehouse_kept rename to warehouse');
    expect(subject.log.text('error')).toMatch(/the table warehouse has no unique index of id alone/);
  },
);

const Secret = defineEntity({
  name: 'Secret',
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string().unique(),
    owner: p.string(),
    name: p.string().nullable(),
  },
});

const secrets = {
  modelClass: Secret,
  readableColumnNames: ['code', 'owner', 'name'],
  writeableColumnNames: ['code', 'owner', 'name'],
  conflictColumnNames: ['code'],
  authentication: new Claims(),
} as const;

const policies = service(
  {
    entities: [Secret],
    root: {
      rowLevelSecurity: {
        variables: (identity: { sub?: string } | undefined) => ({ 'app.sub': identity?.sub }),
        role: 'nest_endpoints_member',
      },
    },
    endpoints: [
      new Upsert({ ...secrets, url: 'secrets' }),
      new Upsert({ ...secrets, url: 'hooked', beforeSave: () => undefined }),
    ],
  },
  postgresqlOnly,
);

const protect = async ({ em }: Subject): Promise<void> => {
  await em().getConnection().executeDump(`
    do $$ begin
      create role nest_endpoints_member;
    exception when duplicate_object or unique_violation then null; end $$;
    grant select, insert, update, delete on all tables in schema public to nest_endpoints_member;
    grant usage on all sequences in schema public to nest_endpoints_member;
    alter table secret enable row level security;
    drop policy if exists own on secret;
    create policy own on secret using (owner = current_setting('app.sub'));`);
};

policies.contract(
  'What policies hide or refuse of an Upsert is a 403, and nothing is written',
  async (subject) => {
    await protect(subject);
    const forbidden = clientError('Not Authorized');
    for (const url of ['secrets', 'hooked']) {
      const body = { code: url, owner: 'ann', name: 'One' };
      expect((await put(subject, `/${url}`, body, as({ sub: 'ann' }))).status).toBe(201);
      expect((await put(subject, `/${url}`, { ...body, name: 'Two' }, as({ sub: 'ann' }))).status).toBe(200);
      expectAnswer(
        await put(subject, `/${url}`, { ...body, owner: 'bea' }, as({ sub: 'bea' })),
        403,
        forbidden,
      );
      expectAnswer(await put(subject, `/${url}`, { ...body, code: 'x' }, as({ sub: 'bea' })), 403, forbidden);
      expectAnswer(
        await put(subject, `/${url}`, { ...body, owner: 'bea' }, as({ sub: 'ann' })),
        403,
        forbidden,
      );
    }
    expect(await subject.em().find(Secret, {}, { orderBy: { id: 'asc' } })).toMatchObject([
      { code: 'secrets', owner: 'ann', name: 'Two' },
      { code: 'hooked', owner: 'ann', name: 'Two' },
    ]);
  },
);
