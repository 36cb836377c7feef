import { setImmediate as immediate } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { clientError, expectAnswer } from '../support/answers.js';
import { bothPostgresql, once, service, type Subject } from '../support/contract.js';
import { everyKind } from '../support/every.kind.js';
import { Statements } from '../support/statements.js';
import { build, fleet, fleetEndpoints, rowsOf, tenants } from './schemas.fleet.js';
import { as } from './tenants.js';

const { contract } = service(fleet, bothPostgresql);
const direct = service(fleet, once);

/** One request. */
interface Ask {
  readonly method?: 'get' | 'post' | 'patch' | 'put' | 'delete';
  readonly path: string;
  readonly body?: object | string;
  readonly type?: string;
}

const code = (schema: string, name: string): object => ({
  code: `${name} of ${schema}`,
  name: `${name} of ${schema}`,
});

/** Requests of every kind that show records, by kind. */
const reads: Readonly<Record<string, readonly Ask[]>> = {
  Get: [{ path: '/ships/1' }, { path: '/crews/1' }],
  History: [{ path: '/ships/1/history' }],
  List: ['/ships', '/crews', '/estimated', '/manned', '/joined', '/ships?sort=crew.name'].map((path) => ({
    path,
  })),
  SimpleSearch: [{ path: '/simple?crew.name=crew%20of%20{own}' }],
  AdvancedSearch: ['name', 'crew.name', 'ports.name'].map((column) => ({
    method: 'post',
    path: '/searched',
    body: { where: [{ column, operator: 'like', value: '%of%' }] },
  })),
  Aggregate: [{ path: '/totals?group_by=crew.name&measure=name.min' }],
  Facets: [{ path: '/facets' }],
  Export: [{ path: '/export' }],
  Callable: [{ path: '/found' }, { path: '/served' }],
  Batch: [
    {
      method: 'post',
      path: '/batch',
      body: {
        operations: [
          { method: 'GET', path: '/ships/1' },
          { method: 'GET', path: '/ships' },
        ],
      },
    },
  ],
};

/** Requests of every kind that write records, by kind and in their order. */
const writes = (own: string): Readonly<Record<string, readonly Ask[]>> => ({
  Create: [
    {
      method: 'post',
      path: '/ships',
      body: { ...code(own, 'new'), crew_id: 1, flag_code: 'F', port_ids: [1] },
    },
    { method: 'post', path: '/plain', body: { ...code(own, 'plain'), crew_id: 1, kind: 'raft' } },
    { method: 'post', path: '/hooked', body: code(own, 'hooked') },
  ],
  Update: [
    { method: 'patch', path: '/ships/1', body: { name: `changed of ${own}`, port_ids: [] } },
    { method: 'patch', path: '/plain/2', body: { kind: 'raft' } },
  ],
  Upsert: [
    { method: 'put', path: '/upserted/put', body: { name: `put of ${own}` } },
    { method: 'put', path: '/upserted/put', body: { name: `put again of ${own}` } },
  ],
  CreateMany: ['/ships/bulk', '/plain/bulk'].map((path) => ({
    method: 'post',
    path,
    body: { records: [code(own, `${path} a`), { ...code(own, `${path} b`), kind: 'raft' }] },
  })),
  UpdateMany: [
    {
      method: 'patch',
      path: '/ships/bulk',
      body: {
        records: [
          { id: 1, name: `many of ${own}` },
          { id: 2, name: `more of ${own}` },
        ],
      },
    },
    { method: 'patch', path: '/plain/bulk', body: { records: [{ id: 1, name: `again of ${own}` }] } },
  ],
  Import: [
    { method: 'post', path: '/import', body: `code,name\nin of ${own},in of ${own}\n`, type: 'text/csv' },
  ],
  Delete: [
    { method: 'delete', path: '/ships/1' },
    { method: 'delete', path: '/plain/2' },
  ],
  DeleteMany: [{ method: 'delete', path: '/ships/bulk', body: { ids: [3, 4] } }],
  Restore: [{ method: 'post', path: '/ships/trash/1/restore' }],
  Purge: [{ method: 'delete', path: '/ships/trash/2' }],
  Batch: [
    {
      method: 'post',
      path: '/batch',
      body: {
        operations: [
          { method: 'PATCH', path: '/plain/1', body: { name: `batch of ${own}` } },
          { method: 'POST', path: '/ships', body: code(own, 'batched') },
        ],
      },
    },
  ],
});

/** Kinds whose answers are about no records of tenants, or that are made of others. */
const others = ['HealthCheck', 'Schema', 'DocsPage', 'Migrations', 'EndpointGroup', 'RestfulApi'];

const send = async ({ request }: Subject, schema: string, { method = 'get', path, body, type }: Ask) => {
  const asked = request()[method](path.replace('{own}', schema)).set(as(schema));
  if (type !== undefined) asked.type(type);
  const { status, text } = await (body === undefined ? asked : asked.send(body));
  return { path, isGood: status < 300, text };
};

/** The schemas that a text speaks of. */
const named = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/ of (\w+)/g)].map(([, schema = '']) => schema))].toSorted();

contract('Every kind shows the records of the sender’s schema, and no byte of another', async (subject) => {
  expect(
    Object.keys({ ...reads, ...writes('') })
      .concat(others)
      .toSorted(),
  ).toEqual(everyKind.map(({ name }) => name).toSorted());
  await build(subject);
  for (const schema of [...tenants, ...tenants])
    for (const ask of Object.values(reads).flat()) {
      // What was written past endpoints is not told.
      const shown = ask.path.endsWith('/history') ? [] : [schema];
      const { text, ...answer } = await send(subject, schema, ask);
      expect({ ...answer, named: named(text) }).toEqual({ path: ask.path, isGood: true, named: shown });
    }
  expect(await subject.request().get('/open')).toMatchObject({ status: 200 });
  expect(named((await subject.request().get('/open')).text)).toEqual(['public']);
});

contract('Every kind writes into the sender’s schema, and into no other', async (subject) => {
  await build(subject);
  for (const schema of tenants) {
    const rest = ['public', 'shared', ...tenants.filter((other) => other !== schema)];
    const before = await Promise.all(rest.map((other) => rowsOf(subject, other)));
    const own = await rowsOf(subject, schema);
    for (const ask of Object.values(writes(schema)).flat()) {
      const { text, ...answer } = await send(subject, schema, ask);
      expect({ ...answer, text, isAlone: named(text).every((one) => one === schema) }).toEqual({
        path: ask.path,
        text,
        isGood: true,
        isAlone: true,
      });
    }
    expect(await Promise.all(rest.map((other) => rowsOf(subject, other)))).toEqual(before);
    expect(await rowsOf(subject, schema)).not.toEqual(own);
    expect(named((await send(subject, schema, { path: '/ships/1/history' })).text)).toEqual([schema]);
  }
});

contract('Questions about values are asked in the sender’s schema', async (subject) => {
  await build(subject);
  const post = (schema: string, body: object) => subject.request().post('/ships').set(as(schema)).send(body);
  expect((await post('ta', { code: 'one of tb', name: 'x' })).status).toBe(201);
  expect((await post('ta', { code: 'one of ta', name: 'x' })).body.input_errors).toHaveProperty('code');
  await subject.orm.em.getConnection().execute("insert into tb.crew values (7, 'crew 7 of tb')");
  for (const path of ['/ships', '/plain'])
    expect(
      (await subject.request().post(path).set(as('ta')).send({ code: 'y', name: 'y', crew_id: 7 })).body
        .input_errors,
    ).toEqual({ crew_id: 'the given record does not exist' });
  expect((await post('tb', { code: 'y', name: 'y', crew_id: 7 })).status).toBe(201);
});

contract('A key of idempotency is kept in the sender’s schema', async (subject) => {
  await build(subject);
  const create = (schema: string) =>
    subject
      .request()
      .post('/ships')
      .set({ ...as(schema), 'Idempotency-Key': '"one"' })
      .send({ code: 'k', name: 'k' });
  expect((await create('ta')).status).toBe(201);
  expect((await create('ta')).headers['idempotency-replayed']).toBe('true');
  const other = await create('tb');
  expect([other.status, other.headers['idempotency-replayed']]).toEqual([201, undefined]);
  for (const [schema, n] of [
    ['public', 0],
    ['ta', 1],
    ['tb', 1],
    ['tc', 0],
  ] as const) {
    const rows = await subject.orm.em.getConnection().execute(`select id from ${schema}.idempotency_record`);
    expect({ schema, n: (rows as unknown[]).length }).toEqual({ schema, n });
  }
});

const refused: readonly Ask[] = [
  { path: '/ships/1' },
  { path: '/found' },
  ...['/ships', '/searched', '/import', '/batch'].map((path) => ({ method: 'post', path }) as const),
];

const hostile = [
  'missing',
  'ta"',
  'ta"."ship',
  'ta.ship',
  "ta'",
  '',
  ' ta',
  'TA',
  'ta,tb',
  'ta;drop schema tb cascade',
  't\u00e4',
  'ta\0',
  'pg_catalog',
  'pg_toast',
  'information_schema',
  'public',
  'shared',
  '__proto__',
  'constructor',
  '*',
  'x'.repeat(64),
  'x'.repeat(10_000),
  5,
  true,
  null,
  undefined,
  ['ta'],
  { toString: 'ta' },
];

contract(
  'A name that is none, is not allowed or is not there is a 403, and asks for no record',
  async (subject) => {
    await build(subject);
    const statements = await Statements.of(subject);
    for (const tenant of hostile) {
      const asked = await statements.during(async () => {
        for (const { method = 'get', path } of refused) {
          const answer = await subject
            .request()
            [method](path)
            .set({ 'X-Claims': JSON.stringify({ tenant }) });
          expectAnswer(answer, 403, clientError('Not Authorized'));
        }
      });
      expect(asked.filter((text) => /ship|crew/.test(text))).toEqual([]);
    }
    const { status } = await subject.request().get('/ships/1');
    expect(status).toBe(401);
  },
);

direct.contract('A schema that is made is there at once', async (subject) => {
  await build(subject);
  const get = async (): Promise<number> => (await subject.request().get('/ships/1').set(as('late'))).status;
  expect(await get()).toBe(403);
  await build(subject, ['late']);
  expect(await get()).toBe(200);
});

direct.contract(
  'Statements of a tenant are as many as without one, and name its schema alone',
  async (subject) => {
    await build(subject);
    const statements = await Statements.of(subject);
    const ask = (schema: string, asked: Ask) => send(subject, schema, asked);
    const single: readonly Ask[] = [
      { path: '/ships/1' },
      { method: 'post', path: '/plain', body: { code: 'x', name: 'x', crew_id: 1 } },
      { method: 'patch', path: '/plain/1', body: { name: 'y' } },
      { method: 'delete', path: '/plain/1' },
    ];
    for (const schema of tenants) {
      // The catalogue is asked now and then, see the next test.
      for (const asked of single.slice(1))
        await ask(schema, {
          ...asked,
          ...(asked.method === 'post' ? { body: { code: 'w', name: 'w' } } : {}),
          path: asked.path.replace('1', '2'),
        });
      for (const asked of single) {
        const sent = (await statements.during(() => ask(schema, asked))).filter(
          (text) => !text.includes('pg_namespace'),
        );
        expect({ asked, count: sent.length }).toEqual({ asked, count: asked.path === '/ships/1' ? 2 : 1 });
        const tables = sent.flatMap((text) =>
          [...text.matchAll(/(?:from|join|into|update) (?:only )?("\w+"(?:\."\w+")?)/g)].map(
            ([, table = '']) => table,
          ),
        );
        const stray = tables.filter(
          (table) => !table.startsWith(`"${schema}".`) && !table.startsWith('"shared".'),
        );
        expect(stray.filter((table) => !table.startsWith('"*'))).toEqual([]);
      }
    }
  },
);

direct.contract('Requests of several tenants at once read and write each their own', async (subject) => {
  await build(subject);
  const rounds = Array.from({ length: 60 }, (_, index) => tenants[index % tenants.length] ?? 'ta');
  const texts = await Promise.all(
    rounds.flatMap((schema, index) =>
      [
        { path: '/ships/1' },
        { path: '/ships' },
        { method: 'post', path: '/plain', body: code(schema, `race ${index}`) } as const,
      ].map(async (ask) => ({ schema, ...(await send(subject, schema, ask)) })),
    ),
  );
  for (const { schema, text, isGood } of texts) expect([isGood, named(text)]).toEqual([true, [schema]]);
  for (const schema of tenants) {
    const rows = await subject.orm.em
      .getConnection()
      .execute(`select count(*)::int as n from ${schema}.ship where name like 'race % of ${schema}'`);
    expect(rows).toEqual([{ n: 20 }]);
  }
});

const guarded = service(
  {
    ...fleet,
    endpoints: fleetEndpoints(false),
    root: {
      schemaOf: async (identity: unknown) =>
        Promise.resolve((identity as { readonly tenant: string }).tenant),
      schemas: (name) => Promise.resolve(name !== 'tc'),
      idempotencyKeyTime: 1000,
      rowLevelSecurity: { variables: (identity) => ({ 'app.tenant': String(Object(identity).tenant) }) },
    },
  },
  once,
);

guarded.contract(
  'Row level security stands beside it, and a function says which schemas there are',
  async (subject) => {
    await build(subject);
    for (const schema of ['ta', 'tb'])
      for (const ask of [...Object.values(reads), ...Object.values(writes(schema))].flat()) {
        if (ask.path.endsWith('/history')) continue;
        const { text, isGood } = await send(subject, schema, ask);
        expect({ ask, text, isGood, isAlone: named(text).every((one) => one === schema) }).toEqual({
          ask,
          text,
          isGood: true,
          isAlone: true,
        });
      }
    const statements = await Statements.of(subject);
    const sent = await statements.during(() => send(subject, 'ta', { path: '/crews/1' }));
    expect(sent.filter((text) => text.includes('set_config'))).not.toEqual([]);
    expect((await subject.request().get('/ships/1').set(as('tc'))).status).toBe(403);
  },
);

guarded.contract('Hundreds of schemas are served one after the other and at once', async (subject) => {
  await build(subject, []);
  const many = Array.from({ length: 250 }, (_, index) => `many${index}`);
  await subject.orm.em.getConnection().executeDump(
    many
      .map(
        (schema) => `drop schema if exists ${schema} cascade; create schema ${schema};
          create table ${schema}.crew (like public.crew including all);
          create table ${schema}.ship (like public.ship including all);
          insert into ${schema}.crew values (1, 'crew of ${schema}');`,
      )
      .join(''),
  );
  const get = async (schema: string) => ({ schema, ...(await send(subject, schema, { path: '/crews/1' })) });
  for (const answers of [await Promise.all(many.map(get)), await Promise.all(many.toReversed().map(get))])
    for (const { schema, text } of answers) expect(named(text)).toEqual([schema]);
  for (const schema of ['many0', 'many249', 'many1'])
    expect(
      await send(subject, schema, {
        method: 'patch',
        path: '/crews/1',
        body: { name: `again of ${schema}` },
      }),
    ).toMatchObject({ isGood: true, text: expect.stringContaining(`again of ${schema}`) });
});

guarded.contract('Expired keys are swept in the schemas of tenants, and in no other', async (subject) => {
  await build(subject);
  const connection = subject.orm.em.getConnection();
  for (const schema of ['tb', 'tc'])
    await connection.execute(
      `insert into ${schema}.idempotency_record (id, request, expires_at) values ('a', 'b', now() - interval '1 day')`,
    );
  const kept = async (schema: string): Promise<number> => {
    const rows: unknown[] = await connection.execute(`select id from ${schema}.idempotency_record`);
    return rows.length;
  };
  // The sweep comes every second, and the test ends with it.
  while ((await kept('tb')) > 0) await immediate();
  expect([await kept('tb'), await kept('tc')]).toEqual([0, 1]);
});
