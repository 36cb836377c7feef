import type { EntityMetadata } from '@mikro-orm/core';
import { QueryBuilder, type SqlEntityManager } from '@mikro-orm/sql';
import { whole, type RecordQuery } from './adjusted.query.js';

/**
 * A query for a function of the user's, made only when the function looks at it: many give a filter object instead.
 */
export class LazyQuery {
  /** The query that the function is given, made as soon as something is asked of it. */
  readonly given: RecordQuery;
  #made: RecordQuery | undefined;

  /** @param name whose query it is, for errors */
  constructor(
    private readonly em: SqlEntityManager,
    private readonly meta: EntityMetadata,
    private readonly name: string,
  ) {
    const query = (): RecordQuery => this.real;
    this.given = new Proxy<RecordQuery>(Object.create(QueryBuilder.prototype) as RecordQuery, {
      get: (_target, member) => bound(query(), member),
      set: (_target, member, value) => Reflect.set(query(), member, value),
      has: (_target, member) => Reflect.has(query(), member),
    });
  }

  /** True if the function has looked at its query. */
  get isUsed(): boolean {
    return this.#made !== undefined;
  }

  get real(): RecordQuery {
    return (this.#made ??= whole(this.fresh(), this.name));
  }

  /** Another query over all records. */
  fresh(): RecordQuery {
    return this.em.createQueryBuilder<object>(this.meta.class);
  }

  /** The result of the function, in which its query may have come back as it was given. */
  realOf(result: unknown): unknown {
    return result === this.given ? this.real : result;
  }
}

/** Methods of the query have private members, which only it has itself. */
function bound(query: RecordQuery, member: string | symbol): unknown {
  const value: unknown = Reflect.get(query, member, query);
  return typeof value === 'function' ? (value.bind(query) as unknown) : value;
}
