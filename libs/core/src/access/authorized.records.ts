import type { EntityMetadata } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { adjusted, type RecordQuery } from '../records/adjusted.query.js';
import { keysOf } from '../records/restriction.js';
import type { Fragment } from '../records/sql/statement.js';
import type { Visibility } from '../records/viewer.js';
import { narrows, type AuthorizationRequest, type AuthorizationRule } from './authorization.js';

/** What a rule is asked for: the model of the user's own is unknown here. */
type Filter = (
  query: RecordQuery,
  authorizationData: unknown,
  request: AuthorizationRequest,
) => Promise<unknown>;

/** What the authorizations of an endpoint let requests see of the records. Made once per endpoint. */
export class AuthorizedRecords {
  readonly #rules: readonly AuthorizationRule[];

  constructor(rules: readonly AuthorizationRule[]) {
    this.#rules = rules.filter(narrows);
  }

  get isOpen(): boolean {
    return this.#rules.length === 0;
  }

  /** @param own the entity of the endpoint's model; undefined when it has none */
  visibleTo(request: AuthorizationRequest, own: EntityMetadata | undefined): Visibility | undefined {
    if (this.isOpen) return undefined;
    const rulesOf = (meta: EntityMetadata): readonly AuthorizationRule[] =>
      meta.root === own?.root ? this.#rules : this.#rules.filter((rule) => rule.concerns(meta));
    return {
      narrows: (meta) => rulesOf(meta).length > 0,
      keysOf: async (meta, em) => {
        const fragments: Fragment[] = [];
        for (const rule of rulesOf(meta)) fragments.push(...(await keysBy(rule, meta, em, request)));
        return fragments;
      },
    };
  }
}

/** The keys that one rule lets a request see; none is needed where it leaves the query as it was. */
async function keysBy(
  rule: AuthorizationRule,
  meta: EntityMetadata,
  em: SqlEntityManager,
  request: AuthorizationRequest,
): Promise<readonly Fragment[]> {
  const query = (): RecordQuery => em.createQueryBuilder<object>(meta.class);
  const filter = rule.filterModel.bind(rule) as unknown as Filter;
  const given = query();
  const result = await filter(given, request.authorizationData, request);
  const keys = keysOf(adjusted(given, result, meta, { name: 'filterModel' }), meta);
  return keys.sql === keysOf(query(), meta).sql ? [] : [keys];
}
