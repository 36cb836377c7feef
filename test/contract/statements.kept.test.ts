import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Authorization, List } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';

const live = { deletedAt: null };

type Filters = Readonly<Record<string, { name: string; cond: typeof live; default: boolean }>>;

const memos = (name: string, filters: Filters) =>
  defineEntity({
    name,
    properties: {
      id: p.integer().primary(),
      tenant: p.string(),
      rank: p.integer(),
      size: p.integer(),
      due: p.integer().nullable(),
      note: p.string(),
      deletedAt: p.datetime().nullable(),
    },
    indexes: [
      { properties: ['tenant', 'rank'] },
      { properties: ['tenant', 'due'] },
      { properties: ['tenant', 'size'], where: live },
      { properties: ['note', 'tenant'] },
    ],
    filters,
  });

const Memo = memos('Memo', { live: { name: 'live', cond: live, default: true } });
const Draft = memos('Draft', {});

class OfTenant extends Authorization<{ tenant: string }> {
  override filterModel() {
    return { tenant: 'a' };
  }
}

const list = {
  readableColumnNames: ['id'],
  sortableColumnNames: ['id', 'rank', 'size', 'due', 'note'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Memo, Draft],
    root: { internalCasing: 'camelCase' },
    endpoints: [
      new List({ ...list, url: 'memos', modelClass: Memo, authorization: new OfTenant() }),
      new List({ ...list, url: 'drafts', modelClass: Draft, authorization: new OfTenant() }),
      new List({ ...list, url: 'live', modelClass: Memo }),
    ],
    orm: { pool: { min: 1, max: 1 } },
    route: 'direct',
  },
  once,
);

interface Prepared {
  readonly name: string;
  readonly uses: number;
}

/** The statements of ours on the one connection, and how often PostgreSQL has planned or used each since it was parsed. */
const prepared = ({ em }: Subject): Promise<readonly Prepared[]> =>
  em()
    .getConnection()
    .execute<readonly Prepared[]>(
      `select name, (custom_plans + generic_plans)::int as uses from pg_prepared_statements where name like 'e%'`,
    );

/** The uses of a list that nobody asked for before, after it was asked for a number of times. */
const usesOf = async (subject: Subject, path: string, times = 12): Promise<readonly number[]> => {
  const record = { id: 1, tenant: 'a', rank: 1, size: 1, due: 1, note: 'n', deletedAt: null };
  await subject.save(path.startsWith('/drafts') ? Draft : Memo, record);
  const before = new Set((await prepared(subject)).map(({ name }) => name));
  for (let time = 0; time < times; time += 1)
    expect((await subject.request().get(path)).body).toMatchObject({ data: [{ id: 1 }] });
  return (await prepared(subject)).flatMap(({ name, uses }) => (before.has(name) ? [] : uses));
};

/** All but the first, which is sent before it is known that it comes again. */
const kept = 11;
const renewed = 5;

for (const [path, uses, why] of [
  ['/memos?sort=rank', kept, 'an index has a tenant’s in that order'],
  ['/memos?sort=rank&direction=desc', kept, 'the index is read backwards'],
  ['/memos?sort=size', kept, 'the index is of the live ones, and only those are read'],
  ['/drafts?sort=size', renewed, 'the index is of the live ones, and others are read, too'],
  ['/memos?sort=due', kept, 'an index has those without a value last, as the list does'],
  ['/memos?sort=due&direction=desc', renewed, 'the index has those without a value where the list has not'],
  ['/memos?sort=note', renewed, 'an index has them in that order, but not a tenant’s'],
  ['/memos?sort=id', renewed, 'no index has a tenant’s by their ids'],
  ['/live?sort=note', kept, 'nothing is compared with a value'],
] as const)
  contract(
    `${path} is ${uses === kept ? 'prepared once' : 'planned with its values'}: ${why}`,
    async (subject) => {
      const [seen = 0, ...others] = await usesOf(subject, path);
      expect(others).toEqual([]);
      if (uses === renewed) expect(seen).toBeLessThanOrEqual(renewed);
      else expect(seen).toBeGreaterThanOrEqual(kept);
    },
  );
