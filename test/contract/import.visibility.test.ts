import { expect } from '@jest/globals';
import { TenantRecords } from '@nest-endpoints/auth';
import { EndpointGroup, Export, Import, RestfulApi } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { many } from './bulk.places.js';
import { Claims } from './claims.js';
import { linesOf } from './import.rows.js';
import { as, Label, Project, Task } from './tenants.js';

const tasks = {
  modelClass: Task,
  readableColumnNames: ['id', 'name', 'project.name'],
  writeableColumnNames: ['id', 'name', 'rank', 'projectId'],
} as const;

const entities = [Project, Task, Label];
const root = { authentication: new Claims() };

const tenants = service(
  {
    entities,
    root,
    endpoints: [
      new EndpointGroup({
        authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
        endpoints: [
          new Import({ ...tasks, url: 'import' }),
          new Export({ ...tasks, url: 'export' }),
          new RestfulApi({
            ...tasks,
            url: 'tasks',
            maximumRecords: 2,
            sortableColumnNames: ['name'],
            searchableColumnNames: ['name'],
            defaultSortColumnName: 'name',
            export: { url: 'all', formulas: 'keep' },
            import: true,
          }),
        ],
      }),
    ],
  },
  once,
);

const policies = service(
  {
    entities,
    root: {
      ...root,
      rowLevelSecurity: {
        variables: (identity: { readonly tenant: string } | undefined) => ({
          'app.tenant': identity?.tenant,
        }),
        role: 'nest_endpoints_import',
      },
    },
    endpoints: [
      new Import({
        ...tasks,
        writeableColumnNames: ['id', 'tenant', 'name', 'rank'],
        url: 'import',
        mode: 'chunks',
      }),
      new Export({ ...tasks, url: 'export' }),
      new Export({ ...tasks, url: 'moment', snapshot: true }),
    ],
  },
  once,
);

const csv = { 'content-type': 'text/csv' };

const send = async ({ raw }: Subject, tenant: string, path: string, body: string): Promise<unknown> =>
  linesOf((await raw('POST', path, { headers: { ...csv, ...as(tenant) }, body })).text);

const exported = async ({ raw }: Subject, tenant: string, path: string): Promise<string> =>
  (await raw('GET', path, { headers: { accept: 'text/csv', ...as(tenant) } })).text;

tenants.contract('Lines become records of the own tenant, and no others are exported', async (subject) => {
  const { em, save } = subject;
  await save(Project, { id: 1, tenant: 'a', name: 'p' });
  await save(Project, { id: 2, tenant: 'b', name: 'hidden' });
  expect(await send(subject, 'a', '/import', 'id,name,rank,project_id\n1,one,1,1\n2,two,2,\n')).toMatchObject(
    [{ status: 'success', data: { created: 2 } }],
  );
  expect(
    await send(subject, 'b', '/import', 'id,name,rank,project_id\n3,one,1,2\n4,two,1,1\n'),
  ).toMatchObject([
    { line: 3, input_errors: { project_id: 'the given record does not exist' } },
    { status: 'input_errors', data: { created: 0 } },
  ]);
  expect(await send(subject, 'b', '/tasks/import', 'id,name,rank,project_id\n3,one,1,2\n')).toMatchObject([
    { status: 'success' },
  ]);
  expect(await em().find(Task, {}, { orderBy: { id: 'asc' } })).toMatchObject([
    { tenant: 'a' },
    { tenant: 'a' },
    { tenant: 'b' },
  ]);
  expect(await exported(subject, 'a', '/export')).toBe('id,name,project.name\r\n1,one,p\r\n2,two,\r\n');
  // The API's own limits of lists and of bulk writes are not those of an export.
  expect(await exported(subject, 'a', '/tasks/all')).toBe('id,name,project.name\r\n1,one,p\r\n2,two,\r\n');
  expect(await exported(subject, 'b', '/tasks/all?name=one')).toBe(
    'id,name,project.name\r\n3,one,hidden\r\n',
  );
});

tenants.contract('The last line of a hundred thousand is bad: nothing stays', async (subject) => {
  const rows = many(99_998, (index) => `${index},n${index},1\n`).join('');
  const answer = await send(subject, 'a', '/import', `id,name,rank\n${rows}99998,n5,1\n`);
  expect(answer).toMatchObject([
    { line: 100_000 },
    { status: 'input_errors', data: { lines: 99_999, created: 0, failed: 1 } },
  ]);
  expect(await subject.count(Task)).toBe(0);
});

policies.contract(
  'Policies hold for every line and every page, after the answer has begun',
  async (subject) => {
    await subject.em().getConnection().executeDump(`
    do $$ begin
      create role nest_endpoints_import;
    exception when duplicate_object or unique_violation then null; end $$;
    grant all on task, project to nest_endpoints_import;
    alter table task enable row level security;
    drop policy if exists own on task;
    create policy own on task using (tenant = current_setting('app.tenant', true))`);
    const rows = many(1200, (index) => `${index},${index === 700 ? 'b' : 'a'},n${index},1\n`).join('');
    expect(await send(subject, 'a', '/import', `id,tenant,name,rank\n${rows}`)).toMatchObject([
      { line: 702, error: 'Not Authorized' },
      { status: 'input_errors', data: { lines: 1200, created: 1199, failed: 1 } },
    ]);
    await send(subject, 'b', '/import', 'id,tenant,name,rank\n5000,b,other,1\n');
    for (const path of ['/export', '/moment']) {
      expect((await exported(subject, 'a', path)).split('\r\n')).toHaveLength(1201);
      expect((await exported(subject, 'b', path)).split('\r\n').slice(1)).toEqual(['5000,other,', '']);
    }
  },
);
