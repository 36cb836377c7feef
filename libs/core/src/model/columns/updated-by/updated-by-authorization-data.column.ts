import { CreatedByAuthorizationDataColumn } from '../created-by/created-by-authorization-data.column.js';

/**
 * A claim of whoever changed the record last, as the endpoint's authentication found it; of a new one, of whoever creates
 * it.
 *
 * @example defineColumns(Trip, { editorId: { type: new UpdatedByAuthorizationDataColumn('sub') } });
 */
export class UpdatedByAuthorizationDataColumn extends CreatedByAuthorizationDataColumn {
  override readonly name = 'UpdatedByAuthorizationData';
  override readonly isSetOnUpdate = true;
}
