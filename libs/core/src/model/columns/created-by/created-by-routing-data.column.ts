import { checkArguments } from '../../../options/checked.arguments.js';
import { filledText } from '../../../options/checks.js';
import type { ColumnType } from '../../column.type.js';
import type { RequestFacts } from '../../request.facts.js';
import { CreatedByColumn } from './created-by.column.js';

/**
 * A path parameter of the request that creates the record.
 *
 * @example defineColumns(Stop, { tripId: { type: new CreatedByRoutingDataColumn('trip') } }); // trips/:trip/stops
 */
export class CreatedByRoutingDataColumn extends CreatedByColumn {
  readonly name: string = 'CreatedByRoutingData';

  /** @param parameter its name in the url @param type what the values are; see {@link CreatedByColumn} */
  constructor(
    readonly parameter: string,
    type?: ColumnType,
  ) {
    super(type);
    checkArguments(new.target.name, { parameter: [parameter, filledText] });
  }

  protected valueIn({ routingData }: RequestFacts): unknown {
    return Object.hasOwn(routingData, this.parameter) ? routingData[this.parameter] : undefined;
  }
}
