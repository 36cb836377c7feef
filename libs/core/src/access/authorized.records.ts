import { isDeepStrictEqual } from 'node:util';
import type { EntityMetadata } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Visibility } from '../database/viewer.js';
import type { RequestFacts } from '../model/request.facts.js';
import type { Dialect } from '../sql/dialect.js';
import { storedFields } from '../metadata/stored.fields.js';
import { keysOf } from '../database/key.query.js';
import { Restriction, together, type PlainCondition } from '../sql/restriction.js';
import { adjusted, refuseUndefined, type RecordQuery } from '../visibility/adjusted.query.js';
import { whileAsking } from '../visibility/asked.rules.js';
import { LazyQuery } from '../visibility/lazy.query.js';
import { isFilterObject, PlainFilters } from '../database/plain.filter.js';
import {
  Authorization,
  narrows,
  type AuthorizationRequest,
  type AuthorizationRule,
} from './authorization.js';
import { CombinedAuthorization } from './combined.authorization.js';
import { ScopedEntity, type ScopedColumn } from './scoped.entity.js';

/** The filter of a rule. The model of the user's own is unknown here. */
type Filter = (
  query: RecordQuery,
  authorizationData: unknown,
  request: AuthorizationRequest,
) => Promise<unknown>;

/** The entity whose records are asked for, and the request that asks. */
export interface Asked {
  readonly meta: EntityMetadata;
  /** True if the records are those of the endpoint's own model. */
  readonly isOwn: boolean;
  readonly em: () => Promise<SqlEntityManager>;
  readonly request: AuthorizationRequest;
}

/** The rules that concern one entity. */
interface EntityRules {
  /** The rules that are plain conditions. */
  readonly scopes: readonly ScopedEntity[];
  /** The rules that must be asked each time. */
  readonly asked: readonly AuthorizationRule[];
}

type Visible = Restriction | undefined;

/** The records that the authorizations of an endpoint let requests see. Made once per endpoint. */
export class AuthorizedRecords {
  readonly #rules: readonly AuthorizationRule[];
  readonly #plain: PlainFilters | undefined;
  /** The rules of each entity, as the endpoint's own one and as one that its records refer to. */
  readonly #known = [new Map<EntityMetadata, EntityRules>(), new Map<EntityMetadata, EntityRules>()] as const;
  readonly #scopes = new Map<AuthorizationRule, Map<EntityMetadata, ScopedEntity | undefined>>();

  /** @param dialect of the application's database; undefined where there is none */
  constructor(
    rules: readonly AuthorizationRule[],
    private readonly dialect: Dialect | undefined,
  ) {
    this.#rules = rules.flatMap(each).filter(narrows);
    this.#plain = dialect && new PlainFilters(dialect);
  }

  get isOpen(): boolean {
    return this.#rules.length === 0;
  }

  /** True if records of an entity may be hidden. @param own the entity of the endpoint's model, if it has one */
  narrows(meta: EntityMetadata, own: EntityMetadata | undefined): boolean {
    const { scopes, asked } = this.#of(meta, isOwn(meta, own));
    return scopes.length + asked.length > 0;
  }

  /** True if what hides records of an entity is more than conditions on these columns of its table. */
  narrowsBeyond(meta: EntityMetadata, own: EntityMetadata | undefined, fields: readonly string[]): boolean {
    const { scopes, asked } = this.#of(meta, isOwn(meta, own));
    const isBeyond = ({ property }: ScopedColumn): boolean =>
      !storedFields(property).every((field) => fields.includes(field));
    return asked.length > 0 || scopes.some(({ columns }) => columns.some(isBeyond));
  }

  /** The scopes that records of an entity stay within. @throws ConfigurationError for a scope that does not fit it */
  stickyScopes(meta: EntityMetadata): readonly ScopedEntity[] {
    return this.#of(meta, true).scopes.filter(({ isSticky }) => isSticky);
  }

  /** @param own the entity of the endpoint's model; undefined when it has none */
  visibleTo(request: AuthorizationRequest, own: EntityMetadata | undefined): Visibility | undefined {
    if (this.isOpen) return undefined;
    return new RecordsOfRequest(this, request, own);
  }

  /** The complaint that stops the start of an endpoint over the entity; of a related one, that a rule says nothing of it. */
  reasonAgainst(
    meta: EntityMetadata,
    own: EntityMetadata | undefined,
    all: readonly EntityMetadata[],
  ): string | undefined {
    for (const rule of this.#rules) {
      const isUnsaid = !isOwn(meta, own) && !says(rule);
      const who = rule.constructor.name;
      if (isUnsaid) return `${who} does not say if it holds for ${meta.className}: override its concerns`;
      const problem = own === undefined ? rule.misfit?.(meta, all) : undefined;
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** The records to see of an entity; undefined for all. */
  restriction(asked: Asked): Visible | Promise<Visible> {
    const { scopes, asked: rules } = this.#of(asked.meta, asked.isOwn);
    const plain = scopes.length === 0 ? undefined : restrictionOf(scopes, asked.request);
    return rules.length === 0 ? plain : whileAsking(() => this.#all(rules, asked, plain));
  }

  async #all(rules: readonly AuthorizationRule[], asked: Asked, plain?: Restriction): Promise<Visible> {
    const restrictions: Visible[] = [plain];
    for (const rule of rules) restrictions.push(await this.#by(rule, asked));
    return together(restrictions);
  }

  /** The records that one rule lets a request see; undefined for all. */
  async #by(rule: AuthorizationRule, asked: Asked): Promise<Visible> {
    if (rule instanceof CombinedAuthorization) return this.#byCombined(rule, asked);
    const { meta, isOwn, request } = asked;
    if (!narrows(rule) || !(isOwn || rule.concerns(meta))) return undefined;
    const scope = this.#scopeOf(rule, meta);
    if (scope !== undefined) return scope.restriction(request);
    return this.#byFilter(rule, asked);
  }

  async #byFilter(rule: AuthorizationRule, { meta, em, request }: Asked): Promise<Visible> {
    const filter = rule.filterModel.bind(rule) as unknown as Filter;
    const name = `filterModel of ${rule.constructor.name}`;
    const query = new LazyQuery(await em(), meta, name);
    const result = await filter(query.given, request.authorizationData, request);
    if (!query.isUsed && isFilterObject(result)) {
      refuseUndefined(name, result);
      const conditions = this.#plain?.read(meta, result);
      if (conditions !== undefined) return restrictionBy(conditions);
    }
    const keys = keysOf(adjusted(query.real, query.realOf(result), meta, { name }), meta);
    const all = keysOf(query.fresh(), meta);
    const isAll = keys.sql === all.sql && isDeepStrictEqual(keys.parameters, all.parameters);
    return isAll ? undefined : new Restriction({ keys });
  }

  async #byCombined(rule: CombinedAuthorization, asked: Asked): Promise<Visible> {
    if (rule.needed === 'all') return this.#all(rule.rules, asked);
    const { request } = asked;
    const allowing = await rule.allowing(request.authorizationData, request);
    const restrictions: Restriction[] = [];
    for (const one of allowing) {
      const restriction = await this.#by(one, asked);
      // A rule that lets everything be seen. That no rule allows a request was found out by the gate.
      if (restriction === undefined) return undefined;
      restrictions.push(restriction);
    }
    const [first] = restrictions;
    return restrictions.length === 1 ? first : new Restriction({ groups: [restrictions] });
  }

  #of(meta: EntityMetadata, isOwn: boolean): EntityRules {
    const all = this.#known[isOwn ? 0 : 1];
    const known = all.get(meta);
    if (known !== undefined) return known;
    const scopes: ScopedEntity[] = [];
    const asked: AuthorizationRule[] = [];
    for (const rule of this.#rules) {
      const isConcerned = isOwn || rule.concerns(meta);
      const scope = isConcerned ? this.#scopeOf(rule, meta) : undefined;
      if (scope !== undefined) scopes.push(scope);
      else if (isConcerned) asked.push(rule);
    }
    const rules = { scopes, asked };
    all.set(meta, rules);
    return rules;
  }

  #scopeOf(rule: AuthorizationRule, meta: EntityMetadata): ScopedEntity | undefined {
    const known = this.#scopes.get(rule) ?? new Map<EntityMetadata, ScopedEntity | undefined>();
    if (known.has(meta)) return known.get(meta);
    const scope = rule.scopeOf?.(meta);
    const isKnown = scope !== undefined && this.dialect !== undefined;
    const entity = isKnown ? new ScopedEntity(rule.constructor.name, meta, scope, this.dialect) : undefined;
    this.#scopes.set(rule, known.set(meta, entity));
    return entity;
  }
}

/** Records that one request may see. */
class RecordsOfRequest implements Visibility {
  readonly #all: AuthorizedRecords;
  readonly #request: AuthorizationRequest;
  readonly #own: EntityMetadata | undefined;

  /** @param own the entity of the endpoint's model; undefined when it has none */
  constructor(all: AuthorizedRecords, request: AuthorizationRequest, own: EntityMetadata | undefined) {
    this.#all = all;
    this.#request = request;
    this.#own = own;
  }

  narrows(meta: EntityMetadata): boolean {
    return this.#all.narrows(meta, this.#own);
  }

  restrictionOf(meta: EntityMetadata, em: () => Promise<SqlEntityManager>): Visible | Promise<Visible> {
    return this.#all.restriction({ meta, isOwn: isOwn(meta, this.#own), em, request: this.#request });
  }

  reasonAgainst(meta: EntityMetadata, all: readonly EntityMetadata[]): string | undefined {
    return this.#all.reasonAgainst(meta, this.#own, all);
  }
}

function restrictionOf(scopes: readonly ScopedEntity[], request: RequestFacts): Visible {
  const [only] = scopes;
  if (scopes.length === 1 && only !== undefined) return only.restriction(request);
  return restrictionBy(scopes.flatMap((scope) => scope.bound(request)));
}

/** True if records are those that an endpoint is about. One without an entity is about whichever its function asks for. */
function isOwn(meta: EntityMetadata, own: EntityMetadata | undefined): boolean {
  return own === undefined || meta.root === own.root;
}

/** True if a rule says itself for which related entities it holds. */
function says(rule: AuthorizationRule): boolean {
  if (rule instanceof CombinedAuthorization) return rule.rules.every((one) => !narrows(one) || says(one));
  return (rule.concerns as unknown) !== Authorization.prototype.concerns;
}

/** The rules that must all hold, each by itself. */
function each(rule: AuthorizationRule): readonly AuthorizationRule[] {
  return rule instanceof CombinedAuthorization && rule.needed === 'all' ? rule.rules.flatMap(each) : [rule];
}

/** A restriction; undefined where there is no condition, so that all is seen. */
function restrictionBy(conditions: readonly PlainCondition[]): Visible {
  return conditions.length === 0 ? undefined : new Restriction({ conditions });
}
