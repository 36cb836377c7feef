import { Listing, type ListOptions } from './listing.js';

/** Returns records, sorted and paged (contract: List). */
export class List<E extends object = object> extends Listing<E, ListOptions<E>> {
  protected override readonly defaultMethods = ['GET'] as const;
  protected override readonly searches = false;
}
