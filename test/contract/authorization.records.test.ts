import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RequireClaims } from '@nest-endpoints/auth';
import { anyOf, Authorization, EndpointGroup, Get, List, RestfulApi, Update } from '@nest-endpoints/core';
import { expectAnswer, failure, inputErrors, notFound, success } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { as, Label, OfTenant, Project, Task, tenantEndpoints } from './tenants.js';

class RankAbove extends Authorization<{ rank: number }> {
  constructor(private readonly rank: number) {
    super();
  }

  override filterModel() {
    return { rank: { $gt: this.rank } };
  }
}

/** Is looked up by its name. */
const Badge = defineEntity({
  name: 'Badge',
  properties: { id: p.integer().primary(), name: p.string().unique(), tenant: p.string() },
});

class Broken extends Authorization {
  override filterModel(): never {
    throw new Error('the rule is broken');
  }
}

class Forgetful extends Authorization {
  override filterModel() {
    return undefined as never;
  }
}

const ranked = {
  modelClass: Task,
  readableColumnNames: ['id', 'rank'],
  writeableColumnNames: ['rank'],
  searchableColumnNames: ['rank'],
  sortableColumnNames: ['rank'],
  defaultSortColumnName: 'rank',
} as const;

const { contract } = service({
  entities: [Project, Task, Label, Badge],
  endpoints: [
    new EndpointGroup({
      url: 'broken',
      authentication: new Claims(),
      endpoints: [Broken, Forgetful].map(
        (Rule) => new Get({ ...ranked, url: `${Rule.name}/:id`, authorization: new Rule() }),
      ),
    }),
    new EndpointGroup({
      url: 'ranked',
      authentication: new Claims(),
      authorization: new OfTenant(),
      endpoints: [new RestfulApi({ ...ranked, url: 'tasks', authorization: new RankAbove(5) })],
    }),
    new EndpointGroup({
      url: 'seen',
      authentication: new Claims(),
      authorization: anyOf(new RequireClaims({ tenant: 'all' }), new OfTenant()),
      endpoints: [
        new Get({ ...ranked, url: 'tasks/:id' }),
        new List({ ...ranked, url: 'tasks', pagination: 'keyset', defaultLimit: 1 }),
        new Update({
          url: 'badges/:name',
          modelClass: Badge,
          recordLookupColumnName: 'name',
          readableColumnNames: ['id', 'tenant'],
          writeableColumnNames: ['tenant'],
        }),
      ],
    }),
    ...tenantEndpoints(new OfTenant()),
  ],
});

const two = async ({ save }: Subject): Promise<void> => {
  await save(Project, { id: 1, tenant: 'a', name: 'Alpha' });
  await save(Project, { id: 2, tenant: 'b', name: 'Beta' });
  await save(Task, { id: 1, tenant: 'a', name: 'own', rank: 9, project: 1 });
  await save(Task, { id: 2, tenant: 'b', name: 'foreign', rank: 9, project: 2 });
};

contract('A record outside the filter is Not Found for Get, Update and Delete', async (subject) => {
  await two(subject);
  for (const method of ['get', 'patch', 'delete'] as const)
    expectAnswer(await subject.request()[method]('/tasks/2').set(as('a')).send({ rank: 1 }), 404, notFound);
  expect(await subject.em().findOneOrFail(Task, 2)).toMatchObject({ rank: 9 });
});

contract('A record inside the filter is read, changed and deleted', async (subject) => {
  await two(subject);
  const { request } = subject;
  expect((await request().get('/tasks/1').set(as('a'))).body).toMatchObject({ data: { name: 'own' } });
  expect((await request().patch('/tasks/1').set(as('a')).send({ rank: 4 })).body).toMatchObject({
    data: { rank: 4 },
  });
  expectAnswer(await request().delete('/tasks/1').set(as('a')), 200, success({}));
  expect(await subject.count(Task)).toBe(1);
});

contract('Lists and searches show what is inside the filter, and count no more', async (subject) => {
  await two(subject);
  for (const path of ['/tasks', '/search', '/estimated', '/grouped']) {
    const { body } = (await subject.request().get(path).set(as('a'))) as { body: unknown };
    expect(body).toMatchObject({ data: [{ name: 'own' }], pagination: { number_results: 1 } });
  }
});

contract('A relation target outside the filter does not exist for a write', async (subject) => {
  await two(subject);
  for (const column of ['project_id', 'before_id']) {
    const answer = await subject
      .request()
      .patch('/tasks/1')
      .set(as('a'))
      .send({ [column]: 2 });
    expectAnswer(answer, 400, inputErrors({ [column]: 'the given record does not exist' }));
  }
  const created = await subject
    .request()
    .post('/tasks')
    .set(as('a'))
    .send({ id: 3, tenant: 'a', name: 'new', project_id: 2 });
  expectAnswer(created, 400, inputErrors({ project_id: 'the given record does not exist' }));
});

contract('A parent outside the filter is no parent: not shown, searched or sorted by', async (subject) => {
  await two(subject);
  await subject.save(Task, { id: 3, tenant: 'a', name: 'led astray', rank: 7, project: 2 });
  const get = await subject.request().get('/tasks/3').set(as('a'));
  expect(get.body).toMatchObject({ data: { project: null } });
  const found = await subject.request().get('/tasks').query({ 'project.name': 'Beta' }).set(as('a'));
  expect(found.body).toMatchObject({ data: [] });
});

contract('The filters of a group and of its member both apply', async (subject) => {
  await two(subject);
  await subject.save(Task, { id: 3, tenant: 'a', name: 'low', rank: 5 });
  await subject.save(Task, { id: 4, tenant: 'b', name: 'high', rank: 6 });
  const { body } = (await subject.request().get('/ranked/tasks').set(as('a'))) as { body: unknown };
  expect(body).toMatchObject({ data: [{ id: 1 }] });
});

contract('A filter that throws, or gives nothing, shows nothing: 500', async (subject) => {
  await two(subject);
  for (const name of ['Broken', 'Forgetful'])
    expectAnswer(
      await subject.request().get(`/broken/${name}/1`).set(as('a')),
      500,
      failure('Internal Server Error'),
    );
});

contract('Who may see everything and who may not see the same endpoint each in his way', async (subject) => {
  await two(subject);
  const statusFor = async (tenant: string) =>
    (await subject.request().get('/seen/tasks/2').set(as(tenant))).status;
  for (const [tenant, status] of [
    ['a', 404],
    ['all', 200],
    ['b', 200],
    ['all', 200],
    ['a', 404],
  ] as const)
    expect([tenant, await statusFor(tenant)]).toEqual([tenant, status]);
});

contract('Every page behind a cursor shows what is inside the filter', async (subject) => {
  await two(subject);
  await subject.save(Task, { id: 3, tenant: 'a', name: 'second', rank: 10, project: 1 });
  await subject.save(Task, { id: 4, tenant: 'b', name: 'third', rank: 11, project: 2 });
  const page = (query: object) => subject.request().get('/seen/tasks').query(query).set(as('a'));
  const { body: first } = await page({});
  const { body: second } = await page(first.pagination.next_page);
  expect([first.data, second.data, second.pagination.next_page]).toEqual([
    [{ id: 1, rank: 9 }],
    [{ id: 3, rank: 10 }],
    {},
  ]);
});

contract('A record is looked up by its column and locked by its key, whoever may see it', async (subject) => {
  await subject.save(Badge, { id: 1, name: 'urgent', tenant: 'a' });
  for (const [from, tenant, status] of [
    ['all', 'b', 200],
    ['a', 'a', 404],
    ['b', 'c', 200],
    ['all', 'a', 200],
  ] as const) {
    const update = subject.request().patch('/seen/badges/urgent').set(as(from));
    expect([from, (await update.send({ tenant })).status]).toEqual([from, status]);
  }
  expect(await subject.em().findOne(Badge, { id: 1 })).toMatchObject({ tenant: 'a' });
});
