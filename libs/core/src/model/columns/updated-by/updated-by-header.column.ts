import { CreatedByHeaderColumn } from '../created-by/created-by-header.column.js';

/**
 * A header of the request that changed the record last, or created it.
 *
 * @example defineColumns(Trip, { lastChannel: { type: new UpdatedByHeaderColumn('X-Channel') } });
 */
export class UpdatedByHeaderColumn extends CreatedByHeaderColumn {
  override readonly name = 'UpdatedByHeader';
  override readonly isSetOnUpdate = true;
}
