import { NotAuthorized, type ClaimOf } from '@nest-endpoints/core';
import { claimOf, isScalar } from './claims.of.js';

/** The types that a claim may be asked to have. */
interface ScalarTypes {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
}

/**
 * Gives a claim that a filter may be made of: a text, number or boolean. A sender without it is not authorized. A missing
 * claim would be a filter for records without a value, and an object in its place an operator.
 *
 * @example
 * override filterModel(query: QueryBuilder<Project>, identity: unknown) {
 *   return query.andWhere({ tenant: scalarClaim(identity, 'tenant', 'string') });
 * }
 * @typeParam Who the identity, whose claims may be named; unknown for any
 * @param type demands one of the three types. Default: any of them
 * @throws NotAuthorized
 */
export function scalarClaim<T extends keyof ScalarTypes = keyof ScalarTypes, Who = unknown>(
  identity: Who,
  name: ClaimOf<Who>,
  type?: T,
): ScalarTypes[T] {
  const claim = claimOf(identity, name);
  if (isScalar(claim) && (type === undefined || typeof claim === type)) return claim as ScalarTypes[T];
  const wanted = type ?? 'text, number or boolean';
  throw new NotAuthorized({
    cause: new TypeError(`The identity has no claim '${name}' that is a ${wanted}`),
  });
}
