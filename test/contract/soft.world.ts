import { fc } from '../support/property.js';
import type { Subject } from '../support/contract.js';
import { as } from './tenants.js';

/** The tenants of a world. */
export type Tenant = 'a' | 'b';

/** What is known of a record. */
export interface Known {
  readonly tenant: Tenant;
  code: string;
  name: string | null;
  isDeleted: boolean;
}

interface Made {
  readonly tenant: Tenant;
  readonly code: string;
  readonly name: string;
}

/** A request about the records of a tenant. */
export type Step =
  | (Made & { readonly is: 'create' })
  | (Made & { readonly is: 'upsert' })
  | { readonly is: 'update'; readonly tenant: Tenant; readonly nth: number; readonly code: string }
  | { readonly is: 'delete' | 'restore' | 'purge'; readonly tenant: Tenant; readonly nth: number }
  | { readonly is: 'createMany'; readonly tenant: Tenant; readonly codes: readonly string[] }
  | { readonly is: 'deleteMany'; readonly tenant: Tenant; readonly nths: readonly number[] }
  | {
      readonly is: 'updateMany';
      readonly tenant: Tenant;
      readonly nths: readonly number[];
      readonly name: string;
    };

const tenant = fc.constantFrom<Tenant>('a', 'b');
const code = fc.constantFrom('x', 'y', 'z');
const nth = fc.nat(7);

const made = { tenant, code, name: fc.constantFrom('one', 'two') };

/** Any step. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ is: fc.constant('create' as const), ...made }),
  fc.record({ is: fc.constant('upsert' as const), ...made }),
  fc.record({ is: fc.constant('update' as const), tenant, nth, code }),
  fc.record({ is: fc.constantFrom('delete' as const, 'restore' as const, 'purge' as const), tenant, nth }),
  fc.record({
    is: fc.constant('createMany' as const),
    tenant,
    codes: fc.uniqueArray(code, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    is: fc.constant('updateMany' as const),
    tenant,
    nths: fc.uniqueArray(nth, { minLength: 1, maxLength: 3 }),
    name: fc.constantFrom('three', 'four'),
  }),
  fc.record({
    is: fc.constant('deleteMany' as const),
    tenant,
    nths: fc.uniqueArray(nth, { minLength: 1, maxLength: 3 }),
  }),
);

/** What there should be, by id, in the order in which records were made. */
export class World {
  readonly records = new Map<number, Known>();

  idOf(nth: number): number {
    return [...this.records.keys()][nth] ?? 999_999;
  }

  liveWith(tenant: Tenant, code: string): [number, Known] | undefined {
    return [...this.records].find(([, one]) => one.tenant === tenant && one.code === code && !one.isDeleted);
  }

  of(tenant: Tenant, id: number, isDeleted: boolean): Known | undefined {
    const one = this.records.get(id);
    return one?.tenant === tenant && one.isDeleted === isDeleted ? one : undefined;
  }

  shown(tenant: Tenant, isDeleted: boolean) {
    return [...this.records]
      .filter(([, one]) => one.tenant === tenant && one.isDeleted === isDeleted)
      .map(([id, { code, name }]) => ({ id, code, name }));
  }

  add(id: number, tenant: Tenant, code: string, name: string | null): void {
    this.records.set(id, { tenant, code, name, isDeleted: false });
  }
}

/** The urls of the endpoints: of a RestfulApi with trash and bulk, and of an Upsert. */
export interface Urls {
  readonly records: string;
  readonly put: string;
}

/** Sends a step, and gives the status that the world expects beside that of the answer. */
export const taken = async (
  { request }: Subject,
  world: World,
  one: Step,
  { records: base, put }: Urls,
): Promise<readonly [number, number]> => {
  const who = as(one.tenant);
  if (one.is === 'create') {
    const isTaken = world.liveWith(one.tenant, one.code) !== undefined;
    const { status, body } = await request().post(base).set(who).send({ code: one.code, name: one.name });
    if (status === 201) world.add(body.data.id as number, one.tenant, one.code, one.name);
    return [isTaken ? 400 : 201, status];
  }
  if (one.is === 'upsert') {
    const found = world.liveWith(one.tenant, one.code);
    const { status, body } = await request().put(put).set(who).send({ code: one.code, name: one.name });
    if (found === undefined && status === 201)
      world.add(body.data.id as number, one.tenant, one.code, one.name);
    if (found !== undefined) found[1].name = one.name;
    return [found === undefined ? 201 : 200, status];
  }
  if (one.is === 'createMany') {
    const isTaken = one.codes.some((each) => world.liveWith(one.tenant, each) !== undefined);
    const records = one.codes.map((each) => ({ code: each }));
    const { status, body } = await request().post(`${base}/bulk`).set(who).send({ records });
    const made = body.data as readonly { id: number; code: string }[];
    if (status === 201) for (const { id, code: own } of made) world.add(id, one.tenant, own, null);
    return [isTaken ? 400 : 201, status];
  }
  if (one.is === 'deleteMany') {
    const ids = [...new Set(one.nths.map((each) => world.idOf(each)))];
    const found = ids.flatMap((id) => world.of(one.tenant, id, false) ?? []);
    const { status } = await request().delete(`${base}/bulk`).set(who).send({ ids });
    const areThere = found.length === ids.length;
    for (const each of found) if (areThere) each.isDeleted = true;
    return [areThere ? 200 : 400, status];
  }
  if (one.is === 'updateMany') {
    const ids = [...new Set(one.nths.map((each) => world.idOf(each)))];
    const found = ids.flatMap((id) => world.of(one.tenant, id, false) ?? []);
    const changes = { name: one.name };
    const { status } = await request().patch(`${base}/bulk`).set(who).send({ ids, changes });
    const areThere = found.length === ids.length;
    for (const each of found) if (areThere) each.name = one.name;
    return [areThere ? 200 : 400, status];
  }
  const id = world.idOf(one.nth);
  if (one.is === 'update') {
    const found = world.of(one.tenant, id, false);
    const other = world.liveWith(one.tenant, one.code);
    const { status } = await request().patch(`${base}/${id}`).set(who).send({ code: one.code });
    if (found === undefined) return [404, status];
    if (other !== undefined && other[0] !== id) return [400, status];
    found.code = one.code;
    return [200, status];
  }
  if (one.is === 'delete') {
    const found = world.of(one.tenant, id, false);
    if (found !== undefined) found.isDeleted = true;
    const { status } = await request().delete(`${base}/${id}`).set(who);
    return [found === undefined ? 404 : 200, status];
  }
  const found = world.of(one.tenant, id, true);
  if (one.is === 'purge') {
    if (found !== undefined) world.records.delete(id);
    const { status } = await request().delete(`${base}/trash/${id}`).set(who);
    return [found === undefined ? 404 : 200, status];
  }
  const isTaken = found !== undefined && world.liveWith(one.tenant, found.code) !== undefined;
  if (found !== undefined && !isTaken) found.isDeleted = false;
  const { status } = await request().post(`${base}/trash/${id}/restore`).set(who);
  return [found === undefined ? 404 : isTaken ? 400 : 200, status];
};
