import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RequireClaims, TenantRecords } from '@nest-endpoints/auth';
import { Authorization, RestfulApi, softDelete } from '@nest-endpoints/core';
import { once, service } from '../support/contract.js';
import { Claims } from './claims.js';
import { Hut } from './soft.towns.js';

/** Lets in whoever has a second claim. */
class Keepers extends Authorization {
  override gate(identity: unknown): boolean {
    return Object.hasOwn(Object(identity) as object, 'keeper');
  }
}

/** Says the tenant by a function, which is asked for each request. */
class Asked extends Authorization<object, { readonly tenant: string }> {
  override filterModel(_query: unknown, { tenant }: { readonly tenant: string }): Promise<object> {
    return Promise.resolve({ tenant });
  }
}

/** Called by a code that is unique among the live ones of a tenant. */
const Shed = defineEntity({
  name: 'Shed',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string(),
    code: p.string(),
    deletedAt: p.datetime().nullable(),
  },
  uniques: [{ name: 'shed_code_live', properties: ['tenant', 'code'], where: 'deleted_at is null' }],
});
softDelete(Shed, { columnName: 'deletedAt' });

const sheds = {
  modelClass: Shed,
  readableColumnNames: ['id', 'code'],
  writeableColumnNames: ['code'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  authentication: new Claims(),
  trash: true,
} as const;

const { contract } = service(
  {
    entities: [Hut, Shed],
    endpoints: [
      new RestfulApi({
        ...sheds,
        url: 'sheds',
        authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
      }),
      new RestfulApi({ ...sheds, url: 'asked', authorization: new Asked() }),
      new RestfulApi({
        url: 'huts',
        modelClass: Hut,
        readableColumnNames: ['id', 'code'],
        writeableColumnNames: ['code'],
        sortableColumnNames: ['id'],
        searchableColumnNames: ['id'],
        defaultSortColumnName: 'id',
        authentication: new Claims(),
        access: { list: 'public', get: 'public', delete: new RequireClaims('admin') },
        trash: { purge: true, url: 'bin', authorization: new Keepers() },
      }),
    ],
  },
  once,
);

const by = (...names: readonly string[]) => ({
  'X-Claims': JSON.stringify(Object.fromEntries(names.map((name) => [name, true]))),
});

contract('A trash needs what delete needs, and its own rule beside it', async ({ request, save }) => {
  const { id } = await save(Hut, { code: 'A' });
  expect((await request().delete(`/huts/${id}`).set(by('admin'))).status).toBe(200);
  const asked = [
    () => request().get('/huts/bin'),
    () => request().get(`/huts/bin/${id}`),
    () => request().post(`/huts/bin/${id}/restore`),
    () => request().delete(`/huts/bin/${id}`),
  ];
  for (const ask of asked) {
    expect((await ask()).status).toBe(401);
    expect((await ask().set(by('admin'))).status).toBe(403);
    expect((await ask().set(by('keeper'))).status).toBe(403);
  }
  expect((await request().get('/huts')).body.data).toEqual([]);
  const both = by('admin', 'keeper');
  expect((await request().get('/huts/bin').set(both)).body.data).toMatchObject([{ id, code: 'A' }]);
  expect((await request().delete(`/huts/bin/${id}`).set(both)).status).toBe(200);
});

contract('A Restore against a live value of the tenant blames the value', async ({ request, save }) => {
  const own = { 'X-Claims': JSON.stringify({ tenant: 'a' }) };
  const { id } = await save(Shed, { tenant: 'a', code: 'A' });
  expect((await request().delete(`/sheds/${id}`).set(own)).status).toBe(200);
  await save(Shed, { tenant: 'b', code: 'A' });
  const restore = () => request().post(`/sheds/trash/${id}/restore`).set(own);
  expect((await restore()).status).toBe(200);
  expect((await request().delete(`/sheds/${id}`).set(own)).status).toBe(200);
  await save(Shed, { tenant: 'a', code: 'A' });
  const { status, body } = await restore();
  expect([status, Object.keys(body.input_errors as object)]).toEqual([400, ['code']]);
});

contract('Beside a rule that is asked for each request, what is deleted is Not Found', async (subject) => {
  const { request, save } = subject;
  const own = { 'X-Claims': JSON.stringify({ tenant: 'a' }) };
  const live = await save(Shed, { tenant: 'a', code: 'A' });
  const { id } = await save(Shed, { tenant: 'a', code: 'B', deletedAt: new Date() });
  const other = await save(Shed, { tenant: 'b', code: 'C', deletedAt: new Date() });
  const shown = async (path: string) => (await request().get(path).set(own)).body.data as unknown;
  expect(await shown('/asked')).toEqual([{ id: live.id, code: 'A' }]);
  expect(await shown('/asked/trash')).toMatchObject([{ id, code: 'B' }]);
  for (const key of [id, other.id]) {
    expect((await request().get(`/asked/${key}`).set(own)).status).toBe(404);
    expect((await request().patch(`/asked/${key}`).set(own).send({ code: 'D' })).status).toBe(404);
    expect((await request().delete(`/asked/${key}`).set(own)).status).toBe(404);
  }
  expect((await request().get(`/asked/trash/${other.id}`).set(own)).status).toBe(404);
  expect((await request().get(`/asked/trash/${live.id}`).set(own)).status).toBe(404);
});
