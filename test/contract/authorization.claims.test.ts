import { expect, test } from '@jest/globals';
import { defineEntity, p, type FilterQuery } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/postgresql';
import { scalarClaim } from '@nest-endpoints/auth';
import { Authorization, EndpointGroup, List, RestfulApi } from '@nest-endpoints/core';
import { clientError, expectAnswer, failure } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const Note = defineEntity({
  name: 'Note',
  properties: { id: p.integer().primary(), tenant: p.string().nullable(), rank: p.integer().default(0) },
});
interface Note {
  tenant: string | null;
  rank: number;
}
interface Identity {
  readonly tenant?: string;
}

class GivesObject extends Authorization<Note, Identity> {
  override filterModel(_query: QueryBuilder<Note>, { tenant }: Identity) {
    return { tenant } as FilterQuery<Note>;
  }
}

class GivesDeepObject extends Authorization<Note, Identity> {
  override filterModel(_query: QueryBuilder<Note>, { tenant }: Identity) {
    return { $or: [{ $and: [{ rank: 0 }, { tenant: { $in: [tenant] } }] }] } as FilterQuery<Note>;
  }
}

class AdjustsQuery extends Authorization<Note, Identity> {
  override filterModel(query: QueryBuilder<Note>, { tenant }: Identity) {
    return query.andWhere({ tenant } as never);
  }
}

class WidensQuery extends Authorization<Note, Identity> {
  override filterModel(query: QueryBuilder<Note>, { tenant }: Identity) {
    return query.where({ rank: 7 }).orWhere({ tenant } as never);
  }
}

class ReadsClaim extends Authorization<Note> {
  override filterModel(query: QueryBuilder<Note>, identity: unknown) {
    return query.andWhere({ tenant: scalarClaim(identity, 'tenant', 'string') });
  }
}

class ReadsRank extends Authorization<Note> {
  override filterModel(query: QueryBuilder<Note>, identity: unknown) {
    return query.andWhere({ rank: scalarClaim(identity, 'rank') } as never);
  }
}

const careless = [GivesObject, GivesDeepObject, AdjustsQuery, WidensQuery] as const;

const notes = {
  modelClass: Note,
  readableColumnNames: ['id'],
  writeableColumnNames: ['rank'],
  searchableColumnNames: [],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const applicationOf = (ignoreUndefinedInQuery: boolean) => ({
  entities: [Note],
  orm: { ignoreUndefinedInQuery },
  endpoints: [
    new EndpointGroup({
      authentication: new Claims(),
      endpoints: [
        ...[...careless, ReadsClaim, ReadsRank].map(
          (Rule) => new RestfulApi({ ...notes, url: Rule.name, authorization: new Rule() }),
        ),
        new List({
          ...notes,
          url: 'where-object',
          where: [({ authorizationData }: { authorizationData: unknown }) => authorizationData as object],
        }),
        new List({
          ...notes,
          url: 'where-query',
          where: [
            (({ query, authorizationData }: { query: QueryBuilder<Note>; authorizationData: unknown }) =>
              query.andWhere({ tenant: (authorizationData as Identity).tenant } as never)) as never,
          ],
        }),
      ],
    }),
  ],
});

const { contract } = service(applicationOf(false));
const ignoring = service(applicationOf(true)).contract;

const write = async ({ save }: Subject): Promise<void> => {
  await save(Note, { id: 1, tenant: null });
  await save(Note, { id: 2, tenant: 'a' });
  await save(Note, { id: 3, tenant: 'b' });
};

const claims = (identity: object) => ({ 'X-Claims': JSON.stringify(identity) });

const broken = failure('Internal Server Error');

const refused = async (subject: Subject): Promise<void> => {
  await write(subject);
  const { request, log } = subject;
  for (const { name } of careless) {
    for (const identity of [{}, { sub: 'x' }]) {
      expectAnswer(await request().get(`/${name}`).set(claims(identity)), 500, broken);
      for (const method of ['get', 'patch', 'delete'] as const) {
        const answer = request()[method](`/${name}/1`).set(claims(identity));
        expectAnswer(await (method === 'patch' ? answer.send({ rank: 1 }) : answer), 500, broken);
      }
    }
    expect(log.text('error')).toContain(`filterModel of ${name} has no value for '`);
    const { body } = await request()
      .get(`/${name}`)
      .set(claims({ tenant: 'a' }));
    expect([name, body.data]).toEqual([name, [{ id: 2 }]]);
  }
  expect(await subject.count(Note)).toBe(3);
  log.lines = [];
};

contract('A condition of filterModel without a value is a failure that names the rule', refused);
ignoring('A condition without a value is a failure, too, where MikroORM ignores those', refused);

contract('A condition of a where function without a value is a failure', async (subject) => {
  await write(subject);
  const { request, log } = subject;
  expectAnswer(await request().get('/where-query').set(claims({})), 500, broken);
  expect(log.text('error')).toContain("A callable of 'where' has no value for 'tenant'");
  for (const url of ['where-object', 'where-query'])
    expect(
      (
        await request()
          .get(`/${url}`)
          .set(claims({ tenant: 'b' }))
      ).body.data,
    ).toEqual([{ id: 3 }]);
});

contract('scalarClaim reads a text, number or boolean, and authorizes nobody without', async (subject) => {
  await write(subject);
  const { request } = subject;
  const none = clientError('Not Authorized');
  for (const tenant of [undefined, null, { $ne: 'q' }, {}, ['a'], [], 1, true])
    for (const path of ['', '/1', '/2'])
      expectAnswer(await request().get(`/ReadsClaim${path}`).set(claims({ tenant })), 403, none);
  expect(
    (
      await request()
        .get('/ReadsClaim')
        .set(claims({ tenant: 'b' }))
    ).body.data,
  ).toEqual([{ id: 3 }]);
  expect(
    (
      await request()
        .get('/ReadsClaim/2')
        .set(claims({ tenant: 'a' }))
    ).status,
  ).toBe(200);
  expect(
    (
      await request()
        .get('/ReadsRank')
        .set(claims({ rank: 0 }))
    ).body.data,
  ).toHaveLength(3);
  expectAnswer(
    await request()
      .get('/ReadsRank')
      .set(claims({ rank: { $gte: 0 } })),
    403,
    none,
  );
});

test('A filter object with a member without a value stops the start', async () => {
  const { tenant }: Identity = {};
  for (const where of [{ tenant }, { $or: [{ rank: 1 }, { tenant }] }])
    expect(
      await startUpError({
        entities: [Note],
        endpoints: [new List({ ...notes, url: 'notes', where: [where as never] })],
      }),
    ).toMatch(/List 'notes': where: a filter object has no value for '.*tenant'/);
});
