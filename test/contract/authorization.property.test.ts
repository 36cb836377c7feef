import { fc } from '../support/property.js';
import { OwnRecords, TenantRecords } from '@nest-endpoints/auth';
import { anyOf, Authorization, type AuthorizationRule } from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import { everyDatabase, service } from '../support/contract.js';
import { Label, OfTenant, Project, Task, tenantEndpoints } from './tenants.js';
import { expectNoMixing, twoWorlds } from './tenants.worlds.js';

const numRuns = Number(process.env['RUNS'] ?? 5);

interface Member {
  readonly tenant: string;
}

/** A filter object of one column, as most rules give it. */
class OfObject extends OfTenant {
  override filterModel(_query: unknown, { tenant }: Member): never {
    return { tenant } as never;
  }
}

/** Lets nobody in, so that the other rule of two decides. */
class Nobody extends Authorization {
  override gate(): boolean {
    return false;
  }
}

const tenants = new TenantRecords({ columnName: 'tenant', claim: 'tenant' });
const own = new OwnRecords('tenant', 'tenant');

interface Source {
  readonly rule?: AuthorizationRule;
  readonly partition?: NonNullable<ApplicationOptions['root']>['partition'];
  readonly filters?: NonNullable<ApplicationOptions['orm']>['filters'];
}

const partition = {
  column: 'tenant',
  value: ({ authorizationData }: { readonly authorizationData: unknown }) =>
    (authorizationData as Member).tenant,
};
/** Requests are those of tenant `a`. */
const filters = { ofTenant: { name: 'ofTenant', cond: { tenant: 'a' }, default: true } };
const askedFilters = {
  ofTenant: { name: 'ofTenant', cond: () => ({ tenant: { $in: ['a'] } }), default: true },
};

const sources: Readonly<Record<string, Source>> = {
  'a query': { rule: new OfTenant() },
  'a filter object': { rule: new OfObject() },
  TenantRecords: { rule: tenants },
  OwnRecords: { rule: own },
  'one of two rules': { rule: anyOf(new Nobody(), own) },
  'either of two rules': { rule: anyOf(tenants, own) },
  partition: { partition },
  'a filter of MikroORM': { filters },
  'a function as a filter of MikroORM': { filters: askedFilters },
  'all of them': { rule: tenants, partition, filters },
};

for (const [name, { rule, partition: parted, filters: filtered }] of Object.entries(sources)) {
  const { contract } = service(
    {
      entities: [Project, Task, Label],
      root: { ...(parted === undefined ? {} : { partition: parted }) },
      ...(filtered === undefined ? {} : { orm: { filters: filtered } }),
      endpoints: tenantEndpoints(rule),
    },
    everyDatabase,
  );

  contract(`Records of two tenants never mix, in whatever is asked and refused: ${name}`, async (subject) => {
    await fc.assert(
      fc.asyncProperty(twoWorlds, (worlds) => expectNoMixing(subject, worlds)),
      { numRuns },
    );
  });
}
