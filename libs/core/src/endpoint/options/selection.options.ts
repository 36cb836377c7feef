import type { ColumnsOf } from '../../model/column.name.js';
import { boolean, names } from '../../options/checks.js';
import type { ChecksOf } from '../../options/option.check.js';

/** Parameters of kinds that answer with records: which columns a client may choose. */
export interface SelectionOptions<E extends object, Entity = E> {
  /**
   * True to read `fields`: the columns to show, in the place of all of `readableColumnNames`. What is not named is not
   * read either. Default false.
   */
  readonly clientSelectsColumns?: boolean;
  /** The columns that are shown only to clients that ask for them by `include`, in this order. Default none. */
  readonly includableColumnNames?: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
}

/** The checks of what a client may choose. */
export const selectionChecks = {
  clientSelectsColumns: boolean,
  includableColumnNames: names,
} as const satisfies ChecksOf<SelectionOptions<object>>;
