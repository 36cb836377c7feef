import { expect } from '@jest/globals';
import { TenantRecords } from '@nest-endpoints/auth';
import { Batch, Callable, EndpointGroup, Public, RestfulApi } from '@nest-endpoints/core';
import { clientError, expectAnswer, failure, inputErrors } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { as, Label, Project, Task } from './tenants.js';

interface Identity {
  readonly tenant: string;
}

const tasks = {
  modelClass: Task,
  readableColumnNames: ['id', 'name', 'project.name'],
  writeableColumnNames: ['id', 'tenant', 'name', 'projectId'],
  searchableColumnNames: ['name'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const authentication = new Claims();

const members = () => [
  new Batch({ url: 'batch' }),
  new RestfulApi({ ...tasks, url: 'tasks' }),
  new RestfulApi({ ...tasks, url: 'open-tasks', authentication: new Public() }),
  new Callable({ url: 'seen', toCall: async ({ em }) => ({ tasks: await em.count(Task, {}) }) }),
];

const ruled = service(
  {
    entities: [Project, Task, Label],
    endpoints: [
      new EndpointGroup({
        authentication,
        endpoints: [
          new Batch({ url: 'batch' }),
          new RestfulApi({
            ...tasks,
            url: 'tasks',
            authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
          }),
          new RestfulApi({ ...tasks, url: 'all-tasks' }),
        ],
      }),
    ],
  },
  postgresqlOnly,
).contract;

const secured = service(
  {
    entities: [Project, Task, Label],
    root: {
      rowLevelSecurity: {
        variables: (identity: Identity | undefined) => ({ 'app.tenant': identity?.tenant }),
        role: 'nest_endpoints_member',
      },
    },
    endpoints: [new EndpointGroup({ authentication, endpoints: members() })],
  },
  postgresqlOnly,
).contract;

const protect = async (subject: Subject): Promise<void> => {
  await subject.em().getConnection().executeDump(`
    do $$ begin
      create role nest_endpoints_member;
    exception when duplicate_object or unique_violation then null; end $$;
    grant all on label, project, task, task_labels to nest_endpoints_member;
    alter table task enable row level security;
    drop policy if exists own on task;
    create policy own on task using (tenant = current_setting('app.tenant', true));`);
  await subject.save(Task, { id: 1, tenant: 'a', name: 'own' });
  await subject.save(Task, { id: 2, tenant: 'b', name: 'foreign' });
};

const send = ({ request }: Subject, ...operations: readonly unknown[]) =>
  request().post('/batch').set(as('a')).send({ operations });

const get = (path: string) => ({ method: 'GET', path });
const create = (path: string, body: object) => ({ method: 'POST', path, body });

ruled('Each operation sees and writes what the rules of its own endpoint say', async (subject) => {
  await subject.save(Task, { id: 1, tenant: 'a', name: 'own' });
  await subject.save(Task, { id: 2, tenant: 'b', name: 'foreign' });
  const { body } = await send(
    subject,
    get('/all-tasks'),
    get('/tasks'),
    get('/all-tasks/2'),
    create('/tasks', { id: 3, name: 'new' }),
    get('/all-tasks/3'),
  );
  expect(body.data.map((one: { readonly data: unknown }) => one.data)).toMatchObject([
    [{ id: 1 }, { id: 2 }],
    [{ id: 1 }],
    { id: 2 },
    { id: 3 },
    { id: 3 },
  ]);
  expectAnswer(
    await send(subject, get('/all-tasks/2'), get('/tasks/2')),
    404,
    clientError('operations.1: Not Found'),
  );
});

secured('Operation 2 cannot see what the identity of operation 1 could not', async (subject) => {
  await protect(subject);
  const { body } = await send(
    subject,
    get('/tasks'),
    create('/tasks', { id: 3, tenant: 'a', name: 'new' }),
    get('/seen'),
    get('/tasks?name=new'),
  );
  expect(body.data).toMatchObject([
    { data: [{ id: 1 }] },
    { data: { id: 3 } },
    { data: { tasks: 2 } },
    { data: [{ id: 3 }] },
  ]);
  for (const method of ['GET', 'DELETE'])
    expectAnswer(
      await send(subject, get('/tasks'), { method, path: '/tasks/2' }),
      404,
      clientError('operations.1: Not Found'),
    );
});

secured('What a policy refuses is the 403 of the whole, and nothing is kept', async (subject) => {
  await protect(subject);
  const answer = await send(
    subject,
    create('/tasks', { id: 3, tenant: 'a', name: 'new' }),
    create('/tasks', { id: 4, tenant: 'b', name: 'moved' }),
  );
  expectAnswer(answer, 403, clientError('operations.1: Not Authorized'));
  expect(await subject.count(Task)).toBe(2);
});

secured(
  'What the database refuses is asked about with the variables and the role of the sender',
  async (subject) => {
    await protect(subject);
    const answer = await send(
      subject,
      create('/tasks', { id: 3, tenant: 'a', name: 'new' }),
      create('/tasks', { id: 4, tenant: 'a', name: 'x', project_id: 9 }),
    );
    expectAnswer(
      answer,
      400,
      inputErrors({ 'operations.1.body.project_id': 'the given record does not exist' }),
    );
    expect(await subject.count(Task)).toBe(2);
  },
);

secured(
  'An operation for which row level security has other variables is a 500, whose reason the log has',
  async (subject) => {
    await protect(subject);
    const answer = await send(
      subject,
      create('/tasks', { id: 3, tenant: 'a', name: 'new' }),
      get('/open-tasks'),
    );
    expectAnswer(answer, 500, failure('operations.1: Internal Server Error'));
    expect(subject.log.text('error')).toContain(
      'Row level security has other variables or another role for this operation',
    );
    expect(await subject.count(Task)).toBe(2);
  },
);
