import type { EntityMetadata } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { adjusted, whole, type RecordQuery } from '../visibility/adjusted.query.js';
import { inAll, inAny, keysOf } from '../sql/restrictions.js';
import type { Fragment } from '../sql/statement.js';
import type { Visibility } from '../database/viewer.js';
import { narrows, type AuthorizationRequest, type AuthorizationRule } from './authorization.js';
import { CombinedAuthorization } from './combined.authorization.js';

/** The filter of a rule. The model of the user's own is unknown here. */
type Filter = (
  query: RecordQuery,
  authorizationData: unknown,
  request: AuthorizationRequest,
) => Promise<unknown>;

/** The entity whose records are asked for, and the request that asks. */
interface Asked {
  readonly meta: EntityMetadata;
  /** True if the records are those of the endpoint's own model. */
  readonly isOwn: boolean;
  readonly em: SqlEntityManager;
  readonly request: AuthorizationRequest;
}

/** The records that the authorizations of an endpoint let requests see. Made once per endpoint. */
export class AuthorizedRecords {
  readonly #rules: readonly AuthorizationRule[];

  constructor(rules: readonly AuthorizationRule[]) {
    this.#rules = rules.filter(narrows);
  }

  get isOpen(): boolean {
    return this.#rules.length === 0;
  }

  /** True if records of an entity may be hidden. @param own the entity of the endpoint's model, if it has one */
  narrows(meta: EntityMetadata, own: EntityMetadata | undefined): boolean {
    return this.#rules.some((rule) => meta.root === own?.root || rule.concerns(meta));
  }

  /** @param own the entity of the endpoint's model; undefined when it has none */
  visibleTo(request: AuthorizationRequest, own: EntityMetadata | undefined): Visibility | undefined {
    if (this.isOpen) return undefined;
    return {
      narrows: (meta) => this.narrows(meta, own),
      keysOf: async (meta, em) => {
        const asked = { meta, isOwn: meta.root === own?.root, em, request };
        return keysOfAll(this.#rules, asked);
      },
    };
  }
}

async function keysOfAll(rules: readonly AuthorizationRule[], asked: Asked): Promise<readonly Fragment[]> {
  const fragments: Fragment[] = [];
  for (const rule of rules) {
    const keys = await keysBy(rule, asked);
    if (keys !== undefined) fragments.push(keys);
  }
  return fragments;
}

/** The keys that one rule lets a request see; undefined when it lets it see all. */
async function keysBy(rule: AuthorizationRule, asked: Asked): Promise<Fragment | undefined> {
  if (rule instanceof CombinedAuthorization) return keysByCombined(rule, asked);
  const { meta, isOwn, em, request } = asked;
  if (!narrows(rule) || !(isOwn || rule.concerns(meta))) return undefined;
  const query = (): RecordQuery => em.createQueryBuilder<object>(meta.class);
  const filter = rule.filterModel.bind(rule) as unknown as Filter;
  const name = `filterModel of ${rule.constructor.name}`;
  const given = whole(query(), name);
  const result = await filter(given, request.authorizationData, request);
  const keys = keysOf(adjusted(given, result, meta, { name }), meta);
  return keys.sql === keysOf(query(), meta).sql ? undefined : keys;
}

async function keysByCombined(rule: CombinedAuthorization, asked: Asked): Promise<Fragment | undefined> {
  if (rule.needed === 'all') return inAll(await keysOfAll(rule.rules, asked));
  const { request } = asked;
  const allowing = await rule.allowing(request.authorizationData, request);
  const fragments = await keysOfAll(allowing, asked);
  // A rule that lets everything be seen makes no fragment. That no rule allows a request was found out by the gate.
  return fragments.length < allowing.length ? undefined : inAny(fragments);
}
