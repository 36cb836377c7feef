import { expect } from '@jest/globals';
import { RequireClaims } from '@nest-endpoints/auth';
import { Authorization, RestfulApi } from '@nest-endpoints/core';
import { once, service } from '../support/contract.js';
import { Claims } from './claims.js';
import { Hut } from './soft.towns.js';

/** Lets in whoever has a second claim. */
class Keepers extends Authorization {
  override gate(identity: unknown): boolean {
    return Object.hasOwn(Object(identity) as object, 'keeper');
  }
}

const { contract } = service(
  {
    entities: [Hut],
    endpoints: [
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
