import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { OwnRecords, TenantRecords } from '@nest-endpoints/auth';
import { Create, EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { as, Label, Project, Task } from './tenants.js';

const tenants = new TenantRecords({ columnName: 'tenant', claim: 'tenant' });

const tasks = {
  modelClass: Task,
  readableColumnNames: ['id', 'name', 'rank', 'projectId', 'project.name', 'labels.name'],
  writeableColumnNames: ['id', 'name', 'rank', 'projectId'],
  searchableColumnNames: ['name', 'project.name'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

/** A firm is a tenant; what it is called once more, nobody sends. */
const Firm = defineEntity({ name: 'Firm', properties: { code: p.string().length(9).primary() } });

const Seal = defineEntity({
  name: 'Seal',
  uniques: [{ properties: ['firm', 'slug'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    firm: () => p.manyToOne(Firm),
    title: p.string(),
    slug: p.string().onCreate(() => 'same'),
  },
});

const { contract } = service(
  {
    entities: [Project, Task, Label, Firm, Seal],
    endpoints: [
      new Create({
        url: 'seals',
        modelClass: Seal,
        readableColumnNames: ['title'],
        writeableColumnNames: ['title'],
        authentication: new Claims(),
        authorization: new TenantRecords({ columnName: 'firmCode', claim: 'tenant' }),
      }),
      new EndpointGroup({
        authentication: new Claims(),
        authorization: tenants,
        endpoints: [
          new RestfulApi({ ...tasks, url: 'tasks' }),
          new RestfulApi({
            ...tasks,
            url: 'named',
            readableColumnNames: ['id', 'name', 'tenant'],
            writeableColumnNames: ['id', 'name', 'tenant'],
          }),
          new RestfulApi({
            ...tasks,
            url: 'hooked',
            writeableColumnNames: ['id', 'name'],
            beforeSave: ({ record }) => {
              record.tenant = record.name === 'moved' ? 'b' : record.tenant;
            },
          }),
          new RestfulApi({ ...tasks, url: 'own', authorization: new OwnRecords('rank', 'rank') }),
        ],
      }),
    ],
  },
  everyDatabase,
);

const given = async (subject: Subject): Promise<void> => {
  const em = subject.em();
  em.create(Project, { id: 1, tenant: 'a', name: 'near', rank: 0 });
  em.create(Project, { id: 101, tenant: 'b', name: 'far', rank: 0 });
  em.create(Task, { id: 1, tenant: 'a', name: 'one', rank: 1, project: 1 });
  em.create(Task, { id: 2, tenant: 'a', name: 'two', rank: 2, project: 101 });
  em.create(Task, { id: 101, tenant: 'b', name: 'other', rank: 1, project: 101 });
  await em.flush();
};

contract('TenantRecords: what belongs to another tenant is not there', async (subject) => {
  await given(subject);
  const request = subject.request();
  for (const path of ['/tasks/101', '/named/101'])
    expect((await request.get(path).set(as('a'))).status).toBe(404);
  expect((await request.patch('/tasks/101').set(as('a')).send({ name: 'x' })).status).toBe(404);
  expect((await request.delete('/tasks/101').set(as('a'))).status).toBe(404);
  const list = await request.get('/tasks').set(as('a'));
  expect(list.body.data).toEqual([
    { id: 1, name: 'one', rank: 1, project_id: 1, project: { name: 'near' }, labels: [] },
    { id: 2, name: 'two', rank: 2, project_id: 101, project: null, labels: [] },
  ]);
});

contract('TenantRecords: a new record gets the tenant of its creator', async (subject) => {
  await given(subject);
  const request = subject.request();
  const created = await request.post('/tasks').set(as('a')).send({ id: 7, name: 'new', project_id: 1 });
  expect(created.body).toMatchObject({ status: 'success', data: { id: 7, project: { name: 'near' } } });
  expect(await subject.em().findOne(Task, { id: 7 })).toMatchObject({ tenant: 'a' });
});

contract('TenantRecords: a parent of another tenant does not exist', async (subject) => {
  await given(subject);
  const request = subject.request();
  const errors = { project_id: 'the given record does not exist' };
  for (const asked of [
    request.post('/tasks').send({ id: 7, name: 'new', project_id: 101 }),
    request.patch('/tasks/1').send({ project_id: 101 }),
  ])
    expectAnswer(await asked.set(as('a')), 400, inputErrors(errors));
});

contract('TenantRecords: a record is moved by nobody', async (subject) => {
  await given(subject);
  const request = subject.request();
  for (const asked of [
    request.post('/named').send({ id: 7, name: 'new', tenant: 'b' }),
    request.patch('/named/1').send({ tenant: 'b' }),
    request.patch('/named/1').send({ tenant: null }),
    request.patch('/named/1').send({ tenant: { $ne: 'a' } }),
  ]) {
    expectAnswer(await asked.set(as('a')), 400, inputErrors({ tenant: 'must be your own' }));
  }
  expect((await request.patch('/named/1').set(as('a')).send({ tenant: 'a', name: 'uno' })).status).toBe(200);
  for (const asked of [
    request.post('/hooked').send({ id: 8, name: 'moved' }),
    request.patch('/hooked/1').send({ name: 'moved' }),
  ])
    expect((await asked.set(as('a'))).status).toBe(404);
  expect(await subject.em().count(Task, { tenant: 'b' })).toBe(1);
});

contract('TenantRecords: what a client cannot send is not said to be wrong', async (subject) => {
  await subject.save(Firm, { code: 'a' });
  const made = (tenant: string) => subject.request().post('/seals').set(as(tenant)).send({ title: 'one' });
  expect((await made('a')).status).toBe(201);
  expectAnswer(await made('a'), 409, clientError('A record with these values already exists'));
  expectAnswer(await made('nobody'), 403, clientError('Not Authorized'));
});

contract('TenantRecords: without a tenant that the column can hold nobody is let in', async (subject) => {
  await given(subject);
  const bad = [
    {},
    { tenant: null },
    { tenant: {} },
    { tenant: ['a'] },
    { tenant: 5 },
    { tenant: 'a'.repeat(10_000) },
  ];
  for (const claims of bad)
    for (const path of ['/tasks', '/tasks/1']) {
      const answer = await subject.request().get(path).set('X-Claims', JSON.stringify(claims));
      expect([claims, answer.status]).toEqual([claims, 403]);
    }
});

contract('Scopes of several rules hold together', async (subject) => {
  await given(subject);
  const claims = { 'X-Claims': JSON.stringify({ tenant: 'a', rank: [1, 5] }) };
  const { body } = await subject.request().get('/own').set(claims);
  expect((body as { data: { id: number }[] }).data.map(({ id }) => id)).toEqual([1]);
});
