import type { RequestFacts } from '../../request.facts.js';
import { CreatedByColumn } from './created-by.column.js';

/** The address of whoever creates the record, as the platform tells it: its `trust proxy` settings count. */
export class CreatedByIpColumn extends CreatedByColumn {
  readonly name: string = 'CreatedByIp';

  protected valueIn({ ip }: RequestFacts): unknown {
    return ip;
  }
}
