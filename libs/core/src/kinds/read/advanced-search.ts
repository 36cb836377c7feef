import type { KindContext } from '../../endpoint/kind.context.js';
import type { ColumnsOf } from '../../model/column.name.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import type { PlanSource } from '../../query/plan.source.js';
import { SearchBody } from '../../request/search.body.js';
import type { SearchLimits } from '../../request/where.conditions.js';
import { searchLimitChecks } from '../../request/list.checks.js';
import type { OptionChecks } from '../../options/option.check.js';
import { Listing, requiredByLists, type ListOptions, type PlanReader } from './listing.js';

/** Parameters of {@link AdvancedSearch}. */
export interface AdvancedSearchOptions<
  E extends object,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
  Text = string,
>
  extends ListOptions<E, Entity, Readable, Text>, SearchLimits {
  /** The columns that conditions may be about, relation paths included. */
  readonly searchableColumnNames: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
}

type Names = NamesOf<AdvancedSearchOptions<object>>;

/** A List whose JSON body asks for sorts, conditions with operators, and a page (contract: AdvancedSearch). */
export class AdvancedSearch<
  E extends object = object,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  Text = string,
> extends Listing<
  E,
  AdvancedSearchOptions<E>,
  OptionsOf<Entity, Names['all'], Names['required'], AdvancedSearchOptions<E, Entity, Readable, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = searchLimitChecks;

  protected override readonly defaultMethods = ['GET', 'POST', 'QUERY'] as const;
  override readonly requiredOptions = [...requiredByLists, 'searchableColumnNames'];

  protected override readonly readsQuery = false;
  protected override readonly searchesNear = true;
  protected override readonly verb = 'search';
  protected override readonly listed = ' that meet every condition of the body';

  protected override planReader(source: PlanSource, { root, settings }: KindContext): PlanReader {
    return new SearchBody(source, { ...root, ...this.options }, settings.answers.linksPages);
  }
}
