import type { EntityMetadata } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/sql';
import {
  Authorization,
  checkArguments,
  optionChecks,
  type AdjustedQuery,
  type AuthorizationRequest,
  type ClaimOf,
  type EveryModel,
  type Identity,
  type RecordScope,
} from '@nest-endpoints/core';
import { everyModelCheck, misfitOf, propertiesAt, scopedFilter } from '@nest-endpoints/core/internal';
import { claimOf, isScalar } from './claims.of.js';
import { judgesAlone, narrowsAlone } from './judges.alone.js';
import { scalarClaim } from './scalar.claim.js';

/** Parameters of {@link TenantRecords}. */
export interface TenantRecordsOptions {
  /** The property of the entities that tells the tenant, or the key column of a relation, e.g. `tenantId`. */
  readonly columnName: string;
  /** The claim of the identity that has the tenant: a text, number or boolean that the column can hold. */
  readonly claim: ClaimOf<Identity>;
  /**
   * True if an endpoint over an entity without the column stops the start: `true`, or all but the entities of `except`.
   * Default false: entities without the column are shared.
   */
  readonly everyModelHasTenant?: EveryModel;
}

/**
 * Keeps everybody among the records of their tenant. Records of others do not exist for them: in no answer, search, list or
 * count, and as no parent of a record. A new record gets the tenant of its creator; none can be moved to another tenant.
 * Entities without the column are shared. Without the claim nobody is let in.
 *
 * @example new TenantRecords({ columnName: 'tenantId', claim: 'tenant' })
 */
export class TenantRecords extends Authorization {
  readonly #columnName: string;
  readonly #claim: string;
  readonly #everyModel: EveryModel;

  /** @throws ConfigurationError for options that are missing, unknown or wrong */
  constructor(options: TenantRecordsOptions) {
    super();
    const { filledText, objectWith } = optionChecks;
    const members = { columnName: filledText, claim: filledText, everyModelHasTenant: everyModelCheck };
    checkArguments('TenantRecords', {
      options: [options, objectWith(members, ['columnName', 'claim'])],
    });
    this.#columnName = options.columnName;
    this.#claim = options.claim;
    this.#everyModel = options.everyModelHasTenant ?? false;
  }

  /** False: it looks at the identity alone. A class that extends it and overrides a method may look at more. */
  get seesRequest(): boolean {
    return !judgesAlone(this, TenantRecords.prototype);
  }

  /** The claims that this class looks at; a class that extends it and looks at more says so. */
  get identityClaims(): readonly string[] | undefined {
    return judgesAlone(this, TenantRecords.prototype) ? [this.#claim] : undefined;
  }

  /** True: without the claim there are no records to see. A class that extends it and overrides its gate may mean more. */
  get isAboutRecords(): boolean {
    return judgesAlone(this, TenantRecords.prototype);
  }

  /** The rest is for classes that extend this one and look at the request. */
  override gate(identity: unknown, ..._rest: readonly [AuthorizationRequest?]): boolean {
    const claim = claimOf(identity, this.#claim);
    return isScalar(claim);
  }

  misfit(entity: EntityMetadata, all: readonly EntityMetadata[]): string | undefined {
    const rule = { column: this.#columnName, every: this.#everyModel, option: 'everyModelHasTenant' };
    const problem = misfitOf(this, rule, entity, all);
    return problem === undefined ? undefined : `TenantRecords: ${problem}`;
  }

  override concerns(entity: EntityMetadata): boolean {
    return this.#nameIn(entity) !== undefined;
  }

  scopeOf(entity: EntityMetadata): RecordScope | undefined {
    if (!narrowsAlone(this, TenantRecords.prototype)) return undefined;
    const propertyName = this.#nameIn(entity);
    if (propertyName === undefined) return { conditions: [] };
    const value: RecordScope['conditions'][number]['value'] = ({ authorizationData }) =>
      claimOf(authorizationData, this.#claim);
    return { conditions: [{ propertyName, value }], isSticky: true };
  }

  /** For entities without the column: all of their records. @throws NotAuthorized for a claim that the column cannot hold */
  override filterModel(
    query: QueryBuilder<object>,
    identity: unknown,
    ..._rest: readonly [AuthorizationRequest?]
  ): AdjustedQuery {
    const name = this.#nameIn(query.mainAlias.meta);
    if (name === undefined) return query;
    const value = scalarClaim(identity, this.#claim);
    const filter = scopedFilter(query, { owner: 'TenantRecords', path: [name], value, isSticky: true });
    return query.andWhere(filter as never);
  }

  #nameIn(entity: EntityMetadata): string | undefined {
    return propertiesAt(entity, [this.#columnName])?.[0];
  }
}
