import { expect } from '@jest/globals';
import { TenantRecords } from '@nest-endpoints/auth';
import { AdvancedSearch, EndpointGroup, RestfulApi, type AuthorizationRule } from '@nest-endpoints/core';
import { notFound } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { as, Label, OfTenant, Project, Task } from './tenants.js';

const tasks = {
  modelClass: Task,
  readableColumnNames: ['id', 'name', 'project.name', 'labels.name'],
  writeableColumnNames: ['id', 'tenant', 'name', 'rank', 'projectId'],
  sortableColumnNames: ['id', 'project.name'],
  searchableColumnNames: ['id', 'project.name'],
  defaultSortColumnName: 'id',
  clientSelectsColumns: true,
  includableColumnNames: ['before.project.name', 'project.rank', 'project.tasks.name', 'rank'],
} as const;

const group = (url: string, authorization?: AuthorizationRule) =>
  new EndpointGroup({
    url,
    authentication: new Claims(),
    ...(authorization === undefined ? {} : { authorization }),
    endpoints: [new AdvancedSearch({ ...tasks, url: 'search' }), new RestfulApi({ ...tasks, url: 'tasks' })],
  });

const entities = [Project, Task, Label];

const { contract } = service({
  entities,
  endpoints: [
    group('queried', new OfTenant()),
    group('scoped', new TenantRecords({ columnName: 'tenant', claim: 'tenant' })),
  ],
});

const { contract: protectedContract } = service(
  {
    entities,
    root: {
      rowLevelSecurity: {
        variables: (identity: { tenant: string }) => ({ 'app.tenant': identity.tenant }),
        role: 'nest_endpoints_member',
      },
    },
    endpoints: [group('policies')],
  },
  postgresqlOnly,
);

/** Two tasks of tenant `a`: what they refer to is their own, and the other tenant's. */
const two = async ({ save }: Subject): Promise<void> => {
  const own = await save(Project, { id: 1, tenant: 'a', name: 'own', rank: 1 });
  const foreign = await save(Project, { id: 2, tenant: 'b', name: 'foreign', rank: 2 });
  const labels = [
    await save(Label, { id: 1, tenant: 'a', name: 'mine' }),
    await save(Label, { id: 2, tenant: 'b', name: 'theirs' }),
  ];
  const other = await save(Task, { id: 9, tenant: 'b', name: 'other', project: foreign });
  const first = await save(Task, { id: 1, tenant: 'a', name: 'one', project: own, labels, before: other });
  await save(Task, { id: 2, tenant: 'a', name: 'two', project: foreign, before: first });
  await save(Task, { id: 8, tenant: 'b', name: 'eight', project: own });
};

const expectHidden = async ({ request }: Subject, url: string): Promise<void> => {
  const get = async (path: string) => (await request().get(`${url}${path}`).set(as('a'))).body.data;
  expect(await get('/tasks/2')).toEqual({ id: 2, name: 'two', project: null, labels: [] });
  for (const fields of ['project.name', 'project.rank', 'project', 'project.tasks.name'])
    expect([fields, await get(`/tasks/2?fields=${fields}`)]).toEqual([fields, { project: null }]);
  expect(await get('/tasks/1?fields=before.project.name')).toEqual({ before: null });
  expect(await get('/tasks/2?fields=before')).toEqual({ before: { project: { name: 'own' } } });
  expect(await get('/tasks/1?fields=labels.name,project.tasks.name')).toEqual({
    project: { tasks: [{ name: 'one' }] },
    labels: [{ name: 'mine' }],
  });
  expect(await get('/tasks?fields=id&include=project.rank')).toEqual([
    { id: 1, project: { rank: 1 } },
    { id: 2, project: null },
  ]);
  expect(await get('/tasks?project.name=foreign&fields=id')).toEqual([]);
  const search = await request()
    .post(`${url}/search`)
    .set(as('a'))
    .send({ fields: ['project.name'], where: [{ column: 'id', operator: '=', value: 2 }] });
  expect(search.body.data).toEqual([{ project: null }]);
  expect((await request().get(`${url}/tasks/9?fields=id`).set(as('a'))).body).toEqual(notFound);
};

const expectWritten = async ({ request }: Subject, url: string): Promise<void> => {
  const patched = await request()
    .patch(`${url}/tasks/2?fields=project.name&include=rank`)
    .set(as('a'))
    .send({ rank: 5 });
  expect([patched.status, patched.body.data]).toEqual([200, { project: null, rank: 5 }]);
  const created = await request()
    .post(`${url}/tasks?fields=id,project`)
    .set(as('a'))
    .send({ id: 3, tenant: 'a', name: 'three', project_id: 1 });
  expect([created.status, created.body.data]).toEqual([
    201,
    { id: 3, project: { name: 'own', rank: 1, tasks: [{ name: 'one' }, { name: 'three' }] } },
  ]);
  const foreign = await request().patch(`${url}/tasks/9?fields=id`).set(as('a')).send({ rank: 5 });
  expect(foreign.status).toBe(404);
};

for (const url of ['/queried', '/scoped'])
  contract(`Columns of a hidden parent read null, whatever of them is selected: ${url}`, async (subject) => {
    await two(subject);
    await expectHidden(subject, url);
    await expectWritten(subject, url);
  });

protectedContract('Policies hold for what is selected', async (subject) => {
  await subject.em().getConnection().executeDump(`
    do $$ begin
      create role nest_endpoints_member;
    exception when duplicate_object or unique_violation then null; end $$;
    grant all on label, project, task, task_labels to nest_endpoints_member;
    ${['label', 'project', 'task']
      .map(
        (table) => `
          alter table ${table} enable row level security;
          drop policy if exists own on ${table};
          create policy own on ${table} using (tenant = current_setting('app.tenant', true));`,
      )
      .join('')}`);
  await two(subject);
  await expectHidden(subject, '/policies');
  await expectWritten(subject, '/policies');
});
