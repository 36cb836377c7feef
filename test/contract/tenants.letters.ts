import { expect } from '@jest/globals';
import type { QueryBuilder } from '@mikro-orm/sql';
import { scalarClaim, TenantRecords } from '@nest-endpoints/auth';
import { Authorization } from '@nest-endpoints/core';
import type { Subject } from '../support/contract.js';

/** Claims of a tenant, of whatever type. */
export interface Claimed {
  readonly tenant: string | number | boolean;
}

export const as = (tenant: Claimed['tenant']) => ({ 'X-Claims': JSON.stringify({ tenant }) });

/** Overrides what the docs let a class override, and says the same. */
export class Overridden extends TenantRecords {
  override filterModel(query: QueryBuilder<object>, identity: unknown) {
    return super.filterModel(query, identity);
  }
}

/** Gives a filter object of a column. */
export class Objects extends Authorization<object, Claimed> {
  constructor(private readonly column: string) {
    super();
  }

  override filterModel(_query: never, identity: Claimed): never {
    return { [this.column]: scalarClaim(identity, 'tenant') } as never;
  }

  override concerns(): boolean {
    return true;
  }
}

/** Expects that record 2, of the tenant ACME, is none of acme's, below a url that has each way to write. */
export const expectOthers = async ({ request }: Pick<Subject, 'request'>, url: string): Promise<void> => {
  const who = as('acme');
  for (const path of [`${url}/plain/2`, `${url}/hooked/2`]) {
    expect([path, (await request().get(path).set(who)).status]).toEqual([path, 404]);
    const patched = await request().patch(path).set(who).send({ name: 'changed' });
    expect([path, patched.status]).toEqual([path, 404]);
    expect([path, (await request().delete(path).set(who)).status]).toEqual([path, 404]);
  }
  const many = `${url}/many`;
  const changes = { ids: [2], changes: { name: 'changed' } };
  expect((await request().patch(many).set(who).send(changes)).status).toBe(400);
  const ids = { ids: [2] };
  expect((await request().delete(many).set(who).send(ids)).status).toBe(400);
};
