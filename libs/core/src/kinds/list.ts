import type { OptionChecks } from '../options/option.check.js';
import { ListParameters } from '../query/list.parameters.js';
import type { PlanSource } from '../query/plan.source.js';
import { Listing, type ListOptions, type PlanReader } from './listing.js';

/** Returns records, sorted and paged (contract: List). */
export class List<E extends object = object> extends Listing<E, ListOptions<E>> {
  static override readonly optionChecks: OptionChecks = {};

  protected override readonly defaultMethods = ['GET'] as const;

  protected override planReader(source: PlanSource): PlanReader {
    return new ListParameters(source, new Map());
  }
}
