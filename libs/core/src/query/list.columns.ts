import { operatorsOf } from '../model/column.js';
import type { Operator } from '../model/operator.js';
import type { ColumnPath, Model } from '../model/model.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { NameTable } from '../wire/name.table.js';
import { known, sortable, visible } from './selection.js';
import type { Direction } from './query.plan.js';
import { oneOf } from '../wire/configuration.error.js';

/** The options that say what a client may sort and search by. */
export interface ListColumnOptions {
  readonly sortableColumnNames: readonly string[];
  readonly searchableColumnNames?: readonly string[];
  readonly defaultSortColumnName: string;
  /** Default `ASC`. */
  readonly defaultSortDirection?: 'ASC' | 'DESC' | 'asc' | 'desc';
}

/** A column under the name that clients use. */
export interface NamedPath {
  readonly name: string;
  readonly path: ColumnPath;
}

/** The columns that a client may sort and search by, by external names. Made once per endpoint. */
export class ListColumns {
  readonly sortable: ReadonlyMap<string, NamedPath>;
  readonly searchable: ReadonlyMap<string, NamedPath>;
  readonly defaultSort: ColumnPath;
  readonly defaultDirection: Direction;

  /** @param needed an operator that every searchable column must know; undefined for any one */
  constructor(owner: string, model: Model, names: NameTable, options: ListColumnOptions, needed?: Operator) {
    const { sortableColumnNames, searchableColumnNames = [], defaultSortColumnName } = options;
    const sorts = sortableColumnNames.map((name) => ({
      name,
      path: sortable(owner, visible(owner, model, name, 'sortableColumnNames'), 'sortableColumnNames'),
    }));
    this.sortable = names.index(owner, 'sortableColumnNames', sorts);
    this.searchable = searchableColumns(owner, model, names, searchableColumnNames, needed);
    this.defaultSort = sortable(
      owner,
      known(owner, model, defaultSortColumnName, 'defaultSortColumnName'),
      'defaultSortColumnName',
    );
    this.defaultDirection = directionOf(owner, options.defaultSortDirection ?? 'ASC');
  }
}

/**
 * The columns that a client may search by, by external names.
 * @param needed an operator that every one of them must know; undefined for any one
 */
export function searchableColumns(
  owner: string,
  model: Model,
  names: NameTable,
  columnNames: readonly string[],
  needed?: Operator,
): ReadonlyMap<string, NamedPath> {
  const terms = columnNames.map((name) => ({
    name,
    path: visible(owner, model, name, 'searchableColumnNames'),
  }));
  const searchable = names.index(owner, 'searchableColumnNames', terms);
  const unsearchable = terms.find(({ path: { column } }) =>
    needed === undefined ? operatorsOf(column).length === 0 : !operatorsOf(column).includes(needed),
  );
  if (unsearchable === undefined) return searchable;
  throw new ConfigurationError(
    owner,
    'searchableColumnNames',
    `'${unsearchable.name}' cannot be searched${needed === undefined ? '' : ' by value'}`,
  );
}

function directionOf(owner: string, value: string): Direction {
  if (value === 'ASC' || value === 'asc') return 'asc';
  if (value === 'DESC' || value === 'desc') return 'desc';
  throw new ConfigurationError(
    owner,
    'defaultSortDirection',
    `'${value}' is unknown; ${oneOf(['ASC', 'DESC'])}`,
  );
}

/** A direction as a client writes it, in any letter case; undefined for anything else. */
export function directionFrom(value: unknown): Direction | undefined {
  const direction = typeof value === 'string' ? value.toLowerCase() : undefined;
  return direction === 'asc' || direction === 'desc' ? direction : undefined;
}
