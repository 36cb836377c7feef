import type { EntityMetadata } from '@mikro-orm/core';
import type { RequestFacts } from '../model/request.facts.js';
import { Authorization } from './authorization.js';
import { misfitOf, type EveryModel } from './every.model.js';
import { propertiesAt } from '../metadata/keys/entity.path.js';
import type { RecordScope } from './record.scope.js';

/** The column by which the rows of a database are parted among tenants, see `EndpointsModule.forRoot`. */
export interface PartitionOptions {
  /** The property of the entities that take part, or the key column of a relation, e.g. `tenantId`; others are shared. */
  readonly column: string;
  /**
   * The value of a request: a text, number or boolean that the column can hold. Anything else is a 500, and nothing is sent
   * to the database.
   *
   * @example value: ({ routingData }) => routingData.tenant
   */
  readonly value: (request: RequestFacts) => unknown;
  /** True if an endpoint over an entity without the column stops the start. Default false. */
  readonly everyModelHasIt?: EveryModel;
}

/** The partition of an application as a rule of its endpoints: every statement names the column. */
export class PartitionRule extends Authorization {
  constructor(readonly options: PartitionOptions) {
    super();
  }

  readonly narrows = true;

  override concerns(entity: EntityMetadata): boolean {
    return this.#nameIn(entity) !== undefined;
  }

  scopeOf(entity: EntityMetadata): RecordScope | undefined {
    const propertyName = this.#nameIn(entity);
    if (propertyName === undefined) return { conditions: [] };
    const { value } = this.options;
    return { conditions: [{ propertyName, value }], isSticky: true, otherwise: 'failure' };
  }

  misfit(entity: EntityMetadata, all: readonly EntityMetadata[]): string | undefined {
    const { column, everyModelHasIt } = this.options;
    const rule = { column, every: everyModelHasIt, option: 'everyModelHasIt' };
    const problem = misfitOf(this, rule, entity, all);
    return problem === undefined ? undefined : `partition: ${problem}`;
  }

  #nameIn(entity: EntityMetadata): string | undefined {
    return propertiesAt(entity, [this.options.column])?.[0];
  }
}
