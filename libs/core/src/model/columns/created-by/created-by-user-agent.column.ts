import type { ColumnFacts } from '../../column.type.js';
import type { RequestFacts } from '../../request.facts.js';
import { CreatedByColumn } from './created-by.column.js';

/** The `User-Agent` header of the request that creates the record, cut to the length of the database column. */
export class CreatedByUserAgentColumn extends CreatedByColumn {
  readonly name: string = 'CreatedByUserAgent';
  private readonly length: number = Infinity;

  protected valueIn({ requestHeaders }: RequestFacts): unknown {
    const { 'user-agent': userAgent } = requestHeaders;
    // Node reads headers as Latin-1, so every character is one code unit.
    return userAgent?.slice(0, this.length);
  }

  override narrow(facts: ColumnFacts): this {
    const { databaseType, length = Infinity } = facts;
    return super.narrow(facts).with({ length: databaseType.includes('char') ? length : Infinity });
  }
}
