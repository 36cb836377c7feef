import { CreatedByIpColumn } from '../created-by/created-by-ip.column.js';

/** The address of whoever changed the record last, or created it, as the platform tells it. */
export class UpdatedByIpColumn extends CreatedByIpColumn {
  override readonly name = 'UpdatedByIp';
  override readonly isSetOnUpdate = true;
}
