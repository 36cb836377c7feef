import type { ColumnPathOf } from '../model/column.name.js';
import type { OptionChecks } from '../options/option.check.js';
import { ListParameters } from '../query/list.parameters.js';
import type { PlanSource } from '../query/plan.source.js';
import { Listing, requiredByLists, type ListOptions, type PlanReader } from './listing.js';

/** Parameters of {@link SimpleSearch}. */
export interface SimpleSearchOptions<E extends object> extends ListOptions<E> {
  /** The columns a client may filter by, relation paths included. */
  readonly searchableColumnNames: readonly ColumnPathOf<NoInfer<E>>[];
}

/** A List that also filters by exact values; a record must match every term (contract: SimpleSearch). */
export class SimpleSearch<E extends object = object> extends Listing<E, SimpleSearchOptions<E>> {
  static override readonly optionChecks: OptionChecks = {};

  protected override readonly defaultMethods = ['GET', 'POST', 'QUERY'] as const;
  override readonly requiredOptions = [...requiredByLists, 'searchableColumnNames'];

  protected override readonly neededOperator = '=';
  protected override readonly listed = ' that match every search term';

  protected override planReader(source: PlanSource): PlanReader {
    return new ListParameters(source);
  }
}
