import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { OwnRecords, scalarClaim, TenantRecords } from '@nest-endpoints/auth';
import { EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { everyDatabase, service } from '../support/contract.js';
import { Claims } from './claims.js';

const Post = defineEntity({
  name: 'Post',
  properties: { id: p.integer().primary(), owner: p.bigint('string'), name: p.string() },
});

const posts = {
  modelClass: Post,
  readableColumnNames: ['id'],
  writeableColumnNames: ['name'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Post],
    endpoints: [
      new EndpointGroup({
        authentication: new Claims(),
        endpoints: [
          new RestfulApi({ ...posts, url: 'own', authorization: new OwnRecords('owner', 'sub') }),
          new RestfulApi({
            ...posts,
            url: 'tenant',
            authorization: new TenantRecords({ columnName: 'owner', claim: 'sub' }),
          }),
        ],
      }),
    ],
  },
  everyDatabase,
);

/** The second is the first once JavaScript has read it as a number. */
const [first, second] = ['9007199254740992', '9007199254740993'] as const;

contract('A claim that was rounded when its token was read is nobody’s', async ({ request, save }) => {
  await save(Post, { id: 1, owner: first, name: 'first' });
  await save(Post, { id: 2, owner: second, name: 'second' });
  for (const sub of [second, `[${second}]`, `[5,${second}]`, first, `-${second}`, '1e300'])
    for (const path of ['/own', '/tenant']) {
      const claims = `{"sub":${sub}}`;
      expect((await request().get(path).set('x-claims', claims)).status).toBe(403);
      const change = request().patch(`${path}/1`).set('x-claims', claims).send({ name: 'changed' });
      expect((await change).status).toBe(403);
    }
  for (const path of ['/own', '/tenant']) {
    const { body } = await request()
      .get(path)
      .set('x-claims', JSON.stringify({ sub: second }))
      .expect(200);
    expect(body.data).toEqual([{ id: 2 }]);
  }
  for (const claim of [2 ** 53, -(2 ** 60), 1e300, NaN, Infinity])
    expect(() => scalarClaim({ tenant: claim }, 'tenant')).toThrow('Not Authorized');
  for (const claim of [0, 1.5, 2 ** 53 - 1, 'a', false])
    expect(scalarClaim({ tenant: claim }, 'tenant')).toBe(claim);
});

contract('A claim that is a list of nothing, or of more than values, lets nobody in', async (subject) => {
  for (const sub of [[], [5, {}], [[5], []], [5, null]])
    for (const path of ['/own', '/tenant']) {
      const as = { 'x-claims': JSON.stringify({ sub }) };
      expect((await subject.request().get(path).set(as)).status).toBe(403);
      const created = subject.request().post(path).set(as).send({ name: 'new' });
      expect((await created).status).toBe(403);
    }
  expect(await subject.count(Post)).toBe(0);
});
