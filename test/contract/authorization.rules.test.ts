import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { allOf, anyOf, OwnRecords, RequireClaims, RequireScopes, TenantRecords } from '@nest-endpoints/auth';
import { DocsPage, Schema } from '@nest-endpoints/openapi';
import {
  Authorization,
  Create,
  EndpointGroup,
  List,
  RestfulApi,
  type AuthorizationRule,
  type EndpointOrGroup,
  type RecordScope,
} from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, notFound } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const Account = defineEntity({
  name: 'Account',
  properties: { id: p.integer().primary(), owner: p.string() },
});

const Note = defineEntity({
  name: 'Note',
  properties: {
    id: p.integer().primary(),
    owner: p.string(),
    isPublic: p.boolean().default(false),
    account: () => p.manyToOne(Account).nullable(),
  },
});

class PublicOnly extends Authorization {
  override filterModel(): object {
    return { isPublic: true };
  }
}

/** Counts on a rule before it that asks for a role. */
class MayRead extends Authorization<object, { readonly role: { readonly mayRead: boolean } }> {
  override gate({ role }: { readonly role: { readonly mayRead: boolean } }): boolean {
    return role.mayRead;
  }
}

const notes = {
  modelClass: Note,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const list = (url: string, authorization: AuthorizationRule): EndpointOrGroup =>
  new List({ ...notes, url, authorization });

const own = new OwnRecords('owner', 'sub');

/** The owners whose notes are shown, in one list for all requests. */
const crew = ['ada'];

class Crew extends Authorization {
  scopeOf(): RecordScope {
    return { conditions: [{ propertyName: 'owner', value: () => crew }] };
  }
}

const { contract } = service({
  entities: [Account, Note],
  endpoints: [
    new EndpointGroup({
      url: 'told',
      authorization: allOf(own, new TenantRecords({ columnName: 'owner', claim: 'tenant' })),
      endpoints: [
        new Schema({ url: 'schema' }),
        new DocsPage({ url: 'page' }),
        new Schema({ url: 'strict', authorization: new RequireScopes('docs') }),
      ],
    }),
    list('crew', new Crew()),
    new EndpointGroup({
      url: 'mixed',
      authorization: allOf(own, new RequireScopes('docs')),
      endpoints: [new Schema({ url: 'schema' })],
    }),
    new EndpointGroup({
      authentication: new Claims(),
      endpoints: [
        list('claims', new RequireClaims('email', { role: ['editor', 'admin'], verified: true })),
        list('scopes', new RequireScopes('notes:read', 'notes:list')),
        list('by-key', new OwnRecords('accountId', 'account')),
        list('by-path', new OwnRecords('account.owner', 'sub')),
        list('either', anyOf(new RequireScopes('admin'), own)),
        list('own-or-public', anyOf(own, new PublicOnly())),
        list('both', allOf(own, new PublicOnly())),
        list('both-or-account', anyOf(allOf(own, new PublicOnly()), new OwnRecords('accountId', 'account'))),
        list(
          'either-and-either',
          allOf(
            anyOf(own, new PublicOnly()),
            anyOf(new OwnRecords('accountId', 'account'), new OwnRecords('owner', 'deputy')),
          ),
        ),
        list('in-order', allOf(new RequireClaims('role'), new MayRead())),
        list('in-order-or-own', anyOf(allOf(new RequireClaims('role'), new MayRead()), own)),
        new RestfulApi({
          ...notes,
          url: 'notes',
          writeableColumnNames: ['id', 'owner', 'accountId'],
          searchableColumnNames: ['id'],
          authorization: own,
        }),
        new Create({ ...notes, url: 'made', writeableColumnNames: ['id', 'owner'], authorization: own }),
      ],
    }),
  ],
});

const fill = async ({ save }: Subject): Promise<void> => {
  await save(Account, { id: 1, owner: 'ada' });
  await save(Account, { id: 2, owner: 'bob' });
  await save(Note, { id: 1, owner: 'ada', account: 1 });
  await save(Note, { id: 2, owner: 'bob', account: 2, isPublic: true });
  await save(Note, { id: 3, owner: 'ada', account: 2, isPublic: true });
};

const claims = (identity: object): Record<string, string> => ({ 'X-Claims': JSON.stringify(identity) });

const seen = async ({ request }: Subject, path: string, identity: object): Promise<unknown> => {
  const { status, body } = await request().get(path).set(claims(identity));
  if (status !== 200) return status;
  return (body as { data: { id: number }[] }).data.map(({ id }) => id);
};

contract('RequireClaims lets in who has all claims, with the values they must have', async (subject) => {
  await fill(subject);
  const whole = { email: 'a@b.c', role: ['reader', 'editor'], verified: true };
  expect(await seen(subject, '/claims', whole)).toEqual([1, 2, 3]);
  for (const identity of [
    {},
    { ...whole, email: null },
    { ...whole, role: 'reader' },
    { ...whole, verified: 'true' },
    JSON.parse('{"__proto__":{"email":"a@b.c"},"role":"admin","verified":true}') as object,
  ])
    expect(await seen(subject, '/claims', identity)).toBe(403);
});

contract('RequireScopes lets in who has all scopes, in scope or in scp', async (subject) => {
  await fill(subject);
  for (const identity of [
    { scope: 'notes:list other notes:read' },
    { scp: ['notes:read', 'notes:list'] },
    { scp: 'notes:read', scope: 'notes:list' },
  ])
    expect(await seen(subject, '/scopes', identity)).toEqual([1, 2, 3]);
  for (const identity of [{}, { scope: 'notes:read' }, { scope: 'notes:read,notes:list' }, { scope: 7 }])
    expect(await seen(subject, '/scopes', identity)).toBe(403);
});

contract('OwnRecords shows the records whose column has the value of the claim', async (subject) => {
  await fill(subject);
  expect(await seen(subject, '/notes', { sub: 'ada' })).toEqual([1, 3]);
  expect(await seen(subject, '/notes', { sub: ['bob', 'ada'] })).toEqual([1, 2, 3]);
  expect(await seen(subject, '/notes', { sub: 'eve' })).toEqual([]);
  expectAnswer(
    await subject
      .request()
      .get('/notes/2')
      .set(claims({ sub: 'ada' })),
    404,
    notFound,
  );
});

contract('OwnRecords lets nobody in without the claim', async (subject) => {
  await fill(subject);
  for (const identity of [{}, { sub: null }, { sub: [] }, { sub: { $ne: '' } }, { sub: [{ $ne: '' }] }])
    expect(await seen(subject, '/notes', identity)).toBe(403);
  const answer = await subject.request().get('/notes').set(claims({}));
  expectAnswer(answer, 403, clientError('Not Authorized'));
});

contract('OwnRecords knows key columns of relations, and paths', async (subject) => {
  await fill(subject);
  expect(await seen(subject, '/by-key', { account: 2 })).toEqual([2, 3]);
  expect(await seen(subject, '/by-path', { sub: 'bob' })).toEqual([2, 3]);
});

contract('OwnRecords lets nobody in with a value that its column cannot hold', async (subject) => {
  await fill(subject);
  for (const account of [1.5, true, 'two', 2 ** 31, '', [2, 'two']])
    expect(await seen(subject, '/by-key', { account })).toBe(403);
  expect(await seen(subject, '/by-key', { account: '2' })).toEqual([2, 3]);
  expect(await seen(subject, '/by-key', { account: [2, '1'] })).toEqual([1, 2, 3]);
});

contract('OwnRecords hides relation targets of others from a write', async (subject) => {
  await fill(subject);
  const { request } = subject;
  const refused = await request()
    .patch('/notes/1')
    .set(claims({ sub: 'ada' }))
    .send({ account_id: 2 });
  expectAnswer(refused, 400, inputErrors({ account_id: 'the given record does not exist' }));
});

contract('Rules about records alone do not hold where there are none', async ({ request }) => {
  for (const path of ['/told/schema', '/told/page/']) expect((await request().get(path)).status).toBe(200);
  expect((await request().get('/mixed/schema')).status).toBe(403);
  const refused = await request().get('/told/strict');
  expectAnswer(refused, 403, clientError('Not Authorized'));
});

contract('anyOf: a request sees what the rules let it see that let it in', async (subject) => {
  await fill(subject);
  expect(await seen(subject, '/either', { sub: 'ada' })).toEqual([1, 3]);
  expect(await seen(subject, '/either', { scope: 'admin' })).toEqual([1, 2, 3]);
  expect(await seen(subject, '/either', { scope: 'other' })).toBe(403);
  expect(await seen(subject, '/own-or-public', { sub: 'ada' })).toEqual([1, 2, 3]);
  expect(await seen(subject, '/own-or-public', {})).toEqual([2, 3]);
});

contract('allOf: a request must be let in by all rules, and sees what all let it see', async (subject) => {
  await fill(subject);
  expect(await seen(subject, '/both', { sub: 'ada' })).toEqual([3]);
  expect(await seen(subject, '/both', {})).toBe(403);
});

contract('allOf within anyOf: a request sees what all of those rules let it see', async (subject) => {
  await fill(subject);
  expect(await seen(subject, '/both-or-account', { sub: 'ada' })).toEqual([3]);
  expect(await seen(subject, '/both-or-account', { sub: 'bob', account: 1 })).toEqual([1, 2]);
  expect(await seen(subject, '/both-or-account', { account: 1 })).toEqual([1]);
});

contract('anyOf within allOf: a request sees what a rule of each lets it see', async (subject) => {
  await fill(subject);
  const more = { account: 1, deputy: 'bob' };
  expect(await seen(subject, '/either-and-either', { ...more, sub: 'ada' })).toEqual([1, 2]);
  expect(await seen(subject, '/either-and-either', { ...more, sub: 'eve' })).toEqual([2]);
});

contract('allOf asks no gate behind one that says no', async (subject) => {
  await fill(subject);
  expect(await seen(subject, '/in-order', {})).toBe(403);
  expect(await seen(subject, '/in-order', { role: { mayRead: false } })).toBe(403);
  expect(await seen(subject, '/in-order', { role: { mayRead: true } })).toEqual([1, 2, 3]);
  expect(await seen(subject, '/in-order-or-own', { sub: 'ada' })).toEqual([1, 3]);
});

contract('An authorization that narrows does not keep a client from creating records', async (subject) => {
  const made = await subject
    .request()
    .post('/made')
    .set(claims({ sub: 'ada' }))
    .send({ id: 9, owner: 'ada' });
  expect(made.status).toBe(201);
});

contract('Of several rules, too, one says yes by true alone', async (subject) => {
  await fill(subject);
  for (const mayRead of ['yes', 1, {}]) {
    expect(await seen(subject, '/in-order', { role: { mayRead } })).toBe(403);
    expect(await seen(subject, '/in-order-or-own', { sub: 'ada', role: { mayRead } })).toEqual([1, 3]);
  }
});

contract('A list that a rule changes counts as it is for each request', async (subject) => {
  await fill(subject);
  const all: unknown[] = [];
  for (const owners of [['ada'], ['ada', 'bob'], ['bob']]) {
    crew.splice(0, 2, ...owners);
    all.push(await seen(subject, '/crew', {}));
  }
  expect(all).toEqual([[1, 3], [1, 2, 3], [2]]);
});
