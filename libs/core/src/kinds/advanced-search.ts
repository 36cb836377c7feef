import type { Compilation } from '../endpoint/compilation.js';
import type { ColumnPathOf } from '../model/column.name.js';
import type { PlanSource } from '../query/plan.source.js';
import { SearchBody, type SearchLimits } from '../query/search.body.js';
import { searchLimitChecks } from '../query/list.checks.js';
import type { OptionChecks } from '../options/option.check.js';
import { Listing, requiredByLists, type ListOptions, type PlanReader } from './listing.js';

/** Parameters of {@link AdvancedSearch}. */
export interface AdvancedSearchOptions<E extends object> extends ListOptions<E>, SearchLimits {
  /** The columns that conditions may be about, relation paths included. */
  readonly searchableColumnNames: readonly ColumnPathOf<NoInfer<E>>[];
}

/** A List whose JSON body asks for sorts, conditions with operators, and a page (contract: AdvancedSearch). */
export class AdvancedSearch<E extends object = object> extends Listing<E, AdvancedSearchOptions<E>> {
  static override readonly optionChecks: OptionChecks = searchLimitChecks;

  protected override readonly defaultMethods = ['GET', 'POST', 'QUERY'] as const;
  override readonly requiredOptions = [...requiredByLists, 'searchableColumnNames'];

  protected override readonly verb = 'search';
  protected override readonly listed = ' that meet every condition of the body';

  protected override planReader(source: PlanSource, { root }: Compilation): PlanReader {
    return new SearchBody(source, { ...root, ...this.options });
  }
}
