import { CreatedByAuthorizationDataColumn } from '../../model/columns/created-by/created-by-authorization-data.column.js';
import { CreatedByHeaderColumn } from '../../model/columns/created-by/created-by-header.column.js';
import { CreatedByIpColumn } from '../../model/columns/created-by/created-by-ip.column.js';
import { CreatedByRoutingDataColumn } from '../../model/columns/created-by/created-by-routing-data.column.js';
import { CreatedByUserAgentColumn } from '../../model/columns/created-by/created-by-user-agent.column.js';
import { UpdatedByAuthorizationDataColumn } from '../../model/columns/updated-by/updated-by-authorization-data.column.js';
import { UpdatedByHeaderColumn } from '../../model/columns/updated-by/updated-by-header.column.js';
import { UpdatedByIpColumn } from '../../model/columns/updated-by/updated-by-ip.column.js';
import { UpdatedByRoutingDataColumn } from '../../model/columns/updated-by/updated-by-routing-data.column.js';
import { UpdatedByUserAgentColumn } from '../../model/columns/updated-by/updated-by-user-agent.column.js';

/** Types of columns that take their values from a request, and never from the platform's own. */
export const blindFillers: ReadonlySet<unknown> = new Set([
  CreatedByAuthorizationDataColumn,
  CreatedByHeaderColumn,
  CreatedByIpColumn,
  CreatedByRoutingDataColumn,
  CreatedByUserAgentColumn,
  UpdatedByAuthorizationDataColumn,
  UpdatedByHeaderColumn,
  UpdatedByIpColumn,
  UpdatedByRoutingDataColumn,
  UpdatedByUserAgentColumn,
]);
