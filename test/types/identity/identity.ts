// The identity is declared once, in declared.ts, and known wherever functions are told who asks.
import { defineEntity, p } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/sql';
import { OwnRecords, RequireClaims, scalarClaim, TenantRecords } from '@nest-endpoints/auth';
import {
  Authorization,
  Callable,
  Create,
  CreatedByAuthorizationDataColumn,
  CreatedByColumn,
  Endpoint,
  EndpointsModule,
  Get,
  List,
  type CallableContext,
  type ClaimOf,
  type EndpointContext,
  type Identity,
  type RecordEvent,
  type RecordScope,
  type RequestContext,
  type RequestFacts,
} from '@nest-endpoints/core';
import type { Admin, Member } from './declared.js';

const Trip = defineEntity({
  name: 'Trip',
  properties: { id: p.integer().primary(), title: p.string(), tenant: p.integer() },
});

const shown = { modelClass: Trip, readableColumnNames: ['title'] } as const;

export const declared = (identity: Identity): Member => identity;

// Functions of a configuration

export const called = new Callable({
  url: 'called/:name',
  toCall: ({ name, authorizationData: { sub, tenant } }): string =>
    `${name} ${sub} ${tenant satisfies number}`,
});

export const misspelt = new Callable({
  // @ts-expect-error -- a member has no tennant
  toCall: ({ authorizationData: { tennant } }): unknown => tennant,
});

new Create({
  ...shown,
  writeableColumnNames: ['title'],
  responseHeaders: ({ authorizationData }) => [`X-Tenant: ${authorizationData.tenant}`],
  inputValidationCallable: ({ authorizationData }) => ({ title: authorizationData.sub }),
  beforeSave: ({ record, authorizationData }) => {
    record.tenant = authorizationData.tenant;
    // @ts-expect-error -- a text is no tenant
    record.tenant = authorizationData.sub;
  },
  afterCommit: ({ authorizationData }) => authorizationData.tenant satisfies number,
  idempotencySender: ({ tenant, sub }) => [tenant, sub],
});

new Get({
  ...shown,
  url: 'trips/:id',
  where: [({ authorizationData }) => ({ tenant: authorizationData.tenant })],
  joins: [({ query, authorizationData }) => query.andWhere({ tenant: authorizationData.tenant })],
  outputMap: ({ record, authorizationData }) => ({ ...record, by: authorizationData.sub }),
});

new List({
  ...shown,
  sortableColumnNames: ['title'],
  defaultSortColumnName: 'title',
  // @ts-expect-error -- the tenant is a number
  where: [({ authorizationData }) => ({ title: authorizationData.tenant })],
});

export const told = ({ identity }: RecordEvent): number => identity.tenant;

export const seen = ({ authorizationData }: RequestContext): number => authorizationData.tenant;

export const known = ({ identity }: EndpointContext): number | undefined => identity?.tenant;

// Nobody is known before authentication.
// @ts-expect-error -- the identity may be undefined
export const unchecked = ({ identity }: EndpointContext): number => identity.tenant;

EndpointsModule.forRoot({
  partition: { column: 'tenant', value: ({ authorizationData }) => authorizationData.tenant },
  rowLevelSecurity: { variables: ({ tenant }) => ({ 'app.tenant': tenant satisfies number }) },
  idempotencySender: ({ sub }) => sub,
});

EndpointsModule.forRoot({
  // @ts-expect-error -- a member has no tennant
  rowLevelSecurity: { variables: ({ tennant }) => ({ 'app.tenant': tennant }) },
});

export class CreatedByTenant extends CreatedByColumn {
  readonly name = 'CreatedByTenant';

  protected valueIn({ authorizationData }: RequestFacts): number {
    return authorizationData.tenant;
  }
}

// Rules

export class MembersTrips extends Authorization<{ tenant: number }> {
  override gate({ sub }: Member): boolean {
    return sub !== '';
  }

  override filterModel(query: QueryBuilder<{ tenant: number }>, { tenant }: Member) {
    return query.andWhere({ tenant });
  }

  scopeOf(): RecordScope {
    return {
      conditions: [{ propertyName: 'tenant', value: ({ authorizationData }) => authorizationData.tenant }],
    };
  }
}

export class AdminsOnly extends Authorization<object, Admin> {
  override gate({ scope }: Admin): boolean {
    return scope === 'admin';
  }
}

export class Strangers extends Authorization {
  // @ts-expect-error -- a member has no key
  override gate({ key }: { readonly key: symbol; readonly sub: number }): boolean {
    return key.description === 'x';
  }
}

// A Callable may say a narrower identity.

export const narrowed = new Callable({
  authorization: new AdminsOnly(),
  toCall: ({
    authorizationData: { scope },
  }: CallableContext & { readonly authorizationData: Admin }): string => scope,
});

export const named = new Callable({
  url: 'of/:name',
  toCall: ({
    name,
    authorizationData,
  }: CallableContext<'of/:name'> & { readonly authorizationData: Admin }): string =>
    name + authorizationData.scope,
});

export const another = new Callable({
  // @ts-expect-error -- a text is no member
  toCall: ({ authorizationData }: { readonly authorizationData: string }): string => authorizationData,
});

export class Trips {
  @Endpoint({ url: 'trips/:name' })
  named({ name, authorizationData }: CallableContext<'trips/:name'>): string {
    return `${name} ${authorizationData.tenant}`;
  }

  @Endpoint({ url: 'admins', authorization: new AdminsOnly() })
  admins({ authorizationData }: { readonly authorizationData: Admin }): string {
    return authorizationData.scope;
  }

  // @ts-expect-error -- a text is no member
  @Endpoint({ url: 'strangers' })
  strangers({ authorizationData }: { readonly authorizationData: string }): string {
    return authorizationData;
  }
}

// Claims are named as the identity has them.

new TenantRecords({ columnName: 'tenant', claim: 'tenant' });
// @ts-expect-error -- a member has no tennant
new TenantRecords({ columnName: 'tenant', claim: 'tennant' });

new OwnRecords('owner', 'sub');
// @ts-expect-error -- a member has no subject
new OwnRecords('owner', 'subject');

new RequireClaims('sub', { tenant: [1, 2] });
// @ts-expect-error -- a member has no role
new RequireClaims({ role: 'editor' });

new CreatedByAuthorizationDataColumn('sub');
// @ts-expect-error -- a member has no subject
new CreatedByAuthorizationDataColumn('subject');

export const claim = (member: Member): number => scalarClaim(member, 'tenant', 'number');
// @ts-expect-error -- a member has no tennant
export const noClaim = (member: Member): number => scalarClaim(member, 'tennant', 'number');
export const anyClaim = (identity: unknown): string => scalarClaim(identity, 'tennant', 'string');

export const names: readonly ClaimOf<Identity>[] = ['sub', 'tenant'];
export const openNames: readonly ClaimOf<unknown>[] = ['anything'];
