import { CreatedByUserAgentColumn } from '../created-by/created-by-user-agent.column.js';

/** The `User-Agent` header of the request that changed the record last, or created it, cut to the column's length. */
export class UpdatedByUserAgentColumn extends CreatedByUserAgentColumn {
  override readonly name = 'UpdatedByUserAgent';
  override readonly isSetOnUpdate = true;
}
