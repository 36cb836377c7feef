import { defineEntity, p, type EntityMetadata } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/postgresql';
import {
  AdvancedSearch,
  Aggregate,
  Authorization,
  EndpointGroup,
  Facets,
  List,
  RestfulApi,
  type AuthorizationRule,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { Claims } from './claims.js';

export const Label = defineEntity({
  name: 'Label',
  properties: { id: p.integer().primary(), tenant: p.string(), name: p.string() },
});

export const Project = defineEntity({
  name: 'Project',
  uniques: [{ properties: ['tenant', 'name'] }],
  properties: {
    id: p.integer().primary(),
    tenant: p.string(),
    name: p.string(),
    rank: p.integer().default(0),
    tasks: () => p.oneToMany(Task).mappedBy('project'),
  },
});

export const Task = defineEntity({
  name: 'Task',
  uniques: [{ properties: ['tenant', 'name'] }],
  properties: {
    id: p.integer().primary(),
    tenant: p.string(),
    name: p.string(),
    rank: p.integer().default(0),
    project: () => p.manyToOne(Project).nullable(),
    before: () => p.manyToOne(Task).nullable(),
    labels: () => p.manyToMany(Label),
  },
});

/** Whoever has a tenant in his claims sees the records of that tenant, those behind relations included. */
export class OfTenant extends Authorization<{ tenant: string }, { tenant: string }> {
  override filterModel(query: QueryBuilder<{ tenant: string }>, { tenant }: { tenant: string }) {
    return query.andWhere({ tenant });
  }

  override concerns({ properties }: EntityMetadata): boolean {
    return Object.hasOwn(properties, 'tenant');
  }
}

const columns = [
  'id',
  'name',
  'rank',
  'projectId',
  'beforeId',
  'project.name',
  'before.name',
  'labels.name',
] as const;
const searched = ['id', 'name', 'rank', 'projectId', 'project.name', 'before.name', 'labels.name'] as const;
const sorted = ['id', 'rank', 'project.name', 'project.rank', 'before.rank'] as const;

const tasks = {
  modelClass: Task,
  readableColumnNames: columns,
  searchableColumnNames: searched,
  sortableColumnNames: sorted,
  defaultSortColumnName: 'rank',
} as const;

const members: readonly EndpointOrGroup[] = [
  new List({ ...tasks, url: 'grouped', groupByColumnName: 'rank' }),
  new AdvancedSearch({ ...tasks, url: 'search', pagination: 'keyset' }),
  new AdvancedSearch({ ...tasks, url: 'estimated', count: 'estimated' }),
  new Aggregate({
    url: 'totals',
    modelClass: Task,
    groupableColumnNames: ['name', 'rank', 'projectId', 'project.name', 'before.name'],
    measurableColumnNames: { rank: ['sum'], 'project.rank': ['sum', 'max'], 'before.name': ['min', 'count'] },
    searchableColumnNames: searched,
    limit: 3,
    count: 'exact',
  }),
  new Facets({
    url: 'facets',
    modelClass: Task,
    facetColumnNames: ['rank', 'project.name', 'before.name'],
    searchableColumnNames: searched,
  }),
  new RestfulApi({
    ...tasks,
    url: 'tasks',
    writeableColumnNames: ['id', 'tenant', 'name', 'rank', 'projectId', 'beforeId', 'labelIds'],
  }),
  new RestfulApi({
    url: 'projects',
    modelClass: Project,
    readableColumnNames: ['id', 'name', 'tasks.name'],
    writeableColumnNames: ['id', 'tenant', 'name'],
    searchableColumnNames: ['name', 'tasks.name', 'tasks.labels.name'],
    sortableColumnNames: ['name'],
    defaultSortColumnName: 'name',
  }),
];

/** Endpoints of every kind over records of tenants; the tenant is in the claims of a request. */
export const tenantEndpoints = (authorization?: AuthorizationRule): readonly EndpointOrGroup[] => [
  new EndpointGroup({
    authentication: new Claims(),
    ...(authorization === undefined ? {} : { authorization }),
    endpoints: members,
  }),
];

/** The header that says who sends a request. */
export const as = (tenant: string): Readonly<Record<string, string>> => ({
  'X-Claims': JSON.stringify({ tenant }),
});
