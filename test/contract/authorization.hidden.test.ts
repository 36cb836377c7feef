import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { allOf, anyOf } from '@nest-endpoints/auth';
import {
  Authorization,
  Callable,
  EndpointGroup,
  Get,
  SimpleSearch,
  Update,
  type AuthorizationRule,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { as, Label, OfTenant, Project, Task } from './tenants.js';

/** A gate in JavaScript may give anything. */
class Says extends Authorization {
  override gate(): boolean {
    return 'denied' as unknown as boolean;
  }
}

/** Everybody's, behind what is a tenant's. */
const Cabinet = defineEntity({
  name: 'Cabinet',
  properties: { id: p.integer().primary(), name: p.string() },
});
const Drawer = defineEntity({
  name: 'Drawer',
  properties: {
    id: p.integer().primary(),
    tenant: p.string(),
    name: p.string(),
    cabinet: () => p.manyToOne(Cabinet),
  },
});
const Sheet = defineEntity({
  name: 'Sheet',
  properties: { id: p.integer().primary(), tenant: p.string(), drawer: () => p.manyToOne(Drawer) },
});

/** The name that a hook has last seen of a drawer. */
let seenByHook: string | null = 'nothing yet';

/** MikroORM loads its drawer of itself. */
const Page = defineEntity({
  name: 'Page',
  properties: {
    id: p.integer().primary(),
    tenant: p.string(),
    number: p.integer().nullable(),
    drawer: () => p.manyToOne(Drawer).eager(),
  },
});

const listed = {
  modelClass: Task,
  readableColumnNames: ['id'],
  searchableColumnNames: ['name'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const shown = { modelClass: Task, readableColumnNames: ['id', 'project.name', 'labelIds'] } as const;

const guarded = (url: string, authorization: AuthorizationRule): EndpointOrGroup =>
  new SimpleSearch({ ...listed, url, authorization });

const { contract } = service({
  entities: [Project, Task, Label, Cabinet, Drawer, Sheet, Page],
  endpoints: [
    new EndpointGroup({
      authentication: new Claims(),
      authorization: new OfTenant(),
      endpoints: [
        new Callable({
          ...shown,
          url: 'called/:id',
          toCall: ({ em, id }) => em.findOneOrFail(Task, Number(id)),
        }),
        new Get({
          modelClass: Task,
          readableColumnNames: ['id', 'project.name'],
          url: 'mapped/:id',
          outputMap: ({ record, entity }) => ({
            shown: record.project,
            loaded: entity.project?.name ?? null,
          }),
        }),
        new Get({
          modelClass: Sheet,
          readableColumnNames: ['id', 'drawer.name', 'drawer.cabinet.name'],
          url: 'sheets/:id',
          outputMap: ({ record, entity }) => ({
            shown: record.drawer,
            loaded: (entity.drawer as { name?: string }).name ?? null,
          }),
        }),
        new Get({
          modelClass: Page,
          readableColumnNames: ['id'],
          url: 'pages/:id',
          outputMap: ({ entity }) => ({ loaded: (entity.drawer as { name?: string }).name ?? null }),
        }),
        new Update({
          modelClass: Page,
          readableColumnNames: ['id'],
          writeableColumnNames: ['number'],
          url: 'numbered/:id',
          beforeSave: ({ record }) => {
            seenByHook = (record.drawer as { name?: string }).name ?? null;
          },
        }),
        new Update({ ...shown, url: 'labelled/:id', writeableColumnNames: ['labelIds'] }),
      ],
    }),
    new EndpointGroup({
      authentication: new Claims(),
      endpoints: [
        guarded('alone', new Says()),
        guarded('any', anyOf(new Says())),
        guarded('all', allOf(new Says())),
      ],
    }),
    new SimpleSearch({
      ...listed,
      url: 'where',
      count: 'estimated',
      where: [({ query }) => query.andWhere({ tenant: 'a' })],
    }),
  ],
});

/** A task of tenant a in a project of b, with labels of both. */
const mixed = async ({ em }: Subject): Promise<void> => {
  const manager = em();
  const foreign = manager.create(Project, { id: 1, tenant: 'b', name: 'secret' });
  const labels = ['a', 'b', 'a'].map((tenant, index) =>
    manager.create(Label, { id: index + 1, tenant, name: `${tenant}${index}` }),
  );
  manager.create(Task, { id: 1, tenant: 'a', name: 'own', project: foreign, labels: labels.slice(0, 2) });
  await manager.flush();
};

contract('A parent that an authorization hides is null in what a Callable gives', async (subject) => {
  await mixed(subject);
  const { body } = await subject.request().get('/called/1').set(as('a'));
  expect(body).toMatchObject({ data: { id: 1, project: null, label_ids: [1] } });
});

contract('A parent that an authorization hides is not loaded for outputMap', async (subject) => {
  await mixed(subject);
  const { body } = await subject.request().get('/mapped/1').set(as('a'));
  expect(body).toMatchObject({ data: { shown: null, loaded: null } });
});

contract('A hidden parent is not loaded on the way to what lies behind it', async (subject) => {
  const manager = subject.em();
  const cabinet = manager.create(Cabinet, { id: 1, name: 'open' });
  for (const [index, tenant] of ['a', 'b'].entries()) {
    const id = index + 1;
    const drawer = manager.create(Drawer, { id, tenant, name: `of ${tenant}`, cabinet });
    manager.create(Sheet, { id, tenant: 'a', drawer });
  }
  await manager.flush();
  const answerTo = async (id: number): Promise<unknown> =>
    (await subject.request().get(`/sheets/${id}`).set(as('a'))).body.data;
  expect(await answerTo(1)).toEqual({
    shown: { name: 'of a', cabinet: { name: 'open' } },
    loaded: 'of a',
  });
  expect(await answerTo(2)).toEqual({ shown: null, loaded: null });
});

contract('A hidden parent that MikroORM loads of itself is given to no function', async (subject) => {
  const manager = subject.em();
  const cabinet = manager.create(Cabinet, { id: 1, name: 'open' });
  const drawer = manager.create(Drawer, { id: 1, tenant: 'b', name: 'of b', cabinet });
  manager.create(Page, { id: 1, tenant: 'a', drawer });
  await manager.flush();
  const { body } = await subject.request().get('/pages/1').set(as('a'));
  expect(body).toMatchObject({ data: { loaded: null } });
  const patched = await subject.request().patch('/numbered/1').set(as('a')).send({ number: 7 });
  expect([patched.status, seenByHook]).toEqual([200, null]);
});

contract('Links to records that an authorization hides stay', async (subject) => {
  await mixed(subject);
  const { body } = await subject
    .request()
    .patch('/labelled/1')
    .set(as('a'))
    .send({ label_ids: [3] });
  expect(body).toMatchObject({ data: { label_ids: [3] } });
  const task = await subject.em().findOneOrFail(Task, 1, { populate: ['labels'] });
  expect(task.labels.getIdentifiers().toSorted()).toEqual([2, 3]);
});

contract('Anything but true from a gate is a 403, within anyOf and allOf, too', async ({ request }) => {
  for (const path of ['/alone', '/any', '/all'])
    expectAnswer(await request().get(path).set(as('a')), 403, clientError('Not Authorized'));
});

contract('An estimate tells nothing of records that a callable of where hides', async (subject) => {
  const records = Array.from({ length: 40 }, (_, index) => ({
    id: index + 1,
    tenant: 'b',
    name: `secret ${index}`,
  }));
  await subject.em().insertMany(Task, records);
  const path = '/where?start=1&limit=1&name=secret%207';
  const { body } = await subject.request().get(path);
  expect(body).toMatchObject({ data: [], pagination: { number_results: 0 } });
});
