import { defineEntity, p, type EntityMetadata } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/postgresql';
import {
  AdvancedSearch,
  Aggregate,
  Authorization,
  Create,
  EndpointGroup,
  Export,
  Facets,
  List,
  partedIdempotencyRecord,
  RestfulApi,
  Upsert,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import type { Subject } from '../support/contract.js';
import { partedBy } from '../support/parted.tables.js';

const Country = defineEntity({
  name: 'Country',
  properties: { id: p.integer().primary(), name: p.string() },
});

const Label = defineEntity({
  name: 'Label',
  properties: { tenant: p.string().length(20).primary(), id: p.integer().primary(), name: p.string() },
});

const Project = defineEntity({
  name: 'Project',
  uniques: [{ properties: ['tenant', 'name'] }],
  properties: {
    tenant: p.string().length(20).primary(),
    id: p.integer().primary(),
    name: p.string().length(50),
    country: () => p.manyToOne(Country).nullable(),
    tasks: () => p.oneToMany(Task).mappedBy('project'),
  },
});

const TaskLabel = defineEntity({
  name: 'TaskLabel',
  properties: {
    tenant: p.string().length(20).primary(),
    task: () =>
      p
        .manyToOne(Task)
        .joinColumns('tenant', 'task_id')
        .updateRule('no action')
        .deleteRule('cascade')
        .primary(),
    label: () => p.manyToOne(Label).joinColumns('tenant', 'label_id').updateRule('no action').primary(),
  },
});

export const Task = defineEntity({
  name: 'Task',
  uniques: [{ properties: ['tenant', 'name'] }],
  indexes: [{ properties: ['tenant', 'rank'] }],
  properties: {
    tenant: p.string().length(20).primary(),
    id: p.integer().primary(),
    name: p.string().length(50),
    rank: p.integer().default(0),
    project: () =>
      p
        .manyToOne(Project)
        .joinColumns('tenant', 'project_id')
        .updateRule('no action')
        .deleteRule('no action')
        .nullable(),
    before: () =>
      p
        .manyToOne(Task)
        .joinColumns('tenant', 'before_id')
        .updateRule('no action')
        .deleteRule('no action')
        .nullable(),
    labels: () =>
      p
        .manyToMany(Label)
        .pivotEntity(() => TaskLabel)
        .joinColumns('tenant', 'task_id')
        .inverseJoinColumns('tenant', 'label_id'),
  },
});

/** The entities of records, without our own tables. */
export const partedEntities = [Country, Label, Project, Task, TaskLabel];

export const KeptInParts = partedIdempotencyRecord({ tenant: p.string().length(20) });

/** Says by a query which records there are: those of every tenant that are called so. */
class Named extends Authorization<{ name: string }> {
  override filterModel(query: QueryBuilder<{ name: string }>) {
    return query.andWhere({ name: { $like: 'a %' } });
  }

  override concerns({ className }: EntityMetadata): boolean {
    return className === 'Task';
  }
}

const columns = [
  'id',
  'name',
  'rank',
  'projectId',
  'project.name',
  'project.country.name',
  'before.name',
  'labels.name',
] as const;
const searched = ['id', 'name', 'rank', 'projectId', 'project.name', 'labels.name'] as const;

const tasks = {
  modelClass: Task,
  readableColumnNames: columns,
  searchableColumnNames: searched,
  sortableColumnNames: ['id', 'rank', 'project.name'],
  defaultSortColumnName: 'rank',
} as const;

const flat = {
  ...tasks,
  readableColumnNames: ['id', 'name', 'rank', 'projectId', 'project.name'],
  writeableColumnNames: ['id', 'name', 'rank', 'projectId'],
} as const;

/** Endpoints of each kind over tables in parts. */
export const partedEndpoints: readonly EndpointOrGroup[] = [
  new List({ ...tasks, url: 'grouped', groupByColumnName: 'rank' }),
  new AdvancedSearch({ ...tasks, url: 'search', pagination: 'keyset', defaultLimit: 2 }),
  new AdvancedSearch({ ...tasks, url: 'estimated', count: 'estimated' }),
  new Aggregate({
    url: 'totals',
    modelClass: Task,
    groupableColumnNames: ['rank', 'projectId', 'project.name'],
    measurableColumnNames: { rank: ['sum'] },
    searchableColumnNames: searched,
    count: 'exact',
  }),
  new Facets({
    url: 'facets',
    modelClass: Task,
    facetColumnNames: ['rank', 'project.name'],
    searchableColumnNames: searched,
  }),
  new Export({ url: 'exported', modelClass: Task, readableColumnNames: ['id', 'name', 'project.name'] }),
  new RestfulApi({
    ...tasks,
    url: 'tasks',
    writeableColumnNames: ['id', 'name', 'rank', 'projectId', 'beforeId', 'labelIds'],
  }),
  new RestfulApi({ ...flat, url: 'flat', bulk: true }),
  new RestfulApi({ ...flat, url: 'hooked', bulk: true, afterSave: () => undefined }),
  new RestfulApi({
    url: 'projects',
    modelClass: Project,
    readableColumnNames: ['id', 'name', 'tasks.name', 'tasks.labels.name'],
    writeableColumnNames: ['id', 'name', 'countryId'],
    searchableColumnNames: ['name', 'tasks.name', 'tasks.labels.name'],
    sortableColumnNames: ['name'],
    defaultSortColumnName: 'name',
  }),
  new Upsert({ ...flat, url: 'kept/:id' }),
  new Upsert({ ...flat, url: 'kept', conflictColumnNames: ['tenant', 'name'] }),
  new Create({ ...flat, url: 'once', idempotency: 'required' }),
  new Create({
    url: 'houses',
    modelClass: Project,
    readableColumnNames: ['id', 'name', 'tasks.name'],
    writeableColumnNames: ['id', 'name'],
    writeableRelations: { tasks: { through: 'flat' } },
  }),
  new List({ ...flat, url: 'ruled', authorization: new Named() }),
  new List({
    ...tasks,
    url: 'mapped',
    outputMap: ({ record }) => ({ called: (record as { name: string }).name }),
  }),
  new List({
    ...flat,
    url: 'joined',
    joins: ['INNER JOIN label AS l ON l.tenant = task.tenant AND l.id = task.id'],
    where: [({ query }) => query.andWhere({ rank: { $lt: 9 } })],
  }),
  new EndpointGroup({
    url: 'of/:projectId',
    endpoints: [
      new RestfulApi({ ...flat, url: 'tasks', parent: 'project', writeableColumnNames: ['id', 'name'] }),
    ],
  }),
];

/** Options of an application whose tables are in parts by the tenant, which a header says. */
export const partedShop = {
  entities: [...partedEntities, KeptInParts],
  tables: partedBy('tenant'),
  root: {
    partition: {
      column: 'tenant',
      value: ({ requestHeaders }: { readonly requestHeaders: object }) =>
        Reflect.get(requestHeaders, 'x-tenant') as unknown,
    },
  },
};

/** The header that says whose records a request is about. */
export const of = (tenant: string): Readonly<Record<string, string>> => ({ 'X-Tenant': tenant });

/** Makes records of two tenants with the same keys. */
export const fill = async (subject: Subject): Promise<void> => {
  const em = subject.em();
  em.create(Country, { id: 1, name: 'France' });
  await em.flush();
  for (const tenant of ['a', 'b']) {
    em.create(Label, { tenant, id: 1, name: `${tenant} red` });
    em.create(Label, { tenant, id: 2, name: `${tenant} blue` });
    em.create(Project, { tenant, id: 1, name: `${tenant} house`, country: 1 });
    em.create(Project, { tenant, id: 2, name: `${tenant} garden` });
  }
  await em.flush();
  for (const tenant of ['a', 'b'])
    for (const id of [1, 2, 3])
      em.create(Task, {
        tenant,
        id,
        name: `${tenant} ${id}`,
        rank: id,
        project: [tenant, id === 3 ? 2 : 1] as never,
        labels:
          id === 1
            ? ([
                [tenant, 1],
                [tenant, 2],
              ] as never)
            : [],
      });
  await em.flush();
};
