import type { ColumnsOf } from '../../model/column.name.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import type { OptionChecks } from '../../options/option.check.js';
import { ListParameters } from '../../request/list.parameters.js';
import type { PlanSource } from '../../query/plan.source.js';
import { Listing, type ListOptions, type PlanReader } from './listing.js';

type Names = NamesOf<ListOptions<object>>;

/** Returns records, sorted and paged (contract: List). */
export class List<
  E extends object = object,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  Text = string,
> extends Listing<
  E,
  ListOptions<E>,
  OptionsOf<Entity, Names['all'], Names['required'], ListOptions<E, Entity, Readable, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = {};

  protected override readonly defaultMethods = ['GET'] as const;

  protected override planReader(source: PlanSource): PlanReader {
    return new ListParameters(source, new Map());
  }
}
