import { expect } from '@jest/globals';
import { clientError, expectAnswer } from '../support/answers.js';
import { bothPostgresql, once, service } from '../support/contract.js';
import { everyKind } from '../support/every.kind.js';
import { Statements } from '../support/statements.js';
import { code, named, reads, send, writes, type Ask } from './schemas.asks.js';
import { build, fleet, rowsOf, tenants } from './schemas.fleet.js';
import { as } from './tenants.js';

const { contract } = service(fleet, bothPostgresql);
const direct = service(fleet, once);

/** Kinds whose answers are about no records of tenants, or that are made of others. */
const others = [
  'HealthCheck',
  'Schema',
  'DocsPage',
  'AdminPage',
  'Migrations',
  'EndpointGroup',
  'RestfulApi',
  'Mcp',
];

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
          const asked = subject.request()[method](path);
          const answer = await asked.set({ 'X-Claims': JSON.stringify({ tenant }) });
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

direct.contract('An Update like the one before writes into the schema of its own sender', async (subject) => {
  await build(subject);
  const turns = [...tenants, ...tenants.toReversed(), ...tenants];
  for (const [turn, schema] of turns.entries()) {
    const name = `port ${turn} of ${schema}`;
    const ask: Ask = { method: 'patch', path: '/ports/1', body: { name } };
    expect((await send(subject, schema, ask)).text).toContain(name);
  }
  const names = await Promise.all(
    tenants.map(async (schema) => named(JSON.stringify(await rowsOf(subject, schema)))),
  );
  expect(names).toEqual(tenants.map((schema) => [schema]));
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
