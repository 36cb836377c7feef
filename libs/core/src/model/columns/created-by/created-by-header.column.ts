import { checkArguments } from '../../../options/checked.arguments.js';
import { filledText } from '../../../options/checks.js';
import type { ColumnType } from '../../column.type.js';
import type { RequestFacts } from '../../request.facts.js';
import { CreatedByColumn } from './created-by.column.js';

/**
 * A header of the request that creates the record.
 *
 * @example defineColumns(Trip, { channel: { type: new CreatedByHeaderColumn('X-Channel') } });
 */
export class CreatedByHeaderColumn extends CreatedByColumn {
  readonly name: string = 'CreatedByHeader';

  /** @param header its name, in any letter case @param type what the values are; see {@link CreatedByColumn} */
  constructor(
    readonly header: string,
    type?: ColumnType,
  ) {
    super(type);
    checkArguments(new.target.name, { header: [header, filledText] });
  }

  protected valueIn({ requestHeaders }: RequestFacts): unknown {
    const name = this.header.toLowerCase();
    const value = Object.hasOwn(requestHeaders, name) ? requestHeaders[name] : undefined;
    return Array.isArray(value) ? value.join(', ') : value;
  }
}
