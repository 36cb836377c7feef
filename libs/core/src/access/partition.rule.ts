import type { EntityMetadata } from '@mikro-orm/core';
import type { RequestFacts } from '../model/request.facts.js';
import { Authorization } from './authorization.js';
import { isMeant, type EveryModel } from './every.model.js';
import type { RecordScope } from './record.scope.js';

/** The column by which the rows of a database are parted among tenants, see `EndpointsModule.forRoot`. */
export interface PartitionOptions {
  /** The property of the entities that take part, e.g. `tenantId`; entities without it are shared. */
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
    return Object.hasOwn(entity.properties, this.options.column);
  }

  scopeOf(entity: EntityMetadata): RecordScope | undefined {
    const { column, value } = this.options;
    if (!this.concerns(entity)) return undefined;
    return { conditions: [{ propertyName: column, value }], isSticky: true, isConfigured: true };
  }

  misfit(entity: EntityMetadata): string | undefined {
    const { column, everyModelHasIt } = this.options;
    if (this.concerns(entity) || !isMeant(everyModelHasIt, entity)) return undefined;
    return `partition.everyModelHasIt: ${entity.className} has no '${column}'`;
  }
}
