import { CreatedByRoutingDataColumn } from '../created-by/created-by-routing-data.column.js';

/**
 * A path parameter of the request that changed the record last, or created it.
 *
 * @example defineColumns(Stop, { deskId: { type: new UpdatedByRoutingDataColumn('desk') } }); // desks/:desk/stops/:id
 */
export class UpdatedByRoutingDataColumn extends CreatedByRoutingDataColumn {
  override readonly name = 'UpdatedByRoutingData';
  override readonly isSetOnUpdate = true;
}
