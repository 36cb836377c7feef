import type { ColumnsOf } from '../../model/column.name.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import type { OptionChecks } from '../../options/option.check.js';
import { ListParameters } from '../../request/list.parameters.js';
import type { PlanSource } from '../../query/plan.source.js';
import { Listing, requiredByLists, type ListOptions, type PlanReader } from './listing.js';

/** Parameters of {@link SimpleSearch}. */
export interface SimpleSearchOptions<
  E extends object,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
  Text = string,
> extends ListOptions<E, Entity, Readable, Text> {
  /** The columns a client may filter by, relation paths included. */
  readonly searchableColumnNames: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
}

type Names = NamesOf<SimpleSearchOptions<object>>;

/** A List that also filters by exact values; a record must match every term (contract: SimpleSearch). */
export class SimpleSearch<
  E extends object = object,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  Text = string,
> extends Listing<
  E,
  SimpleSearchOptions<E>,
  OptionsOf<Entity, Names['all'], Names['required'], SimpleSearchOptions<E, Entity, Readable, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = {};

  protected override readonly defaultMethods = ['GET', 'POST', 'QUERY'] as const;
  override readonly requiredOptions = [...requiredByLists, 'searchableColumnNames'];

  protected override readonly searchesByTerm = true;
  protected override readonly listed = ' that match every search term';

  protected override planReader(source: PlanSource): PlanReader {
    return new ListParameters(source);
  }
}
