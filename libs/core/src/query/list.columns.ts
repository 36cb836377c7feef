import { isRanked, isTerm, operatorsOf } from '../model/column.js';
import type { ColumnPath, Model } from '../model/model.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { NameTable } from '../wire/name.table.js';
import { known, searchable, sortable, visible } from './selection.js';
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

  /** @param isByTerm whether a search term has no operator, so that every searchable column must know its own */
  constructor(owner: string, model: Model, names: NameTable, options: ListColumnOptions, isByTerm = false) {
    const { sortableColumnNames, searchableColumnNames = [], defaultSortColumnName } = options;
    const sorts = sortableColumnNames.map((name) => ({
      name,
      path: sortPath(owner, model, name, searchableColumnNames),
    }));
    this.sortable = names.index(owner, 'sortableColumnNames', sorts);
    this.searchable = searchableColumns(owner, model, names, searchableColumnNames, isByTerm);
    this.defaultSort = sortable(
      owner,
      known(owner, model, defaultSortColumnName, 'defaultSortColumnName'),
      'defaultSortColumnName',
    );
    this.defaultDirection = directionOf(owner, options.defaultSortDirection ?? 'ASC');
  }
}

/** A column to sort by. One whose order is that of a search must be searchable, too. */
function sortPath(owner: string, model: Model, name: string, searchableNames: readonly string[]): ColumnPath {
  const option = 'sortableColumnNames';
  const path = searchable(owner, model, name, option);
  if (!isRanked(path.column)) return sortable(owner, visible(owner, model, name, option), option);
  const isToMany = path.relations.some((relation) => relation.isToMany);
  if (isToMany) return sortable(owner, path, option);
  if (searchableNames.includes(name)) return path;
  throw new ConfigurationError(
    owner,
    option,
    `'${name}' can be sorted by only beside a condition on it: add it to searchableColumnNames`,
  );
}

/**
 * The columns that a client may search by, by external names.
 * @param isByTerm whether a search term has no operator, so that every one of them must know its own
 */
export function searchableColumns(
  owner: string,
  model: Model,
  names: NameTable,
  columnNames: readonly string[],
  isByTerm = false,
): ReadonlyMap<string, NamedPath> {
  const terms = columnNames.map((name) => ({
    name,
    path: searchable(owner, model, name, 'searchableColumnNames'),
  }));
  const indexed = names.index(owner, 'searchableColumnNames', terms);
  const unsearchable = terms.find(({ path: { column } }) =>
    isByTerm ? !isTerm(column) : operatorsOf(column).length === 0,
  );
  if (unsearchable === undefined) return indexed;
  throw new ConfigurationError(
    owner,
    'searchableColumnNames',
    `'${unsearchable.name}' cannot be searched${isByTerm ? ' by value' : ''}`,
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
