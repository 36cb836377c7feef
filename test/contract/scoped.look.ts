import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Scoped } from '@nest-endpoints/core';
import type { Subject } from '../support/contract.js';
import { Product } from './tenants.shop.js';

/** The records that a query of the user's own finds. */
export interface Found {
  readonly id: number;
}

export const idsOf = (records: readonly Found[]): number[] =>
  records.map(({ id }) => id).sort((a, b) => a - b);

/** Every way in which a function may ask with what it is given. */
export const look = async (em: SqlEntityManager, scoped: Scoped): Promise<Record<string, unknown>> => {
  const { where, query } = await scoped(Product);
  const named = { name: { $like: 'second%' } };
  const [listed, total] = await query()
    .where({ id: { $gt: 0 } })
    .getResultAndCount();
  const kept = query('p').where({ id: 1 });
  return {
    found: idsOf(await em.find(Product, where())),
    counted: await em.count(Product, where()),
    met: idsOf(await em.find(Product, where(named))),
    one: (await em.findOne(Product, where({ id: 101 })))?.id ?? null,
    own: idsOf(await em.createQueryBuilder(Product, 'p').where(where()).getResultList()),
    queried: idsOf(await query('p').orderBy({ 'p.id': 'asc' }).getResultList()),
    metByQuery: idsOf(await query().where(named).getResultList()),
    replaced: idsOf(
      await query()
        .where({ id: 1 })
        .where({ id: { $in: [2, 101] } })
        .getResultList(),
    ),
    widened: idsOf(
      await query('p')
        .where({ id: 2 })
        .orWhere({ id: { $gt: 0 } })
        .getResultList(),
    ),
    copied: idsOf(await kept.clone().orWhere({ id: 101 }).getResultList()),
    emptied: idsOf(await query('p').clone(true).select('*').getResultList()),
    joined: idsOf(
      await query('p').leftJoinAndSelect('p.tags', 't').orderBy({ 'p.id': 'asc' }).limit(50).getResultList(),
    ),
    listed: idsOf(listed),
    total,
  };
};

/** What {@link look} gives where these products are to be seen. */
export const seeing = (...ids: readonly number[]): object => {
  const of = (...some: readonly number[]): readonly number[] => ids.filter((id) => some.includes(id));
  return {
    found: ids,
    counted: ids.length,
    met: of(2, 102),
    one: of(101)[0] ?? null,
    own: ids,
    queried: ids,
    metByQuery: of(2, 102),
    replaced: of(2, 101),
    widened: ids,
    copied: of(1, 101),
    emptied: ids,
    joined: ids,
    listed: ids,
    total: ids.length,
  };
};

/** The headers of somebody with these claims. */
export const by = (claims: object) => ({ 'X-Claims': JSON.stringify(claims) });

/** What a path answers to somebody with these claims, or the status where that is no success. */
export const dataOf = async ({ request }: Subject, path: string, claims: object): Promise<unknown> => {
  const { status, body } = await request().get(path).set(by(claims));
  return status === 200 ? (body as { data: unknown }).data : status;
};
