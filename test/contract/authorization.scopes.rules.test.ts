import { expect } from '@jest/globals';
import { defineEntity, p, raw, Type } from '@mikro-orm/core';
import {
  allOf,
  anyOf,
  Authorization,
  RestfulApi,
  type AuthorizationRule,
  type RecordScope,
} from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

/** Keeps texts with a mark in front, so that a value which is made twice is another one. */
class Marked extends Type<string, string> {
  override convertToDatabaseValue(value: string): string {
    return `c:${value}`;
  }

  override convertToJSValue(value: string): string {
    return value.slice(2);
  }

  override getColumnType(): string {
    return 'varchar(255)';
  }
}

const Deed = defineEntity({
  name: 'Deed',
  filters: { shown: { name: 'shown', cond: { state: { $ne: 'hidden' } }, default: true } },
  properties: {
    id: p.integer().primary(),
    owner: p.string().nullable(),
    state: p.type(Marked),
  },
});

const Will = defineEntity({
  name: 'Will',
  properties: { id: p.integer().primary(), owner: p.string().nullable() },
});

interface Person {
  readonly owner?: unknown;
}

/** A rule that says no more than its scope. */
class OfOwner extends Authorization {
  scopeOf(): RecordScope {
    return {
      conditions: [
        { propertyName: 'owner', value: ({ authorizationData }) => (authorizationData as Person).owner },
      ],
    };
  }
}

class OfNobody extends Authorization {
  override filterModel(): never {
    return { owner: { $ne: null }, [raw('1 = 0')]: [] } as never;
  }
}

const api = (url: string, authorization: AuthorizationRule): RestfulApi =>
  new RestfulApi({
    url,
    authentication: new Claims(),
    authorization,
    modelClass: Will,
    readableColumnNames: ['id'],
    writeableColumnNames: ['id', 'owner'],
    sortableColumnNames: ['id'],
    searchableColumnNames: ['id'],
    defaultSortColumnName: 'id',
  });

const { contract } = service(
  {
    entities: [Deed, Will],
    endpoints: [
      api('scoped', new OfOwner()),
      api('all', allOf(new OfOwner())),
      api('any', anyOf(new OfOwner())),
      api('raw', new OfNobody()),
      new RestfulApi({
        url: 'deeds',
        modelClass: Deed,
        readableColumnNames: ['id'],
        writeableColumnNames: ['id', 'owner'],
        sortableColumnNames: ['id'],
        searchableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ],
  },
  everyDatabase,
);

const listed = async (subject: Subject, path: string, claims: object): Promise<unknown> => {
  const { status, body } = await subject.request().get(path).set('X-Claims', JSON.stringify(claims));
  return status === 200 ? (body as { data: { id: number }[] }).data.map(({ id }) => id) : status;
};

contract('A rule that has nothing but a scope narrows', async (subject) => {
  const em = subject.em();
  for (const [id, owner] of ['ann', 'ben', null].entries()) em.create(Will, { id: id + 1, owner });
  await em.flush();
  for (const path of ['/scoped', '/all', '/any'])
    expect(await listed(subject, path, { owner: 'ann' })).toEqual([1]);
  const patched = await subject
    .request()
    .patch('/scoped/2')
    .set('X-Claims', '{"owner":"ann"}')
    .send({ owner: 'ann' });
  expect(patched.status).toBe(404);
});

contract('A value that is no text, number or boolean is no value of a scope', async (subject) => {
  const em = subject.em();
  em.create(Will, { id: 1, owner: 'ann' });
  await em.flush();
  for (const owner of [{ $ne: 'x' }, { $eq: null }, { $in: ['ann'] }, null, [], [null], undefined])
    expect([owner, await listed(subject, '/scoped', { owner })]).toEqual([owner, 403]);
  expect(await listed(subject, '/scoped', { owner: ['ann', 'ben'] })).toEqual([1]);
});

contract('Raw SQL within a filter object of a rule holds', async (subject) => {
  const em = subject.em();
  em.create(Will, { id: 1, owner: 'ann' });
  await em.flush();
  expect(await listed(subject, '/raw', {})).toEqual([]);
});

contract(
  "A filter of MikroORM's on a property of a type of the user's own hides what it says",
  async (subject) => {
    const em = subject.em();
    em.create(Deed, { id: 1, owner: null, state: 'hidden' });
    em.create(Deed, { id: 2, owner: null, state: 'open' });
    await em.flush();
    expect(await listed(subject, '/deeds', {})).toEqual([2]);
    expect((await subject.request().get('/deeds/1')).status).toBe(404);
    expect((await subject.request().delete('/deeds/1')).status).toBe(404);
  },
);
