import { checkArguments } from '../../../options/checked.arguments.js';
import { filledText } from '../../../options/checks.js';
import type { ColumnType } from '../../column.type.js';
import type { ClaimOf, Identity } from '../../registered.identity.js';
import type { RequestFacts } from '../../request.facts.js';
import { CreatedByColumn } from './created-by.column.js';

/**
 * A claim of whoever creates the record, as the endpoint's authentication found it.
 *
 * @example defineColumns(Trip, { ownerId: { type: new CreatedByAuthorizationDataColumn('sub') } });
 */
export class CreatedByAuthorizationDataColumn extends CreatedByColumn {
  readonly name: string = 'CreatedByAuthorizationData';
  override readonly claimNames: readonly string[];

  /** @param claim the claim's name in the authorization data @param type what the values are; see {@link CreatedByColumn} */
  constructor(
    readonly claim: ClaimOf<Identity>,
    type?: ColumnType,
  ) {
    super(type);
    checkArguments(new.target.name, { claim: [claim, filledText] });
    this.claimNames = [claim];
  }

  protected valueIn({ authorizationData }: RequestFacts): unknown {
    const isObject = typeof authorizationData === 'object' && authorizationData !== null;
    if (!isObject || !Object.hasOwn(authorizationData, this.claim)) return undefined;
    return Reflect.get(authorizationData, this.claim);
  }
}
