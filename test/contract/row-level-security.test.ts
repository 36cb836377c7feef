import { expect, test } from '@jest/globals';
import { LibSqlDriver } from '@mikro-orm/libsql';
import {
  AdvancedSearch,
  Authorization,
  Callable,
  Create,
  EndpointGroup,
  Get,
  HealthCheck,
  List,
  Update,
  type RequestContext,
} from '@nest-endpoints/core';
import { fc } from '../support/property.js';
import { clientError, expectAnswer, failure, inputErrors, notFound } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { Claims } from './claims.js';
import { as, Label, Project, Task, tenantEndpoints } from './tenants.js';
import { expectNoMixing, twoWorlds } from './tenants.worlds.js';

interface Identity {
  readonly tenant: string;
}

const rowLevelSecurity = {
  variables: (identity: Identity | undefined) => {
    if (identity?.tenant === 'broken') throw new Error('no variables for this one');
    return { 'app.tenant': identity?.tenant };
  },
  role: 'nest_endpoints_member',
};

/** It asks within the transaction of the request, which the write is then a part of. */
class Asking extends Authorization {
  override async filterModel(_query: unknown, _identity: unknown, { em }: RequestContext): Promise<object> {
    return { rank: { $gte: (await em.count(Task, {})) - 10 } };
  }
}

const shown = { modelClass: Task, readableColumnNames: ['id', 'name'] } as const;

const { contract } = service(
  {
    entities: [Project, Task, Label],
    root: { rowLevelSecurity },
    endpoints: [
      new List({
        ...shown,
        url: 'public',
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
      new HealthCheck({
        url: 'health',
        callables: [
          async ({ em }) => {
            const seen = await em.execute<{ n: number }[]>('select count(*)::int as n from task');
            if (seen[0]?.n !== 0) throw new Error('a check without an identity sees records');
          },
        ],
      }),
      new EndpointGroup({
        url: 'own',
        authentication: new Claims(),
        endpoints: [
          new Get({
            ...shown,
            url: 'counted/:id',
            outputMap: async ({ em, record }) => ({
              ...record,
              found: (await em.fork({ keepTransactionContext: true }).find(Task, {})).length,
              raw: await em.execute('select count(*)::int as n from task'),
              kysely: await em
                .getKysely<{ task: { id: number } }>()
                .selectFrom('task')
                .select((select) => select.fn.countAll<string>().as('n'))
                .execute(),
            }),
          }),
          new AdvancedSearch({
            ...shown,
            url: 'searched',
            searchableColumnNames: ['name'],
            sortableColumnNames: ['id'],
            defaultSortColumnName: 'id',
            where: [({ query }) => query.andWhere({ rank: { $gte: 0 } })],
          }),
          new Create({
            ...shown,
            url: 'validated',
            writeableColumnNames: ['id', 'tenant', 'name'],
            inputValidationCallable: async ({ em }): Promise<Record<string, string>> =>
              (await em.count(Task, {})) > 1 ? { name: 'sees too much' } : {},
          }),
          new Update({ ...shown, url: 'moved/:id', writeableColumnNames: ['tenant'] }),
          new Update({
            ...shown,
            url: 'renamed/:id',
            writeableColumnNames: ['name'],
            authorization: new Asking(),
          }),
          new Callable({
            url: 'streamed',
            returnStandardResponse: false,
            toCall: async function* ({ em }) {
              for (const _round of [1, 2]) {
                yield await em.execute('select name from task');
                await new Promise(setImmediate);
              }
            },
          }),
        ],
      }),
      ...tenantEndpoints(),
    ],
  },
  postgresqlOnly,
);

/** The role and the policies, as a migration of the user's would make them. */
const protect = async (subject: Subject): Promise<void> => {
  const tables = ['label', 'project', 'task', 'task_labels'];
  await subject.em().getConnection().executeDump(`
    do $$ begin
      create role nest_endpoints_member;
    exception when duplicate_object or unique_violation then null; end $$;
    grant all on ${tables.join(', ')} to nest_endpoints_member;
    ${tables
      .slice(0, 3)
      .map(
        (table) => `
          alter table ${table} enable row level security;
          drop policy if exists own on ${table};
          create policy own on ${table} using (tenant = current_setting('app.tenant', true));`,
      )
      .join('')}`);
};

const two = async (subject: Subject): Promise<void> => {
  await protect(subject);
  await subject.save(Task, { id: 1, tenant: 'a', name: 'own' });
  await subject.save(Task, { id: 2, tenant: 'b', name: 'foreign' });
};

contract(
  'What the database refuses within the transaction of a request is told of its column',
  async (subject) => {
    await two(subject);
    await subject.save(Task, { id: 3, tenant: 'a', name: 'another' });
    const refused = await subject.request().patch('/own/renamed/3').set(as('a')).send({ name: 'own' });
    const complaint = "Invalid value for 'name': the given value already exists, and must be unique.";
    expectAnswer(refused, 400, inputErrors({ name: complaint }));
    const accepted = await subject.request().patch('/own/renamed/3').set(as('a')).send({ name: 'new' });
    expect([accepted.status, accepted.body.data]).toEqual([200, { id: 3, name: 'new' }]);
  },
);

contract('Every statement of a request has the variables and the role of its sender', async (subject) => {
  await two(subject);
  const { request } = subject;
  expect((await request().get('/tasks').set(as('a'))).body).toMatchObject({
    data: [{ name: 'own' }],
    pagination: { number_results: 1 },
  });
  expectAnswer(await request().get('/tasks/2').set(as('a')), 404, notFound);
  expectAnswer(await request().delete('/tasks/2').set(as('a')), 404, notFound);
  expectAnswer(await request().patch('/tasks/2').set(as('a')).send({ rank: 3 }), 404, notFound);
});

contract('An estimate tells nothing of records that a policy hides', async (subject) => {
  await protect(subject);
  // The planner cannot tell what this finds, and takes a third of the table for it.
  await subject.em().getConnection().executeDump(`
    drop policy own on task;
    create policy own on task using (strpos(current_setting('app.tenant', true), tenant) > 0)`);
  const tasks = Array.from({ length: 300 }, (_, id) => ({
    id,
    tenant: id < 3 ? 'a' : 'b',
    name: `task ${id}`,
  }));
  await subject.em().insertMany(Task, tasks);
  await subject.em().getConnection().execute('analyze task');
  for (const [tenant, count] of [
    ['a', 3],
    ['b', 297],
    ['c', 0],
  ] as const) {
    const { body } = await subject.request().post('/estimated').set(as(tenant)).send({ limit: 1 });
    expect([tenant, body.error, body.pagination.number_results]).toEqual([tenant, '', count]);
  }
});

contract('Statements of the user’s own functions have them too', async (subject) => {
  await two(subject);
  const { request } = subject;
  const counted = await request().get('/own/counted/1').set(as('a'));
  expect(counted.body).toMatchObject({
    data: { id: 1, found: 1, raw: [{ n: 1 }], kysely: [{ n: expect.anything() as unknown }] },
  });
  expect(String((counted.body as { data: { kysely: [{ n: unknown }] } }).data.kysely[0].n)).toBe('1');
  expect((await request().get('/own/searched').set(as('b'))).body).toMatchObject({
    data: [{ name: 'foreign' }],
  });
  const created = await request().post('/own/validated').set(as('a')).send({ id: 5, tenant: 'a', name: 'n' });
  expect(created.status).toBe(201);
});

contract('A stream sees what its sender may see, as long as it flows', async (subject) => {
  await two(subject);
  const { text } = await subject.request().get('/own/streamed').set(as('a')).buffer(true);
  expect(text).toBe('[{"name":"own"}]\n'.repeat(2));
});

contract('Without an identity the variables are empty', async (subject) => {
  await two(subject);
  expect((await subject.request().get('/public')).body).toMatchObject({ data: [] });
  expect((await subject.request().get('/health')).body).toMatchObject({ status: 'success' });
});

contract('A write that a policy refuses is Not Authorized, and leaves nothing', async (subject) => {
  await two(subject);
  const { request } = subject;
  const foreign = await request().post('/tasks').set(as('a')).send({ id: 3, tenant: 'b', name: 'n' });
  expectAnswer(foreign, 403, clientError('Not Authorized'));
  const moved = await request().patch('/own/moved/1').set(as('a')).send({ tenant: 'b' });
  expectAnswer(moved, 403, clientError('Not Authorized'));
  expect(await subject.em().find(Task, {}, { orderBy: { id: 'asc' } })).toMatchObject([
    { id: 1, tenant: 'a' },
    { id: 2, tenant: 'b' },
  ]);
});

contract('Variables that cannot be told are a failure, and show nothing', async (subject) => {
  await two(subject);
  const answer = await subject.request().get('/tasks').set(as('broken'));
  expectAnswer(answer, 500, failure('Internal Server Error'));
});

contract('A role that lacks a grant is a fault of the service', async (subject) => {
  await two(subject);
  await subject.em().getConnection().executeDump('revoke all on task from nest_endpoints_member');
  const answer = await subject.request().get('/tasks').set(as('a'));
  expectAnswer(answer, 500, failure('Internal Server Error'));
});

contract('Nothing sticks to a connection: twenty tenants at once do not mix', async (subject) => {
  await protect(subject);
  const tenants = Array.from({ length: 20 }, (_, index) => `t${index}`);
  for (const [index, tenant] of tenants.entries())
    await subject.save(Task, { id: index + 1, tenant, name: tenant });
  const answers = await Promise.all(
    [...tenants, ...tenants].map(async (tenant) => {
      const { body } = await subject.request().get('/tasks').set(as(tenant));
      return (body as { data: { name: string }[] }).data.map(({ name }) => name);
    }),
  );
  expect(answers).toEqual([...tenants, ...tenants].map((tenant) => [tenant]));
});

contract('A request that is refused before asks the database nothing', async (subject) => {
  await two(subject);
  const statements = await Statements.of(subject);
  const answers: number[] = [];
  const sent = await statements.during(async () => {
    const { request } = subject;
    for (const asked of [
      request().post('/tasks').set('Content-Type', 'application/json').send('{'),
      request().get('/tasks?nothing=1'),
      request().get('/tasks/x'),
    ])
      answers.push((await asked.set(as('a'))).status);
  });
  expect({ answers, sent }).toEqual({ answers: [400, 400, 404], sent: [] });
});

contract('Records of two tenants never mix, whatever is asked', async (subject) => {
  await protect(subject);
  await fc.assert(
    fc.asyncProperty(twoWorlds, (worlds) => expectNoMixing(subject, worlds)),
    { numRuns: Number(process.env['RUNS'] ?? 15) },
  );
});

test('Row level security on another database than PostgreSQL is a start-up error', async () => {
  const message = await startUpError({
    orm: { driver: LibSqlDriver, dbName: ':memory:' },
    entities: [Label],
    root: { rowLevelSecurity },
    endpoints: [new Get({ modelClass: Label, url: ':id', readableColumnNames: ['id'] })],
  });
  expect(message).toContain('rowLevelSecurity');
});
