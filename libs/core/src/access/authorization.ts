import type { EntityMetadata, FilterQuery } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/sql';
import type { Identity } from '../model/registered.identity.js';
import type { AdjustedQuery } from '../visibility/adjusted.query.js';
import type { Credentials } from './authentication.js';
import type { RecordScope } from './record.scope.js';
import type { RequestContext } from './request.context.js';

/** The parts of a request that an authorization sees: everything but its body, because bodies are judged after it. */
export type AuthorizationRequest = RequestContext & Pick<Credentials, 'method' | 'headers' | 'native'>;

type Awaitable<T> = T | Promise<T>;

/** Any {@link Authorization}, whatever entity and identity it is about. */
export interface AuthorizationRule {
  /** Decides if a request may use the endpoint at all. */
  gate(authorizationData: never, request: AuthorizationRequest): Awaitable<boolean>;
  /** Narrows a query to the records that a request may see. */
  filterModel(query: never, authorizationData: never, request: AuthorizationRequest): unknown;
  /** True if the filter also holds for related records of this entity. */
  concerns(entity: EntityMetadata): boolean;
  /**
   * The plain conditions that {@link filterModel} stands for on an entity that the rule {@link concerns}, or the endpoint's own, where it is plain
   * conditions: then that is not asked. Called when the application starts; undefined where it is no plain condition.
   */
  scopeOf?(entity: EntityMetadata): RecordScope | undefined;
  /**
   * False if nothing of the rule looks at the platform's own request. Default: the parameters of its methods tell, and one with
   * {@link scopeOf} may.
   */
  readonly seesRequest?: boolean;
  /** True if {@link filterModel} says anything; undefined where its class tells. */
  readonly narrows?: boolean;
  /**
   * True if the rule says which records there are, and its gate only refuses those for whom there would be none. Then it does not
   * hold where there are no records: at documents and migrations. Default false.
   */
  readonly isAboutRecords?: boolean;
  /**
   * The names of all claims of the identity that the rule looks at. `Idempotency-Key` tells senders apart by them.
   * Undefined where they are not known; then everything that is known of a sender counts.
   */
  readonly identityClaims?: readonly string[] | undefined;
  /**
   * Gives the reason why the rule makes no sense for an endpoint's entity, which stops the start; undefined where it
   * does.
   * @param all the entities of the same database
   */
  misfit?(entity: EntityMetadata, all: readonly EntityMetadata[]): string | undefined;
}

/**
 * Rules after authentication (contract: Authentication). The default enforces none. Where several hold, of an endpoint
 * and the groups around it, all must allow a request, and it sees the records that all let it see.
 *
 * @typeParam Who the identity. Default: what the application has declared in {@link Register}; a rule may say a narrower one
 * @example
 * class OwnTrips extends Authorization<Trip, { sub: string }> {
 *   override filterModel(query: QueryBuilder<Trip>, { sub }: { sub: string }) {
 *     return query.andWhere({ owner: sub });
 *   }
 * }
 */
export abstract class Authorization<E extends object = object, Who = Identity> implements AuthorizationRule {
  /**
   * Decides if a request with this identity may use the endpoint at all; anything but true is a 403. Default true.
   * @param _authorizationData what authentication found; undefined on public endpoints
   */
  gate(_authorizationData: Who, _request: AuthorizationRequest): Awaitable<boolean> {
    return true;
  }

  /**
   * Gives the query narrowed to the records that a request may see, or a filter object to add. A record it leaves out is
   * Not Found for Get, Update and Delete, is not in lists, and is no parent of another record. Default: all records.
   */
  filterModel(
    query: QueryBuilder<E>,
    _authorizationData: Who,
    _request: AuthorizationRequest,
  ): Awaitable<AdjustedQuery | FilterQuery<E>> {
    return query;
  }

  /**
   * True if {@link filterModel} also holds for records of this entity when an endpoint of another one shows them, filters
   * or sorts by them, or refers to them in a write. It always holds for the endpoint's own entity. Default false.
   */
  concerns(_entity: EntityMetadata): boolean {
    return false;
  }
}

/** The claims that rules look at; undefined where one of them may look at any. */
export function claimsOf(rules: readonly AuthorizationRule[]): readonly string[] | undefined {
  const claims: string[] = [];
  for (const { identityClaims } of rules) {
    if (identityClaims === undefined) return undefined;
    claims.push(...identityClaims);
  }
  return claims;
}

/** True if a rule hides records from somebody. */
export function narrows(rule: AuthorizationRule): boolean {
  // A rule says so itself where its methods do not tell, as one that is made of others.
  return (
    rule.narrows ??
    (rule.scopeOf !== undefined || (rule.filterModel as unknown) !== Authorization.prototype.filterModel)
  );
}
