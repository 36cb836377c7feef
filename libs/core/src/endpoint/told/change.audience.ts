import type { EntityMetadata } from '@mikro-orm/core';
import { AuthorizedRecords } from '../../access/authorized.records.js';
import { narrows, type AuthorizationRequest, type AuthorizationRule } from '../../access/authorization.js';
import type { ScopeCondition } from '../../access/record.scope.js';
import { CombinedAuthorization } from '../../access/combined.authorization.js';
import type { Database } from '../../database/database.js';
import { RestrictionFilter } from '../../database/restriction.filter.js';
import { recordedKey } from '../../sql/row.writer.js';
import type { Model } from '../../model/model.js';
import type { Change } from '../../records/changes/read.changes.js';
import { askingPrimary } from '../../replicas/asked.primary.js';
import { together, type PlainCondition, type Restriction } from '../../sql/restriction.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { NotAuthorized, NotFound } from '../../wire/refusals.js';

/** The rights by which listeners may hear of changes of an entity. */
export interface AudienceOptions {
  /** The owner of the options, as error messages call it. */
  readonly owner: string;
  /** The rules whose `gate` and `filterModel` decide. */
  readonly authorization: AuthorizationRule;
  /** The properties that say whose a record is; undefined where the rules say it themselves. */
  readonly narrowedBy: readonly string[] | undefined;
}

/** The rights of one sort of listeners to hear of changes of an entity. Made when the application starts. */
export class ChangeAudience {
  readonly #rules: readonly AuthorizationRule[];
  readonly #records: AuthorizedRecords;
  readonly #meta: EntityMetadata;
  /** The properties with whose change a record may become another's. */
  readonly movedBy: readonly string[];

  /** @throws ConfigurationError where nobody knows by which properties the rules narrow, or the log does not tell of them */
  constructor(
    private readonly database: Database,
    private readonly model: Model,
    { owner, authorization, narrowedBy }: AudienceOptions,
  ) {
    this.#meta = model.meta;
    this.#rules = [authorization];
    this.#records = new AuthorizedRecords(this.#rules, database.dialect);
    const all = [...database.orm.getMetadata().getAll().values()];
    for (const rule of this.#rules.flatMap(each)) {
      const problem = rule.misfit?.(this.#meta, all);
      if (problem !== undefined) throw new ConfigurationError(owner, 'authorization', problem);
    }
    this.movedBy = this.#movedBy(owner, narrowedBy);
  }

  /**
   * The changes that an identity may hear of, as far as the records say it now: those of records that it may see, and deletions of
   * records that it might have seen. Whether a record was another's when it changed, {@link movedBy} tells. The primary is asked: of
   * what a replica does not have yet nobody would ever hear.
   */
  heardBy(identity: unknown, changes: readonly Change[]): Promise<ReadonlySet<string>> {
    return askingPrimary(() => this.#heardBy(identity, changes));
  }

  async #heardBy(identity: unknown, changes: readonly Change[]): Promise<ReadonlySet<string>> {
    const em = this.database.fork();
    const request = requestOf(identity, em);
    const restriction = await this.#restriction(identity, request);
    if (restriction === undefined) return new Set();
    if (restriction === 'all') return new Set(changes.map(({ id }) => id));
    const gone = changes.filter(isGone);
    const there = changes.filter((change) => !isGone(change));
    const heard = new Set(gone.filter(({ before }) => meets(restriction, before)).map(({ id }) => id));
    if (there.length === 0) return heard;
    const visible = await this.#visible(em, restriction, [...new Set(there.map(({ recordId }) => recordId))]);
    for (const { id, recordId } of there) if (visible.has(recordId)) heard.add(id);
    return heard;
  }

  /**
   * Tells whose records an identity may see, as JSON text: the values that scopes compare with, or the claims by which a rule narrows.
   * It is another one for a person who works for another tenant now. Lists do not count, because a person may join another team.
   */
  belonging(identity: unknown): string {
    const request = requestOf(identity, this.database.fork());
    const values = this.#rules.flatMap(each).filter(narrows);
    return JSON.stringify(values.map((rule) => this.#belongingBy(rule, request)));
  }

  #belongingBy(rule: AuthorizationRule, request: AuthorizationRequest): readonly unknown[] {
    const scope = rule.scopeOf?.(this.#meta);
    const values =
      scope === undefined
        ? claimsIn(rule, request.authorizationData)
        : scope.conditions.map(({ value }) => valueIn(value, request));
    return values.map((value) => (isScalar(value) ? value : null));
  }

  /** All records; or those of a restriction; undefined for none. */
  async #restriction(
    identity: unknown,
    request: AuthorizationRequest,
  ): Promise<Restriction | 'all' | undefined> {
    try {
      for (const rule of this.#rules) if (!(await rule.gate(identity as never, request))) return undefined;
      const visibility = this.#records.visibleTo(request, this.#meta);
      if (visibility === undefined) return 'all';
      const em = request.em;
      return (await visibility.restrictionOf(this.#meta, () => Promise.resolve(em))) ?? 'all';
    } catch (error) {
      if (error instanceof NotAuthorized || error instanceof NotFound) return undefined;
      throw error;
    }
  }

  async #visible(
    em: AuthorizationRequest['em'],
    restriction: Restriction,
    recordIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const { dialect } = this.database;
    const { property, type } = this.model.idColumn;
    const keys = recordIds.map((text) => dialect.bind(type.toDatabase(type.fromText(text))));
    const ofKeys = { property, comparison: 'in', value: keys, given: keys, isStored: true } as const;
    const filter = new RestrictionFilter(dialect);
    const conditions = together([restriction]) ?? restriction;
    const where = { $and: [...filter.plain([ofKeys]), ...filter.of(this.#meta, conditions)] };
    const rows = await em.find(this.#meta.class, where, {
      fields: [property.name] as never,
      // Requests give filters of MikroORM their parameters, and this is none: the rule says whose the records are.
      filters: false,
      disableIdentityMap: true,
    });
    return new Set(rows.map((row) => recordedKey(type, Reflect.get(row, property.name))));
  }

  #movedBy(owner: string, narrowedBy: readonly string[] | undefined): readonly string[] {
    const refuse = (problem: string): never => {
      throw new ConfigurationError(owner, 'narrowedBy', problem);
    };
    const { className } = this.#meta;
    const recorded = this.database.changes?.of(this.#meta)?.entity.columns ?? [];
    const given = narrowedBy?.map((name) => this.model.columns.get(name)?.property.name ?? name) ?? [];
    const narrowing = this.#rules.flatMap(each).filter(narrows);
    const scopes = narrowing.map((rule) => rule.scopeOf?.(this.#meta));
    if (narrowedBy === undefined && scopes.includes(undefined))
      return refuse(
        "is required: rules narrow the records, and nobody knows by which columns, so that a record may have been another's before",
      );
    const known = scopes.flatMap((scope) => scope?.conditions.map(({ propertyName }) => propertyName) ?? []);
    const all = [...new Set([...given, ...known])];
    const untold = all.find(
      (name) => recorded.find(({ property }) => property.name === name)?.isWithheld !== false,
    );
    if (untold !== undefined)
      return refuse(`the log has no values of '${untold}' of ${className}; see recordChanges`);
    // With its key a record leaves what it was told of under it to whoever takes that.
    return narrowing.length === 0 ? all : [...new Set([...all, this.model.idColumn.property.name])];
  }
}

/** The rules that must all hold, each by itself. */
function each(rule: AuthorizationRule): readonly AuthorizationRule[] {
  return rule instanceof CombinedAuthorization ? rule.rules.flatMap(each) : [rule];
}

/** The value that a scope compares with; none where a request without it is refused. */
function valueIn(value: ScopeCondition['value'], request: AuthorizationRequest): unknown {
  try {
    return value(request);
  } catch {
    return undefined;
  }
}

/** The claims that a rule looks at; none where it does not say which they are. */
function claimsIn({ identityClaims = [] }: AuthorizationRule, identity: unknown): readonly unknown[] {
  const claims = new Map<string, unknown>(Object.entries(Object(identity) as object));
  return identityClaims.map((name) => claims.get(name));
}

/** True of a record whose row is gone. One that has a mark in its place is still there to be looked at. */
function isGone({ operation, after }: Change): boolean {
  return operation === 'deleted' && after === null;
}

/** True if the values of a row that is gone met the conditions. What cannot be told from them is none. */
function meets({ conditions, keys, groups }: Restriction, before: Change['before']): boolean {
  if (keys !== undefined || before === null) return false;
  return (
    conditions.every((condition) => isMet(condition, before)) &&
    groups.every((group) => group.some((one) => meets(one, before)))
  );
}

function isMet(
  { property, comparison, value }: PlainCondition,
  before: NonNullable<Change['before']>,
): boolean {
  if (!Object.hasOwn(before, property.name)) return false;
  const was = before[property.name];
  if (comparison === 'is null') return was === null;
  if (was === null || typeof was === 'object') return false;
  if (comparison === 'is not null') return true;
  if (comparison !== '=' && comparison !== 'in') return false;
  return [value].flat().some((one) => isScalar(one) && isScalar(was) && String(one) === String(was));
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** The request that rules look at where there is none: of the identity alone. */
function requestOf(authorizationData: unknown, em: AuthorizationRequest['em']): AuthorizationRequest {
  const nobody = (): Promise<never> => Promise.reject(new TypeError('scoped: there is no request'));
  return {
    method: 'GET',
    headers: {},
    native: undefined,
    routingData: {},
    requestHeaders: {},
    authorizationData,
    ip: undefined,
    request: undefined,
    queryParameters: {},
    requestId: '',
    signal: new AbortController().signal,
    em,
    scoped: nobody,
  };
}
