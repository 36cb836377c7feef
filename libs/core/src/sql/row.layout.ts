import type { ReadPath, SelectedColumn, SelectedList, Selection } from '../query/query.plan.js';
import { columnsOf, listsOf } from '../query/selected.columns.js';

/** A record as it was read: values in the order of a {@link RowLayout}, as the database hands them over. */
export type Row = readonly unknown[];

/**
 * The places of a selection in its rows. First come the columns in the order of the statement, then the rows of related
 * records, a list for each. Last comes the stored record itself, where functions of the user's get it.
 */
export class RowLayout {
  readonly columns: readonly ReadPath[];
  readonly lists: readonly SelectedList[];
  readonly #positions: ReadonlyMap<string, number>;

  constructor(selection: Selection | SelectedColumn) {
    this.columns = columnsOf(selection);
    this.lists = listsOf(selection);
    this.#positions = new Map(this.columns.map(({ text }, index) => [text, index]));
  }

  /** Gives the place of a column in rows. */
  at({ text }: ReadPath): number {
    return this.#positions.get(text) ?? -1;
  }

  /** Gives the place of the rows of related records. */
  atList(list: SelectedList): number {
    return this.columns.length + this.lists.indexOf(list);
  }

  /** The place of the stored record in rows. */
  get atStored(): number {
    return this.columns.length + this.lists.length;
  }

  /** Rows with more behind their columns, in the order of {@link lists}; what stood there was of the statement only. */
  extended(rows: readonly Row[], more: readonly (readonly unknown[])[]): readonly Row[] {
    const { length } = this.columns;
    return rows.map((row, index) => [...row.slice(0, length), ...more.map((values) => values[index])]);
  }
}
