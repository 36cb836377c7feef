import type { EntityMetadata } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/sql';
import {
  Authorization,
  ConfigurationError,
  optionChecks,
  type AdjustedQuery,
  type AuthorizationRequest,
  type ClaimOf,
  type Identity,
  type RecordScope,
} from '@nest-endpoints/core';
import { propertiesAt, scopedFilter } from '@nest-endpoints/core/internal';
import { claimOf, isScalar } from './claims.of.js';
import { judgesAlone, narrowsAlone } from './judges.alone.js';

type Key = string | number | boolean;

/**
 * Lets everybody see the records that are their own. The column of such a record has the value of a claim, or one of its
 * values where the claim is a list. Without the claim nobody is let in. Related records are hidden in the same way, where
 * their entity has the same column.
 *
 * @example new OwnRecords('owner', 'sub')
 */
export class OwnRecords extends Authorization {
  /**
   * @param column a property of the entity, the key column of a relation, or a path to a column of a parent, e.g.
   * `owner`, `accountId`, `account.owner`
   * @param claim the claim of the identity, e.g. `sub`
   */
  constructor(
    readonly column: string,
    readonly claim: ClaimOf<Identity>,
  ) {
    super();
    for (const [option, value] of Object.entries({ column, claim })) {
      const problem = optionChecks.filledText.complaint(value);
      if (problem !== undefined) throw new ConfigurationError('OwnRecords', option, problem);
    }
  }

  /** A filter that is left out would show everything, and one that fails nothing. */
  misfit(entity: EntityMetadata): string | undefined {
    if (propertiesAt(entity, this.column.split('.')) !== undefined) return undefined;
    const names = Object.keys(entity.properties).join(', ');
    return `OwnRecords: ${entity.className} has no column '${this.column}'; its properties: ${names}`;
  }

  /** False: it looks at the identity alone. A class that extends it and overrides a method may look at more. */
  get seesRequest(): boolean {
    return !judgesAlone(this, OwnRecords.prototype);
  }

  /** The claims that this class looks at. A class that extends it and looks at more says so. */
  get identityClaims(): readonly string[] | undefined {
    return judgesAlone(this, OwnRecords.prototype) ? [this.claim] : undefined;
  }

  /** True: without the claim there are no records to see. A class that extends it and overrides its gate may mean more. */
  get isAboutRecords(): boolean {
    return judgesAlone(this, OwnRecords.prototype);
  }

  /** The rest is for classes that extend this one and look at the request. */
  override gate(identity: unknown, ..._rest: readonly [AuthorizationRequest?]): boolean {
    return this.#keys(identity) !== undefined;
  }

  /** @throws TypeError where the entity has no such column: a filter that is left out would show everything */
  override filterModel(
    query: QueryBuilder<object>,
    identity: unknown,
    ..._rest: readonly [AuthorizationRequest?]
  ): AdjustedQuery {
    const names = propertiesAt(query.mainAlias.meta, this.column.split('.'));
    if (names === undefined)
      throw new TypeError(`OwnRecords: ${query.mainAlias.meta.className} has no column '${this.column}'`);
    const keys = this.#keys(identity);
    if (keys === undefined) throw new TypeError(`OwnRecords: the identity has no claim '${this.claim}'`);
    return query.andWhere(scopedFilter(query, { owner: 'OwnRecords', path: names, value: keys }) as never);
  }

  /** A path leads to other tables, and who extends the class may say more. */
  scopeOf(entity: EntityMetadata): RecordScope | undefined {
    const names = propertiesAt(entity, this.column.split('.'));
    const [propertyName] = names ?? [];
    if (names?.length !== 1 || propertyName === undefined || !narrowsAlone(this, OwnRecords.prototype))
      return undefined;
    return {
      conditions: [{ propertyName, value: ({ authorizationData }) => this.#value(authorizationData) }],
    };
  }

  override concerns(entity: EntityMetadata): boolean {
    return !this.column.includes('.') && propertiesAt(entity, [this.column]) !== undefined;
  }

  /** One value is compared as one. */
  #value(identity: unknown): unknown {
    const keys = this.#keys(identity);
    return keys?.length === 1 ? keys[0] : keys;
  }

  #keys(identity: unknown): readonly Key[] | undefined {
    const values: readonly unknown[] = [claimOf(identity, this.claim)].flat();
    return values.length > 0 && values.every(isScalar) ? values : undefined;
  }
}
